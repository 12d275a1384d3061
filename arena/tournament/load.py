"""Keeps the arena's own load from costing bots time: how many matches may be in flight.

Bots are never charged for the arena's work, but a machine that is too busy makes their calls slow
all the same. When the arena's own time around calls grows beyond a share of the deadline, fewer
matches are kept in flight, and that is said; when it falls again, more are.
"""

from __future__ import annotations

import statistics
import threading
from collections import deque

WINDOW = 200
"""Calls looked at."""

HIGH_SHARE = 0.10
"""Median overhead above this share of the deadline means overload."""

LOW_SHARE = 0.02
"""Below this share there is room again."""


class Load:
    """Adapts the number of matches in flight between 1 and ``most``. Safe for several threads."""

    def __init__(self, most: int, deadline_ms: int) -> None:
        self.most = most
        self.limit = most
        self._deadline_ms = deadline_ms
        self._overheads: deque[float] = deque(maxlen=WINDOW)
        self._lock = threading.Lock()

    def note(self, overhead_ms: float) -> None:
        """One call's overhead."""
        with self._lock:
            self._overheads.append(overhead_ms)

    def adapt(self) -> str | None:
        """Change the limit if need be; the sentence for the organiser when it changed."""
        with self._lock:
            if len(self._overheads) < WINDOW:
                return None
            median = statistics.median(self._overheads)
            self._overheads.clear()
        if median > HIGH_SHARE * self._deadline_ms and self.limit > 1:
            self.limit = max(1, self.limit // 2)
            return (
                f"this machine is overloaded (the arena itself takes {median:.0f} ms a call): "
                f"only {self.limit} matches at a time from now on, so that no bot loses on time"
            )
        if median < LOW_SHARE * self._deadline_ms and self.limit < self.most:
            self.limit = min(self.most, self.limit * 2)
            return f"room again: {self.limit} matches at a time"
        return None
