"""The steps that make up nearly all of play, drawing and discarding; and the move of each action.

They take a state apart and build the next one by position, in the order of the fields of
`hand.GinHand`, and look everything up that can be: half the time of names and `_replace`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final, cast

from arena.errors import IllegalAction
from arena.rules.base import Action, ActionKind, Ending, HandOutcome, LogEntry, Melds, Phase
from arena.rules.cards import INDEX, NAMES
from arena.rules.gin.actions import (
    ACCEPT,
    BIG_GIN,
    DISCARDS,
    DOUBLE,
    DRAW_DISCARD,
    DRAW_STOCK,
    KNOCKS,
    LOG,
    PASS,
    REFUSE,
)
from arena.rules.gin.legal import could_knock_with_upcard
from arena.rules.gin.moves import (
    NO_INDEX,
    answer,
    big_gin,
    card_to_throw,
    dead,
    double,
    knock,
    not_allowed,
    pass_upcard,
)

if TYPE_CHECKING:
    from arena.rules.gin.hand import GinHand, Table

    Fields = tuple[
        Table, Phase, int | None, int, int, tuple[int, int], tuple[int, int], tuple[str, ...],
        int, int, int, bool, int, int, Phase, int, tuple[LogEntry, ...], HandOutcome | None,
    ]  # fmt: skip

_state: Final = cast("Callable[[type[GinHand], Fields], GinHand]", tuple.__new__)
"""A state from all its fields, without the detour through their names."""

_DRAW: Final = Phase.DRAW
_DISCARD: Final = Phase.DISCARD
_FORCED_STOCK: Final = Phase.FORCED_STOCK
_LAST_DISCARD: Final = Phase.LAST_DISCARD
_UPCARD: Final = frozenset((Phase.FIRST_UPCARD, Phase.FIRST_UPCARD_DEALER, _DRAW, _LAST_DISCARD))
"""The phases in which the upcard may be taken."""

_BITS: Final = tuple([1 << index for index in range(len(NAMES))])
_THROWN: Final = {
    each: (bit, (name,)) for each, bit, name in zip(DISCARDS, _BITS, NAMES, strict=True)
}
"""By discard: the card's bit, and what comes on the discard pile."""


def draw_stock(hand: GinHand, mover: int, action: Action, melds: Melds | None) -> GinHand:
    """Draw from the stock, the dealer perhaps from its bottom.

    :raises IllegalAction: not in this phase.
    """
    (
        table, phase, _, turn, turns, (hand_0, hand_1), known, pile, top, bottom, _, _,
        factor, right, _, _, log, _,
    ) = hand  # fmt: skip
    if phase is not _DRAW and phase is not _FORCED_STOCK:
        raise not_allowed(hand, action)
    if mover == table.from_bottom:
        bottom -= 1
        index = table.deck[bottom]
    else:
        index = table.deck[top]
        top += 1
    bit = _BITS[index]
    hands = (hand_0, hand_1 | bit) if mover else (hand_0 | bit, hand_1)
    log += LOG[mover][action]
    return _state(
        type(hand),
        (
            table, _DISCARD, mover, turn + 1, turns, hands, known, pile, top, bottom, index, False,
            factor, right, _DRAW, 0, log, None,
        ),
    )  # fmt: skip


def draw_discard(hand: GinHand, mover: int, action: Action, melds: Melds | None) -> GinHand:
    """Take the upcard.

    :raises IllegalAction: not in this phase, or the last discard without a knock to follow.
    """
    (
        table, phase, _, turn, turns, (hand_0, hand_1), (known_0, known_1), pile, top, bottom, _, _,
        factor, right, _, _, log, _,
    ) = hand  # fmt: skip
    if phase not in _UPCARD:
        raise not_allowed(hand, action)
    if phase is _LAST_DISCARD and not could_knock_with_upcard(hand, mover):
        raise IllegalAction("draw:discard: the last discard may be taken only in order to knock")
    index = INDEX[pile[-1]]
    bit = _BITS[index]
    hands = (hand_0, hand_1 | bit) if mover else (hand_0 | bit, hand_1)
    known = (known_0, known_1 | bit) if mover else (known_0 | bit, known_1)
    resume = _LAST_DISCARD if phase is _LAST_DISCARD else _DRAW
    log += LOG[mover][action]
    return _state(
        type(hand),
        (
            table, _DISCARD, mover, turn + 1, turns, hands, known, pile[:-1], top, bottom, index,
            True, factor, right, resume, 0, log, None,
        ),
    )  # fmt: skip


def discard(hand: GinHand, mover: int, action: Action, melds: Melds | None) -> GinHand:
    """Throw a card without a knock; that may end the hand at the wall or at the turn limit.

    :raises IllegalAction: not in this phase, or the card may not be thrown.
    """
    (
        table, phase, _, turn, turns, (hand_0, hand_1), (known_0, known_1), pile, top, bottom,
        drawn, taken, factor, right, resume, _, log, _,
    ) = hand  # fmt: skip
    if phase is not _DISCARD:
        raise not_allowed(hand, action)
    bit, name = _THROWN[action]
    if not bit & (hand_1 if mover else hand_0) or (taken and bit == _BITS[drawn]):
        card_to_throw(hand, mover, action)
    if resume is _LAST_DISCARD:
        raise IllegalAction(f"{action.id}: after taking the last discard only a knock may follow")
    rules = table.rules
    at_the_wall = bottom - top <= rules.wall_cards
    following = _LAST_DISCARD if at_the_wall else _DRAW
    turns += 1
    hands = (hand_0, hand_1 ^ bit) if mover else (hand_0 ^ bit, hand_1)
    known = (known_0, known_1 & ~bit) if mover else (known_0 & ~bit, known_1)
    log += LOG[mover][action]
    after = _state(
        type(hand),
        (
            table, following, 1 - mover, turn + 1, turns, hands, known, pile + name, top, bottom,
            NO_INDEX, False, factor, right, _DRAW, 0, log, None,
        ),
    )  # fmt: skip
    if at_the_wall:
        return dead(after, Ending.DEAD_STOCK) if rules.wall_rule == "end" else after
    return dead(after, Ending.DEAD_TURNS) if turns >= rules.max_turns else after


def unknown(hand: GinHand, mover: int, action: Action, melds: Melds | None) -> GinHand:
    """Refuse an action that two-handed gin does not have.

    :raises IllegalAction: always; about the card where a discard or knock names none of the pack.
    """
    if hand.phase is _DISCARD and action.kind in (ActionKind.DISCARD, ActionKind.KNOCK):
        card_to_throw(hand, mover, action)
    raise not_allowed(hand, action)


Move = Callable[["GinHand", int, Action, Melds | None], "GinHand"]
"""From a hand, the position to move, its action and the melds stated with it to what follows."""

MOVES: Final[dict[Action, Move]] = {
    PASS: pass_upcard,
    DRAW_STOCK: draw_stock,
    DRAW_DISCARD: draw_discard,
    **dict.fromkeys(DISCARDS, discard),
    **dict.fromkeys(KNOCKS, knock),
    BIG_GIN: big_gin,
    DOUBLE: double,
    ACCEPT: answer,
    REFUSE: answer,
}
"""What each action of two-handed gin does; `unknown` for all others."""
