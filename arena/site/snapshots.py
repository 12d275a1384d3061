"""A tournament as its pages see it, computed once for each revision and shared by all readers.

Everything here is a function of what the store held at one revision, so a page and its JSON twin
agree, and a page that is asked for twice without a new result is the same twice.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass, field
from functools import cached_property

from arena.errors import ConfigError
from arena.store import Store
from arena.store.pages import Entry, Pages
from arena.store.rows import EntrantRow, EntrantState, FixtureRow, FixtureStatus, TournamentRow
from arena.tournament.formats import find_format
from arena.tournament.groups import group_name, group_tables
from arena.tournament.intervals import Estimate, points_per_hand
from arena.tournament.model import FixtureResult, FormatOptions, Results
from arena.tournament.ratings import Ratings, rate
from arena.tournament.standings import Row, standings, table_rules
from arena.tournament.tally import Meeting, crosstable

KEPT = 64
"""Tournaments whose snapshots stay in memory."""


@dataclass(frozen=True)
class Snapshot:
    """A tournament at one revision. What costs time is computed at first use and kept.

    ``fixtures``: in order of play, voided ones included.
    """

    tournament: TournamentRow
    entrants: tuple[EntrantRow, ...]
    entries: dict[int, Entry]
    fixtures: tuple[FixtureRow, ...]
    names: dict[int, str] = field(default_factory=dict)

    @property
    def format(self) -> str:
        """The format's name as the table of formats has it."""
        return self.tournament.format.replace("-", "_")

    @cached_property
    def options(self) -> FormatOptions:
        """What the organiser chose about the format."""
        return FormatOptions(**self.tournament.config.get("options", {}))

    @cached_property
    def total(self) -> int | None:
        """Matches in all, None where that depends on the results."""
        try:
            found = find_format(self.format).total(len(self.entrants), self.options)
        except ConfigError:
            found = None
        known = sum(len(row.seats) > 1 for row in self.valid)
        return max(found, known) if found is not None else None

    @cached_property
    def valid(self) -> tuple[FixtureRow, ...]:
        """The fixtures that count: all but the voided."""
        return tuple(row for row in self.fixtures if row.status is not FixtureStatus.VOID)

    @cached_property
    def results(self) -> tuple[FixtureResult, ...]:
        """Results so far, byes included, in order of play."""
        return tuple(row.result for row in self.valid if row.result is not None)

    @cached_property
    def by_key(self) -> Results:
        """Results by the key of their fixture."""
        return {result.key: result for result in self.results}

    @cached_property
    def seeding(self) -> tuple[int, ...]:
        """Entrants from the strongest seeding down."""
        return tuple(row.number for row in sorted(self.entrants, key=lambda row: row.seeding))

    @cached_property
    def disqualified(self) -> frozenset[int]:
        """Entrants that count for nobody any more."""
        return frozenset(
            row.number for row in self.entrants if row.state is EntrantState.DISQUALIFIED
        )

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """The table, best first."""
        return standings(
            self.names,
            self.results,
            table_rules(self.format, self.options),
            bytes.fromhex(self.tournament.secret),
            withdrawn=[e.number for e in self.entrants if e.state is EntrantState.WITHDRAWN],
            disqualified=self.disqualified,
        )

    @cached_property
    def groups(self) -> tuple[tuple[str, tuple[Row, ...]], ...]:
        """The table of each group with its name; none for other formats."""
        if self.format != "groups":
            return ()
        tables = group_tables(self.seeding, self.options, self.by_key, self.names)
        return tuple((group_name(index), rows) for index, rows in enumerate(tables))

    @cached_property
    def meetings(self) -> dict[tuple[int, int], Meeting]:
        """Sums of each ordered pair that has met."""
        return crosstable(
            self.results,
            list(self.names),
            void=self.disqualified,
            fewer_points_win=self.options.fewer_points_win,
        )

    @cached_property
    def ratings(self) -> Ratings:
        """Ratings with intervals, and who is probably stronger than whom."""
        return rate(
            list(self.names),
            self.results,
            fewer_points_win=self.options.fewer_points_win,
            void=self.disqualified,
        )

    @cached_property
    def estimates(self) -> dict[int, Estimate]:
        """Net points a hand of each entrant, with intervals made from mirrored pairs."""
        counted = [r for r in self.results if not self.disqualified & set(r.seats)]
        return points_per_hand(counted, fewer_points_win=self.options.fewer_points_win)

    @property
    def stamp(self) -> str:
        """Changes with everything that a page of this tournament could show."""
        return f"{self.tournament.id}:{self.tournament.state}:{self.tournament.revision}"

    def with_status(self, *statuses: FixtureStatus) -> tuple[FixtureRow, ...]:
        """The fixtures in one of these states, in order of play."""
        return tuple(row for row in self.fixtures if row.status in statuses)

    @cached_property
    def as_of(self) -> str:
        """When the newest thing shown happened."""
        stamps = [self.tournament.created_at, self.tournament.finished_at or ""]
        for row in self.fixtures:
            stamps += [row.finished_at or "", row.started_at or ""]
        return max(stamps)


def take(store: Store, tournament: TournamentRow) -> Snapshot:
    """Read a tournament from the store."""
    entrants = tuple(store.tournaments.entrants(tournament.id))
    return Snapshot(
        tournament,
        entrants,
        Pages(store).versions(tournament.id),
        tuple(store.fixtures.of(tournament.id, void=True)),
        {row.number: row.name for row in entrants},
    )


class Snapshots:
    """Keeps the newest snapshot of each tournament. Safe for threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: OrderedDict[str, Snapshot] = OrderedDict()

    def get(self, store: Store, tournament: TournamentRow) -> Snapshot:
        """The snapshot of the revision that this row shows."""
        with self._lock:
            found = self._kept.get(tournament.id)
            if found is not None and found.tournament == tournament:
                self._kept.move_to_end(tournament.id)
                return found
        made = take(store, tournament)
        with self._lock:
            self._kept[tournament.id] = made
            self._kept.move_to_end(tournament.id)
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return made
