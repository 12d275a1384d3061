"""Workers that die, hang or come back late cost nothing but time; a lost scheduler is said."""

from __future__ import annotations

import itertools
import json
import os
import re
import signal
import threading
import time
from collections import defaultdict
from concurrent.futures import CancelledError, Future
from pathlib import Path
from typing import Any

import pytest

from arena.bot import Bot, BotView
from arena.bot.base import Chosen
from arena.cluster.orders import Report, Sealed
from arena.cluster.pool import DaskPool
from arena.cluster.venue import MOST_LOSSES, Patience
from arena.config import BotSpec
from arena.errors import ClusterError
from arena.store import Store
from arena.store.rows import TournamentState
from arena.tournament.dossier import StoredDossier
from arena.tournament.playing.play import Stopper, play
from arena.tournament.playing.reporter import Silent
from arena.tournament.verification.verify import verify
from tests.cluster.processes import (
    SECRET,
    cluster,
    entered,
    far,
    field,
    played,
    records,
    served,
    workers_of,
)
from tests.cluster.stand_ins import Steady
from tests.e2e.arena_process import arena, hands_stored, start_arena, wait_until
from tests.faulty_bots import Behaviour, FaultyBot
from tests.samples import simple


class Knowing:
    """A pool that remembers in which chunk a match travels."""

    def __init__(self, pool: DaskPool) -> None:
        self.pool = pool
        self.chunks: dict[str, str] = {}

    def __getattr__(self, name: str) -> Any:
        return getattr(self.pool, name)

    def submit(self, name: str, sealed: Sealed) -> Future[Report]:
        """As the pool does."""
        self.chunks.update({bout.row.id: name for bout in sealed.open().bouts})
        return self.pool.submit(name, sealed)

    def player_of(self, match: str) -> str:
        """The worker that plays a match now."""
        chunk = self.chunks[match]
        return next(name for name, tasks in self.pool.processing().items() if chunk in tasks)


def test_chunk_of_a_killed_worker_is_played_again(tmp_path: Path) -> None:
    """Killed while it waits for a bot's answer, a worker leaves no trace in the records."""
    with (
        cluster(tmp_path, workers=2) as (scheduler, workers),
        workers_of(scheduler.address) as pool,
        Store(tmp_path / "here.db") as here,
        Store(tmp_path / "far.db") as there,
    ):
        knowing = Knowing(pool)
        count = itertools.count(1)
        killed: list[str] = []

        def kill_the_asker(request_id: str) -> None:
            if next(count) != 30:
                return
            asker = knowing.player_of(request_id.split("-")[0])
            killed.append(asker)
            (victim,) = (worker for worker in workers if worker.address == asker)
            os.kill(victim.pid, signal.SIGKILL)

        bots = field(kill_the_asker)
        with served(bots) as specs:
            row = entered(there, specs, games=1)
            remarks = played(there, row, far(knowing)) + pool.refresh()
            asked = [request for bot in bots for request in bot.requests]
            played(here, entered(here, specs, games=1))

        assert records(there) == records(here)
    assert len(asked) > len(set(asked)), "the killed worker was not at work"
    assert any(killed[0] in remark and "played again" in remark for remark in remarks)


class Twice:
    """A pool that brings a chunk's results when it was sent twice, and takes none of them back."""

    def __init__(self, pool: DaskPool) -> None:
        self.pool = pool
        self.came: list[str] = []
        self._twins: defaultdict[str, threading.Event] = defaultdict(threading.Event)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.pool, name)

    def submit(self, name: str, sealed: Sealed) -> Future[Report]:
        """As the pool does; `cancel` of the future does nothing."""
        chunk, _, attempt = name.rpartition("-")
        twin_sent = self._twins[chunk]
        if attempt == "2":
            twin_sent.set()
        inner = self.pool.submit(name, sealed)
        outer: Future[Report] = Future()
        outer.set_running_or_notify_cancel()

        def bring() -> None:
            try:
                report = inner.result()
            except CancelledError:
                return  # the tournament was over before
            twin_sent.wait(60)
            self.came.append(chunk)
            outer.set_result(report)

        threading.Thread(target=bring, name=name, daemon=True).start()
        return outer


class Moody(Bot):
    """Plays like the simple bot, but for a slip that comes at another time in every match."""

    max_concurrency = 16

    def __init__(self, name: str) -> None:
        self.name = name
        self._asked = 0

    def choose(self, view: BotView) -> Chosen:
        """Slips by the number of its requests."""
        self._asked += 1
        if self._asked % 5 == 0:
            return view.legal[self._asked % len(view.legal)]
        return simple.bot.choose(view)


