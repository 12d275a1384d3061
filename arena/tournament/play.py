"""Plays stored tournaments with their bots, over HTTP: what ``run``, ``resume`` and ``demo`` do."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from types import FrameType

from arena.errors import StoreError
from arena.process import Interrupted
from arena.store import Store
from arena.store.lock import sole_referee
from arena.store.rows import TournamentRow, TournamentState
from arena.tournament.contestants import contestants
from arena.tournament.create import seed
from arena.tournament.drive import Contact
from arena.tournament.reporter import Reporter
from arena.tournament.runner import IN_FLIGHT, Runner
from arena.tournament.venue import Venue

Elsewhere = Callable[[Store, TournamentRow, Reporter], AbstractContextManager[Venue]]
"""Makes the venue of a tournament that is not played in this process, for as long as it is."""


class Stopper:
    """Lets a signal handler end whatever is running, now or next."""

    def __init__(self) -> None:
        self.stopped = threading.Event()
        self.runner: Runner | None = None

    def stop(self) -> None:
        """End the running tournament; begin no other."""
        self.stopped.set()
        if self.runner is not None:
            self.runner.stop()


@contextmanager
def stop_on_signals() -> Iterator[Stopper]:
    """SIGINT and SIGTERM stop play cleanly; a second one has its usual effect."""
    stopper = Stopper()
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}

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
) -> TournamentState:
    """Play a tournament to its end, or until the stopper or a page stops it.

    ``elsewhere``: where its matches are played if not in this process; ``in_flight`` is then for
    it to know.

    :raises StoreError: another referee is at work, or the database cannot be written.
    :raises ConfigError: a bot cannot be started or does not play this game.
    """
    with sole_referee(store.path):
        seed(store, tournament)
        tournament = store.tournaments.get(tournament.id)
        running: list[Runner] = []

        def on_error(error: BaseException) -> None:
            running[0].fail(error)

        with ExitStack() as stack, suppress(Interrupted):
            contacts: Mapping[int, Contact] = {}
            venue = None
            if elsewhere is None:
                stopping = stopper.stopped.is_set
                contacts = stack.enter_context(
                    contestants(store, tournament, reporter, on_error, stopping)
                )
            else:
                venue = stack.enter_context(elsewhere(store, tournament, reporter))
            runner = Runner(
                store, tournament, contacts, reporter=reporter, in_flight=in_flight, venue=venue
            )
            running.append(runner)
            stopper.runner = runner
            if stopper.stopped.is_set():
                return tournament.state
            try:
                return runner.run()
            finally:
                stopper.runner = None
        return tournament.state


def unfinished(store: Store, name: str | None = None) -> Sequence[TournamentRow]:
    """The tournaments that were being played or wait for it, oldest first; or the one of this name.

    :raises StoreError: there is no such tournament, or it is over.
    """
    if name is not None:
        tournament = store.tournaments.find(name)
        if tournament.over:
            raise StoreError(f"tournament {tournament.name!r} is {tournament.state} already")
        return [tournament]
    return [
        row for row in reversed(store.tournaments.all()) if row.state is TournamentState.RUNNING
    ]
