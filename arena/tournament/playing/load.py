"""Keeps the arena's own load from costing bots time: how many matches are played at a time.

Bots are never charged for the arena's work, but a machine that is too busy makes their calls slow
all the same. When the arena's own time around calls grows beyond a share of the deadline, fewer
matches are played at a time, and that is said; when it falls again, more are. Nothing here calls a
bot.
"""

from __future__ import annotations

import gc
import statistics
import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice

WINDOW = 200
"""Calls looked at."""

HIGH_SHARE = 0.10
"""Median overhead above this share of the deadline means overload."""

LOW_SHARE = 0.02
"""Below this share there is room again."""

MOST_PATIENCE = 64
"""Quiet windows in a row that are waited for at most before there is room again."""


class Load:
    """Adapts the number of matches at a time between 1 and ``most``. Safe for several threads.

    When a rise was too much, twice as many quiet windows are waited for before the next, so that a
    machine at its edge does not swing for ever.
    """

    def __init__(self, most: int, deadline_ms: int) -> None:
        self.most = most
        self.limit = most
        self._deadline_ms = deadline_ms
        self._overheads: deque[float] = deque(maxlen=WINDOW)
        self._lock = threading.Lock()
        self._patience = 1
        self._quiet = 0
        self._rose = False

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
                return self._fewer(median)
            is_quiet = median < LOW_SHARE * self._deadline_ms and self.limit < self.most
            self._quiet = self._quiet + 1 if is_quiet else 0
            return self._more() if self._quiet >= self._patience else None

    def _fewer(self, median_ms: float) -> str:
        if self._rose:
            self._patience = min(2 * self._patience, MOST_PATIENCE)
        self._rose = False
        self._quiet = 0
        self.limit = max(1, self.limit // 2)
        return (
            f"this machine is overloaded (the arena itself takes {median_ms:.0f} ms a call): "
            f"only {self.limit} matches at a time from now on, so that no bot loses on time"
        )

    def _more(self) -> str:
        self._rose = True
        self._quiet = 0
        self.limit = min(self.most, self.limit * 2)
        return f"room again: {self.limit} matches at a time"


@contextmanager
def rare_collections() -> Iterator[None]:
    """Search less often for garbage in cycles: play makes next to none of it.

    With hundreds of matches in flight the usual pace takes a sixth of the arena's time. What exists
    already, the program itself above all, is left out of the search altogether.
    """
    before = gc.get_threshold()
    gc.set_threshold(10_000, 20, 20)
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()
        gc.set_threshold(*before)


class Turns:
    """Which matches in flight may ask: the oldest, as many as the limit. Safe for several threads.

    The others are held at their next decision, before it is asked, so that no clock runs. A lower
    limit thus holds for long matches at once, not only when they have ended.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._lock = threading.Lock()
        self._matches: dict[str, None] = {}
        """Oldest first."""
        self._going: set[str] = set()
        self._held: dict[str, Callable[[], None]] = {}

    def enter(self, match: str) -> None:
        """A match begins."""
        with self._lock:
            self._matches[match] = None
            if len(self._matches) <= self._limit:
                self._going.add(match)

    def leave(self, match: str) -> None:
        """A match has ended; one that was held goes on in its place."""
        with self._lock:
            del self._matches[match]
        self._go_on()

    def resize(self, limit: int) -> None:
        """So many matches at a time from now on."""
        with self._lock:
            self._limit = limit
        self._go_on()

    def ask(self, match: str, ask: Callable[[], None]) -> None:
        """Ask for a decision of the match: now, or when it is its turn."""
        with self._lock:
            if match not in self._going:
                self._held[match] = ask
                return
        ask()

    def _go_on(self) -> None:
        with self._lock:
            going = list(islice(self._matches, self._limit))
            self._going = set(going)
            asks = [self._held.pop(match) for match in going if match in self._held]
        for ask in asks:
            ask()
