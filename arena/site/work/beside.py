"""Makes the figures of large tournaments, and rankings of all of them, in a process of its own, so
that no page waits for them.

Python computes in one thread at a time, so a thread that adds up twenty thousand matches would
slow every reader down. The process runs with low priority, reads the database itself, and ends
with the server whatever happens to that.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import TypeVar

from arena.site.views.figures import Figures

T = TypeVar("T")

PRIORITY = 10
WATCH_S = 2.0


def _begin(parent: int) -> None:
    """Prepare the process: low priority, deaf to Ctrl-C, and no longer there than its parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(PRIORITY)

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(WATCH_S)
        os._exit(0)

    threading.Thread(target=watch, daemon=True).start()


def figures_at(database: str, tournament_id: str) -> Figures:
    """The figures of a tournament as the database has it now."""
    from arena.site.views.snapshot import take
    from arena.store import Store

    with Store(database, read_only=True) as store, store.reading():
        return take(store, store.tournaments.get(tournament_id)).make_figures()


class Beside:
    """The process, started at first use."""

    def __init__(self, database: Path) -> None:
        self._database = database
        self._pool: ProcessPoolExecutor | None = None

    def figures(self, tournament_id: str) -> Figures:
        """Make the figures there and wait for them."""
        return self.call(figures_at, str(self._database), tournament_id)

    def call(self, work: Callable[..., T], *values: str) -> T:
        """Have a function of a module called there and wait for it. One call at a time.

        :raises Exception: whatever went wrong there, or the process is gone.
        """
        if self._pool is None:
            self._pool = ProcessPoolExecutor(
                1,
                mp_context=multiprocessing.get_context("spawn"),
                initializer=_begin,
                initargs=(os.getpid(),),
            )
        try:
            return self._pool.submit(work, *values).result()
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """End the process."""
        pool, self._pool = self._pool, None
        if pool is None:
            return
        processes = list((pool._processes or {}).values())
        for process in processes:
            process.terminate()
        pool.shutdown(wait=True, cancel_futures=True)
