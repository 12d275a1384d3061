"""Waits for the answers to many calls in one thread.

A thread for each answer would have every one of them wake and fight for the interpreter; a single
one that is told which answers have come handles three times as many. Nothing here reads or judges.
"""

from __future__ import annotations

import math
import select
import socket
import threading
from collections import deque
from collections.abc import Callable
from enum import Enum, auto
from typing import Protocol


class Stage(Enum):
    """How far a call is."""

    AWAITED = auto()
    """It is sent, and nothing is to be done until bytes arrive or time is up."""
    COMPLETE = auto()
    """`Call.finish` will not wait."""
    SLOW = auto()
    """`Call.finish` may wait, so it needs a thread to itself."""


class Call(Protocol):
    """One call to a bot."""

    def start(self) -> Stage:
        """Send it, as far as that needs no waiting. Never raises."""
        ...

    def look(self, *, is_readable: bool) -> Stage:
        """Read what has come, without waiting; or see what the time has to say. Never raises."""
        ...

    def finish(self) -> None:
        """Do what remains, and settle it."""
        ...

    @property
    def descriptor(self) -> int:
        """Of the socket, while the answer is awaited."""
        ...

    @property
    def ends(self) -> float:
        """When to look at it at the latest, on the clock of the watch, in seconds."""
        ...


class Watch:
    """Calls whose answers are awaited. `add` and `wake` may be called by any thread.

    ``now``: the clock that the calls are timed by, in seconds.
    """

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._poller = select.poll() if hasattr(select, "poll") else None
        self._calls: dict[int, Call] = {}
        self._new: deque[Call] = deque()
        self._lock = threading.Lock()
        self._bell, self._hammer = socket.socketpair()
        for end in (self._bell, self._hammer):
            end.setblocking(False)
        if self._poller is not None:
            self._poller.register(self._bell, select.POLLIN)

    @property
    def is_empty(self) -> bool:
        """Whether nothing is awaited."""
        return not self._calls and not self._new

    def add(self, call: Call) -> None:
        """Wait for this one too, from the next `wait` on."""
        self._new.append(call)

    def wake(self) -> None:
        """Have the `wait` that is under way, or the next one, return at once."""
        try:
            self._hammer.send(b"!")
        except BlockingIOError:
            pass  # it has been rung often enough

    def wait(self, *, block: bool) -> list[tuple[Call, bool]]:
        """The calls to look at, and whether their sockets can be read; else their time is up.

        They are not watched any more. With ``block`` it returns when there is one, or at `wake`.
        """
        with self._lock:
            self._take_in_new()
            calls = self._calls
            soonest = min([call.ends for call in calls.values()], default=math.inf)
            left_s = max(0.0, soonest - self._now()) if block else 0.0
            found = []
            for descriptor in self._readable(left_s):
                call = calls.get(descriptor)
                if call is None:
                    self._bell.recv(4096)
                else:
                    found.append((call, True))
            now = self._now()
            if now >= soonest:
                readable = {call.descriptor for call, _ in found}
                found += [
                    (call, False)
                    for descriptor, call in calls.items()
                    if call.ends <= now and descriptor not in readable
                ]
            for call, _ in found:
                self._forget(call.descriptor)
            return found

    def close(self) -> None:
        """Give the descriptors back."""
        self._bell.close()
        self._hammer.close()

    def _take_in_new(self) -> None:
        while self._new:
            call = self._new.popleft()
            self._calls[call.descriptor] = call
            if self._poller is not None:
                self._poller.register(call.descriptor, select.POLLIN)

    def _forget(self, descriptor: int) -> None:
        del self._calls[descriptor]
        if self._poller is not None:
            self._poller.unregister(descriptor)

    def _readable(self, left_s: float) -> list[int]:
        if self._poller is not None:
            ms = None if left_s == math.inf else math.ceil(left_s * 1000)
            return [descriptor for descriptor, _ in self._poller.poll(ms)]
        timeout = None if left_s == math.inf else left_s
        return select.select([self._bell.fileno(), *self._calls], [], [], timeout)[0]
