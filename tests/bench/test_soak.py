"""The soak's own arithmetic: trends, and what it concludes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import pytest

from tests.bench.soak_figures import Process, Sample, conclude, percentile, slope_per_hour

STILL = Process(rss_mb=90.0, threads=17, files=45, cpu_s=1.0)
SAMPLE = Sample(
    minute=1.0, referee=STILL, site=STILL, database_mb=1.0, wal_mb=4.0, hands=240, matches=12,
    hands_per_s=4.0, timeouts=9, late_p50=2.0, late_p99=9.0, page_p50=9.0, page_p95=40.0,
    bad_lines=0, honest_faults=0, cores=0.1,
)  # fmt: skip
Change = Callable[[int], Sample]


def samples(change: Change, minutes: int = 90) -> list[Sample]:
    """One a minute, each changed by its minute."""
    return [
        replace(change(minute), minute=float(minute), matches=12 * minute)
        for minute in range(1, minutes + 1)
    ]


def failed(change: Change, minutes: int = 90, faults: dict[str, int] | None = None) -> list[str]:
    """What does not hold."""
    verdicts = conclude(samples(change, minutes), Counter(faults or {}), [])
    return [verdict.what for verdict in verdicts if verdict.holds is False]


def test_nothing_is_found_where_nothing_grows() -> None:
    """Also when the memory moves about a little, and grows much while warming up."""
    assert failed(lambda minute: SAMPLE) == []
    assert (
        failed(lambda m: replace(SAMPLE, site=replace(STILL, rss_mb=300 - 200 / m + m % 3))) == []
    )


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (
            lambda m: replace(SAMPLE, referee=replace(STILL, rss_mb=90 + 0.5 * m)),
            "referee: memory flat after warm-up",
        ),
        (
            lambda m: replace(SAMPLE, site=replace(STILL, files=45 + m // 3)),
            "site: no descriptor leak",
        ),
        (
            lambda m: replace(SAMPLE, site=replace(STILL, threads=17 + m // 8)),
            "site: no thread leak",
        ),
        (lambda m: replace(SAMPLE, bad_lines=m // 90), 'no log line with "locked" or Traceback'),
    ],
)
def test_each_leak_and_error_is_found(change: Change, what: str) -> None:
    """Half a megabyte a minute is 30 an hour."""
    assert failed(change) == [what]


def test_fault_of_an_honest_bot_is_named() -> None:
    """However few."""
    assert failed(lambda minute: SAMPLE, faults={"Honest A": 1}) == ["no honest bot has a fault"]


def test_short_soak_does_not_judge_memory() -> None:
    """Neither for nor against."""
    verdicts = conclude(samples(lambda minute: SAMPLE, 6), Counter(), [])

    assert [verdict.what for verdict in verdicts if verdict.holds is None] == [
        "referee: memory flat after warm-up",
        "site: memory flat after warm-up",
    ]


def test_slope_is_not_moved_by_odd_samples() -> None:
    """One gigabyte for a moment."""
    minutes = [float(minute) for minute in range(60)]
    values = [100 + minute / 60 for minute in minutes]
    values[30] = 1000.0

    assert slope_per_hour(minutes, values) == pytest.approx(1.0)


def test_percentiles_of_few_values_are_among_them() -> None:
    """Of nothing it is nothing."""
    assert percentile([], 0.99) == 0
    assert percentile([3.0, 1.0, 2.0], 0.5) == 2.0
    assert percentile([3.0, 1.0, 2.0], 0.99) == 3.0
