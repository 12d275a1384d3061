"""A tournament as its pages see it, shared by all readers.

Two parts of different cost: the matches (`Snapshot`), brought up to date by the rows that changed
since the last look, and what they add up to (`figures`). Small tournaments are always up to date.
The figures of a large one are computed beside the requests, so that no reader waits for them.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import Counter, OrderedDict
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from arena.errors import ConfigError, StoreError
from arena.referee.verdicts import Termination
from arena.rules.games import sides_of
from arena.site.views.figures import Basis, Figures, figures_of
from arena.site.views.matches import Matches, matches_of
from arena.site.work.beside import Beside
from arena.store import Store
from arena.store.pages import Entry, Pages
from arena.store.rows import EntrantRow, EntrantState, FixtureRow, FixtureStatus, TournamentRow
from arena.tournament.formats.format import Format
from arena.tournament.match import Sides, opposing
from arena.tournament.model import FixtureResult, FormatOptions, Results
from arena.tournament.results import format_of

log = logging.getLogger("arena.site.views.snapshots")

KEPT = 64
"""Tournaments whose snapshots stay in memory."""

WARMED = 16
"""Tournaments that are read when a server starts."""

SMALL = 600
"""Up to so many matches a reader always sees the newest state."""

LARGE = 5_000
"""The figures of more matches are made by another process."""

BREATH = 6
"""After making figures for a while they are left alone for so many times as long."""

MATCHES_BREATH = 20
"""The same for reading the list of matches."""

LOOK_S = 0.5
"""A large tournament's list is read at most so often; pages made meanwhile serve all who come."""


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
        return f"{row.id}:{row.state}:{row.revision}:{self.known.revision}:{self.is_idle}"

    @cached_property
    def idle(self) -> Snapshot:
        """The same while nobody plays it."""
        return _copied(self, replace(self, is_idle=True))

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
        """Matches in all, None where that depends on the results."""
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


