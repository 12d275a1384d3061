"""What a player of two-handed gin may do, phase by phase; the safe action comes first.

Safe means: it never gives the hand away. Pass an upcard, draw from the stock, throw the card just
drawn (or, when that came from the discard pile and may not go back, the card whose loss leaves the
least deadwood), accept a double rather than give the hand up, and knock only when nothing else is
allowed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from arena.rules.base import Action, Phase
from arena.rules.cards import INDEX
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
    discards,
    knocks,
)
from arena.rules.meld_tables import NO_CARD

if TYPE_CHECKING:
    from arena.rules.gin.hand import GinHand

EITHER: Final = -1
"""As the holder of the right to double: whoever is to move."""
BEFORE_DRAW: Final = frozenset(
    (Phase.FIRST_UPCARD, Phase.FIRST_UPCARD_DEALER, Phase.FORCED_STOCK, Phase.DRAW)
)
"""The phases in which the player to move has yet to get a card."""

_UPCARD: Final = (PASS, DRAW_DISCARD)
_STOCK: Final = (DRAW_STOCK,)
_DRAW: Final = (DRAW_STOCK, DRAW_DISCARD)
_ANSWER: Final = (ACCEPT, REFUSE)
_PASS: Final = (PASS,)


def may_double(hand: GinHand, mover: int) -> bool:
    """Whether the player to move may offer to double.

    The first offer is free to either player; then the right lies with whoever accepted the last
    one, so nobody can offer twice in a turn.
    """
    rules = hand.table.rules
    return (
        rules.doubling
        and hand.double_right in (EITHER, mover)
        and hand.factor * 2 <= rules.max_factor
    )


def _or_double(actions: tuple[Action, ...]) -> Callable[[GinHand, int], tuple[Action, ...]]:
    with_double = (*actions, DOUBLE)

    def legal(hand: GinHand, mover: int) -> tuple[Action, ...]:
        if hand.table.rules.doubling and may_double(hand, mover):
            return with_double
        return actions

    return legal


def _answer(hand: GinHand, mover: int) -> tuple[Action, ...]:
    return _ANSWER


def _last_discard(hand: GinHand, mover: int) -> tuple[Action, ...]:
    return _UPCARD if could_knock_with_upcard(hand, mover) else _PASS


def could_knock_with_upcard(hand: GinHand, mover: int) -> bool:
    """Whether taking the upcard would let this player knock or go gin in the same turn."""
    upcard = 1 << INDEX[hand.pile[-1]]
    table = hand.table
    kept = 0 if table.rules.redraw_discard else upcard
    least, _ = table.melds.best_discard(hand.hands[mover] | upcard, kept)
    return least <= table.limit


def _discard(hand: GinHand, mover: int) -> tuple[Action, ...]:
    table = hand.table
    melds, limit = table.melds, table.limit
    cards = hand.hands[mover]
    drawn = hand.drawn
    if hand.taken:
        kept = 0 if table.rules.redraw_discard else 1 << drawn
        least, safe = melds.best_discard(cards, kept)
        throwable = cards & ~kept
    else:
        # Most hands are far from a knock; no search is needed to tell that, nor what is safe.
        least = melds.best_discard(cards)[0] if melds.may_leave(cards, limit) else NO_CARD
        safe = drawn
        throwable = cards
    if hand.resume is Phase.LAST_DISCARD:
        actions: tuple[Action, ...] = ()
    else:
        actions = (DISCARDS[safe], *discards(throwable ^ 1 << safe))
    if least > limit:
        return actions
    with_knock = _knockable(hand, cards, throwable)
    if actions:
        actions += knocks(with_knock)
    else:
        actions = (KNOCKS[safe], *knocks(with_knock ^ 1 << safe))
    if least == 0 and table.big_gin and melds.deadwood(cards) == 0:
        actions += (BIG_GIN,)
    return actions


def _knockable(hand: GinHand, cards: int, throwable: int) -> int:
    """The cards that may be thrown with a knock."""
    deadwood = hand.table.melds.deadwood
    limit = hand.table.limit
    found = 0
    while throwable:
        bit = throwable & -throwable
        throwable ^= bit
        if deadwood(cards ^ bit) <= limit:
            found |= bit
    return found


LEGAL: Final[dict[Phase, Callable[[GinHand, int], tuple[Action, ...]]]] = {
    Phase.FIRST_UPCARD: _or_double(_UPCARD),
    Phase.FIRST_UPCARD_DEALER: _or_double(_UPCARD),
    Phase.FORCED_STOCK: _or_double(_STOCK),
    Phase.DRAW: _or_double(_DRAW),
    Phase.DISCARD: _discard,
    Phase.ANSWER_DOUBLE: _answer,
    Phase.LAST_DISCARD: _last_discard,
}
"""For each phase, what the player to move may do."""
