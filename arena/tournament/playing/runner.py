"""Runs a tournament: the one place where schedule, referee, bots and store meet.

The runner takes matches from the agenda, keeps a bounded number of them in flight, and stores what
comes back; its venue plays them, here or on a cluster. It holds no state that is not in the
store: stopped or killed at any moment, a new runner on the same database goes on, and the hand that
was in play is dealt again the same.
"""

from __future__ import annotations

import queue
from collections import deque
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress

from arena.config import IN_FLIGHT
from arena.errors import StoreError
from arena.referee.match import MatchSetup
from arena.store import Store
from arena.store.lock import tell_awaited
from arena.store.rows import (
    EntrantState,
    FixtureRow,
    FixtureStatus,
    TournamentRow,
    TournamentState,
)
from arena.tournament.match import left_sentence
from arena.tournament.model import FixtureResult
from arena.tournament.playing.absences import Absences
from arena.tournament.playing.agenda import Agenda
from arena.tournament.playing.drive import Contact, game_to_row, setup_of, stored_hands
from arena.tournament.playing.load import Load, rare_collections
from arena.tournament.playing.reporter import Reporter, Silent
from arena.tournament.playing.venue import Here, NotToBePlayed, Venue, in_store
from arena.tournament.unfinished import left_result, referee_again

LOOK_S = 1.0
"""How often the runner looks whether somebody has changed the tournament."""

STARTABLE = (TournamentState.DRAFT, TournamentState.REGISTRATION, TournamentState.RUNNING)

LOOK_AHEAD = 500
"""Waiting fixtures that are looked at for one that can be played now."""


