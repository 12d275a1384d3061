"""Two-handed knock gin: one hand from the deal to its outcome.

`GinHand` is an immutable value; `apply` returns the next one. All that house rules change is in
`GinRules`; what cannot change within a hand (deck, dealer, knock limit…) is in one `Table` that
all states of the hand share, so that a step copies only what moves.

Legality of what needs no search is checked here, step by step; `gin_legal` lists the actions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from arena.errors import IllegalAction, InvalidCards
from arena.rules.base import (
    Action,
    ActionKind,
    Ending,
    HandOutcome,
    LogEntry,
    Melds,
    Phase,
    PositionView,
    View,
)
from arena.rules.cards import INDEX, NAMES, mask_of, names
from arena.rules.gin_actions import (
    BIG_GIN,
    DISCARDS,
    DOUBLE,
    DRAW_DISCARD,
    DRAW_STOCK,
    KNOCKS,
    LOG,
    PASS,
)
from arena.rules.gin_legal import EITHER, LEGAL, could_knock_with_upcard, may_double
from arena.rules.gin_moves import (
    NO_CARD,
    answer,
    big_gin,
    card_to_throw,
    dead,
    knock,
    not_allowed,
    step,
)
from arena.rules.gin_rules import GinRules
from arena.rules.melds import MeldTables, meld_tables
from arena.rules.scoring import knock_limit_of, multiplier_of

__all__ = [
    "DISCARDS",
    "DRAW_DISCARD",
    "DRAW_STOCK",
    "KNOCKS",
    "PASS",
    "GinHand",
    "Table",
    "deal_gin",
]

_DRAW: Final = Phase.DRAW
_DISCARD: Final = Phase.DISCARD
_LAST_DISCARD: Final = Phase.LAST_DISCARD


class Table(NamedTuple):
    """What stays the same throughout one hand.

    ``deck``: card indexes in the order dealt. ``knock_card``: a separate knock card, out of play,
    as a mask, else 0. ``limit``: most deadwood one may knock with. ``factor``: what a spade
    upcard does to the score. ``big_gin``: whether it is played.
    """

    rules: GinRules
    melds: MeldTables
    deck: tuple[int, ...]
    dealer: int
    knock_card: int
    limit: int
    factor: int
    big_gin: bool


@lru_cache(1024)
def _seen(count: int, known: int) -> PositionView:
    """What everybody sees of a position: how many cards, and which of them are known."""
    return PositionView(count, names(known))


class GinHand(NamedTuple):
    """A two-handed gin hand in progress. Make the first one with `deal_gin`.

    ``hands``, ``known``: cards held, and those of them that everybody knows, by position, as
    masks. ``pile``: the discard pile, bottom first. ``top``, ``bottom``: the stock is
    ``table.deck[top:bottom]``. ``turn``: decisions taken; ``turns``: turns completed. ``drawn``:
    index of the card just drawn, -1 outside the discard phase. ``factor``: accepted doubles;
    ``double_right``: position that may offer the next one, -1 for both. ``resume``: in
    ANSWER_DOUBLE the phase to go back to; in DISCARD it is LAST_DISCARD when only a knock may
    follow. ``out``: the card thrown with a knock, as a mask.
    """

    table: Table
    phase: Phase
    to_act: int | None
    turn: int
    turns: int
    hands: tuple[int, int]
    known: tuple[int, int]
    pile: tuple[str, ...]
    top: int
    bottom: int
    drawn: int
    taken: bool
    factor: int
    double_right: int
    resume: Phase
    out: int
    log: tuple[LogEntry, ...]
    outcome: HandOutcome | None

    def legal_actions(self) -> tuple[Action, ...]:
        """Everything the player to move may do, the safe action first; empty when over."""
        if self.to_act is None:
            return ()
        return LEGAL[self.phase](self, self.to_act)

    def apply(self, action: Action, melds: Melds | None = None) -> GinHand:
        """The hand after the player to move did this.

        ``melds`` counts with a knock or big gin and may leave deadwood that could be melded, up
        to the knock limit; left out, the default spread is shown.

        :raises IllegalAction: not allowed now, or the melds stated with it do not hold.
        """
        if self.to_act is None:
            raise IllegalAction(f"{action.id}: the hand is over")
        return _APPLY[self.phase](self, self.to_act, action, melds)

    def safe_action(self) -> tuple[Action, Melds | None]:
        """What the referee plays for a bot that failed to answer: the first legal action.

        :raises IllegalAction: the hand is over.
        """
        legal = self.legal_actions()
        if not legal:
            raise IllegalAction("the hand is over, nobody is to move")
        return legal[0], None

    def view(self, position: int) -> View:
        """What this position may know: its own cards and what everybody saw."""
        (
            table, phase, to_act, turn, _, hands, (known_0, known_1), pile, top, bottom,
            drawn, taken, doubled, _, _, _, log, _,
        ) = self  # fmt: skip
        mine = drawn >= 0 and position == to_act
        return View(
            position,
            table.dealer,
            turn,
            phase,
            names(hands[position]),
            NAMES[drawn] if mine else None,
            mine and taken,
            pile,
            bottom - top,
            table.limit,
            table.factor * doubled,
            None,
            (_seen(hands[0].bit_count(), known_0), _seen(hands[1].bit_count(), known_1)),
            log,
        )

    def cards_by_place(self) -> Mapping[str, tuple[str, ...]]:
        """Where every card is. Not for players.

        ``out``: the card thrown with a knock; ``knock_card``: a separate knock card.
        """
        table = self.table
        return {
            "hand0": names(self.hands[0]),
            "hand1": names(self.hands[1]),
            "stock": tuple(NAMES[index] for index in table.deck[self.top : self.bottom]),
            "discard": self.pile,
            "out": names(self.out),
            "knock_card": names(table.knock_card),
        }


def deal_gin(rules: GinRules, deck: Sequence[str], dealer: int) -> GinHand:
    """Deal a hand from this order of cards, top first.

    The non-dealer gets the first card, the dealer the second and so on; the next card is the
    upcard and the rest the stock. With a separate knock card that is the last card of the deck;
    there is no upcard then and the non-dealer draws first.

    :raises InvalidCards: the deck holds a card twice, no card, or too few cards.
    """
    size = rules.hand_size
    if mask_of(deck).bit_count() <= 2 * size + rules.wall_cards + 1:
        raise InvalidCards(
            f"a deck of {len(deck)} cards is too small to deal {size} each and leave a stock"
        )
    order = tuple([INDEX[name] for name in deck])
    first = second = 0
    for at in range(0, 2 * size, 2):
        first |= 1 << order[at]
        second |= 1 << order[at + 1]
    separate = rules.knock_card_source == "separate"
    card = deck[-1] if separate else deck[2 * size]
    table = Table(
        rules=rules,
        melds=meld_tables(rules.ace_mode, rules.ace_deadwood),
        deck=order,
        dealer=dealer,
        knock_card=1 << order[-1] if separate else 0,
        limit=knock_limit_of(rules, card),
        factor=multiplier_of(rules, card),
        big_gin=rules.big_gin_bonus is not None,
    )
    hand = GinHand(
        table=table,
        phase=Phase.FORCED_STOCK if separate else Phase.FIRST_UPCARD,
        to_act=1 - dealer,
        turn=0,
        turns=0,
        hands=(first, second) if dealer else (second, first),
        known=(0, 0),
        pile=() if separate else (card,),
        top=2 * size if separate else 2 * size + 1,
        bottom=len(order) - 1 if separate else len(order),
        drawn=NO_CARD,
        taken=False,
        factor=1,
        double_right=EITHER,
        resume=_DRAW,
        out=0,
        log=(),
        outcome=None,
    )
    if rules.misdeal_if_knockable:
        least = min(table.melds.deadwood(first), table.melds.deadwood(second))
        if least <= table.limit:
            return dead(hand, Ending.MISDEAL)
    return hand


def _before_draw(hand: GinHand, mover: int, action: Action, melds: Melds | None) -> GinHand:
    phase = hand.phase
    if action is DRAW_STOCK and (phase is _DRAW or phase is Phase.FORCED_STOCK):
        return _draw_stock(hand, mover)
    if action is DRAW_DISCARD and phase is not Phase.FORCED_STOCK:
        return _draw_discard(hand, mover, _DRAW)
    if action is PASS and phase is Phase.FIRST_UPCARD:
        return step(hand, mover, action, Phase.FIRST_UPCARD_DEALER, 1 - mover)
    if action is PASS and phase is Phase.FIRST_UPCARD_DEALER:
        return step(hand, mover, action, Phase.FORCED_STOCK, 1 - mover)
    if action is DOUBLE and may_double(hand, mover):
        offered = step(hand, mover, action, Phase.ANSWER_DOUBLE, 1 - mover)
        return offered._replace(resume=phase)
    raise not_allowed(hand, action)


def _at_the_wall(hand: GinHand, mover: int, action: Action, melds: Melds | None) -> GinHand:
    """The last discard may be taken in order to knock; passing it ends the hand."""
    if action is PASS:
        return dead(step(hand, mover, action, Phase.OVER, mover), Ending.DEAD_STOCK)
    if action is DRAW_DISCARD:
        if could_knock_with_upcard(hand, mover):
            return _draw_discard(hand, mover, Phase.LAST_DISCARD)
        raise IllegalAction("draw:discard: the last discard may be taken only in order to knock")
    raise not_allowed(hand, action)


# The three steps below make up nearly all of play. They take a state apart and build the next one
# by position, in the order of the fields: half the time of names and `_replace`.


def _draw_stock(hand: GinHand, mover: int) -> GinHand:
    (
        table, _, _, turn, turns, (hand_0, hand_1), known, pile, top, bottom, _, _,
        factor, right, _, _, log, _,
    ) = hand  # fmt: skip
    if mover == table.dealer and table.rules.two_ended_stock:
        bottom -= 1
        index = table.deck[bottom]
    else:
        index = table.deck[top]
        top += 1
    bit = 1 << index
    log += (LOG[mover][DRAW_STOCK],)
    return GinHand(
        table,
        _DISCARD,
        mover,
        turn + 1,
        turns,
        (hand_0, hand_1 | bit) if mover else (hand_0 | bit, hand_1),
        known,
        pile,
        top,
        bottom,
        index,
        False,
        factor,
        right,
        _DRAW,
        0,
        log,
        None,
    )


def _draw_discard(hand: GinHand, mover: int, resume: Phase) -> GinHand:
    (
        table, _, _, turn, turns, (hand_0, hand_1), (known_0, known_1), pile, top, bottom, _, _,
        factor, right, _, _, log, _,
    ) = hand  # fmt: skip
    index = INDEX[pile[-1]]
    bit = 1 << index
    log += (LOG[mover][DRAW_DISCARD],)
    return GinHand(
        table,
        _DISCARD,
        mover,
        turn + 1,
        turns,
        (hand_0, hand_1 | bit) if mover else (hand_0 | bit, hand_1),
        (known_0, known_1 | bit) if mover else (known_0 | bit, known_1),
        pile[:-1],
        top,
        bottom,
        index,
        True,
        factor,
        right,
        resume,
        0,
        log,
        None,
    )


def _discard(hand: GinHand, mover: int, action: Action) -> GinHand:
    index = card_to_throw(hand, mover, action)
    (
        table, _, _, turn, turns, (hand_0, hand_1), (known_0, known_1), pile, top, bottom, _, _,
        factor, right, resume, _, log, _,
    ) = hand  # fmt: skip
    if resume is _LAST_DISCARD:
        raise IllegalAction(f"{action.id}: after taking the last discard only a knock may follow")
    rules = table.rules
    bit = 1 << index
    turns += 1
    pile += (NAMES[index],)
    log += (LOG[mover][action],)
    at_the_wall = bottom - top <= rules.wall_cards
    after = GinHand(
        table,
        _LAST_DISCARD if at_the_wall else _DRAW,
        1 - mover,
        turn + 1,
        turns,
        (hand_0, hand_1 ^ bit) if mover else (hand_0 ^ bit, hand_1),
        (known_0, known_1 & ~bit) if mover else (known_0 & ~bit, known_1),
        pile,
        top,
        bottom,
        NO_CARD,
        False,
        factor,
        right,
        _DRAW,
        0,
        log,
        None,
    )
    if at_the_wall and rules.wall_rule == "end":
        return dead(after, Ending.DEAD_STOCK)
    if not at_the_wall and turns >= rules.max_turns:
        return dead(after, Ending.DEAD_TURNS)
    return after


def _after_draw(hand: GinHand, mover: int, action: Action, melds: Melds | None) -> GinHand:
    kind = action.kind
    if kind is ActionKind.DISCARD:
        return _discard(hand, mover, action)
    if kind is ActionKind.KNOCK:
        return knock(hand, mover, action, melds)
    if action is BIG_GIN:
        return big_gin(hand, mover, melds)
    raise not_allowed(hand, action)


_APPLY: Final[dict[Phase, Callable[[GinHand, int, Action, Melds | None], GinHand]]] = {
    Phase.FIRST_UPCARD: _before_draw,
    Phase.FIRST_UPCARD_DEALER: _before_draw,
    Phase.FORCED_STOCK: _before_draw,
    Phase.DRAW: _before_draw,
    Phase.DISCARD: _after_draw,
    Phase.ANSWER_DOUBLE: answer,
    Phase.LAST_DISCARD: _at_the_wall,
}
