"""A tournament as its pages see it: its matches, and what they add up to (`figures`).

A value: `snapshots` keeps the newest of each tournament.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from arena.errors import ConfigError
from arena.referee.verdicts import Termination
from arena.rules.games import sides_of
from arena.site.views.figures import Basis, Figures, figures_of
from arena.site.views.matches import Matches, matches_of
from arena.store import Store
from arena.store.pages import Entry, Pages
from arena.store.rows import (
    EntrantRow,
    EntrantState,
    FixtureRow,
    FixtureStatus,
    TournamentRow,
    TournamentState,
)
from arena.tournament.formats.format import Format
from arena.tournament.match import Sides, opposing
from arena.tournament.model import FixtureResult, FormatOptions, Results
from arena.tournament.results import format_of

SMALL = 600
"""Up to so many matches a reader always sees the newest state."""


@dataclass(frozen=True)
class Snapshot:
    """A tournament's matches at one revision, with the figures as far as they are.

    What costs time is computed at first use and kept.
    """

    tournament: TournamentRow
    entrants: tuple[EntrantRow, ...]
    entries: Mapping[int, Entry]
    matches: Matches
    names: Mapping[int, str] = field(default_factory=dict)
    figures: Figures | None = None
    is_idle: bool = False
    """Whether it is to be played and nobody plays."""
    awaited: tuple[str, ...] = ()
    """Bots that have to answer before anything is played, while a referee waits for them."""

    @cached_property
    def format(self) -> Format:
        """The format that it is played in."""
        return format_of(self.tournament)

    @property
    def known(self) -> Figures:
        """The figures, which every snapshot that is handed out has."""
        assert self.figures is not None
        return self.figures

    @property
    def fixtures(self) -> Sequence[FixtureRow]:
        """All matches in order of play, voided ones included."""
        return self.matches.rows

    @property
    def is_small(self) -> bool:
        """Whether everything about it is quickly made."""
        return len(self.fixtures) <= SMALL

    @property
    def stamp(self) -> str:
        """Changes with everything that a page of this tournament could show."""
        row = self.tournament
        played = f"{self.is_idle}:{self.awaited}"
        return f"{row.id}:{row.state}:{row.revision}:{self.known.revision}:{played}"

    @cached_property
    def idle(self) -> Snapshot:
        """The same while nobody plays it."""
        return copied_from(self, replace(self, is_idle=True))

    def waiting_for(self, awaited: tuple[str, ...]) -> Snapshot:
        """The same while a referee waits for these bots."""
        return copied_from(self, replace(self, awaited=awaited))

    @cached_property
    def options(self) -> FormatOptions:
        """What the organiser chose about the format."""
        return FormatOptions(**self.tournament.config.get("options", {}))

    @property
    def sides(self) -> Sides:
        """Who are partners in a match, by seat."""
        return sides_of(self.tournament.variant, self.options.table_size)

    def opposed(self, row: FixtureRow, entrant: int, other: int) -> bool:
        """Whether two entrants play a match against each other, not as partners."""
        if not {entrant, other} <= set(row.seats):
            return False
        seat, faced = row.seats.index(entrant), row.seats.index(other)
        return faced in opposing(len(row.seats), self.sides)[seat]

    @cached_property
    def total(self) -> int | None:
        """Matches in all, None where that depends on the results. A finished tournament has played
        all that it had: a ladder pairs fewer than it might."""
        if self.tournament.state is TournamentState.FINISHED:
            return self.matches.count(FixtureStatus.FINISHED)
        try:
            found = self.format.total(len(self.entrants), self.options)
        except ConfigError:
            found = None
        if found is None:
            return None
        states = (FixtureStatus.FINISHED, FixtureStatus.PENDING, FixtureStatus.PLAYING)
        return max(found, sum(map(self.matches.count, states)))

    @cached_property
    def valid(self) -> tuple[FixtureRow, ...]:
        """The fixtures that count: all but the voided."""
        return tuple(row for row in self.fixtures if row.status is not FixtureStatus.VOID)

    @cached_property
    def results(self) -> tuple[FixtureResult, ...]:
        """Results so far, byes included, in order of play."""
        return tuple(result for row in self.valid if (result := row.result) is not None)

    @cached_property
    def strikes(self) -> Mapping[int, int]:
        """By entrant, the matches it lost in which a game was lost by strikes."""
        return Counter(
            entrant
            for row in self.valid
            if row.termination == Termination.STRIKES and row.winner is not None
            for entrant in row.seats
            if entrant != row.winner
        )

    @cached_property
    def by_key(self) -> Results:
        """Results by the key of their fixture."""
        return {result.key: result for result in self.results}

    @cached_property
    def seeding(self) -> tuple[int, ...]:
        """Entrants from the strongest seeding down."""
        return tuple(row.number for row in sorted(self.entrants, key=lambda row: row.seeding))

    @property
    def as_of(self) -> str:
        """When the newest match began or ended, at least when the tournament did."""
        stamps = (self.tournament.created_at, self.tournament.finished_at or "")
        return max(*stamps, self.matches.newest)

    def make_figures(self) -> Figures:
        """Add the results up."""

        def in_state(state: EntrantState) -> frozenset[int]:
            return frozenset(row.number for row in self.entrants if row.state is state)

        basis = Basis(
            format=self.format,
            options=self.options,
            secret=bytes.fromhex(self.tournament.secret),
            seeding=self.seeding,
            names=self.names,
            withdrawn=in_state(EntrantState.WITHDRAWN),
            disqualified=in_state(EntrantState.DISQUALIFIED),
            results=self.results,
            revision=self.tournament.revision,
            as_of=self.as_of,
            sides=self.sides,
        )
        return figures_of(basis)


def take(store: Store, tournament: TournamentRow, before: Snapshot | None = None) -> Snapshot:
    """A tournament's matches; of a snapshot from before only what changed is read."""
    entrants = tuple(store.tournaments.entrants(tournament.id))
    pages = Pages(store)
    return Snapshot(
        tournament,
        entrants,
        before.entries if before is not None and before.fixtures else pages.versions(tournament.id),
        _matches(store, pages, tournament, before),
        {row.number: row.name for row in entrants},
    )


def _matches(
    store: Store, pages: Pages, tournament: TournamentRow, before: Snapshot | None
) -> Matches:
    if before is not None:
        known = before.matches
        counts = pages.fixture_counts(tournament.id)
        if counts == (len(known.rows), known.count(FixtureStatus.VOID)):
            begun = pages.last_begun(tournament.id)
            changes = pages.fixtures_at(tournament.id, known.open_until(begun))
            return known.changed(changes) if changes else known
    return matches_of(store.fixtures.of(tournament.id, void=True))


def with_figures(snapshot: Snapshot, figures: Figures) -> Snapshot:
    """The snapshot with these figures; what it has computed of its matches is kept."""
    return copied_from(snapshot, replace(snapshot, figures=figures))


def copied_from(snapshot: Snapshot, made: Snapshot) -> Snapshot:
    """``made`` with all that the other has computed of the same matches."""
    # Of a copy: another thread may be adding what it computes.
    known = vars(snapshot).copy()
    cached = {name: value for name, value in known.items() if name not in vars(made)}
    cached.pop("idle", None)
    vars(made).update(cached)
    return made
