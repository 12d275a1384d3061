"""Whether anybody plays on the database, for pages that would else call dead matches live."""

from __future__ import annotations

import threading
import time
from pathlib import Path

from arena.store.lock import is_played

KEPT_S = 1.0
"""For so long an answer holds, so that readers do not contend for the referee's lock."""

STARTING_S = 10.0
"""So long a referee that was just started may take to be at work."""


class Watch:
    """Looks for a referee at most once a second. Safe for threads."""

    def __init__(self, database: Path) -> None:
        self._database = database
        self._lock = threading.Lock()
        self._until = 0.0
        self._found = False
        self._expected_until = 0.0

    def is_played(self) -> bool:
        """Whether a referee is at work, or about to be."""
        with self._lock:
            at = time.monotonic()
            if at >= self._until:
                self._found = is_played(self._database)
                self._until = at + KEPT_S
            return self._found or at < self._expected_until

    def expect(self) -> None:
        """A referee was started this moment."""
        with self._lock:
            self._expected_until = time.monotonic() + STARTING_S
