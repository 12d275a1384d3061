"""The actions of two-handed gin, made once and kept in tables by card index.

A legal-action list is put together from four rows, one a suit, which are looked up by the suit's
13-bit mask; no text is formatted and no object is made while a hand is played.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from arena.rules.base import Action, LogEntry, action
from arena.rules.cards import NAMES, SUIT_SIZE

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

EVERY_ACTION: Final = (
    *(PASS, DRAW_STOCK, DRAW_DISCARD, BIG_GIN, DOUBLE, ACCEPT, REFUSE),
    *DISCARDS,
    *KNOCKS,
)
"""All that anybody can ever do in this family."""


class _Row(dict[int, tuple[Action, ...]]):
    """The actions for the cards of one suit by its 13-bit mask, filled as masks are met."""

    def __init__(self, actions: Sequence[Action]) -> None:
        super().__init__()
        self._actions = tuple(actions)

    def __missing__(self, mask: int) -> tuple[Action, ...]:
        found = tuple(each for rank, each in enumerate(self._actions) if mask >> rank & 1)
        self[mask] = found
        return found


Rows = tuple[_Row, _Row, _Row, _Row]


def _rows(actions: Sequence[Action]) -> Rows:
    clubs, diamonds, hearts, spades = (
        _Row(actions[at : at + SUIT_SIZE]) for at in range(0, len(NAMES), SUIT_SIZE)
    )
    return clubs, diamonds, hearts, spades


_DISCARD_ROWS: Final = _rows(DISCARDS)
_KNOCK_ROWS: Final = _rows(KNOCKS)


def discards(mask: int) -> tuple[Action, ...]:
    """Throwing each of these cards."""
    return _pick(_DISCARD_ROWS, mask)


def knocks(mask: int) -> tuple[Action, ...]:
    """Knocking with each of these cards thrown."""
    return _pick(_KNOCK_ROWS, mask)


def _pick(rows: Rows, mask: int) -> tuple[Action, ...]:
    return (
        rows[0][mask & 8191]
        + rows[1][mask >> 13 & 8191]
        + rows[2][mask >> 26 & 8191]
        + rows[3][mask >> 39]
    )


class _Log(dict[Action, LogEntry]):
    """The public log entries of one position, made as they are needed."""

    def __init__(self, position: int) -> None:
        super().__init__()
        self._position = position

    def __missing__(self, key: Action) -> LogEntry:
        found = self[key] = LogEntry(self._position, key.id)
        return found


LOG: Final = (_Log(0), _Log(1))
"""By position and action: what everybody sees. Drawing from the stock shows no card."""
