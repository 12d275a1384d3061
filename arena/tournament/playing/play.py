"""Plays stored tournaments with their bots, over HTTP: what ``run``, ``resume`` and ``demo`` do."""

from __future__ import annotations

import queue
import signal
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from types import FrameType

from arena.config import IN_FLIGHT, TournamentConfig
from arena.errors import ConfigError, DamagedError, RulesError, StoreError
from arena.process import Interrupted
from arena.shortage import ask_for_files
from arena.store import Store
from arena.store.lock import sole_referee, tell_awaited
from arena.store.rows import EntrantState, TournamentRow, TournamentState
from arena.tournament.create import SECRET_BYTES
from arena.tournament.lifecycle import reopen
from arena.tournament.playing.contact import HttpContact
from arena.tournament.playing.contestants import contestants
from arena.tournament.playing.reporter import Reporter
from arena.tournament.playing.runner import Runner
from arena.tournament.playing.venue import Venue
from arena.tournament.registration import check_startable
from arena.tournament.seeding import seed, seeded_last

Elsewhere = Callable[
    [Store, TournamentRow, Reporter, Callable[[], bool], bool], AbstractContextManager[Venue]
]
"""Makes the venue of a tournament that is not played in this process, for as long as it is. The
last two arguments say whether to give up waiting for its bots, and whether all have to answer."""


class Stopper:
    """Lets a signal handler end whatever is running, now or next.

    A handler runs in the thread that it interrupts, perhaps while that waits here. So nothing of
    this may hold a lock that the other needs, as `threading.Event` does.
    """

    def __init__(self) -> None:
        self.stopped = False
        self.runner: Runner | None = None
        self._bell: queue.SimpleQueue[None] = queue.SimpleQueue()

    def stop(self) -> None:
        """End the running tournament; begin no other."""
        self.stopped = True
        self._bell.put(None)
        runner = self.runner
        if runner is not None:
            runner.stop()

    def wait(self) -> None:
        """Wait until it is stopped."""
        if not self.stopped:
            self._bell.get()


@contextmanager
def stop_on_signals() -> Iterator[Stopper]:
    """SIGINT, SIGTERM and the end of the terminal stop play cleanly; a second has its usual effect.

    What is ignored stays ignored: under nohup play goes on without a terminal.
    """
    stopper = Stopper()
    numbers = [signal.SIGINT, signal.SIGTERM]
    if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
        numbers.append(signal.SIGHUP)
    before = {number: signal.getsignal(number) for number in numbers}

    def handler(number: int, frame: FrameType | None) -> None:
        stopper.stop()
        for each, old in before.items():
            signal.signal(each, old)

    for number in before:
        signal.signal(number, handler)
    try:
        yield stopper
    finally:
        for number, old in before.items():
            signal.signal(number, old)


def play(
    store: Store,
    tournament: TournamentRow,
    reporter: Reporter,
    stopper: Stopper,
    *,
    in_flight: int = IN_FLIGHT,
    elsewhere: Elsewhere | None = None,
    patience_s: float | None = None,
    all_present: bool | None = None,
) -> TournamentState:
    """Play a tournament to its end, or until the stopper or a page stops it.

    ``elsewhere``: where its matches are played if not in this process; ``in_flight`` is then for
    it to know. ``patience_s``: how long bots that do not answer are waited for once nothing else
    is left to play. ``all_present``: nothing is played here unless all answer. What is None of
    these two is as the tournament has it.

    :raises StoreError: another referee is at work, the database cannot be written, or what it
        holds of this tournament is damaged.
    :raises ConfigError: a bot cannot be started or does not play this game.
    """
    ask_for_files()
    with sole_referee(store.path, tournament.id):
        tournament = _prepared(store, tournament, reporter)
        if tournament.over or tournament.state is TournamentState.PAUSED:
            return tournament.state
        config = TournamentConfig.from_json(tournament.config)
        patience_s = config.patience_s if patience_s is None else patience_s
        all_present = config.all_present if all_present is None else all_present
        alarm = _Alarm()
        entrants = store.tournaments.entrants(tournament.id)
        present = [row.name for row in entrants if row.state is EntrantState.PLAYING]
        tell_awaited(store.path, present)
        with (
            _readable(tournament, RulesError),
            suppress(Interrupted),
            _reached(
                store, tournament, reporter, stopper, alarm, elsewhere, all_present=all_present
            ) as (contacts, venue),
        ):
            runner = Runner(
                store,
                tournament,
                contacts,
                reporter=reporter,
                in_flight=in_flight,
                venue=venue,
                silent=[entrant for entrant, one in contacts.items() if not one.has_answered],
                patience_s=patience_s,
            )
            alarm.connect(runner)
            stopper.runner = runner
            if stopper.stopped:
                return tournament.state
            try:
                return runner.run()
            finally:
                stopper.runner = None
        return tournament.state


