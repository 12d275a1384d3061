"""The actions of two-handed gin, made once and kept in tables by card index.

A list of discards is put together from four rows, one a suit, which are looked up by the suit's
13-bit mask; no text is formatted and no action is made while a hand is played.
"""

from __future__ import annotations

from typing import Final

from arena.rules.base import Action, LogEntry, action
from arena.rules.cards import NAMES, indexes, pick, rows_of

PASS: Final = action("pass")
DRAW_STOCK: Final = action("draw:stock")
DRAW_DISCARD: Final = action("draw:discard")
BIG_GIN: Final = action("big_gin")
DOUBLE: Final = action("double")
ACCEPT: Final = action("accept")
REFUSE: Final = action("refuse")
DISCARDS: Final = tuple(action(f"discard:{name}") for name in NAMES)
"""Throwing each card, by card index."""
KNOCKS: Final = tuple(action(f"knock:{name}") for name in NAMES)
"""Knocking with each card thrown, by card index."""

_DISCARD_ROWS: Final = rows_of(DISCARDS)


def discards(mask: int) -> tuple[Action, ...]:
    """Throwing each of these cards."""
    return pick(_DISCARD_ROWS, mask)


def knocks(mask: int) -> tuple[Action, ...]:
    """Knocking with each of these cards thrown."""
    # These are few and seldom asked for.
    return tuple([KNOCKS[index] for index in indexes(mask)])


_ALL: Final = (
    PASS, DRAW_STOCK, DRAW_DISCARD, BIG_GIN, DOUBLE, ACCEPT, REFUSE, *DISCARDS, *KNOCKS,
)  # fmt: skip

LOG: Final = tuple({each: (LogEntry(position, each.id),) for each in _ALL} for position in (0, 1))
"""By position and action: what is added to the log that everybody sees.

Drawing from the stock shows no card.
"""
