"""How long a bot takes, from the times that records keep. Pure.

A call that ran into its limit was charged the limit, so it counts with that and never with 0.
Which times count, and what a median is, is the same in `arena.tournament.conduct`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from arena.site.views.charts import Histogram, log_histogram
from arena.store.rows import HandRow
from arena.tournament.conduct import decisions_in, quantile_ms

EDGES = (
    0.0,
    *(round(factor * 10**power, 3) for power in range(6) for factor in (1, 1.5, 2, 3, 5, 7)),
)
"""Where bins begin, milliseconds."""


@dataclass(frozen=True, slots=True)
class Bin:
    """Decisions that took at least ``low`` and less than ``high`` milliseconds."""

    low: float
    high: float
    count: int


@dataclass(frozen=True, slots=True)
class Latency:
    """The times of a bot's last decisions. ``hands``: how many hands they are from.

    ``median``, ``p95``, ``worst``: milliseconds. ``deadline_ms``: of its newest tournament.
    """

    decisions: int
    hands: int
    median: int
    p95: int
    worst: int
    deadline_ms: int | None
    bins: tuple[Bin, ...]
    chart: Histogram


def times_of(hand: HandRow, seat: int) -> list[int]:
    """Milliseconds of each decision that a seat was asked for."""
    return [one.ms for one in decisions_in(hand) if one.seat == seat and one.ms is not None]


def latency(hands: Sequence[Sequence[int]], deadline_ms: int | None) -> Latency | None:
    """The distribution over the times of some hands, see `times_of`; None without a decision."""
    times = sorted(time for hand in hands for time in hand)
    median, p95 = quantile_ms(times, 0.5), quantile_ms(times, 0.95)
    if median is None or p95 is None:
        return None
    found = Counter(_bin(time) for time in times)
    bins = tuple(
        Bin(EDGES[at], EDGES[at + 1], found[at]) for at in range(min(found), max(found) + 1)
    )
    limit = (float(deadline_ms), f"deadline {deadline_ms} ms") if deadline_ms else None
    return Latency(
        decisions=len(times),
        hands=len(hands),
        median=median,
        p95=p95,
        worst=times[-1],
        deadline_ms=deadline_ms,
        bins=bins,
        chart=log_histogram([(b.low, b.high, b.count) for b in bins], limit=limit),
    )


def _bin(time: int) -> int:
    """The number of the bin that a time falls into."""
    at = 0
    while at + 2 < len(EDGES) and EDGES[at + 1] <= time:
        at += 1
    return at
