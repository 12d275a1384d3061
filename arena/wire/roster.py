"""Whose call is next: the lanes that have calls to make take turns, and none can hold all calls.

More calls in flight than about 16 only make each other late, so there is a limit. While a lane has
calls in flight it may have another only if that leaves one for every open lane that has none, so
bots that let their time run out cannot hold all calls.
"""

from __future__ import annotations

from collections import deque
from typing import Protocol

from arena.wire.watch import Call


class Employer(Protocol):
    """What the crew works for: a lane. `Crew.lock` is held but for `close`."""

    queued: bool
    """Whether it stands in the queue."""
    in_flight: int
    """How many of its calls are under way."""

    def take(self) -> Call | None:
        """Its next call, None if it has none or may not have more in flight."""
        ...

    def wants_more(self) -> bool:
        """Whether `take` would return a call."""
        ...

    def close(self) -> None:
        """End what is under way and leave the crew."""
        ...


class Roster:
    """The open lanes and their queue, for at most ``size`` calls at a time. Everything here is
    called with `Crew.lock` held."""

    def __init__(self, size: int) -> None:
        self.busy = 0
        """Calls under way."""
        self._size = size
        self._open: set[Employer] = set()
        self._queue: deque[Employer] = deque()

    @property
    def employers(self) -> list[Employer]:
        """The open lanes."""
        return list(self._open)

    def enter(self, employer: Employer) -> None:
        """A lane opens."""
        self._open.add(employer)

    def leave(self, employer: Employer) -> None:
        """A lane has closed."""
        self._open.discard(employer)
        if employer.queued:
            self._queue.remove(employer)
            employer.queued = False

    def line_up(self, employer: Employer) -> None:
        """A lane has a call to make."""
        if not employer.queued:
            employer.queued = True
            self._queue.append(employer)

    def over(self, employer: Employer) -> None:
        """A call of the lane is over."""
        employer.in_flight -= 1
        self.busy -= 1
        if employer.wants_more():
            self.line_up(employer)

    def next_call(self) -> Call | None:
        """The call that is to be made now; it counts as under way. None if none may be."""
        free = self._size - self.busy
        if not self._queue or free <= 0:
            return None
        for _ in range(len(self._queue)):
            employer = self._queue.popleft()
            if employer.in_flight and not self._is_ample(free):
                self._queue.append(employer)
                continue
            employer.queued = False
            call = employer.take()
            if call is None:
                continue
            employer.in_flight += 1
            self.busy += 1
            if employer.wants_more():
                self.line_up(employer)
            return call
        return None

    def may_call(self) -> bool:
        """Whether `next_call` would look for a call."""
        free = self._size - self.busy
        if not self._queue or free <= 0:
            return False
        return self._is_ample(free) or any(not employer.in_flight for employer in self._queue)

    def _is_ample(self, free: int) -> bool:
        """Whether more calls are free than are kept for lanes without one in flight, half of all
        at most.
        """
        if free > self._size // 2:
            return True
        return free > sum(employer.in_flight == 0 for employer in self._open)
