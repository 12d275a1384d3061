"""Runs a tournament: the one place where schedule, referee, bots and store meet.

The runner asks the format for fixtures, keeps a bounded number of matches in flight, and stores
what comes back. It holds no state that is not in the store: stopped or killed at any moment, a
new runner on the same database goes on, and the hand that was in play is dealt again the same.
"""

from __future__ import annotations

import queue
from collections import deque
from collections.abc import Mapping

from arena.config import TournamentConfig
from arena.errors import StoreError
from arena.referee.ids import opaque_id
from arena.store import Store
from arena.store.rows import EntrantState, FixtureRow, FixtureStatus, TournamentRow, TournamentState
from arena.tournament.drive import Contact, Drive, setup_of
from arena.tournament.load import Load
from arena.tournament.match import forfeit_result
from arena.tournament.model import Fixture
from arena.tournament.reporter import Reporter, Silent
from arena.tournament.results import stored_results

IN_FLIGHT = 16
"""Matches in flight unless told otherwise."""

Done = tuple[Drive | None, BaseException | None]


class Runner:
    """Plays one tournament. ``contacts``: who answers for each entrant, by number."""

    def __init__(
        self,
        store: Store,
        tournament: TournamentRow,
        contacts: Mapping[int, Contact],
        *,
        reporter: Reporter | None = None,
        in_flight: int = IN_FLIGHT,
    ) -> None:
        if tournament.over:
            raise StoreError(f"tournament {tournament.name!r} is {tournament.state} already")
        self._store = store
        self._tournament = tournament
        self._config = TournamentConfig.from_json(tournament.config)
        self._variant = self._config.variant()
        self._format = self._config.find_format()
        self._secret = bytes.fromhex(tournament.secret)
        self._contacts = contacts
        self._reporter = reporter or Silent()
        self.load = Load(in_flight, self._config.clock.deadline_ms)
        self._names: dict[int, str] = {}
        self._results = stored_results(store, tournament.id)
        self._waiting: deque[FixtureRow] = deque()
        self._flying: dict[str, Drive] = {}
        self._done: queue.SimpleQueue[Done | None] = queue.SimpleQueue()
        self._stopping = False

    def stop(self) -> None:
        """End soon, from any thread or signal handler; what is in play is resumed another time."""
        self._stopping = True
        self._done.put(None)

    def fail(self, error: BaseException) -> None:
        """End with this error, from any thread: something of the arena itself is broken."""
        self._done.put((None, error))

    def run(self) -> TournamentState:
        """Play until it is finished, paused, cancelled or stopped; the state it is left in.

        :raises StoreError: the database cannot be written; nothing stored is lost.
        """
        store, id = self._store, self._tournament.id
        entrants = store.tournaments.entrants(id)
        self._names = {row.number: row.name for row in entrants}
        store.tournaments.set_state(id, TournamentState.RUNNING)
        self._waiting.extend(
            row
            for row in store.fixtures.of(id)
            if row.status in (FixtureStatus.PENDING, FixtureStatus.PLAYING)
        )
        total = self._format.total(len(entrants), self._config.options)
        self._reporter.started(total, len(self._results))
        try:
            while not self._stopping and self._step():
                pass
        finally:
            for drive in self._flying.values():
                drive.stop()
        if self._stopping:
            return store.tournaments.get(id).state
        if store.tournaments.get(id).state is TournamentState.RUNNING:
            store.tournaments.set_state(id, TournamentState.FINISHED)
        return store.tournaments.get(id).state

    def _step(self) -> bool:
        """Start what may start and wait for one match to end. False when all is played."""
        state = self._store.tournaments.get(self._tournament.id).state
        before = len(self._results)
        if state is TournamentState.RUNNING:
            if not self._waiting:
                self._schedule()
            self._start_some()
        if not self._flying:
            moved = len(self._results) > before
            return state is TournamentState.RUNNING and (moved or bool(self._waiting))
        done = self._done.get()
        if done is not None:
            self._land(*done)
        return True

    def _schedule(self) -> None:
        """Store the fixtures that became known, in order of play."""
        id = self._tournament.id
        seeding = [
            row.number
            for row in sorted(self._store.tournaments.entrants(id), key=lambda row: row.seeding)
        ]
        known = {row.key for row in self._store.fixtures.of(id)}
        new = [
            fixture
            for fixture in self._format.fixtures(seeding, self._config.options, self._results)
            if fixture.key not in known
        ]
        with self._store.transaction():
            for position, fixture in enumerate(new, len(known)):
                self._store.fixtures.add(id, self.fixture_id(fixture), fixture, position=position)
        for row in self._store.fixtures.of(id) if new else ():
            if row.key not in known:
                if row.status is FixtureStatus.PENDING:
                    self._waiting.append(row)
                elif row.result is not None:
                    self._results[row.key] = row.result
        if new and not self._waiting:
            self._schedule()

    def fixture_id(self, fixture: Fixture, replay: int = 0) -> str:
        """The opaque id of a fixture of this tournament."""
        return opaque_id("m", self._secret, *fixture.key, replay)

    def _start_some(self) -> None:
        """Start waiting fixtures while there is room, never two of a mirrored pair together."""
        flying_deals = {drive.fixture.deal_key for drive in self._flying.values()}
        passed: list[FixtureRow] = []
        while self._waiting and len(self._flying) < self.load.limit:
            row = self._waiting.popleft()
            if row.deal_key in flying_deals:
                passed.append(row)
                continue
            flying_deals.add(row.deal_key)
            self._start(row)
        self._waiting.extendleft(reversed(passed))

    def _start(self, row: FixtureRow) -> None:
        missing = self._missing(row)
        if missing:
            result = forfeit_result(row.fixture, missing)
            gone = " and ".join(self._names[entrant] for entrant in missing)
            sentence = f"{gone} left the tournament before this match."
            self._store.fixtures.finish(row.id, result, sentence)
            self._results[row.key] = result
            self._reporter.played(row, result, sentence)
            return
        drive = Drive(
            self._store,
            row,
            setup_of(
                self._tournament.id,
                self._variant,
                self._secret,
                self._config.clock,
                row,
                self._names,
            ),
            [self._contacts[entrant] for entrant in row.seats],
            lambda drive, error: self._done.put((drive, error)),
            self.load.note,
        )
        self._flying[row.id] = drive
        self._reporter.playing(row)
        drive.start()

    def _missing(self, row: FixtureRow) -> list[int]:
        gone = {
            entrant.number
            for entrant in self._store.tournaments.entrants(self._tournament.id)
            if entrant.state is not EntrantState.PLAYING
        }
        return [entrant for entrant in row.seats if entrant in gone]

    def _land(self, drive: Drive | None, error: BaseException | None) -> None:
        """A match came to its end."""
        if error is not None:
            raise error
        assert drive is not None
        assert drive.result is not None
        del self._flying[drive.fixture.id]
        self._results[drive.fixture.key] = drive.result
        self._reporter.played(drive.fixture, drive.result, drive.sentence)
        sentence = self.load.adapt()
        if sentence:
            self._reporter.message(sentence)
