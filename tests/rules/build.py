"""States and outcomes that tests need, built by playing real deals wherever that is possible."""

from __future__ import annotations

from collections.abc import Sequence

from arena.rules.base import Ending, HandOutcome, action
from arena.rules.cards import NAMES, parse_cards
from arena.rules.gin.actions import (
    ACCEPT,
    BIG_GIN,
    DISCARDS,
    DOUBLE,
    DRAW_DISCARD,
    DRAW_STOCK,
    KNOCKS,
    PASS,
    REFUSE,
)
from arena.rules.gin.hand import GinHand, deal_gin
from arena.rules.gin.rules import GinRules

EVERY_ACTION = (
    *(PASS, DRAW_STOCK, DRAW_DISCARD, BIG_GIN, DOUBLE, ACCEPT, REFUSE),
    *DISCARDS,
    *KNOCKS,
)
"""All that anybody can ever do in two-handed gin."""

LOOSE = parse_cards("AC 3D 5H 7S 9C JD KH 2S 4C 6D")
OTHER = parse_cards("AD 3H 5S 7C 9D JH KS 2C 4D 6H")
SETS = parse_cards("4S5S6S 9C9D9H KCKDKH 4D")
RIVAL = parse_cards("AC 3D 5H 7S TC JD QH 2S 4C 6D")

POOLS: dict[str, tuple[str, ...]] = {
    "any": NAMES,
    "middle ranks": tuple(name for name in NAMES if name[0] in "3456789"),
    "four ranks": tuple(name for name in NAMES if name[0] in "3456"),
    "round the ace": tuple(name for name in NAMES if name[0] in "QKA23"),
    "two suits": tuple(name for name in NAMES if name[1] in "CS"),
}
"""Cards to take hands from; from most of them hands have melds that overlap."""


def deck_for(
    non_dealer: Sequence[str], dealer: Sequence[str], upcard: str | None, stock: Sequence[str] = ()
) -> list[str]:
    """A deck that deals these hands, this upcard and this stock, then the rest in order.

    The last card of the deck, which the dealer draws from a two-ended stock, is whatever is left.
    """
    assert len(non_dealer) == len(dealer)
    dealt = [card for pair in zip(non_dealer, dealer, strict=True) for card in pair]
    top = [*dealt, *([] if upcard is None else [upcard]), *stock]
    assert len(set(top)) == len(top), "a card is used twice"
    return top + [card for card in NAMES if card not in top]


def about_to_show(
    rules: GinRules,
    cards: Sequence[str],
    *,
    defender: Sequence[str] = (),
    taken: str | None = None,
    knock_card: str | None = None,
    complete: bool = False,
) -> GinHand:
    """The non-dealer, at position 0, holds these cards and is to throw one.

    ``complete``: the cards are what is left after the knock, so one more is drawn for the throw.
    ``taken``: the one of them that came from the discard pile; else the last came from the stock.
    ``knock_card``: the upcard that was turned.
    """
    held = list(cards)
    free = [card for card in reversed(NAMES) if card not in {*held, *defender, knock_card}]
    if complete:
        held.append(free.pop())
    drawn = taken if taken is not None else held[-1]
    hand = [card for card in held if card != drawn]
    theirs = list(defender) if defender else [free.pop() for _ in hand]
    if taken is not None:
        state = deal_gin(rules, deck_for(hand, theirs, taken), 1)
        return state.apply(DRAW_DISCARD)
    upcard = knock_card if knock_card is not None else free.pop()
    state = deal_gin(rules, deck_for(hand, theirs, upcard, [drawn]), 1)
    return state.apply(PASS).apply(PASS).apply(DRAW_STOCK)


def with_factor(state: GinHand, factor: int) -> GinHand:
    """The same state after doubles to this factor were accepted."""
    return state._replace(factor=factor)


def won_by(position: int | None, points: str | int = 0) -> HandOutcome:
    """The outcome of a hand that this position won with so many points, or that nobody won."""
    score = int(points)
    if position is None:
        return HandOutcome(Ending.DEAD_STOCK, (0, 0), None, (), "a dead hand")
    pair = (score, 0) if position == 0 else (0, score)
    return HandOutcome(Ending.KNOCK, pair, position, (), f"{score} points to P{position}")


def ids(hand: GinHand) -> list[str]:
    """The ids of the legal actions, in order."""
    return [each.id for each in hand.legal_actions()]


def dealt(rules: GinRules | None = None, stock: str = "") -> GinHand:
    """A hand in which nobody can meld anything yet: position 0 begins, 8H is turned."""
    return deal_gin(rules or GinRules(), deck_for(LOOSE, OTHER, "8H", parse_cards(stock)), 1)


def act(hand: GinHand, *words: str) -> GinHand:
    """The hand after these action ids."""
    for word in words:
        hand = hand.apply(action(word))
    return hand


def wall_with_a_knock(rules: GinRules, last: str) -> GinHand:
    """Position 0 can knock at any time and is to move when two cards are left in the stock.

    ``last``: it has just drawn the last card that can be drawn from the ``stock``, or the other
    player has and threw it, so that it is the last ``discard``.
    """
    hand = deal_gin(rules, deck_for([*SETS[:-1], "QD"], RIVAL, "8H"), 1)
    hand = hand.apply(PASS).apply(PASS)
    while hand.bottom - hand.top > 3:
        hand = hand.apply(DRAW_STOCK)
        hand = hand.apply(DISCARDS[hand.drawn])
    if (last == "stock" and hand.to_act == 1) or (last == "discard" and hand.to_act == 0):
        hand = hand.apply(DRAW_DISCARD)
        hand = hand.apply(hand.legal_actions()[0])
    hand = hand.apply(DRAW_STOCK)
    return hand if last == "stock" else hand.apply(DISCARDS[hand.drawn])


def doubling(factor: int = 8) -> GinHand:
    """A fresh hand in which doubles may be offered."""
    return dealt(GinRules(doubling=True, target=200, max_factor=factor))
