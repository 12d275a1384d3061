"""How far a cluster carries: efficiency of 1, 2 and 4 workers, and where the limits are.

Run with ``python -m tests.bench.bench_cluster`` (``--quick`` for one round). Workers are real
processes on this machine; bots think for 20 ms, so that it is their time that adds up and not that
of the processors, of which all processes here share a few. What the coordinator and the scheduler
cost is measured each by itself; a model then says what becomes the limit on a large cluster.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from arena.cluster.connect import Place, on_cluster
from arena.cluster.identity import identity
from arena.cluster.orders import Finished, Report, Sealed
from arena.config import BotSpec, TournamentConfig
from arena.process import Child
from arena.referee.clock import Book
from arena.referee.verdicts import FaultCode
from arena.store import Store
from arena.store.rows import FixtureRow, HandRow
from arena.tournament.create import create_tournament
from arena.tournament.model import FixtureResult, FormatOptions
from arena.tournament.playing.ledger import Begun, Played
from arena.tournament.playing.play import Stopper, play
from arena.tournament.playing.reporter import Silent
from tests.bench.cluster_model import Costs, Load, simulate
from tests.cluster.processes import cluster, workers_of
from tests.cluster.stand_ins import Steady

BOTS = 8
THINK_S = 0.02
IN_FLIGHT = 4
THREADS = 4
SECRET = bytes(range(32))


@dataclass(frozen=True, slots=True)
class Point:
    """One measured run."""

    workers: int
    seconds: float
    matches: int
    decisions: int
    spread: float
    hands: int
    bot_ms: float
    arena_ms: float
    worker_cpu_s: float

    @property
    def rate(self) -> float:
        """Decisions a second."""
        return self.decisions / self.seconds


class Clock(Silent):
    """Notes when play begins and when the last result comes."""

    def __init__(self) -> None:
        self.began = self.ended = 0.0

    def started(self, total: int | None, finished: int) -> None:
        """Now."""
        self.began = time.perf_counter()

    def played(self, fixture: FixtureRow, result: FixtureResult, sentence: str) -> None:
        """Now, perhaps for the last time."""
        self.ended = time.perf_counter()


@contextmanager
def thinking_bots() -> Iterator[list[BotSpec]]:
    """Bots in a process of their own."""
    command = [sys.executable, "-m", "tests.bench.thinking_bots", str(BOTS), str(THINK_S)]
    child = Child("the bots", command)
    try:
        urls = json.loads(child.wait_for(re.compile(r"^\[.*\]$", re.MULTILINE), 30)[0])
        yield [BotSpec(f"bot {number}", url) for number, url in enumerate(urls)]
    finally:
        child.stop()


def cpu_s(pid: int) -> float:
    """Processor time of a process so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def league(bots: Sequence[BotSpec], legs: int) -> TournamentConfig:
    """Everybody against everybody, one hand a match."""
    return TournamentConfig(
        name="Bench",
        settings={"target": 1},
        options=FormatOptions(games=1, legs=legs),
        bots=tuple(bots),
    )


def measure(workers: int, bots: Sequence[BotSpec], legs: int) -> Point:
    """Play a league on so many workers."""
    with (
        tempfile.TemporaryDirectory() as folder,
        cluster(Path(folder), workers=workers, threads=THREADS) as (scheduler, children),
        Store(Path(folder) / "bench.db") as store,
        workers_of(scheduler.address) as pool,
    ):
        row = create_tournament(store, league(bots, legs), SECRET)
        clock = Clock()
        worked = sum(cpu_s(child.pid) for child in children)
        elsewhere = on_cluster(pool, Place(scheduler.address), in_flight=IN_FLIGHT)
        play(store, row, clock, Stopper(), elsewhere=elsewhere)
        worked = sum(cpu_s(child.pid) for child in children) - worked
        times = store.tournaments.times(row.id)
        fixtures = store.fixtures.of(row.id)
        hands = [store.hands.of(fixture.id) for fixture in fixtures]
        counts = [sum(len(hand.times) for hand in some) for some in hands if some]
        decisions = sum(time.decisions for time in times)
        return Point(
            workers,
            clock.ended - clock.began,
            len(counts),
            decisions,
            statistics.stdev(counts) / statistics.mean(counts),
            sum(map(len, hands)),
            sum(time.bot_ms for time in times) / decisions,
            sum(time.arena_ms for time in times) / decisions,
            worked,
        )


