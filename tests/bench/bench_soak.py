"""The arena under everything at once, for hours: does it stay as it was?

``python -m tests.bench.bench_soak --minutes 120`` runs a rated ladder of 20 bots by the real
command line, eight of them faulty in ways of their own (one is killed and started again and
again), the site in a process of its own, and 50 spectators. Each minute it prints what the
processes hold, what was played and how late verdicts on silent bots were; at the end it concludes.
Honest bots think for some time, so that all of it takes about a third of a core. Exits with 1 when
a conclusion does not hold.
"""

from __future__ import annotations

import argparse
import json
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import IO

from rich.console import Console
from rich.table import Table

from tests.bench.soak_figures import (
    Process,
    Sample,
    Verdict,
    conclude,
    counts,
    finished_matches,
    percentile,
)
from tests.bench.soak_readers import Readers, Streams
from tests.e2e.arena_process import arena, hands_stored, served_pages, start_arena, wait_until

NAME, SLUG = "Soak", "soak"
HONEST = tuple(f"Honest {letter}" for letter in "ABCDEFGHKMNP")
RESTLESS = "Restless"
DEADLINE_MS = 1500
GAMES, IN_FLIGHT = 3, 10
STREAMS, READERS = 40, 10
LIVES_S, DEAD_S = 80.0, 15.0
WATCHED = (f"/t/{SLUG}", "/", f"/t/{SLUG}/strength", f"/t/{SLUG}/crosstable")
PAGES = (
    "/", f"/t/{SLUG}", f"/t/{SLUG}/crosstable", f"/t/{SLUG}/strength", f"/t/{SLUG}/schedule",
    f"/t/{SLUG}/fairness", f"/t/{SLUG}.json", "/bots", "/games", "/search?q=honest", "/tournaments",
    "/health",
)  # fmt: skip
PROBLEMS = ("locked", "Traceback")


@contextmanager
def bots(group: str, *more: str) -> Iterator[dict[str, str]]:
    """A process of bots; their names and addresses."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.bench.soak_bots", group, *more],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        assert process.stdout is not None
        yield json.loads(process.stdout.readline())
    finally:
        assert process.stdin is not None
        process.stdin.close()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


class Restless(threading.Thread):
    """A bot that dies without a word and comes back at the same address, again and again."""

    def __init__(self, log: Path) -> None:
        super().__init__(name="restless")
        self._log = log
        self._stopped = threading.Event()
        self._bot = self._born(0)
        self.url = log.read_text().split("listening on ", 1)[1].split()[0]
        self.deaths = 0

    def _born(self, port: int | str) -> subprocess.Popen[bytes]:
        self._log.write_bytes(b"")
        bot = start_arena("bot", "simple", "--port", str(port), log=self._log)
        if not wait_until(lambda: "listening on " in self._log.read_text(), bot):
            raise RuntimeError(f"{RESTLESS} does not come back: {self._log.read_text()}")
        return bot

    def run(self) -> None:
        """Live and die until stopped."""
        while not self._stopped.wait(LIVES_S):
            self._die()
            self.deaths += 1
            if not self._stopped.wait(DEAD_S):
                self._bot = self._born(self.url.rpartition(":")[2])

    def _die(self) -> None:
        self._bot.kill()
        self._bot.wait()

    def stop(self) -> None:
        """For good."""
        self._stopped.set()
        self.join()
        self._die()


class Soak:
    """Everything that runs, and the samples taken of it."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self.database = folder / "soak.db"
        self.logs = [folder / "referee.log", folder / "site.log"]
        self.late_log = folder / "late.log"
        self.late_log.touch()
        self._late_read = 0
        restless = Restless(folder / "restless.log")
        restless.start()
        stack.callback(restless.stop)
        self.restless = restless
        faulty = stack.enter_context(
            bots("faulty", "--log", str(self.late_log), "--deadline-ms", str(DEADLINE_MS))
        )
        honest = stack.enter_context(bots("honest", "--names", *HONEST))
        self.referee = self._start_referee({**honest, **faulty, RESTLESS: restless.url})
        stack.callback(end, self.referee)
        assert wait_until(lambda: hands_stored(self.database) > 0, self.referee), self.logs[
            0
        ].read_text()
        self.site, url = stack.enter_context(served_pages(self.database, self.logs[1]))
        self.matches: Sequence[str] = ()
        self.streams = Streams(url, [WATCHED[n % len(WATCHED)] for n in range(STREAMS)])
        stack.callback(self.streams.stop)
        self.readers = Readers(url, READERS, self._page)
        stack.callback(self.readers.stop)
        self.honest_faults: Counter[str] = Counter()
        self._before = (time.monotonic(), counts(self.database).hands, self._cpu())

    def _start_referee(self, contestants: dict[str, str]) -> subprocess.Popen[bytes]:
        options = [word for name, url in contestants.items() for word in ("--bot", f"{name}={url}")]
        return start_arena(
            "run", "--db", self.database, "--name", NAME, "--format", "ladder", "--rules", "gin",
            "--games", str(GAMES), "--deadline-ms", str(DEADLINE_MS), "--bank-ms", "0",
            "--in-flight", str(IN_FLIGHT), *options, log=self.logs[0],
        )  # fmt: skip

    def _page(self) -> str:
        if self.matches and random.random() < 0.4:
            match = random.choice(self.matches)
            return f"/t/{SLUG}/m/{match}" + random.choice(("", "/1-1"))
        return random.choice(PAGES)

    def _cpu(self) -> float:
        return Process.of(self.referee.pid).cpu_s + Process.of(self.site.pid).cpu_s

    def _late(self) -> list[float]:
        """How late calls were broken off since the last time."""
        with self.late_log.open(encoding="utf-8") as file:
            file.seek(self._late_read)
            text = file.read()
            self._late_read = file.tell()
        return [float(line) for line in text.splitlines()]

    def sample(self, minute: float) -> Sample:
        """One look at everything.

        :raises RuntimeError: a process has ended.
        """
        for process, log in zip((self.referee, self.site), self.logs, strict=True):
            if process.poll() is not None:
                raise RuntimeError(f"ended with {process.returncode}: {log.read_text()[-2000:]}")
        found = counts(self.database)
        self.matches = finished_matches(self.database, 60)
        self.honest_faults = Counter({n: f for n, f in found.faults.items() if n in HONEST})
        now, cpu = time.monotonic(), self._cpu()
        since, hands_before, cpu_before = self._before
        self._before = now, found.hands, cpu
        late = self._late()
        wal = self.database.with_name(self.database.name + "-wal")
        page_p50, page_p95 = self.readers.times()
        return Sample(
            minute=round(minute, 2),
            referee=Process.of(self.referee.pid),
            site=Process.of(self.site.pid),
            database_mb=self.database.stat().st_size / 1e6,
            wal_mb=wal.stat().st_size / 1e6 if wal.exists() else 0.0,
            hands=found.hands,
            matches=found.matches,
            hands_per_s=(found.hands - hands_before) / (now - since),
            timeouts=len(late),
            late_p50=percentile(late, 0.5),
            late_p99=percentile(late, 0.99),
            page_p50=page_p50,
            page_p95=page_p95,
            bad_lines=sum(map(problems, self.logs)),
            honest_faults=self.honest_faults.total(),
            cores=(cpu - cpu_before) / (now - since),
        )

    def finish(self) -> list[Verdict]:
        """Stop the referee as Ctrl-C does, and check every hand that it stored."""
        end(self.referee)
        code = self.referee.returncode
        checked = arena("verify", self.database, timeout=3600)
        last = (checked.stdout + checked.stderr).strip().splitlines()[-1:]
        late = [float(line) for line in self.late_log.read_text(encoding="utf-8").splitlines()]
        figures = f"p50 {percentile(late, 0.5):.1f}, p99 {percentile(late, 0.99):.1f} ms"
        bad = ", ".join(f"{what} ×{n}" for what, n in self.readers.bad.items()) or "none other"
        return [
            Verdict("Ctrl-C ends the referee in order", code == 130, f"exit {code}"),
            Verdict("arena verify finds every hand right", checked.returncode == 0, str(*last)),
            Verdict("every page was answered with 200", not self.readers.bad,
                    f"{self.readers.pages} pages, {bad}"),
            Verdict("no event stream was cut", self.streams.ended == 0,
                    f"{self.streams.received / 1e6:.0f} MB received, {self.streams.ended} ended"),
            Verdict("verdicts on silent bots come in time", percentile(late, 0.5) < 20,
                    f"{figures} over all {len(late)}, p50 below 20 ms asked; the bot "
                    f"that dies did so {self.restless.deaths} times"),
        ]  # fmt: skip


