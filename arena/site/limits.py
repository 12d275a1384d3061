"""How often somebody may try something: a few attempts at once, then one every so often.

Counts are kept in memory and by address; they protect against guessing and flooding, not against
a crowd. Safe for threads, bounded in size.
"""

from __future__ import annotations

import math
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field

from flask import request
from werkzeug.exceptions import TooManyRequests

MOST_KEYS = 10_000


@dataclass
class Limiter:
    """A token bucket for each key: ``burst`` at once, refilled one every ``every_s`` seconds."""

    burst: int
    every_s: float
    clock: Callable[[], float] = time.monotonic
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)
    _used: OrderedDict[str, tuple[float, float]] = field(default_factory=OrderedDict, repr=False)

    def take(self, key: str) -> float:
        """Count an attempt. 0 if it is allowed, else the seconds to wait."""
        now = self.clock()
        with self._lock:
            level, since = self._used.pop(key, (0.0, now))
            level = max(0.0, level - (now - since) / self.every_s)
            allowed = level + 1 <= self.burst
            if allowed:
                level += 1
            self._used[key] = (level, now)
            while len(self._used) > MOST_KEYS:
                self._used.popitem(last=False)
        return 0.0 if allowed else (level + 1 - self.burst) * self.every_s

    def check(self) -> None:
        """Count an attempt of this request's sender.

        :raises TooManyRequests: with the seconds to wait.
        """
        wait = self.take(request.remote_addr or "")
        if wait:
            seconds = math.ceil(wait)
            error = TooManyRequests(f"Too many attempts. Try again in {seconds} s.")
            error.retry_after = seconds
            raise error
