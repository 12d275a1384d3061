"""The threads that call bots: a fixed number for a process, shared fairly by all lanes.

More calls in flight than about 16 only make each other late, so the number of threads is the
limit. A thread that has received an answer lets the match go on and then takes the next call
itself, whichever lane it is for: a decision costs no change of threads as long as one is enough.
What must not wait for the end of a call, nor hold it up, is handed to another thread; there is one
more thread than calls, so that one is left for that.

While a lane has calls in flight it may take another thread only if that leaves one for every open
lane that has none, so bots that let their time run out cannot hold all threads.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Protocol

CREW_SIZE = 16

Job = Callable[[], None]


class Employer(Protocol):
    """What the crew works for: a lane. `Crew.lock` is held but for `close`."""

    queued: bool
    """Whether it stands in the crew's queue."""
    in_flight: int
    """How many of its calls are under way."""

    def take(self) -> Job | None:
        """Its next job, None if it has none or may not have more in flight."""
        ...

    def wants_more(self) -> bool:
        """Whether `take` would return a job."""
        ...

    def close(self) -> None:
        """End what is under way and leave the crew."""
        ...


class Crew:
    """Threads that make the calls of all lanes, at most ``size`` at a time.

    ``on_error`` is told about exceptions that are the arena's own bugs, such as one out of a
    ticket's ``done`` or a request that breaks the arena's own schema (its tickets are never done
    then); without it they go where those of any thread go.
    """

    def __init__(
        self, size: int = CREW_SIZE, *, on_error: Callable[[BaseException], None] | None = None
    ) -> None:
        self.lock = threading.Lock()
        self._size = size
        self._on_error = on_error
        self._ready: deque[Employer] = deque()
        self._errands: deque[Job] = deque()
        self._employers: set[Employer] = set()
        self._workers: list[_Worker] = []
        self._idle: list[_Worker] = []
        self._busy = 0
        self._closed = False
        self._here = threading.local()

    def enter(self, employer: Employer) -> None:
        """A lane opens."""
        with self.lock:
            self._employers.add(employer)

    def leave(self, employer: Employer) -> None:
        """A lane has closed."""
        with self.lock:
            self._employers.discard(employer)
            if employer.queued:
                self._ready.remove(employer)
                employer.queued = False
            self._rouse()

    def wake(self, employer: Employer) -> None:
        """A lane has a job. To be called with `lock` held."""
        if not employer.queued:
            employer.queued = True
            self._ready.append(employer)
        # A thread of the crew that lets matches go on will look for the next job in a moment, and
        # by then more decisions may have gathered for one request.
        if not getattr(self._here, "settling", False):
            self._rouse()

    def finished(self, employer: Employer) -> None:
        """A call of the lane is over, its thread is about to settle it. With `lock` held."""
        employer.in_flight -= 1
        self._busy -= 1
        if employer.wants_more() and not employer.queued:
            employer.queued = True
            self._ready.append(employer)

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

    def close(self, timeout_s: float = 2.0) -> None:
        """Close the lanes that are open, and end the threads."""
        for employer in list(self._employers):
            employer.close()
        with self.lock:
            self._closed = True
            while self._idle:
                self._idle.pop().gate.release()
            workers = list(self._workers)
        ends = time.monotonic() + timeout_s
        for worker in workers:
            if worker is not threading.current_thread():
                worker.join(max(0.0, ends - time.monotonic()))

    def next_job(self, worker: _Worker) -> Job | None:
        """A job for this thread; None if there is none, and then the thread counts as idle."""
        with self.lock:
            job = self._errands.popleft() if self._errands else self._next_call()
            if job is not None:
                self._rouse()
            elif self._closed:
                worker.dismissed = True
            else:
                self._idle.append(worker)
            return job

    def _next_call(self) -> Job | None:
        free = self._size - self._busy
        if not self._ready or free <= 0:
            return None
        reserve = self._reserve()
        for _ in range(len(self._ready)):
            employer = self._ready.popleft()
            if employer.in_flight and free <= reserve:
                self._ready.append(employer)
                continue
            employer.queued = False
            job = employer.take()
            if job is None:
                continue
            employer.in_flight += 1
            self._busy += 1
            if employer.wants_more():
                employer.queued = True
                self._ready.append(employer)
            return job
        return None

    def _reserve(self) -> int:
        """Threads that are kept for lanes without a call in flight; half of all at most."""
        unserved = sum(employer.in_flight == 0 for employer in self._employers)
        return min(unserved, self._size // 2)

    def _rouse(self) -> None:
        """Wake or start a thread, if there is a job for it."""
        if self._closed or not (self._errands or self._may_call()):
            return
        if self._idle:
            # The one that fell idle last: its stack and caches are warm.
            self._idle.pop().gate.release()
        elif len(self._workers) < self._size + bool(self._errands):
            worker = _Worker(self, len(self._workers))
            self._workers.append(worker)
            worker.start()

    def _may_call(self) -> bool:
        free = self._size - self._busy
        if not self._ready or free <= 0:
            return False
        return free > self._reserve() or any(not employer.in_flight for employer in self._ready)


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
