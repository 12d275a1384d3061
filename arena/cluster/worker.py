"""What a worker does: plays a chunk of matches as the coordinator would, and hands back values.

It opens its own connections to the bots of the chunk, sees no database and keeps nothing
afterwards. It never raises: whatever becomes of a chunk is a report. Chunks that one process plays
at the same time share its matches in flight, so that while one comes to its end the next fills up.
"""

from __future__ import annotations

import os
import queue
import socket
import sys
import threading
import time
import traceback
from collections import deque
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from typing import Any

from arena.cluster.identity import Identity, identity
from arena.cluster.orders import (
    Bout,
    Broken,
    Dropped,
    Finished,
    Order,
    Refused,
    Report,
    Sealed,
    Unreached,
)
from arena.referee.match import HandPlayed
from arena.referee.verdicts import BotFault
from arena.store.rows import FixtureRow
from arena.tournament.playing.contact import HttpContact
from arena.tournament.playing.ledger import Ledger, Notebook
from arena.tournament.playing.load import Load
from arena.tournament.playing.venue import Here
from arena.wire.crew import CREW_SIZE, Crew
from arena.wire.lane import Lane
from arena.wire.transport import WireOptions

GREETING_MS = 5000.0
GREETERS = 8
LOOK_S = 0.5
"""How often a worker looks whether anybody still waits for its chunk."""
LAST_WORDS_S = 1.0
"""How long bots may take for the last messages that their matches are over."""


def introduce() -> Identity:
    """Say what runs here, and load what play needs: no bot should wait for that later."""
    import arena.wire.client  # noqa: F401

    return identity()


def perform(expected: Identity, sealed: Sealed) -> Report:
    """Play a chunk, if this code is the coordinator's."""
    worker = whereabouts()
    if identity() != expected:
        return Refused(worker, identity())
    try:
        _stop_profiling()
        return _play(sealed.open(), worker)
    except BaseException:
        return Broken(worker, traceback.format_exc())


def whereabouts() -> str:
    """Which worker this is, for people."""
    worker = _dask_worker()
    return str(worker.address) if worker else f"process {os.getpid()} on {socket.gethostname()}"


def is_unwanted() -> bool:
    """Whether nobody waits for the chunk any more: the coordinator has stopped, or is gone."""
    worker = _dask_worker()
    if worker is None:
        return False
    task = worker.state.tasks.get(worker.get_current_task())
    return task is None or task.state != "executing"


def _dask_worker() -> Any:
    """The dask worker in whose thread this runs, if it does."""
    distributed = sys.modules.get("distributed")
    if distributed is None:
        return None
    try:
        return distributed.get_worker()
    except ValueError:
        return None


def _stop_profiling() -> None:
    """Have dask no more look at the stacks of this process's threads.

    It does so a hundred times a second, and with Python 3.11 that hangs a process for ever that
    happens to start a thread at that moment (CPython issue 106883).
    """
    worker = _dask_worker()
    profiler = worker.periodic_callbacks.get("profile") if worker else None
    if profiler is not None:
        worker.loop.add_callback(profiler.stop)


def _play(order: Order, worker: str) -> Report:
    began = time.monotonic()
    inbox: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
    with ExitStack() as stack:
        crew = Crew(
            min(CREW_SIZE, order.parallel + 1), on_error=lambda error: inbox.put(_raising(error))
        )
        stack.callback(crew.close)
        options = WireOptions(network=order.network)
        lanes = {one.number: one.lane(crew, options) for one in order.contestants}
        missing = _unreached(
            {number: lane for number, lane in lanes.items() if number not in order.silent}
        )
        if missing:
            return Unreached(worker, tuple(missing))
        table = _Table(order, lanes, inbox)
        if not table.play():
            return Dropped(worker)
        ends = time.monotonic() + LAST_WORDS_S
        for lane in lanes.values():
            lane.drain(max(0.0, ends - time.monotonic()))
    return Finished(
        worker,
        tuple(book.played for book in table.books if book.played is not None),
        tuple(book.begun for book in table.books if book.played is None),
        time.monotonic() - began,
        tuple(table.remarks),
        frozenset(table.silent),
    )


