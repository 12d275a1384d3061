"""All there is in the benchmark suite."""

from __future__ import annotations

from typing import NamedTuple

from tests.bench import bench_referee, bench_rules, bench_startup


class Report(NamedTuple):
    """A script that measures and prints by itself: ``tests.bench.bench_NAME``.

    ``full``, ``quick``: its arguments.
    """

    title: str
    full: tuple[str, ...] = ()
    quick: tuple[str, ...] = ()


CONTESTS = {
    entry.name: entry for entry in (bench_rules.ENTRY, bench_referee.ENTRY, bench_startup.ENTRY)
}
"""What ``python -m tests.bench`` runs."""

REPORTS = {
    "indian": Report("counting points of Indian rummy", quick=("100",)),
    "wire": Report("what calling a bot costs, and late verdicts", quick=("--quick",)),
    "statistics": Report("coverage of intervals, error rates of tests", quick=("200",)),
    "bots": Report("strength and speed of the sample bots", quick=("20", "4")),
    "cluster": Report("efficiency of a cluster, and its limits", quick=("--quick",)),
    "store": Report("hands by the million", quick=("--seconds", "20")),
    "sizes": Report("large tournaments", quick=("--bots", "16")),
    "soak": Report("everything at once for hours", ("--minutes", "120"), quick=("--minutes", "1")),
    "site": Report("pages while a tournament is written", ("pages",), ("pages", "--seconds", "10")),
}
"""What it runs when asked for by name."""