@dataclass(slots=True)
class _Kept:
    """The newest snapshot of a tournament and what it cost."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    snapshot: Snapshot | None = None
    matches_s: float = 0.0
    matches_at: float = 0.0
    figures_s: float = 0.0
    figures_at: float = 0.0
    is_making: bool = False
    is_behind: bool = False


class Snapshots:
    """Keeps the newest snapshot of each tournament. Safe for threads."""

    def __init__(self, database: Path) -> None:
        self._lock = threading.Lock()
        self._kept: OrderedDict[str, _Kept] = OrderedDict()
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="figures")
        self._beside = Beside(database)
        self._database = database
        self._preparing: set[str] = set()

    def close(self) -> None:
        """End the work beside the requests."""
        self._beside.close()
        self._pool.shutdown(wait=True, cancel_futures=True)

    def warm(self, database: Path) -> None:
        """Take the snapshots that the first readers will ask for, so that they need not wait."""
        try:
            with Store(database, read_only=True) as store:
                rows = store.tournaments.all()
                for row in sorted(rows, key=lambda row: row.over)[:WARMED]:
                    self.get(store, row)
        except StoreError:
            log.debug("nothing to warm up yet")

    def get(self, store: Store, tournament: TournamentRow) -> Snapshot:
        """The tournament as it stands, or as it stood a moment ago where it is large."""
        kept = self._entry(tournament.id)
        found = kept.snapshot
        if found is not None and not found.is_small and kept.lock.locked():
            # Somebody brings it up to date; so many need not wait for that.
            kept.is_behind = True
            return found
        with kept.lock:
            found = kept.snapshot
            kept.is_behind = False
            if found is None or self._may_read(kept, found, tournament):
                begun = time.monotonic()
                found = take(store, tournament, found)
                kept.matches_at = time.monotonic()
                kept.matches_s = kept.matches_at - begun
                figures = kept.snapshot.figures if kept.snapshot is not None else None
                found = self._with_figures(kept, found, figures)
                kept.snapshot = found
            elif found.known.revision != found.tournament.revision:
                self._make_soon(kept, found)
            return found

    def holds(self, id: str) -> bool:
        """Whether there is a snapshot of a tournament already."""
        with self._lock:
            kept = self._kept.get(id)
        return kept is not None and kept.snapshot is not None

    def prepare(self, id: str) -> None:
        """Take a snapshot beside the requests: whoever asks later need not wait for it."""
        with self._lock:
            if id in self._preparing:
                return
            self._preparing.add(id)
        self._pool.submit(self._prepare, id)

    def _prepare(self, id: str) -> None:
        try:
            with Store(self._database, read_only=True) as store:
                self.get(store, store.tournaments.get(id))
        except Exception:
            log.exception("%s could not be prepared", id)
        finally:
            with self._lock:
                self._preparing.discard(id)

    @property
    def is_settled(self) -> bool:
        """Whether nobody was shown less than there is."""
        with self._lock:
            kept = list(self._kept.values())
            if self._preparing:
                return False
        return not any(
            one.is_behind
            or one.is_making
            or (one.snapshot and one.snapshot.known.revision != one.snapshot.tournament.revision)
            for one in kept
        )

    def _entry(self, id: str) -> _Kept:
        with self._lock:
            kept = self._kept.setdefault(id, _Kept())
            self._kept.move_to_end(id)
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
            return kept

    @staticmethod
    def _may_read(kept: _Kept, found: Snapshot, tournament: TournamentRow) -> bool:
        """Whether there is something new, and it is time to look."""
        if found.tournament == tournament:
            return False
        quick = found.is_small or found.tournament.state is not tournament.state
        pause = max(LOOK_S, MATCHES_BREATH * kept.matches_s)
        rested = time.monotonic() - kept.matches_at >= pause
        kept.is_behind = not (quick or rested)
        return not kept.is_behind

    def _with_figures(self, kept: _Kept, found: Snapshot, figures: Figures | None) -> Snapshot:
        """Figures at once where they are quick or there are none; else the old ones for now."""
        if figures is not None and not found.is_small:
            older = _replaced(found, figures)
            self._make_soon(kept, older)
            return older
        begun = time.monotonic()
        made = found.make_figures()
        kept.figures_at = time.monotonic()
        kept.figures_s = kept.figures_at - begun
        return _replaced(found, made)

    def _make_soon(self, kept: _Kept, found: Snapshot) -> None:
        rested = time.monotonic() - kept.figures_at >= BREATH * kept.figures_s
        if kept.is_making or not rested:
            return
        kept.is_making = True
        self._pool.submit(self._make, kept, found)

    def _make(self, kept: _Kept, found: Snapshot) -> None:
        try:
            begun = time.monotonic()
            if len(found.fixtures) > LARGE:
                made = self._beside.figures(found.tournament.id)
            else:
                made = found.make_figures()
            taken = time.monotonic() - begun
        except Exception:
            log.exception("the figures of %s could not be made", found.tournament.id)
            with kept.lock:
                kept.is_making = False
                kept.figures_at = time.monotonic()
            return
        with kept.lock:
            kept.figures_s, kept.figures_at = taken, time.monotonic()
            kept.is_making = False
            if kept.snapshot is not None:
                kept.snapshot = _replaced(kept.snapshot, made)


def _replaced(snapshot: Snapshot, figures: Figures) -> Snapshot:
    """The snapshot with these figures; what it has computed of its matches is kept."""
    return _copied(snapshot, replace(snapshot, figures=figures))


def _copied(snapshot: Snapshot, made: Snapshot) -> Snapshot:
    """``made`` with all that the other has computed of the same matches."""
    # Of a copy: another thread may be adding what it computes.
    known = vars(snapshot).copy()
    cached = {name: value for name, value in known.items() if name not in vars(made)}
    cached.pop("idle", None)
    vars(made).update(cached)
    return made
