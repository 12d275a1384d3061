"""What a tournament's results add up to: the table, the crosstable, ratings, intervals. Pure.

This is what costs time in a large tournament, so it is a value of its own that may lag behind the
list of matches by a few seconds; ``as_of`` says where it stands.
"""

from __future__ import annotations

from array import array
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from math import nan

from arena.errors import DamagedError
from arena.tournament.formats.format import Format
from arena.tournament.match import Sides
from arena.tournament.model import FixtureKey, FixtureResult, FormatOptions, Results
from arena.tournament.ranking.final_table import tournament_table
from arena.tournament.ranking.standings import Row, standings
from arena.tournament.ranking.tally import Meeting, crosstable
from arena.tournament.statistics.intervals import Estimate, points_per_hand
from arena.tournament.statistics.rating import Rating, SeatEffect
from arena.tournament.statistics.ratings import rate
from arena.tournament.statistics.second_look import SecondLook, second_look


@dataclass(frozen=True, slots=True)
class Basis:
    """Everything that figures are a function of. ``results`` are in order of play; ``sides``: who
    are partners in a match."""

    format: Format
    options: FormatOptions
    secret: bytes
    seeding: tuple[int, ...]
    names: Mapping[int, str]
    withdrawn: frozenset[int]
    disqualified: frozenset[int]
    results: Sequence[FixtureResult]
    revision: int
    as_of: str
    sides: Sides = ()


class Meetings:
    """Sums of each ordered pair that has met, packed: two hundred bots make forty thousand pairs,
    and as many objects would take a reader's time whenever they travel or are collected."""

    FIELDS = tuple(field.name for field in fields(Meeting))

    def __init__(self, size: int, table: Mapping[tuple[int, int], Meeting]) -> None:
        self._size = size
        self._values = array("d", bytes(8 * size * size * len(self.FIELDS)))
        for (one, other), meeting in table.items():
            at = self._at(one, other)
            values = [getattr(meeting, name) for name in self.FIELDS]
            self._values[at : at + len(values)] = array("d", values)

    def _at(self, one: int, other: int) -> int:
        return (one * self._size + other) * len(self.FIELDS)

    def get(self, one: int, other: int) -> Meeting | None:
        """The sums of the first against the second, None if they have not met."""
        at = self._at(one, other)
        values = self._values[at : at + len(self.FIELDS)]
        if not values[0]:
            return None
        made = Meeting(*map(int, values))
        made.match_points = values[1]
        return made


class Chances:
    """For each ordered pair the probability that the first is stronger, packed likewise, and
    whether the two are told apart where all are compared at once."""

    def __init__(
        self,
        size: int,
        table: Mapping[tuple[int, int], float | None],
        apart: Collection[tuple[int, int]],
    ) -> None:
        self._size = size
        self._apart = frozenset(one * size + other for one, other in apart)
        self._values = array("d", [nan]) * (size * size)
        for (one, other), chance in table.items():
            if chance is not None:
                self._values[one * size + other] = chance

    def get(self, one: int, other: int) -> float | None:
        """The probability, None where the two cannot be compared."""
        value = self._values[one * self._size + other]
        return None if value != value else value

    def are_apart(self, one: int, other: int) -> bool:
        """Whether it is settled which of the two is stronger: what letters stand for."""
        return min(one, other) * self._size + max(one, other) in self._apart


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures of a tournament at one revision.

    ``rows``: the table, best first. ``groups``: the table of each group by name. ``ratings``: pool
    by pool, the best first. ``estimates``: net points a hand by entrant.
    """

    revision: int
    as_of: str
    rows: tuple[Row, ...]
    groups: tuple[tuple[str, tuple[Row, ...]], ...]
    meetings: Meetings
    ratings: tuple[Rating, ...]
    chances: Chances
    seat_effects: tuple[SeatEffect, ...]
    estimates: Mapping[int, Estimate]
    second_looks: tuple[SecondLook, ...]


def _table(basis: Basis, results: Results, ratings: Sequence[Rating]) -> tuple[Row, ...]:
    """The table; of a bracket that contradicts itself, what was played. Its own pages say so."""
    try:
        return tournament_table(
            basis.format,
            basis.seeding,
            basis.options,
            results,
            basis.names,
            basis.secret,
            withdrawn=basis.withdrawn,
            disqualified=basis.disqualified,
            ratings=ratings,
            sides=basis.sides,
        )
    except DamagedError:
        rules = replace(basis.format.table_rules(basis.options), sides=basis.sides)
        return standings(
            basis.names,
            results.values(),
            rules,
            basis.secret,
            withdrawn=basis.withdrawn,
            disqualified=basis.disqualified,
        )


def figures_of(basis: Basis) -> Figures:
    """Add it all up."""
    fewer = basis.options.fewer_points_win
    by_key: dict[FixtureKey, FixtureResult] = {result.key: result for result in basis.results}
    counted = [r for r in basis.results if not basis.disqualified & set(r.seats)]
    size = max(basis.names, default=-1) + 1
    ratings = rate(
        list(basis.names),
        basis.results,
        fewer_points_win=fewer,
        void=basis.disqualified,
        sides=lambda seats: basis.sides,
    )
    return Figures(
        revision=basis.revision,
        as_of=basis.as_of,
        rows=_table(basis, by_key, ratings.rows),
        groups=basis.format.group_tables(basis.seeding, basis.options, by_key, basis.names),
        meetings=Meetings(
            size,
            crosstable(
                basis.results,
                list(basis.names),
                void=basis.disqualified,
                fewer_points_win=fewer,
                sides=basis.sides,
            ),
        ),
        ratings=ratings.rows,
        chances=Chances(size, ratings.likelihood, ratings.apart),
        seat_effects=ratings.seat_effects,
        estimates=points_per_hand(basis.results, fewer_points_win=fewer, void=basis.disqualified),
        second_looks=second_look(counted, fewer_points_win=fewer),
    )
