"""What a tournament format is, and what an organiser chooses about it. Pure: no I/O, no clock.

The fixtures that formats make, and their results, are those of `arena.fixture`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from arena.fixture import Fixture, FixtureKey, FixtureResult

__all__ = ["Fixture", "FixtureKey", "FixtureResult", "Format", "FormatOptions", "Results"]

Results = Mapping[FixtureKey, FixtureResult]


@dataclass(frozen=True, slots=True)
class FormatOptions:
    """What an organiser chooses about a format.

    ``games``: games of a fixture where it is not a best-of match. ``best_of``: odd, None to play
    ``games``. ``legs``: how often each pair meets (each leg is a mirrored pair of fixtures when
    ``duplicate``). ``rounds``: Swiss rounds, None for the usual number. ``groups``, ``advance``:
    groups then bracket. ``third_place``: play for it. ``champion``: entrant of a gauntlet.
    ``table_size``: seats of a table (2 but for three-handed and Indian games).
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


class Format(Protocol):
    """A tournament format: a pure function from results so far to fixtures.

    ``seeding``: entrants from the strongest to the weakest. `fixtures` returns every fixture known
    so far, in the order in which they should be played; called again with more results it returns
    the same fixtures and perhaps more. The stage is over when all of them have results and a
    further call adds none.

    ``title``: the name for people. ``has_table``: points are counted in a table. ``has_bracket``:
    who loses is out, or moves to the other half. Groups have both, one after the other.
    """

    name: str
    title: str
    has_table: bool
    has_bracket: bool

    def fixtures(
        self, seeding: Sequence[int], options: FormatOptions, results: Results
    ) -> tuple[Fixture, ...]: ...

    def total(self, entrants: int, options: FormatOptions) -> int | None:
        """Number of fixtures in all, byes not counted; None where it depends on the results."""
        ...
