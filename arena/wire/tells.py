"""Advisory messages that wait for their turn; losing one never matters to a result."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Mapping

from arena.wire.tickets import LaneStats

TELL_TIMEOUT_MS = 2000
MOST_TELLS = 256
"""Messages that may wait; the oldest is dropped for the next."""
TELL_FAILURES = 3
"""After so many failures in a row messages are dropped for `TELL_PAUSE_S`."""
TELL_PAUSE_S = 60.0

Tell = tuple[str, Mapping[str, object]]
"""Path and payload."""


class Tells:
    """The queue of one lane. Used with the crew's lock held."""

    def __init__(self, stats: LaneStats) -> None:
        self._stats = stats
        self._waiting: deque[Tell] = deque()
        self._under_way = False
        self._failures = 0
        self._muted_until = 0.0

    def add(self, path: str, payload: Mapping[str, object]) -> None:
        """Let a message wait, unless the bot has failed too often of late."""
        if time.monotonic() < self._muted_until:
            self._stats.tells_lost += 1
            return
        if len(self._waiting) == MOST_TELLS:
            self._waiting.popleft()
            self._stats.tells_lost += 1
        self._waiting.append((path, payload))

    def is_ready(self) -> bool:
        """Whether one may be sent now: only one is under way at a time, to keep their order."""
        return bool(self._waiting) and not self._under_way

    def is_empty(self) -> bool:
        """Whether none waits."""
        return not self._waiting

    def take(self) -> Tell:
        """The next message; it is under way until `over`."""
        self._under_way = True
        return self._waiting.popleft()

    def over(self, *, arrived: bool) -> None:
        """The message that was under way has arrived or failed."""
        self._under_way = False
        if arrived:
            self._stats.tells += 1
            self._failures = 0
            return
        self._stats.tells_lost += 1
        self._failures += 1
        if self._failures >= TELL_FAILURES:
            self._failures = 0
            self._muted_until = time.monotonic() + TELL_PAUSE_S
            self.clear()

    def clear(self) -> None:
        """Drop what waits."""
        self._stats.tells_lost += len(self._waiting)
        self._waiting.clear()
