"""How fast the referee is over HTTP; the part ``referee`` of the suite.

Two bots in processes of their own answer the whole arena (engine, validation, store), or `wrk`, or
a bare loop over the arena's client, which both send recorded requests and ignore the answers.
Everything shares the cores of this machine. Rates are wall time, which other programs disturb; the
processor time of client and bots for one decision says the same with less noise.

What part of `wrk`'s rate the arena reaches depends on what the bots cost: the arena's own work for
a decision is the same for all of them. So there are two kinds of bots, which choose alike: the
sample bot `simple`, which takes 12 us for a decision, the lower end of what bots may cost, and one
that works for a millisecond, as bots do that search. With two of those two cores decide about a
thousand times a second, which is the rate that the goals were set for.
"""

from __future__ import annotations

import itertools
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from arena.wire.client import BotClient
from arena.wire.endpoint import Endpoint
from tests.bench.refereeing import BUSY, IN_FLIGHT, Bots, Rate, recorded_bodies, refereed, two_bots
from tests.bench.suite import Claim, Contest, Entry, Setting, Side
from tests.bench.suite_peers import KAGGLE, sides_of

BUSY_ONE, BUSY_PROCESSOR, ONE, PROCESSOR, BATCHES, OVERHEAD, MEMORY = (
    "one decision a request, bots that work 1 ms",
    "processor time of client and bots that work 1 ms",
    "one decision a request, quickest bots",
    "processor time of client and quickest bots",
    "batches of decisions, quickest bots",
    "the arena's own time a decision",
    "1,000 matches in flight",
)
ARENA, WRK, BARE, ALONE = "gin-arena", "wrk", "bare loop of calls", "one match at a time"
MANY = 16
"""Matches in flight where the rate is wanted."""


def wrk(bots: Bots, script: Path, seconds: float) -> Rate:
    """What `wrk` gets from all bots together, with as many connections as the arena has."""
    command = ["wrk", "-t1", f"-c{IN_FLIGHT}", f"-d{max(1, round(seconds))}", "-s", str(script)]
    used_s = bots.processor_s() + _children_s()
    running = [
        subprocess.Popen([*command, f"{url}/act"], stdout=subprocess.PIPE, text=True)
        for url in bots.urls
    ]
    outputs = [process.communicate()[0] for process in running]
    used_s = bots.processor_s() + _children_s() - used_s
    if any("Non-2xx" in output for output in outputs):
        raise RuntimeError(f"a bot refused what wrk sent:\n{outputs}")
    a_second = sum(_found(r"Requests/sec:\s+([\d.]+)", output) for output in outputs)
    requests = sum(_found(r"(\d+) requests in", output) for output in outputs)
    return Rate(a_second, used_s / requests * 1e6)


def _found(pattern: str, text: str) -> float:
    found = re.search(pattern, text)
    return float(found[1]) if found else 0.0


def _children_s() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def wrk_script(bodies: Sequence[bytes]) -> str:
    """A program for `wrk` that posts these bodies in turn."""
    listed = ",\n".join(f"[==[{body.decode()}]==]" for body in bodies)
    return (
        f"local bodies = {{{listed}}}\n"
        'local headers = {["Content-Type"] = "application/json"}\n'
        "local at = 0\n"
        "request = function()\n"
        "  at = at % #bodies + 1\n"
        '  return wrk.format("POST", nil, headers, bodies[at])\n'
        "end\n"
    )


