"""How the site holds up: page times while a tournament is written, and what spectators cost.

``python -m tests.bench.bench_site pages`` asks for pages at 20 requests a second from a database
with 200 bots and 100,000 hands while matches are written to it, and prints the 50th and 95th
percentile page by page: what the request's thread computed (the same however busy the machine is),
the time inside the server, and the time until the last byte.

``python -m tests.bench.bench_site spectators`` plays the same matches with and without 200 open
event streams on the tournament's page, in turns, and prints the ratio of the referee's speed.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import random
import re
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import requests

from arena.launch import PagesProcess
from arena.store import Store
from arena.store.rows import FixtureStatus, HandRow
from tests.bench.site_database import make, result_of
from tests.site.playing import play

RATE = 20.0
PAGES = (
    "/", "/t/great-league", "/t/great-league/crosstable", "/t/great-league/strength",
    "/t/great-league/schedule?page=7", "/t/great-league/fairness", "/t/league-1",
    "/t/league-1.json",
    "/bots", "/bots/50-bot-047", "/search?q=bot", "/games", "MATCH", "HAND",
)  # fmt: skip


def write(path: Path, seconds: float, counter: multiprocessing.Queue[int]) -> None:
    """Finish matches of the great league as a referee would, a transaction a hand."""
    luck = random.Random(3)
    written = 0
    with Store(path) as store:
        row = store.tournaments.by_slug("great-league")
        assert row is not None
        open_ = [f for f in store.fixtures.of(row.id) if f.status is FixtureStatus.PENDING]
        done = next(f for f in store.fixtures.of(row.id) if f.status is FixtureStatus.FINISHED)
        hand = store.hands.of(done.id)[0]
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            fixture = open_[written]
            assert store.fixtures.start(fixture.id)
            for number in range(4):
                store.hands.add(
                    HandRow(fixture.id, 1, 1000 * written + number, hand.record, hand.ending,
                            hand.winner, hand.points, hand.times, hand.books)
                )  # fmt: skip
                time.sleep(0.01)
            store.fixtures.finish(fixture.id, result_of(fixture.fixture, luck, 4), "played")
            written += 1
    counter.put(written)


def pages(seconds: float) -> None:
    """Ask for pages at a fixed rate while results are written."""
    with tempfile.TemporaryDirectory() as folder:
        path = make(Path(folder) / "arena.db")
        server = PagesProcess(path, 0)
        try:
            measure(server.url, path, seconds)
        finally:
            server.stop()


def measure(url: str, path: Path, seconds: float) -> None:
    """Print the percentiles of each page."""
    schedule = requests.get(f"{url}/t/great-league/schedule.json?only=finished", timeout=60).json()
    match = schedule["rounds"][0]["matches"][0]["url"]
    hand = requests.get(f"{url}{match}.json", timeout=60).json()["games"][0]["hands"][0]["url"]
    known = {"MATCH": match, "HAND": hand}
    addresses = [known.get(page, page) for page in PAGES]
    for address in addresses:
        requests.get(url + address, timeout=60)
    counter: multiprocessing.Queue[int] = multiprocessing.Queue()
    writer = multiprocessing.Process(target=write, args=(path, seconds + 2, counter))
    writer.start()
    time.sleep(1)
    times: dict[str, list[tuple[float, float, float]]] = {page: [] for page in PAGES}
    lock = threading.Lock()

    def ask(page: str, address: str) -> None:
        begun = time.perf_counter()
        answer = requests.get(url + address, timeout=60)
        taken = 1000 * (time.perf_counter() - begun)
        assert answer.status_code == 200, (address, answer.status_code)
        own, inside = re.findall(r"dur=([\d.]+)", answer.headers["Server-Timing"])
        with lock:
            times[page].append((float(own), float(inside), taken))

    threads = []
    begun = time.monotonic()
    for number in range(int(seconds * RATE)):
        at = number % len(PAGES)
        thread = threading.Thread(target=ask, args=(PAGES[at], addresses[at]))
        thread.start()
        threads.append(thread)
        time.sleep(max(0.0, begun + (number + 1) / RATE - time.monotonic()))
    for thread in threads:
        thread.join()
    writer.join()
    print(f"{RATE:g} requests/s for {seconds:g} s, {counter.get()} matches written meanwhile")
    print(f"{'':32} computing              in the server          until the last byte")
    every = [one for found in times.values() for one in found]
    for page, found in [*times.items(), ("all pages", every)]:
        columns = (sorted(one[at] for one in found) for at in range(3))
        print(f"{page:32} {'    '.join(map(percentiles, columns))}")


def percentiles(found: list[float]) -> str:
    """The middle, and what 95 of 100 stay below, in milliseconds."""
    return f"p50 {statistics.median(found):6.1f} p95 {found[int(0.95 * (len(found) - 1))]:6.1f}"


@contextmanager
def watching(url: str, page: str, count: int) -> Iterator[list[int]]:
    """So many event streams, read by one thread; the bytes that came."""
    host, port = url.removeprefix("http://").split(":")
    received = [0]
    sockets = []
    for _ in range(count):
        one = socket.create_connection((host, int(port)))
        one.sendall(f"GET /events?page={page} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
        one.setblocking(False)
        sockets.append(one)
    stop = threading.Event()

    def read() -> None:
        while not stop.wait(0.05):
            for one in sockets:
                try:
                    received[0] += len(one.recv(1 << 20))
                except BlockingIOError:
                    continue

    thread = threading.Thread(target=read)
    thread.start()
    try:
        yield received
    finally:
        stop.set()
        thread.join()
        for one in sockets:
            one.close()


def played(path: Path, name: str, matches: int) -> float:
    """Hands a second of a referee in a process of its own."""
    code = (
        "import sys, time\nfrom pathlib import Path\nfrom arena.store import Store\n"
        "from tests.site.playing import play\n"
        "with Store(Path(sys.argv[1])) as store:\n"
        "    begun = time.monotonic()\n"
        "    id = play(store, sys.argv[2], [f'bot {n}' for n in range(8)], "
        "matches=int(sys.argv[3]))\n"
        "    hands = sum(f.hands for f in store.fixtures.of(id))\n"
        "    print(hands / (time.monotonic() - begun))\n"
    )
    command = [sys.executable, "-c", code, str(path), name, str(matches)]
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def cpu_seconds(pid: int) -> float:
    """What a process has used so far."""
    words = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def spectators(count: int, rounds: int) -> None:
    """The referee's speed with and without spectators, in turns."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "arena.db"
        with Store(path) as store:
            play(store, "Watched", ["a", "b"], matches=1)
        server = PagesProcess(path, 0)
        alone, watched = [], []
        try:
            for number in range(rounds):
                alone.append(played(path, f"Alone {number}", 40))
                with watching(server.url, "/", count) as received:
                    begun, before = time.monotonic(), cpu_seconds(server.pid)
                    watched.append(played(path, f"Seen {number}", 40))
                    share = (cpu_seconds(server.pid) - before) / (time.monotonic() - begun)
                print(f"  {alone[-1]:7.1f} hands/s alone, {watched[-1]:7.1f} watched, "
                      f"{received[0] / 1e6:.1f} MB sent, "
                      f"server took {share:.1%} of a core")  # fmt: skip
        finally:
            server.stop()
    ratio = statistics.median(w / a for w, a in zip(watched, alone, strict=True))
    print(f"{count} spectators leave the referee {ratio:.3f} of its speed (median of {rounds})")


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["pages", "spectators"])
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--spectators", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    if options.what == "pages":
        pages(options.seconds)
    else:
        spectators(options.spectators, options.rounds)


if __name__ == "__main__":
    main()
