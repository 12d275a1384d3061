"""Actions as numbers: the columns of a legal mask.

0 passes, 1 draws from the stock, 2 takes the upcard, 3 is big gin; then come 52 columns that throw
each card, and 52 that knock with each card thrown. Cards are indexes as in `arena.rules.cards`.
"""

from __future__ import annotations

from typing import Final

from arena.errors import InvalidAction
from arena.rules.cards import NAMES

NO_ACTION: Final = -1
"""For hands that are over."""
PASS: Final = 0
DRAW_STOCK: Final = 1
DRAW_DISCARD: Final = 2
BIG_GIN: Final = 3
DISCARD: Final = 4
"""Plus a card: throw it."""
KNOCK: Final = DISCARD + len(NAMES)
"""Plus a card: knock with it thrown."""
ACTIONS: Final = KNOCK + len(NAMES)
"""How many actions there are."""

_IDS: Final = (
    *("pass", "draw:stock", "draw:discard", "big_gin"),
    *(f"discard:{name}" for name in NAMES),
    *(f"knock:{name}" for name in NAMES),
)
_NUMBERS: Final = {id: number for number, id in enumerate(_IDS)}


def action_id(number: int) -> str:
    """The id that the rules engine and the protocol use, such as ``discard:7H``."""
    return _IDS[number]


def action_number(id: str) -> int:
    """The column of an action of the rules engine.

    :raises InvalidAction: standard gin has no such action.
    """
    try:
        return _NUMBERS[id]
    except KeyError:
        raise InvalidAction(f"{id[:40]!r} is no action of standard gin") from None
