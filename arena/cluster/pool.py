"""The workers as the coordinator sees them, and the one implementation: a dask cluster.

Which worker plays what, and that the work of a dead worker is done again, is the scheduler's
business. Here it is known who is there, who runs the right code, and whether the scheduler lives.
"""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Future
from typing import Any, Protocol

from arena.cluster.identity import Identity, described, identity
from arena.cluster.orders import Report, Sealed
from arena.cluster.worker import introduce, perform


class Pool(Protocol):
    """Something like a `concurrent.futures.Executor` whose workers come and go."""

    def submit(self, name: str, sealed: Sealed) -> Future[Report]:
        """Have `worker.perform` called. ``name`` is what logs and dashboards show of it."""
        ...

    def workers(self) -> Mapping[str, int]:
        """Those who may get chunks, and how many at a time each; as of the last `refresh`."""
        ...

    def refresh(self) -> list[str]:
        """Look who is there; remarks for the organiser. It may block: give it a thread."""
        ...

    def is_healthy(self) -> bool:
        """Whether chunks can be handed out now; never blocks."""
        ...

    def is_lost(self) -> bool:
        """Whether it will never be healthy again; never blocks."""
        ...

    def shun(self, worker: str) -> None:
        """Give this worker no more."""
        ...


class DaskPool:
    """The workers of a dask scheduler. ``client``: a connected ``distributed.Client``."""

    def __init__(self, client: Any) -> None:
        self.client = client
        self._executor = client.get_executor(pure=False)
        self._known: dict[str, int] = {}
        self._shunned: set[str] = set()

    def submit(self, name: str, sealed: Sealed) -> Future[Report]:
        """Hand the order to the scheduler."""
        where = {"workers": list(self.workers())} if self._shunned and self.workers() else {}
        future: Future[Report] = self._executor.submit(
            perform, identity(), sealed, key=name, **where
        )
        return future

    def workers(self) -> Mapping[str, int]:
        """All that are not shunned."""
        known = self._known
        return {name: known[name] for name in known if name not in self._shunned}

    def is_healthy(self) -> bool:
        """Whether the scheduler is there."""
        return str(self.client.status) == "running"

    def is_lost(self) -> bool:
        """Whether the client has given up connecting to it again."""
        return str(self.client.status) in ("closing", "closed")

    def refresh(self) -> list[str]:
        """Ask the scheduler for its workers and check those that are new."""
        try:
            found = {str(name): int(threads) for name, threads in self.client.nthreads().items()}
            new = [name for name in found if name not in self._known]
            remarks = self._checked(new) if new else []
        except (OSError, TimeoutError):
            # The client tries to connect again meanwhile; when it gives up it is closed.
            return []
        gone = [name for name in self._known if name not in found]
        remarks += [f"worker {name} is gone; what it was playing is played again" for name in gone]
        self._known = found
        return remarks

    def _checked(self, names: list[str]) -> list[str]:
        """Shun those of these workers that run other code; what to say about them."""
        remarks = []
        for name, fault in self.mismatches(names).items():
            self.shun(name)
            remarks.append(f"{fault}; it gets nothing to play")
        return remarks

    def mismatches(self, names: list[str] | None = None) -> dict[str, str]:
        """Workers, of these or of all, that do not run this code; a sentence about each."""
        answers: Mapping[str, object] = self.client.run(introduce, workers=names, on_error="return")
        return {
            str(name): _fault(str(name), answer)
            for name, answer in answers.items()
            if answer != identity()
        }

    def shun(self, worker: str) -> None:
        """Remember it; orders name the others from now on."""
        self._shunned.add(worker)

    def processing(self) -> dict[str, list[str]]:
        """Names of what each worker is at, for people and tests."""
        return {str(name): list(tasks) for name, tasks in self.client.processing().items()}

    def close(self) -> None:
        """Take back what is not finished."""
        self._executor.shutdown(wait=False)


def _fault(worker: str, answer: object) -> str:
    if isinstance(answer, ImportError):
        return f"worker {worker} has no arena that can work on a cluster ({answer})"
    if isinstance(answer, BaseException):
        return f"worker {worker} does not say what it runs ({answer})"
    theirs: Identity = answer  # type: ignore[assignment]
    return f"worker {worker} runs {described(theirs)}, but this is {described(identity())}"
