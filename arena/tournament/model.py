"""What an organiser chooses about a format, and what formats are given. Pure: no I/O, no clock.

The fixtures that formats make, and their results, are those of `arena.fixture`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from arena.fixture import Fixture, FixtureKey, FixtureResult

__all__ = ["NOBODY", "Fixture", "FixtureKey", "FixtureResult", "FormatOptions", "Left", "Results"]

Results = Mapping[FixtureKey, FixtureResult]

Left = Mapping[int, int]
"""Entrants that have left a tournament, each with the latest round that was scheduled by then (0:
none was). So every round is paired from who was there when it was, now and whenever it is checked.
"""

NOBODY: Left = MappingProxyType({})
"""Nobody has left."""


@dataclass(frozen=True, slots=True)
class FormatOptions:
    """What an organiser chooses about a format.

    ``games``: games of a fixture where it is not a best-of match. ``best_of``: odd, None to play
    ``games``. ``legs``: how often each pair meets (each leg is a mirrored pair of fixtures when
    ``duplicate``). ``rounds``: Swiss rounds, None for the usual number. ``groups``, ``advance``:
    groups then bracket. ``third_place``: play for it. ``champion``: entrant of a gauntlet.
    ``table_size``: seats of a table (2 but for three-handed and Indian games). ``all_orders``: of
    tables of four and more play every seat order of a deal, not the rotations only.
    ``fewer_points_win``: hand points are penalties, as in Indian rummy.
    """

    games: int = 2
    best_of: int | None = None
    legs: int = 1
    duplicate: bool = True
    rounds: int | None = None
    groups: int = 2
    advance: int = 2
    third_place: bool = True
    champion: int = 0
    table_size: int = 2
    fewer_points_win: bool = False
    all_orders: bool = False