def efficiency(counts: Sequence[int], rounds: int, legs: int) -> list[Point]:
    """Median runs for each number of workers, each playing for about as long."""
    points: dict[int, list[Point]] = {count: [] for count in counts}
    with thinking_bots() as bots:
        for _ in range(rounds):
            for count in counts:
                points[count].append(measure(count, bots, legs * count))
    print(f"bots that think {1000 * THINK_S:.0f} ms, {IN_FLIGHT} matches at a time in a worker")
    print("workers  matches  decisions/s  of linear   (all rounds)        ms/decision bot + arena")
    medians = []
    for count in counts:
        runs = sorted(points[count], key=lambda point: point.rate)
        middle = runs[len(runs) // 2]
        medians.append(middle)
        base = medians[0].rate / medians[0].workers * count
        spread = " ".join(f"{run.rate / base:.0%}" for run in runs)
        print(
            f"{count:7}  {middle.matches:7}  {middle.rate:11.0f}  {middle.rate / base:9.1%}   "
            f"({spread:17})  {middle.bot_ms:7.1f} + {middle.arena_ms:.1f}"
        )
    return medians


class Instant(Steady):
    """A pool whose workers take no time: results are copies of one match."""

    def __init__(self, hands: int, places: int) -> None:
        self.hands = hands
        self.places = places

    def submit(self, name: str, sealed: Sealed) -> Future[Report]:
        """Everything at once."""
        done: Future[Report] = Future()
        played = tuple(self._copy(bout.row) for bout in sealed.open().bouts)
        # Long enough for a chunk that its size would be chosen so.
        done.set_result(Finished("instant", played, (), 2.0))
        return done

    def _copy(self, row: FixtureRow) -> Played:
        books = (Book(1000.0), Book(1000.0))
        hands = tuple(
            (replace(HAND, fixture_id=row.id, number=number + 1), ())
            for number in range(self.hands)
        )
        result = FixtureResult(
            row.key, row.seats, row.seats[0], (1, 0), 0, (10, 0), self.hands, (self.hands, 0),
            "normal", hand_diffs=(10,) * self.hands,
        )  # fmt: skip
        return Played(Begun(row, hands, ()), result, "One beats the other 1–0.", books)

    def workers(self) -> dict[str, int]:
        """Enough."""
        return {"instant": self.places}


HAND = HandRow(
    "", 1, 1, "x" * 420, "knock", 0, (10, 0), (20,) * 30,
    (Book(1000.0, 0, 15, 300.0, 3.0, 20, FaultCode.OK, True).to_row(),) * 2,
)  # fmt: skip
"""As long as a hand usually is."""


def coordinator(hands: int, parallel: int, legs: int) -> tuple[float, int, int]:
    """Processor seconds, matches and chunks of a league whose results come at once."""
    with (
        thinking_bots() as bots,  # who are greeted, and asked nothing more
        tempfile.TemporaryDirectory() as folder,
        Store(Path(folder) / "bench.db") as store,
    ):
        row = create_tournament(store, league(bots, legs), SECRET)
        elsewhere = on_cluster(Instant(hands, 1), Place(None, 1), in_flight=parallel)
        clock = Clock()
        began = time.process_time()
        play(store, row, clock, Stopper(), elsewhere=elsewhere)
        took = time.process_time() - began
        matches = sum(len(fixture.seats) == 2 for fixture in store.fixtures.of(row.id))
    return took, matches, -(-matches // parallel)


def tasks(count: int) -> tuple[float, float]:
    """Processor seconds of a task, of the scheduler and of whoever hands it in."""
    with (
        tempfile.TemporaryDirectory() as folder,
        cluster(Path(folder), workers=1, threads=THREADS) as (scheduler, _),
        workers_of(scheduler.address) as pool,
    ):
        executor = pool.client.get_executor(pure=False)
        began, worked = time.process_time(), cpu_s(scheduler.pid)
        for number in range(0, count, 20):
            for future in [executor.submit(identity, key=f"{number} {n}") for n in range(20)]:
                future.result()
        return (cpu_s(scheduler.pid) - worked) / count, (time.process_time() - began) / count


def costs(points: Sequence[Point]) -> Costs:
    """What each part costs by itself."""
    few, matches, _ = coordinator(1, 16, 10)
    small, _, chunks = coordinator(1, 1, 10)
    many, _, fewer = coordinator(21, 16, 10)
    hand_s = (many - few) / 20 / matches
    chunk_s = max(0.0, (small - few) / (chunks - fewer))
    match_s = few / matches - hand_s - chunk_s / 16
    task_s, submit_s = tasks(1000)
    decision_s = statistics.median(point.worker_cpu_s / point.decisions for point in points)
    chunk_s += submit_s
    print(
        f"\ncoordinator and store: {1000 * chunk_s:.2f} ms a chunk, {1000 * match_s:.2f} ms a "
        f"match, {1000 * hand_s:.3f} ms a hand; scheduler: {1000 * task_s:.2f} ms a chunk; "
        f"worker: {1000 * decision_s:.2f} ms a decision"
    )
    return Costs(chunk_s, match_s, hand_s, task_s, decision_s)


def check(points: Sequence[Point], found: Costs) -> None:
    """The model beside what was measured."""
    hands = 10
    took, matches, chunks = coordinator(hands, 8, 10)
    modelled = found.match_s + hands * found.hand_s + 0.125 * found.chunk_s
    print(
        f"\nthe coordinator alone, matches of {hands} hands in {chunks} chunks: "
        f"{matches / took:,.0f} matches/s measured, {1 / modelled:,.0f} in the model "
        "(which adds the scheduler's client)"
    )
    print("\nworkers  measured matches/s  model  difference")
    for point in points:
        load = Load(
            point.workers,
            THREADS,
            IN_FLIGHT // THREADS,
            THINK_S,
            (point.bot_ms + point.arena_ms) / 1000 - THINK_S,
            point.decisions / point.matches,
            point.hands / point.matches,
            BOTS,
            spread=point.spread,
            matches=point.matches,
        )
        model = simulate(load, found).matches
        real = point.matches / point.seconds
        print(f"{point.workers:7}  {real:18.2f}  {model:5.2f}  {model / real - 1:+10.1%}")


SCENES = {
    "matches of 10 hands, 10,000 bots": {},
    "matches of 1 hand, 10,000 bots": {"decisions": 30.0, "hands": 1.0},
    "matches of 10 hands, bots that think 1 ms": {"think_s": 0.001},
    "one bot sits in a twentieth of all matches": {"popular": 0.05},
    "one bot sits in every match (gauntlet)": {"popular": 1.0},
}


def extrapolate(found: Costs, workers: Sequence[int]) -> None:
    """Large clusters in the model, 16 matches at a time in each worker."""
    base = Load(1, THREADS, 4, THINK_S, 0.002, 300.0, 10.0, bots=10_000, calls=16)
    for name, changes in SCENES.items():
        print(f"\n{name}\nworkers  matches/s  hands/s  of linear  coordinator  limit")
        for count in workers:
            load = replace(base, workers=count, **changes)  # type: ignore[arg-type]
            outcome = simulate(load, found)
            print(
                f"{count:7}  {outcome.matches:9.1f}  {outcome.hands:7.0f}  "
                f"{outcome.efficiency:9.1%}  {outcome.busy['coordinator']:11.1%}  {outcome.limit}"
            )


def main() -> None:
    """Measure, check the model, extrapolate."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="one round, half as long")
    quick = parser.parse_args().quick
    points = efficiency((1, 2, 4), 1 if quick else 3, 1 if quick else 2)
    found = costs(points)
    check(points, found)
    extrapolate(found, (10, 100, 1000) if quick else (10, 30, 100, 300, 1000))


if __name__ == "__main__":
    main()