def bare_loop(bots: Bots, bodies: Sequence[bytes], seconds: float) -> Rate:
    """Calls through the arena's client (`requests` with its deadline adapter) and nothing else."""
    used_s, start = time.process_time() + bots.processor_s(), time.perf_counter()
    counts = []

    def loop(url: str, first: int) -> None:
        client = BotClient(Endpoint.parse(url))
        count = 0
        for body in itertools.cycle([*bodies[first:], *bodies[:first]]):
            client.post("/act", body, (60_000,))
            count += 1
            if time.perf_counter() > start + seconds:
                break
        counts.append(count)
        client.close()

    threads = [
        threading.Thread(target=loop, args=(url, 17 * number))
        for url in bots.urls
        for number in range(IN_FLIGHT)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    passed_s = time.perf_counter() - start
    used_s = time.process_time() + bots.processor_s() - used_s
    return Rate(sum(counts) / passed_s, used_s / sum(counts) * 1e6)


def memory_mb(bots: Bots, _: float) -> float:
    """Peak memory of a fresh process with so many matches in flight."""
    command = [sys.executable, "-m", "tests.bench.bench_referee", *bots.urls]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    return float(done.stdout)


def print_memory(urls: list[str]) -> None:
    """Have 1,000 matches in flight and print the peak of this process in megabytes."""

    def look() -> None:
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        print(peak / (1024 if sys.platform != "darwin" else 1024 * 1024))

    refereed(Bots(urls, []), 4.0, batch=16, matches=1000, look=look)


Way = Callable[[float], Rate]


def sides_by(field: str, ways: Mapping[str, Way]) -> list[Side]:
    """Sides that measure one field of what a way of calling gives."""
    return [Side(name, partial(_field, field, way)) for name, way in ways.items()]


def _field(name: str, way: Way, seconds: float) -> float:
    figure: float = getattr(way(seconds), name)
    return figure


def one_by_one(bots: Bots, script: Path, bodies: Sequence[bytes]) -> dict[str, Way]:
    """Ways to have two bots decide, one decision a request."""
    ways: dict[str, Way] = {ARENA: partial(refereed, bots, batch=1, matches=MANY)}
    if shutil.which("wrk"):
        ways[WRK] = partial(wrk, bots, script)
    ways[BARE] = partial(bare_loop, bots, bodies)
    return ways


def batched(setting: Setting, name: str, bots: Bots) -> Contest:
    """Batches against single decisions."""
    ways: dict[str, Way] = {
        "one by one": partial(refereed, bots, batch=1, matches=MANY),
        "batch 16": partial(refereed, bots, batch=16, matches=8 * 16),
        "batch 64": partial(refereed, bots, batch=64, matches=8 * 64),
    }
    claims = [
        Claim(f"batch {size}", "one by one", least=least)
        for size, goal, wish in ((16, 8, 10), (64, 14, 18))
        for least in (goal, wish)
    ]
    return Contest(
        name,
        "decisions/s",
        sides_by("a_second", ways),
        claims,
        setting.seconds(4, 1.5),
        setting.rounds(5, 2),
    )


@contextmanager
def contests(setting: Setting) -> Iterator[list[Contest]]:
    """The arena, `wrk`, a bare loop and a peer; then batches, overhead and memory."""
    bodies = recorded_bodies(400)
    with (
        tempfile.TemporaryDirectory() as folder,
        two_bots() as bots,
        two_bots(BUSY) as busy_bots,
        sides_of(setting, [(KAGGLE, ONE, "decisions")]) as peers,
    ):
        script = Path(folder) / "bodies.lua"
        script.write_text(wrk_script(bodies))
        if not shutil.which("wrk"):
            setting.left_out.append("wrk: not installed; on Debian: apt-get install wrk")
        ways = one_by_one(bots, script, bodies)
        busy_ways = one_by_one(busy_bots, script, bodies)
        alone: dict[str, Way] = {ALONE: partial(refereed, bots, batch=1, matches=1)}
        part_of_wrk = [Claim(ARENA, WRK, least=0.6), Claim(ARENA, WRK, least=0.75)]
        small_part = [Claim(ARENA, WRK, most=1 / 0.75), Claim(ARENA, BARE, most=1 / 0.9)]
        yield [
            Contest(
                BUSY_ONE,
                "decisions/s",
                sides_by("a_second", busy_ways),
                [*part_of_wrk, Claim(ARENA, BARE, least=0.9)],
                setting.seconds(4, 1.5),
                setting.rounds(7),
            ),
            Contest(
                BUSY_PROCESSOR,
                "us",
                sides_by("processor_us", busy_ways),
                small_part,
                setting.seconds(3, 1),
                setting.rounds(5),
                more_is_better=False,
            ),
            Contest(
                ONE,
                "decisions/s",
                [*sides_by("a_second", ways), *peers(ONE)],
                [
                    Claim(ARENA, KAGGLE.title, least=8),
                    *part_of_wrk,
                    Claim(ARENA, BARE, least=0.9),
                ],
                setting.seconds(4, 1.5),
                setting.rounds(7),
            ),
            Contest(
                PROCESSOR,
                "us",
                sides_by("processor_us", ways),
                small_part,
                setting.seconds(3, 1),
                setting.rounds(7),
                more_is_better=False,
            ),
            batched(setting, BATCHES, bots),
            Contest(
                OVERHEAD,
                "us",
                sides_by("overhead_us", alone),
                [Claim(ALONE, most=120)],
                setting.seconds(3, 1),
                setting.rounds(5),
                more_is_better=False,
            ),
            Contest(
                MEMORY,
                "MB",
                [Side(ARENA, partial(memory_mb, bots))],
                [Claim(ARENA, most=300)],
                rounds=1,
                more_is_better=False,
            ),
        ]


ENTRY = Entry("referee", "decisions over HTTP with two quick bots and two that work", contests)

if __name__ == "__main__":
    print_memory(sys.argv[1:])
