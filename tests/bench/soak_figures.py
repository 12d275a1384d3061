"""What the soak measures each minute, and what it concludes from it."""

from __future__ import annotations

import os
import sqlite3
import statistics
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

TREND_MINUTES = 20.0
"""A trend over less than this is noise."""

MB_PER_HOUR = 6.0
KB_PER_MATCH = 4.0
"""What a process may grow by once it is warm: a little with time, and what it has to know of each
match, since a ladder's next pairings and its pages follow from all results so far."""

MORE_FILES, MORE_THREADS = 8, 4
"""What the last third may have more of than the warm first one at their most."""


@dataclass(frozen=True, slots=True)
class Process:
    """What one process holds. ``rss_mb``: resident memory; ``cpu_s``: used since its start."""

    rss_mb: float
    threads: int
    files: int
    cpu_s: float

    @classmethod
    def of(cls, pid: int) -> Process:
        """Read /proc.

        :raises OSError: it is no more.
        """
        proc = Path(f"/proc/{pid}")
        lines = (line.partition(":") for line in (proc / "status").read_text().splitlines())
        status = {name: rest.split() for name, _, rest in lines}
        words = (proc / "stat").read_text().rpartition(")")[2].split()
        used = (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")
        files = len(list((proc / "fd").iterdir()))
        return cls(int(status["VmRSS"][0]) / 1024, int(status["Threads"][0]), files, used)


@dataclass(frozen=True, slots=True)
class Sample:
    """One line of the soak. Times in ms; ``late``: verdicts after the deadline, of this minute."""

    minute: float
    referee: Process
    site: Process
    database_mb: float
    wal_mb: float
    hands: int
    matches: int
    hands_per_s: float
    timeouts: int
    late_p50: float
    late_p99: float
    page_p50: float
    page_p95: float
    bad_lines: int
    honest_faults: int
    cores: float

    HEAD = (
        " min  referee MB thr fd    site MB thr fd     db MB  wal   hands   h/s matches"
        "  late p50   p99 (n)  page p50   p95  bad  faults  cores"
    )

    def line(self) -> str:
        """For people."""
        r, s = self.referee, self.site
        return (
            f"{self.minute:4.0f}  {r.rss_mb:10.1f} {r.threads:3} {r.files:2} "
            f"{s.rss_mb:10.1f} {s.threads:3} {s.files:2} {self.database_mb:9.1f} "
            f"{self.wal_mb:4.1f} {self.hands:7} {self.hands_per_s:5.1f} {self.matches:7}"
            f"  {self.late_p50:8.1f} {self.late_p99:5.1f} ({self.timeouts}) "
            f"{self.page_p50:9.0f} {self.page_p95:5.0f} {self.bad_lines:4} "
            f"{self.honest_faults:7} {self.cores:6.2f}"
        )


class Counts(NamedTuple):
    """What the database says. ``faults``: so far, by bot."""

    hands: int
    matches: int
    faults: Counter[str]


def counts(database: Path) -> Counts:
    """Count as a reader that never blocks the referee."""
    connection = sqlite3.connect(f"{database.as_uri()}?mode=ro", uri=True, timeout=30)
    try:
        hands = connection.execute("SELECT coalesce(max(rowid), 0) FROM hands").fetchone()[0]
        matches = connection.execute(
            "SELECT count(*) FROM fixtures WHERE status = 'finished'"
        ).fetchone()[0]
        faults = connection.execute(
            "SELECT name, count(*) FROM faults JOIN fixtures ON fixtures.id = fixture_id"
            " JOIN entrants ON entrants.tournament_id = fixtures.tournament_id"
            " AND entrants.number = faults.entrant GROUP BY name"
        ).fetchall()
    finally:
        connection.close()
    return Counts(hands, matches, Counter(dict(faults)))


def finished_matches(database: Path, most: int) -> list[str]:
    """Ids of matches of complete rounds, the latest first: all their pages are open."""
    connection = sqlite3.connect(f"{database.as_uri()}?mode=ro", uri=True, timeout=30)
    try:
        rows = connection.execute(
            "SELECT id FROM fixtures WHERE status = 'finished' AND hands > 0"
            " AND round < (SELECT max(round) FROM fixtures) ORDER BY position DESC LIMIT ?",
            [most],
        ).fetchall()
    finally:
        connection.close()
    return [row[0] for row in rows]


def percentile(values: Sequence[float], share: float) -> float:
    """The value that this share stays below; 0 of nothing."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0


def slope_per_hour(minutes: Sequence[float], values: Sequence[float]) -> float:
    """The median of the slopes between all pairs: a few odd samples do not move it."""
    points = list(zip(minutes, values, strict=True))
    slopes = [(b[1] - a[1]) / (b[0] - a[0]) for a, b in combinations(points, 2) if b[0] > a[0]]
    return 60 * statistics.median(slopes)


class Verdict(NamedTuple):
    """One conclusion. ``holds``: None where the soak was too short to tell."""

    what: str
    holds: bool | None
    figures: str


def conclude(
    samples: Sequence[Sample], honest_faults: Counter[str], others: Sequence[Verdict]
) -> list[Verdict]:
    """All conclusions; the first third is warm-up and left out of trends."""
    warm = samples[len(samples) // 3 :]
    verdicts: list[Verdict] = []
    for name in ("referee", "site"):
        held = [getattr(sample, name) for sample in warm]
        verdicts += [_memory(name, warm, held), *_handles(name, held)]
    bad = samples[-1].bad_lines
    faults = ", ".join(f"{name} {number}" for name, number in honest_faults.items()) or "none"
    return [
        *verdicts,
        Verdict('no log line with "locked" or Traceback', bad == 0, f"{bad} lines"),
        Verdict("no honest bot has a fault", not honest_faults, faults),
        *others,
    ]


def _memory(name: str, warm: Sequence[Sample], held: Sequence[Process]) -> Verdict:
    what = f"{name}: memory flat after warm-up"
    minutes = warm[-1].minute - warm[0].minute
    if minutes < TREND_MINUTES:
        return Verdict(what, None, f"needs {TREND_MINUTES:g} minutes after warm-up")
    slope = slope_per_hour([s.minute for s in warm], [p.rss_mb for p in held])
    matches = (warm[-1].matches - warm[0].matches) / minutes * 60
    limit = MB_PER_HOUR + KB_PER_MATCH * matches / 1024
    figures = (
        f"{slope:+.2f} MB/h from {held[0].rss_mb:.1f} MB at {matches:.0f} matches/h; limit "
        f"{limit:.2f} = {MB_PER_HOUR:g} MB/h + {KB_PER_MATCH:g} kB a match"
    )
    return Verdict(what, slope <= limit, figures)


def _handles(name: str, held: Sequence[Process]) -> list[Verdict]:
    third = max(1, len(held) // 3)
    verdicts = []
    for kind, field, more in (
        ("descriptor", "files", MORE_FILES),
        ("thread", "threads", MORE_THREADS),
    ):
        first = max(getattr(one, field) for one in held[:third])
        last = max(getattr(one, field) for one in held[-third:])
        verdicts.append(
            Verdict(
                f"{name}: no {kind} leak",
                last <= first + more,
                f"at most {first} when warm, {last} in the last third; +{more} allowed",
            )
        )
    return verdicts
