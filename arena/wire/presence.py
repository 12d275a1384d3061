"""A clock that stands still while the arena itself does.

A process that was stopped (Ctrl-Z, a paused container, a machine at its limits) finds on its return
that all deadlines have passed, although the answers may have come long ago. Calls are therefore
timed by this clock: somebody looks at it every few milliseconds, and when nobody has for much
longer than that, nobody was there. Nothing here knows calls or bots.
"""

from __future__ import annotations

import threading
import time

ABSENCE_S = 0.25
"""Nobody looked for so long: the process did not run. Threads of a busy process look later than
they want to, but not that late."""


class PresenceClock:
    """Seconds during which this process was running. Safe for several threads.

    Before `keep` and after `leave` nobody is expected to look, so nothing is lost then.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept = False
        self._seen = 0.0
        self._lost_s = 0.0
        self._untold_s = 0.0

    def now(self) -> float:
        """The time, in seconds; only differences mean something.

        It may step back by as much as lay between an absence and the last look before it.
        """
        while True:
            lost_s, at = self._lost_s, time.monotonic()
            if self._kept and at - self._seen > ABSENCE_S:
                self._look(at)
            # Else this thread was stopped between both, and another one has looked meanwhile.
            if lost_s == self._lost_s:
                return at - lost_s

    def keep(self) -> None:
        """From now on `look` is called every few milliseconds."""
        self._seen = time.monotonic()
        self._kept = True

    def look(self) -> None:
        """Be there."""
        self._look(time.monotonic())

    def leave(self) -> None:
        """From now on nobody looks any more."""
        self._kept = False

    def absence_s(self) -> float:
        """For how long the process was away since this was asked before, 0 if it was not."""
        with self._lock:
            untold_s, self._untold_s = self._untold_s, 0.0
        return untold_s

    def _look(self, at: float) -> None:
        with self._lock:
            gap_s = at - self._seen
            if gap_s > ABSENCE_S:  # else another thread has seen it first
                self._lost_s += gap_s
                self._untold_s += gap_s
            self._seen = max(self._seen, at)
