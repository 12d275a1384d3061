"""The threads that call bots: a fixed number for a process, shared fairly by all lanes.

One of them keeps watch: it sends the requests, waits for all answers at once, and lets each match
go on up to its next request. Threads that share that work spend twice as long on taking the
interpreter from each other as on the work. A call that has to wait for anything but the beginning
of its answer (a new connection, encryption, an answer in pieces) goes to another thread, and so
does what must not hold calls up. Whoever keeps watch and is held up all the same, by a callback
that waits for a disk, say, loses the watch to another thread within milliseconds.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from functools import partial

from arena.wire.presence import PresenceClock
from arena.wire.roster import Employer, Roster
from arena.wire.watch import Call, Stage, Watch

CREW_SIZE = 16

PATIENCE_S = 0.005
"""Whoever keeps watch and has not moved between two looks, so far apart, loses the watch."""

Job = Callable[[], None]


class Crew:
    """Makes the calls of all lanes, at most ``size`` at a time.

    ``on_error`` is told about exceptions that are the arena's own bugs, such as one out of a
    ticket's ``done`` or a request that breaks the arena's own schema (its tickets are never done
    then); without it they are printed as those of any thread are. ``on_absence`` is told for how
    many seconds this process was stopped, which no call is charged for.
    """

    def __init__(
        self,
        size: int = CREW_SIZE,
        *,
        on_error: Callable[[BaseException], None] | None = None,
        on_absence: Callable[[float], None] | None = None,
    ) -> None:
        self.lock = threading.Lock()
        self.clock = PresenceClock()
        """What calls are timed by; every employer of this crew uses it."""
        self._size = size
        self._on_error = on_error
        self._on_absence = on_absence
        self._roster = Roster(size)
        self._errands: deque[Job] = deque()
        self._workers: list[_Worker] = []
        self._idle: list[_Worker] = []
        self._closed = False
        self._here = threading.local()
        self._watch = Watch(self.clock.now)
        self._watcher: _Worker | None = None
        self._complete: deque[Call] = deque()
        self._rounds = 0
        self._asleep = False
        self._deputy = _Deputy(self)

    def enter(self, employer: Employer) -> None:
        """A lane opens."""
        with self.lock:
            self._roster.enter(employer)

    def leave(self, employer: Employer) -> None:
        """A lane has closed."""
        with self.lock:
            self._roster.leave(employer)
            self._rouse()

    def wake(self, employer: Employer) -> None:
        """A lane has a call to make. To be called with `lock` held."""
        self._roster.line_up(employer)
        # A thread of the crew that lets matches go on will look for the next call in a moment, and
        # by then more decisions may have gathered for one request.
        if not getattr(self._here, "settling", False):
            self._rouse()

    def finished(self, employer: Employer) -> None:
        """A call of the lane is over, its thread is about to settle it. With `lock` held."""
        self._roster.over(employer)

    def hand_over(self, errand: Job) -> None:
        """Have another thread do something that is no call, soon. With `lock` held."""
        self._errands.append(errand)
        self._rouse()

    def settling(self, work: Callable[[], None]) -> None:
        """Run callbacks that may hand in further decisions, in a thread of the crew."""
        self._here.settling = True
        try:
            work()
        finally:
            self._here.settling = False

    def report(self, error: BaseException) -> None:
        """Tell about a bug of the arena without ending the thread."""
        if self._on_error is not None:
            self._on_error(error)
            return
        threading.excepthook(
            threading.ExceptHookArgs(
                (type(error), error, error.__traceback__, threading.current_thread())
            )
        )

    def mention_absence(self) -> None:
        """Tell for how long this process was stopped, if it was."""
        absence_s = self.clock.absence_s()
        if absence_s and self._on_absence is not None:
            self._on_absence(absence_s)

    def close(self, timeout_s: float = 2.0) -> None:
        """Close the lanes that are open, and end the threads."""
        for employer in self._roster.employers:
            employer.close()
        with self.lock:
            if self._closed:
                return
            self._closed = True
            while self._idle:
                self._idle.pop().gate.release()
            self._watch.wake()
            threads = [self._deputy, *self._workers]
        self._deputy.gate.set()
        ends = time.monotonic() + timeout_s
        for thread in threads:
            if thread is not threading.current_thread() and thread.ident is not None:
                thread.join(max(0.0, ends - time.monotonic()))
        if not any(thread.is_alive() for thread in threads):
            self._watch.close()

    def next_job(self, worker: _Worker) -> Job | None:
        """A job for this thread; None if there is none, and then the thread counts as idle."""
        with self.lock:
            job: Job | None = None
            if self._errands:
                job = self._errands.popleft()
            elif self._closed:
                worker.dismissed = True
            elif self._watcher is None:
                self._watcher = worker
                job = partial(self._keep_watch, worker)
            elif call := self._roster.next_call():
                job = partial(self._see_through, call)
            else:
                self._idle.append(worker)
            if job is not None:
                self._rouse()
            return job

    def _see_through(self, call: Call) -> None:
        """Make a call in a thread that does not keep watch."""
        stage = call.start()
        if stage is not Stage.AWAITED:
            call.finish()
            return
        self._watch.add(call)
        self._watch.wake()

    def _keep_watch(self, worker: _Worker) -> None:
        while self._keeps_watch(worker):
            try:
                self._round(worker)
            except BaseException as error:
                self.report(error)

    def _keeps_watch(self, worker: _Worker) -> bool:
        if self._closed:
            with self.lock:
                self._watcher = None
        return self._watcher is worker

    def _round(self, worker: _Worker) -> None:
        """Send one request, see what has come, and settle one call."""
        with self.lock:
            if self._watcher is not worker:
                return
            self._rounds += 1
            call = self._roster.next_call()
        if call is not None:
            self._go_on(worker, call, call.start())
        with self.lock:
            if self._watcher is not worker:
                return
            is_idle = not (self._complete or self._roster.may_call() or self._closed)
            self._asleep = is_idle
        found = self._watch.wait(block=is_idle)
        with self.lock:
            if self._watcher is worker:
                self._asleep = False
                self._rounds += 1
        for call, is_readable in found:
            self._go_on(worker, call, call.look(is_readable=is_readable))
        try:
            call = self._complete.popleft()
        except IndexError:
            return  # none, or whoever keeps watch by now was faster
        call.finish()

    def _go_on(self, worker: _Worker, call: Call, stage: Stage) -> None:
        if stage is Stage.SLOW:
            with self.lock:
                self.hand_over(call.finish)
            return
        if stage is Stage.AWAITED:
            self._watch.add(call)
        else:
            self._complete.append(call)
        if self._watcher is not worker:
            self._watch.wake()  # whoever keeps watch by now may be asleep

    def depose(self, rounds: int) -> int:
        """Take the watch from a thread that has not moved since ``rounds``; how many there are."""
        with self.lock:
            is_stuck = self._rounds == rounds and not self._asleep and self._watcher is not None
            if is_stuck:
                self._watcher = None
                self._watch.wake()
                self._rouse()
            return self._rounds

    def _rouse(self) -> None:
        """See to it that some thread does what there is to do. With `lock` held."""
        if self._closed:
            return
        if self._asleep and self._roster.may_call():
            self._asleep = False
            self._rounds += 1  # not held up, only just woken
            self._watch.wake()
        if self._errands or (
            self._watcher is None and (self._roster.may_call() or self._roster.busy)
        ):
            self._muster()

    def _muster(self) -> None:
        """Wake or start a thread."""
        if self._idle:
            # The one that fell idle last: its stack and caches are warm.
            self._idle.pop().gate.release()
        elif len(self._workers) < self._size + 2:  # the watch, and what is no call
            worker = _Worker(self, len(self._workers))
            self._workers.append(worker)
            worker.start()
            if len(self._workers) == 1:
                self._deputy.start()


class _Worker(threading.Thread):
    """One thread of the crew."""

    def __init__(self, crew: Crew, number: int) -> None:
        super().__init__(name=f"arena-call-{number}", daemon=True)
        self._crew = crew
        self.gate = threading.Lock()
        self.gate.acquire()
        self.dismissed = False

    def run(self) -> None:
        crew = self._crew
        while True:
            job = crew.next_job(self)
            if job is not None:
                try:
                    job()
                except BaseException as error:
                    crew.report(error)
            elif self.dismissed:
                return
            else:
                self.gate.acquire()


class _Deputy(threading.Thread):
    """Looks now and then whether the watch is kept, and whether the process was stopped."""

    def __init__(self, crew: Crew) -> None:
        super().__init__(name="arena-call-deputy", daemon=True)
        self._crew = crew
        self.gate = threading.Event()

    def run(self) -> None:
        crew = self._crew
        crew.clock.keep()
        rounds = -1
        while not self.gate.wait(PATIENCE_S):
            crew.clock.look()
            crew.mention_absence()
            rounds = crew.depose(rounds)
        crew.clock.leave()