class Runner:
    """Plays one tournament.

    ``contacts``: who answers for each entrant, by number; empty where a ``venue`` is given, which
    asks them itself. ``silent``: those of them that have not answered their greeting.
    ``patience_s``: how long bots that do not answer are waited for when nothing else is left.
    """

    def __init__(
        self,
        store: Store,
        tournament: TournamentRow,
        contacts: Mapping[int, Contact],
        *,
        reporter: Reporter | None = None,
        in_flight: int = IN_FLIGHT,
        venue: Venue | None = None,
        silent: Collection[int] = (),
        patience_s: float | None = None,
    ) -> None:
        if tournament.over:
            raise StoreError(f"tournament {tournament.name!r} is {tournament.state} already")
        self._store = store
        self._tournament = tournament
        self._agenda = Agenda(store, tournament)
        config = self._agenda.config
        self._clock = config.clock
        self._variant = config.variant()
        self._secret = bytes.fromhex(tournament.secret)
        self._reporter = reporter or Silent()
        self._venue = venue or Here(
            contacts,
            in_store(store),
            Load(in_flight, self._clock.deadline_ms),
            self._reporter.message,
            silent,
        )
        self._names: dict[int, str] = {}
        self._waiting: deque[FixtureRow] = deque()
        self._aside: dict[str, FixtureRow] = {}
        """Those that wait for a bot to answer."""
        self._aside_for: tuple[Collection[int], Collection[int]] = ((), ())
        self._flying: dict[str, FixtureRow] = {}
        self._deals: set[str] = set()
        self._inbox: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._absences = Absences(
            self._venue.answers,
            self._inbox.put,
            lambda entrant, text: self._reporter.message(f"{self._names[entrant]} {text}"),
            patience_s,
        )
        self._told: tuple[str, ...] | None = None
        self._stopping = False

    def stop(self) -> None:
        """End soon, from any thread or signal handler; what is in play is resumed another time."""
        self._stopping = True
        self._inbox.put(lambda: None)

    def fail(self, error: BaseException) -> None:
        """End with this error, from any thread: something of the arena itself is broken."""

        def end() -> None:
            raise error

        self._inbox.put(end)

    def say(self, text: str) -> None:
        """Tell the organiser something, from any thread."""
        self._inbox.put(lambda: self._reporter.message(text))

    def run(self) -> TournamentState:
        """Play until it is finished, paused, cancelled or stopped; the state it is left in.

        :raises StoreError: the database cannot be written; nothing stored is lost.
        """
        store, id = self._store, self._tournament.id
        entrants = store.tournaments.entrants(id)
        self._names = {row.number: row.name for row in entrants}
        # Somebody may have paused or cancelled it while its bots were being greeted.
        if not store.tournaments.move(id, TournamentState.RUNNING, STARTABLE):
            return store.tournaments.get(id).state
        self._waiting.extend(store.fixtures.open_of(id))
        self._agenda.begin()
        played = store.fixtures.count(id, FixtureStatus.FINISHED)
        self._reporter.started(self._agenda.total(len(entrants)), played)
        self._venue.begin(self._inbox.put, self._land, self._unheard)
        try:
            with rare_collections():
                while not self._stopping and (self._step() or self._is_running()):
                    pass
        finally:
            self._absences.stop()
            self._venue.stop()
        return store.tournaments.get(id).state

    def _is_running(self) -> bool:
        """Whether somebody has resumed it since the last step saw that it was paused."""
        return self._store.tournaments.get(self._tournament.id).state is TournamentState.RUNNING

    def _step(self) -> bool:
        """Start what may start and wait for one match to end. False when nothing is left to do."""
        state = self._store.tournaments.get(self._tournament.id).state
        moved = False
        if state is TournamentState.RUNNING:
            if not self._waiting:
                state = self._schedule()
            moved = self._start_some()
            self._tell()
            self._absences.look(idle=not self._flying and not self._waiting)
        if state is TournamentState.CANCELLED:
            return False
        if state is TournamentState.PAUSED:
            # Matches in play are finished first, also those that rest between two legs.
            self._venue.flush()
        # Finished too: a match's result is stored a moment before it lands here and is reported.
        if not self._flying:
            if state is not TournamentState.RUNNING:
                return False
            if moved:
                return True
        # Not for ever: somebody may pause or cancel it while all matches are long.
        with suppress(queue.Empty):
            self._inbox.get(timeout=LOOK_S)()
        return True

    def _schedule(self) -> TournamentState:
        """Take over the matches that are to be played now; the state of the tournament."""
        state, open_ = self._agenda.next_open()
        known = self._flying.keys() | self._aside.keys()
        self._waiting.extend(row for row in open_ if row.id not in known)
        return state

    def _start_some(self) -> bool:
        """Start waiting fixtures while there is room, never two of a mirrored pair together, and
        set those aside whose bots do not answer.

        Whether any need not wait any more.
        """
        passed: list[FixtureRow] = []
        gone = self._gone()
        awaited = self._recall(gone)
        before = len(self._waiting) + len(self._aside)
        while self._waiting and len(passed) < LOOK_AHEAD:
            if self._venue.room(len(self._waiting)) <= 0:
                break
            row = self._waiting.popleft()
            if not awaited.isdisjoint(row.seats) and gone.isdisjoint(row.seats):
                self._aside[row.id] = row
            elif row.deal_key in self._deals or not self._start(row, gone):
                passed.append(row)
        self._waiting.extendleft(reversed(passed))
        self._venue.flush()
        return len(self._waiting) + len(self._aside) < before

    def _tell(self) -> None:
        """Let pages know for whom everything waits, when that has changed."""
        seats = {entrant for row in self._aside.values() for entrant in row.seats}
        is_held = not self._flying and not self._waiting
        awaited = seats.intersection(self._aside_for[0]) if is_held else ()
        names = tuple(self._names[entrant] for entrant in sorted(awaited))
        if names != self._told:
            self._told = names
            tell_awaited(self._store.path, names)

    def _recall(self, gone: set[int]) -> frozenset[int]:
        """Who is waited for now. When that has changed, what was set aside is looked at again."""
        awaited = self._absences.awaited.difference(gone)
        if self._aside and self._aside_for != (awaited, gone):
            rows = sorted(self._aside.values(), key=lambda row: row.position)
            self._waiting.extendleft(reversed(rows))
            self._aside.clear()
        self._aside_for = (awaited, gone)
        return awaited

    def _start(self, row: FixtureRow, gone: Collection[int]) -> bool:
        """Whether it need not be offered again: it was started, decided without play, or is not
        open any more."""
        setup = setup_of(
            row.tournament_id, self._variant, self._secret, self._clock, row, self._names
        )
        missing = [entrant for entrant in row.seats if entrant in gone]
        if missing and self._forfeit(row, setup, missing):
            return True
        try:
            if not self._venue.start(row, setup):
                return False
        except NotToBePlayed:
            return True
        self._flying[row.id] = row
        self._deals.add(row.deal_key)
        self._reporter.playing(row)
        return True

    def _forfeit(self, row: FixtureRow, setup: MatchSetup, missing: Sequence[int]) -> bool:
        """Decide a match that these entrants left. False if it was played to its end before that
        and only its result is not stored yet."""
        hands = stored_hands(self._store, row.id)
        games, outcome = referee_again(setup, hands)
        if outcome is not None:
            return False
        result = left_result(row.fixture, setup, hands, games, missing)
        sentence = left_sentence([self._names[entrant] for entrant in missing], result.hands)
        with self._store.transaction():
            # Of a game that was just decided only the hands may be stored.
            for game in games if self._store.fixtures.is_open(row.id) else ():
                self._store.fixtures.add_game(game_to_row(row.id, game))
            stored = self._store.fixtures.finish(row.id, result, sentence)
        if stored:
            self._count(row, result, sentence)
        return True

    def _gone(self) -> set[int]:
        """Entrants that play no more."""
        return {
            entrant.number
            for entrant in self._store.tournaments.entrants(self._tournament.id)
            if entrant.state is not EntrantState.PLAYING
        }

    def _land(self, row: FixtureRow, result: FixtureResult, sentence: str) -> None:
        """A match came to its end."""
        del self._flying[row.id]
        self._deals.discard(row.deal_key)
        self._absences.played([seat for seat in row.seats if seat not in result.forfeited])
        # Not if it was voided, or the tournament cancelled, while it was in play.
        if self._store.fixtures.status(row.id) is FixtureStatus.FINISHED:
            self._count(row, result, sentence)

    def _unheard(self, entrants: Collection[int], given_back: Sequence[FixtureRow]) -> None:
        """Bots gave no answer, and matches are not played for now."""
        self._absences.doubt(entrants)
        for row in given_back:
            del self._flying[row.id]
            self._deals.discard(row.deal_key)
        self._waiting.extendleft(reversed(given_back))

    def _count(self, row: FixtureRow, result: FixtureResult, sentence: str) -> None:
        """A result was stored."""
        self._reporter.played(row, result, sentence)