def test_first_of_two_results_counts_and_the_late_one_changes_nothing(
    pool: DaskPool, store: Store
) -> None:
    """Chunks are overdue at once and played twice, each time otherwise: the first is kept whole."""
    twice = Twice(pool)
    with served([Moody("ann"), Moody("bob"), Moody("cleo")]) as bots:
        row = entered(store, bots, games=2)
        elsewhere = far(twice, patience=Patience(0.0, 0.0))
        remarks = played(store, row, elsewhere)

    assert len(twice.came) > len(set(twice.came)), "nothing came twice"
    assert any("another worker" in remark for remark in remarks)
    assert verify(StoredDossier(store, row.id)).finished
    for fixture in store.fixtures.of(row.id):
        assert fixture.hands == len(store.hands.of(fixture.id))


def test_stopping_waits_for_no_bot(pool: DaskPool, store: Store) -> None:
    """Whoever interrupts while bots are greeted is obeyed, and can resume."""
    with FaultyBot(Behaviour.DEAF) as deaf:
        row = entered(store, [BotSpec(name, deaf.url) for name in ("ann", "bob")])
        stopper = Stopper()
        threading.Timer(0.3, stopper.stop).start()
        begun = time.monotonic()

        state = play(store, row, Silent(), stopper, elsewhere=far(pool))

    assert state is TournamentState.RUNNING
    assert time.monotonic() - begun < 4


def test_workers_that_play_are_not_profiled(pool: DaskPool, store: Store) -> None:
    """With Python 3.11 dask's profiler hangs a process that starts threads, sooner or later."""
    with served(field()) as bots:
        played(store, entered(store, bots, games=1), far(pool))
    running = pool.client.run(
        lambda dask_worker: dask_worker.periodic_callbacks["profile"].is_running()
    )

    assert list(running.values()) == [False, False]


class Losing(Steady):
    """A pool without workers' luck: every chunk is lost."""

    def submit(self, name: str, sealed: Sealed) -> Future[Report]:
        """A future that fails at once."""
        lost: Future[Report] = Future()
        lost.set_exception(OSError("the worker died"))
        return lost

    def workers(self) -> dict[str, int]:
        """One."""
        return {"tcp://127.0.0.1:1": 1}


def test_chunk_that_kills_every_worker_ends_the_run_with_a_sentence(store: Store) -> None:
    """After so many losses it is not bad luck; the tournament can go on without the cluster."""
    with served(field()) as bots:
        row = entered(store, bots, games=1)
        with pytest.raises(ClusterError, match=f"lost .* {MOST_LOSSES} times ") as ended:
            played(store, row, far(Losing()))
        assert ended.value.resume == store.path

        played(store, row)
    assert verify(StoredDossier(store, row.id)).finished


def test_lost_scheduler_is_said_and_the_tournament_goes_on_without_it(tmp_path: Path) -> None:
    """The command ends with status 2 and what to do next; ``resume`` does the rest."""
    calm, rough, log = tmp_path / "calm.db", tmp_path / "rough.db", tmp_path / "log.txt"
    with cluster(tmp_path, workers=2) as (scheduler, _), served(field()) as bots:
        options = [f"--bot={bot.name}={bot.endpoint}" for bot in bots]
        options += ["--secret", SECRET.hex(), "--name", "Far away", "--target", "25"]
        options += ["--games", "4", "--deadline-ms", "20000"]
        process = start_arena(
            "run", *options, "--db", rough, "--cluster", scheduler.address, log=log
        )
        assert wait_until(lambda: hands_stored(rough) > 0, process), log.read_text()
        os.kill(scheduler.pid, signal.SIGKILL)

        assert process.wait(60) == 2, log.read_text()
        said = re.sub(r"\s+", " ", log.read_text())
        assert "error: the scheduler is gone; everything that came back is stored" in said
        assert f"arena resume --db {rough}" in said
        assert "Traceback" not in said
        assert "distributed" not in said
        end = arena("resume", "--json", "--db", rough)
        assert end.returncode == 0, end.stderr
        assert json.loads(end.stdout)["state"] == TournamentState.FINISHED
        with Store(calm) as here, Store(rough, read_only=True) as there:
            played(here, entered(here, bots, games=4))
            assert records(there) == records(here)
