"""A real scheduler and real workers as processes, and what a tournament left in a database."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from arena.bot import Bot, BotServer, BotView
from arena.bot.base import Chosen
from arena.cluster.connect import Place, connected, on_cluster
from arena.cluster.pool import DaskPool, Pool
from arena.cluster.venue import Patience
from arena.config import BotSpec, TournamentConfig
from arena.process import Child
from arena.referee.clock import ClockRules
from arena.store import Store
from arena.store.rows import TournamentRow, TournamentState
from arena.tournament.create import create_tournament
from arena.tournament.model import FormatOptions
from arena.tournament.playing.play import Elsewhere, Stopper, play
from arena.tournament.playing.reporter import Silent
from tests.samples import random_bot, simple

PATIENCE_S = 60.0
SECRET = bytes(range(32))
CLOCK = ClockRules(deadline_ms=20_000, bank_ms=60_000)


class Scheduler(Child):
    """A scheduler on a port of its own. ``address``: what ``--cluster`` takes."""

    def __init__(self, folder: Path) -> None:
        command = [sys.executable, "-m", "distributed.cli.dask_scheduler"]
        options = ["--host", "127.0.0.1", "--port", "0", "--dashboard-address", "127.0.0.1:0"]
        super().__init__("the scheduler", command + options, environment=_quiet(folder))
        try:
            found = self.wait_for(re.compile(r"Scheduler at:\s+(tcp://\S+)\s"), PATIENCE_S)
        except BaseException:
            self.stop()
            raise
        self.address = found[1]


class Worker(Child):
    """A worker, registered. ``address``: what the scheduler calls it."""

    def __init__(
        self,
        scheduler: str,
        folder: Path,
        environment: Mapping[str, str] | None = None,
        *,
        threads: int = 1,
    ) -> None:
        command = [sys.executable, "-m", "distributed.cli.dask_worker", scheduler, "--no-nanny"]
        options = ["--nthreads", str(threads), "--host", "127.0.0.1", "--no-dashboard"]
        folders = ["--local-directory", str(folder)]
        settings = {**_quiet(folder), **(environment or {})}
        super().__init__("a worker", command + options + folders, environment=settings)
        try:
            self.wait_for(re.compile(r"Registered to:\s+tcp://"), PATIENCE_S)
        except BaseException:
            self.stop()
            raise
        found = re.search(r"Start worker at:\s+(tcp://\S+)\s", self.output())
        assert found is not None
        self.address = found[1]


def _quiet(folder: Path) -> Mapping[str, str]:
    """No pages, and nothing from the person's own configuration or folder."""
    return {
        "DASK_CONFIG": str(folder),
        "PYTHONSAFEPATH": "1",
        "DASK_DISTRIBUTED__SCHEDULER__HTTP__ROUTES": "[]",
        "DASK_DISTRIBUTED__WORKER__HTTP__ROUTES": "[]",
    }


@contextmanager
def cluster(
    folder: Path, *, workers: int, threads: int = 1
) -> Iterator[tuple[Scheduler, list[Worker]]]:
    """A scheduler and workers with so many threads each, gone afterwards."""
    with ExitStack() as stack:
        scheduler = Scheduler(folder)
        stack.callback(scheduler.stop)
        children = []
        for number in range(workers):
            own = folder / f"worker {number}"
            own.mkdir()
            children.append(Worker(scheduler.address, own, threads=threads))
            stack.callback(children[-1].stop)
        yield scheduler, children


@contextmanager
def workers_of(scheduler: str) -> Iterator[DaskPool]:
    """A connection to a scheduler's workers."""
    with connected(Place.parse(scheduler)) as pool:
        yield pool


class Watched(Bot):
    """Plays like a sample bot and notes every request; ``seen`` is told of each before it answers.

    ``like``: whose choices it makes. The same request gets the same answer.
    """

    max_concurrency = 16

    def __init__(self, name: str, like: Bot, seen: Callable[[str], None] | None = None) -> None:
        self.name = name
        self.requests: list[str] = []
        self._like = like
        self._seen = seen

    def choose(self, view: BotView) -> Chosen:
        """The other's choice."""
        self.requests.append(view.request_id)
        if self._seen is not None:
            self._seen(view.request_id)
        return self._like.choose(view)


def field(seen: Callable[[str], None] | None = None) -> list[Watched]:
    """Four bots, one of them weak; the first tells what it is asked."""
    return [
        Watched("ann", simple.bot, seen),
        Watched("bob", simple.bot),
        Watched("cleo", simple.bot),
        Watched("dora", random_bot.bot),
    ]


@contextmanager
def served(bots: Sequence[Bot]) -> Iterator[tuple[BotSpec, ...]]:
    """The bots on loopback ports."""
    with ExitStack() as stack:
        yield tuple(BotSpec(bot.name, stack.enter_context(BotServer(bot)).url) for bot in bots)


def entered(
    store: Store,
    bots: Sequence[BotSpec],
    *,
    format: str = "round_robin",
    rules: str = "gin",
    target: int = 25,
    clock: ClockRules = CLOCK,
    **options: object,
) -> TournamentRow:
    """A tournament of short games with the secret that all tests share."""
    config = TournamentConfig(
        name="Far away",
        format=format,
        rules=rules,
        settings={"target": target},
        options=FormatOptions(**options),  # type: ignore[arg-type]
        clock=clock,
        bots=tuple(bots),
    )
    return create_tournament(store, config, SECRET)


class Remarks(Silent):
    """Keeps what an organiser would be told."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def message(self, text: str) -> None:
        """Keep it."""
        self.texts.append(text)


def played(
    store: Store,
    tournament: TournamentRow,
    elsewhere: Elsewhere | None = None,
    patience_s: float = 60.0,
) -> list[str]:
    """Play it to its end; what the organiser was told."""
    remarks = Remarks()
    state = play(
        store, tournament, remarks, Stopper(), in_flight=4, elsewhere=elsewhere,
        patience_s=patience_s,
    )  # fmt: skip
    assert state is TournamentState.FINISHED
    return remarks.texts


def far(
    pool: Pool,
    *,
    target_s: float = 0.3,
    leg_s: float = 60.0,
    patience: Patience | None = None,
) -> Elsewhere:
    """Play in small chunks on these workers."""
    place = Place("tcp://127.0.0.1:1")
    return on_cluster(pool, place, in_flight=4, target_s=target_s, leg_s=leg_s, patience=patience)


def records(store: Store) -> dict[str, object]:
    """All that must be the same wherever a tournament was played: everything but times."""
    (tournament,) = store.tournaments.all()
    rows = sorted(store.fixtures.of(tournament.id), key=lambda row: row.key)
    return {
        "state": tournament.state,
        "fixtures": [(r.id, r.key, r.seats, r.status, r.result, r.sentence) for r in rows],
        "games": [store.fixtures.games(row.id) for row in rows],
        "faults": [len(store.hands.faults(row.id)) for row in rows],
        "hands": [
            [(h.game, h.number, h.record, h.ending, h.winner, h.points, h.notes) for h in hands]
            for hands in (store.hands.of(row.id) for row in rows)
        ],
        "decisions": [row.decisions for row in store.tournaments.times(tournament.id)],
    }
