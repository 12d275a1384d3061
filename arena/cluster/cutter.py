"""Cuts waiting fixtures into chunks. Pure: no I/O, no clock, no thread.

A chunk should be a second or two of work, so that handing it out costs nothing beside it, and no
more, so that little is lost with a worker. How long a fixture takes is learnt from chunks that came
back. Whatever the number of workers, a bot is never called more often at a time than it allows:
each chunk gets a share of that, and a fixture has to wait while one of its bots has none left.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Generic, TypeVar

TARGET_S = 2.0
"""Seconds of work in a chunk, where its fixtures are short enough."""

SPARE = 2
"""At least so many times what is played at a time: a worker always has matches to go on with."""

MOST_ITEMS = 1000
"""Fixtures in a chunk."""

NEWEST = 0.3
"""Weight of the newest chunk in the estimate of how long a fixture takes."""

T = TypeVar("T")


@dataclass(slots=True, eq=False)
class Chunk(Generic[T]):
    """Fixtures that travel together; about ``parallel`` of them are played at a time.

    ``seats``: in how many of them each entrant sits. ``calls``: how often each may be called at a
    time. ``losses``: how often the chunk was lost with its worker.
    """

    number: int
    parallel: int
    items: list[T] = field(default_factory=list)
    seats: Counter[int] = field(default_factory=Counter)
    calls: dict[int, int] = field(default_factory=dict)
    losses: int = 0


class Cutter(Generic[T]):
    """``limits``: calls at a time that each entrant allows in all, at least 1."""

    def __init__(self, limits: Mapping[int, int], target_s: float = TARGET_S) -> None:
        self._limits = dict(limits)
        self._free = dict(limits)
        self._target_s = target_s
        self._numbers = count(1)
        self._fixture_s: float | None = None
        self._open: deque[Chunk[T]] = deque()
        self._full: list[Chunk[T]] = []
        # In how many of the open chunks each entrant sits and could sit more often.
        self._holding: Counter[int] = Counter()
        self._size = 1
        self._places = 1
        self.room = 0
        """How many more fixtures the open chunks take."""

    def useful(self, places: int, parallel: int) -> int:
        """How many chunks at a time help: more than the bots' calls can fill help nobody."""
        return max(1, min(places, -(-sum(self._limits.values()) // parallel)))

    def open(self, free: int, places: int, waiting: int, parallel: int) -> None:
        """Begin ``free`` chunks of the ``places`` that can be played at a time."""
        self._size = self._best_size(free, places, waiting, parallel)
        self._places = places
        self._open.extend(Chunk(next(self._numbers), parallel) for _ in range(free))
        self.room = self._size * free

    def _best_size(self, free: int, places: int, waiting: int, parallel: int) -> int:
        if waiting <= free * parallel:
            return -(-waiting // free)
        best = SPARE * parallel
        if self._fixture_s:
            best = max(best, round(self._target_s * parallel / self._fixture_s))
        # Towards the end chunks become small, so that all workers end at the same time.
        return max(parallel, min(best, MOST_ITEMS, waiting // (2 * places)))

    def add(self, seats: Sequence[int], item: T) -> bool:
        """Put a fixture of these entrants into a chunk, the chunks taking turns. False if none can.

        However many chunks are open, the first look nearly always finds one, or that none can be.
        """
        if not all(self._free[entrant] or self._holding[entrant] for entrant in seats):
            return False
        fitting = (
            chunk for chunk in self._open if all(self._fits(chunk, entrant) for entrant in seats)
        )
        chunk = next(fitting, None)
        if chunk is None:
            return False
        for entrant in seats:
            if entrant not in chunk.calls:
                chunk.calls[entrant] = 1
                self._free[entrant] -= 1
                self._holding[entrant] += 1
            chunk.seats[entrant] += 1
            if not self._fits(chunk, entrant):
                self._holding[entrant] -= 1
        chunk.items.append(item)
        self.room -= 1
        self._open.remove(chunk)
        if len(chunk.items) < self._size:
            self._open.append(chunk)
        else:
            self._full.append(chunk)
            self._holding.subtract(e for e in chunk.calls if self._fits(chunk, e))
        return True

    def _fits(self, chunk: Chunk[T], entrant: int) -> bool:
        """Whether a chunk can have one more fixture of this entrant.

        A fixture asks each of its bots about half of the time. More of them than keep the bot's
        calls busy would only make the chunk wait.
        """
        if entrant not in chunk.calls:
            return self._free[entrant] > 0
        rounds = max(1.0, self._size / chunk.parallel)
        return chunk.seats[entrant] < 2 * rounds * max(1, self._fair(entrant))

    def _fair(self, entrant: int) -> int:
        return self._limits[entrant] // self._places

    def close(self) -> list[Chunk[T]]:
        """The chunks that hold something, each with its share of calls."""
        closed = self._full + [chunk for chunk in self._open if chunk.items]
        closed.sort(key=lambda chunk: chunk.number)
        for chunk in closed:
            for entrant, seats in chunk.seats.items():
                more = min(seats, chunk.parallel, self._fair(entrant)) - chunk.calls[entrant]
                more = max(0, min(more, self._free[entrant]))
                chunk.calls[entrant] += more
                self._free[entrant] -= more
        self._open.clear()
        self._holding.clear()
        self._full = []
        self.room = 0
        return closed

    def release(self, chunk: Chunk[T], seconds: float = 0.0, finished: int = 0) -> None:
        """A chunk is over; so many of its fixtures were played to their end in so many seconds."""
        for entrant, calls in chunk.calls.items():
            self._free[entrant] += calls
        if finished:
            newest = seconds * min(chunk.parallel, len(chunk.items)) / finished
        elif seconds:
            newest = max(seconds, self._fixture_s or 0.0)
        else:
            return
        before = newest if self._fixture_s is None else self._fixture_s
        self._fixture_s = before + NEWEST * (newest - before)

    def expected_s(self, chunk: Chunk[T]) -> float | None:
        """About how long a chunk takes; None while nothing has come back."""
        if self._fixture_s is None:
            return None
        return self._fixture_s * max(1.0, len(chunk.items) / chunk.parallel)