def end(process: subprocess.Popen[bytes]) -> None:
    """Stop a command as Ctrl-C does; kill it when that does not help."""
    if process.poll() is None:
        process.send_signal(signal.SIGINT)
        try:
            process.wait(60)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def problems(log: Path) -> int:
    """Lines of a log that tell of trouble."""
    with log.open(encoding="utf-8", errors="replace") as file:
        return sum(any(word in line for word in PROBLEMS) for line in file)


def soak(minutes: float, out: IO[str], json_file: Path | None) -> bool:
    """Run for so long; whether every conclusion holds."""
    interval = min(60.0, 60 * minutes / 6)
    samples: list[Sample] = []
    with tempfile.TemporaryDirectory(prefix="soak-") as folder, ExitStack() as stack:
        running = Soak(Path(folder), stack)
        print(f"in {folder}\n{Sample.HEAD}", file=out, flush=True)
        began = time.monotonic()
        others: list[Verdict] = []
        try:
            for number in range(1, round(60 * minutes / interval) + 1):
                time.sleep(max(0.0, began + number * interval - time.monotonic()))
                samples.append(running.sample((time.monotonic() - began) / 60))
                print(samples[-1].line(), file=out, flush=True)
                save(json_file, samples, [])
            others = running.finish()
        except (KeyboardInterrupt, RuntimeError) as error:
            others = [Verdict("runs to its end", False, str(error) or "interrupted")]
        verdicts = conclude(samples, running.honest_faults, others) if samples else others
    save(json_file, samples, verdicts)
    show(verdicts, out)
    return all(verdict.holds is not False for verdict in verdicts)


def save(file: Path | None, samples: Sequence[Sample], verdicts: Sequence[Verdict]) -> None:
    """Write what there is so far."""
    if file is not None:
        document = {
            "samples": [asdict(sample) for sample in samples],
            "verdicts": [verdict._asdict() for verdict in verdicts],
        }
        file.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")


def show(verdicts: Sequence[Verdict], out: IO[str]) -> None:
    """The table at the end."""
    table = Table(title="Conclusions", title_justify="left")
    for heading in ("", "What", "Figures"):
        table.add_column(heading, overflow="fold")
    for what, holds, figures in verdicts:
        table.add_row({True: "yes", False: "NO", None: "?"}[holds], what, figures)
    Console(file=out, width=150).print(table)


def main() -> int:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=120.0)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures there")
    options = parser.parse_args()
    return 0 if soak(options.minutes, sys.stdout, options.json) else 1


if __name__ == "__main__":
    sys.exit(main())