def _unreached(lanes: Mapping[int, Lane]) -> list[int]:
    """Entrants that do not answer a greeting; it also opens the connections, outside any clock."""

    def greet(item: tuple[int, Lane]) -> int | None:
        try:
            item[1].warm_up(GREETING_MS)
        except BotFault:
            return item[0]
        return None

    with ThreadPoolExecutor(GREETERS) as greeters:
        return [number for number in greeters.map(greet, lanes.items()) if number is not None]


def _raising(error: BaseException) -> Callable[[], None]:
    def end() -> None:
        raise error

    return end


class _Process:
    """How many matches the chunks have in flight that this process plays at the same time."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._in_play: dict[_Table, int] = {}

    def enter(self, table: _Table) -> None:
        """A chunk begins."""
        with self._lock:
            self._in_play[table] = 0

    def leave(self, table: _Table) -> None:
        """A chunk is over."""
        self.note(table, 0)
        with self._lock:
            del self._in_play[table]

    def claim(self, table: _Table, most: int) -> bool:
        """Whether one more match may begin; it counts from now on."""
        with self._lock:
            if sum(self._in_play.values()) >= most:
                return False
            self._in_play[table] += 1
            return True

    def withdraw(self, table: _Table) -> None:
        """It did not begin. Nobody is woken: two chunks would do so in turns for ever."""
        with self._lock:
            self._in_play[table] -= 1

    def note(self, table: _Table, in_play: int) -> None:
        """What a chunk has in flight now; when it is less, the others may have more."""
        with self._lock:
            fewer = in_play < self._in_play[table]
            self._in_play[table] = in_play
            others = [other for other in self._in_play if other is not table] if fewer else []
        for other in others:
            other.wake()


PROCESS = _Process()


class _Table:
    """The matches of one chunk, in play."""

    def __init__(
        self,
        order: Order,
        lanes: Mapping[int, Lane],
        inbox: queue.SimpleQueue[Callable[[], None]],
    ) -> None:
        self.books: list[Notebook] = []
        self.remarks: list[str] = []
        self.silent: set[int] = set()
        self._inbox = inbox
        self._waiting = deque(order.bouts)
        self._histories = {bout.row.id: bout.history for bout in order.bouts}
        self._most = order.parallel
        self._known_silent = order.silent
        self._rests_at = time.monotonic() + order.leg_s
        deadline_ms = order.bouts[0].setup.clock.deadline_ms
        self._venue = Here(
            {number: HttpContact(lane) for number, lane in lanes.items()},
            self._opened,
            Load(order.parallel, deadline_ms),
            self.remarks.append,
        )

    def play(self) -> bool:
        """Play all of them, or until they are to rest. False when nobody waits any more."""
        self._venue.begin(self._inbox.put, lambda row, result, sentence: None, self._unheard)
        PROCESS.enter(self)
        try:
            return self._play()
        finally:
            self._venue.stop()
            PROCESS.leave(self)

    def _play(self) -> bool:
        left_s = self._rests_at - time.monotonic()
        while self._venue.in_play or (self._waiting and left_s > 0):
            if left_s > 0:
                self._start_some()
            else:
                self._venue.rest()
            with suppress(queue.Empty):
                self._inbox.get(timeout=min(LOOK_S, left_s) if left_s > 0 else LOOK_S)()
            PROCESS.note(self, self._venue.in_play)
            if is_unwanted():
                return False
            left_s = self._rests_at - time.monotonic()
        return True

    def _unheard(self, entrants: Collection[int], given_back: Sequence[FixtureRow]) -> None:
        """Begin no more matches of these, unless the coordinator knows that they are silent."""
        self.silent.update(set(entrants) - self._known_silent)
        self._waiting = deque(b for b in self._waiting if self.silent.isdisjoint(b.row.seats))

    def wake(self) -> None:
        """Look whether more can be played, from any thread."""
        self._inbox.put(lambda: None)

    def _start_some(self) -> None:
        passed: list[Bout] = []
        while self._waiting and self._venue.room(len(self._waiting)) > 0:
            if not PROCESS.claim(self, self._most):
                break
            bout = self._waiting.popleft()
            if not self._venue.start(bout.row, bout.setup):
                PROCESS.withdraw(self)
                passed.append(bout)
        self._waiting.extendleft(reversed(passed))

    def _opened(self, row: FixtureRow) -> tuple[Ledger, Sequence[HandPlayed]]:
        book = Notebook(row)
        self.books.append(book)
        return book, self._histories[row.id]
