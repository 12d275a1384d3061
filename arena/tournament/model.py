"""What a tournament format is, and what an organiser chooses about it. Pure: no I/O, no clock.

The fixtures that formats make, and their results, are those of `arena.fixture`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Protocol

from arena.fixture import Fixture, FixtureKey, FixtureResult

__all__ = ["NOBODY", "Fixture", "FixtureKey", "FixtureResult", "Format", "FormatOptions", "Left",
           "Results"]  # fmt: skip

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


class Format(Protocol):
    """A tournament format: a pure function from results so far to fixtures.

    ``seeding``: entrants from the strongest to the weakest. `fixtures` returns every fixture known
    so far, in the order in which they should be played; called again with more results it returns
    the same fixtures and perhaps more. The stage is over when all of them have results and a
    further call adds none. ``left``: entrants that are paired no more; where the schedule is made
    beforehand their matches stay in it and are forfeits.

    A fixture follows from the results before it alone, never from its own or later ones: who checks
    a tournament makes it again step by step.

    ``looks_back``: a new round follows from the results of so many rounds before it, so that older
    ones need not be given; None if it may follow from all.

    ``title``: the name for people. ``has_table``: points are counted in a table. ``has_bracket``:
    who loses is out, or moves to the other half. Groups have both, one after the other.
    """

    name: str
    title: str
    has_table: bool
    has_bracket: bool
    looks_back: int | None

    def fixtures(
        self,
        seeding: Sequence[int],
        options: FormatOptions,
        results: Results,
        left: Left = NOBODY,
    ) -> tuple[Fixture, ...]: ...

    def total(self, entrants: int, options: FormatOptions) -> int | None:
        """Number of fixtures in all, byes not counted; None where it depends on the results."""
        ...