def _prepared(store: Store, tournament: TournamentRow, reporter: Reporter) -> TournamentRow:
    """The tournament as it is played now: checked, with its seeding fixed."""
    check_startable(store, tournament)
    require_sound(store, tournament)
    if new := seed(store, tournament):
        reporter.message(seeded_last(tournament, new))
    return store.tournaments.get(tournament.id)


@contextmanager
def _reached(
    store: Store,
    tournament: TournamentRow,
    reporter: Reporter,
    stopper: Stopper,
    alarm: _Alarm,
    elsewhere: Elsewhere | None,
    *,
    all_present: bool,
) -> Iterator[tuple[Mapping[int, HttpContact], Venue | None]]:
    """The bots, greeted, if matches are played in this process; else the place where they are."""

    def stopping() -> bool:
        return stopper.stopped

    if elsewhere is not None:
        with elsewhere(store, tournament, reporter, stopping, all_present) as venue:
            yield {}, venue
        return
    calls = contestants(
        store,
        tournament,
        reporter,
        alarm.ring,
        alarm.was_away,
        stopping,
        all_present=all_present,
    )
    with calls as contacts:
        yield contacts, None


class _Alarm:
    """Takes what concerns the arena itself from whatever thread to the runner, early bugs as soon
    as there is one."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._runner: Runner | None = None
        self._early: BaseException | None = None

    def ring(self, error: BaseException) -> None:
        """End the run with this error, the first to come if it has not begun."""
        with self._lock:
            if self._runner is None:
                self._early = self._early or error
            else:
                self._runner.fail(error)

    def was_away(self, absence_s: float) -> None:
        """Say for how long this process was stopped."""
        with self._lock:
            if self._runner is not None:
                self._runner.say(
                    f"the arena itself was stopped for {absence_s:.1f} s; no bot is charged for it"
                )

    def connect(self, runner: Runner) -> None:
        """From now on there is a runner."""
        with self._lock:
            self._runner = runner
            if self._early is not None:
                runner.fail(self._early)


def require_sound(store: Store, tournament: TournamentRow) -> None:
    """Check all that play rests on before anybody is called.

    :raises StoreError: something is missing or cannot be read; the text says what.
    """
    with _readable(tournament, ConfigError, ValueError):
        config = TournamentConfig.from_json(tournament.config)
        config.variant()
        config.find_format()
        if len(bytes.fromhex(tournament.secret)) != SECRET_BYTES:
            raise ValueError(f"the secret has not {SECRET_BYTES} bytes")
        numbers = [entrant.number for entrant in store.tournaments.entrants(tournament.id)]
        if len(numbers) < config.options.table_size or numbers != list(range(len(numbers))):
            raise ValueError(f"of its entrants only those numbered {numbers} are there")
        for fixture in store.fixtures.of(tournament.id):
            if not set(fixture.seats) <= set(numbers):
                raise ValueError(f"the match {fixture.id} is between unknown entrants")


@contextmanager
def _readable(tournament: TournamentRow, *errors: type[Exception]) -> Iterator[None]:
    """Such errors within mean that what is stored is at fault."""
    try:
        yield
    except errors as error:
        raise DamagedError(
            f"tournament {tournament.name!r} is damaged ({error}); restore a backup"
        ) from error


def unfinished(store: Store, name: str | None = None) -> Sequence[TournamentRow]:
    """The tournaments that were being played or wait for it, oldest first; or the one of this name.

    A paused one is played on only when it is named.

    :raises StoreError: there is no such tournament, or it is over.
    """
    if name is not None:
        tournament = store.tournaments.find(name)
        if tournament.over:
            raise StoreError(f"tournament {tournament.name!r} is {tournament.state} already")
        return [reopen(store, tournament)]
    return [
        row for row in reversed(store.tournaments.all()) if row.state is TournamentState.RUNNING
    ]
