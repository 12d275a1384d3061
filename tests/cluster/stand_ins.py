"""What stands in for workers where none are needed."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from types import TracebackType
from typing import Self

from arena.cluster.identity import identity
from arena.cluster.orders import Report, Sealed
from arena.cluster.worker import perform


class Steady:
    """The part of a pool that has nothing to tell: nobody comes or goes, and it is never lost."""

    def refresh(self) -> list[str]:
        """Nothing new."""
        return []

    def is_healthy(self) -> bool:
        """Always."""
        return True

    def is_lost(self) -> bool:
        """Never."""
        return False

    def shun(self, worker: str) -> None:
        """There is no other."""


class Near(Steady):
    """One worker that is a thread of this process; a context manager. ``sent``: chunks so far."""

    def __init__(self) -> None:
        self.sent = 0
        self._threads = ThreadPoolExecutor(1)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self._threads.shutdown(cancel_futures=True)

    def submit(self, name: str, sealed: Sealed) -> Future[Report]:
        """Play it when those before are over."""
        self.sent += 1
        return self._threads.submit(perform, identity(), sealed)

    def workers(self) -> dict[str, int]:
        """The one."""
        return {"tcp://127.0.0.1:1": 1}
