"""The known name that a mistyped one was meant to be. Pure: every part of the arena may use it."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import Final

CUTOFF: Final = 0.55
"""How alike two names must be, from 0 to 1: letters that agree, as a share of all of both."""


def did_you_mean(word: str, known: Iterable[str], cutoff: float = CUTOFF) -> str:
    """A hint such as ``; did you mean 'target'?``, empty when nothing is near.

    Capitals make no difference.
    """
    by_lower = {name.lower(): name for name in known}
    close = difflib.get_close_matches(word.lower(), by_lower, n=1, cutoff=cutoff)
    return f"; did you mean {by_lower[close[0]]!r}?" if close else ""
