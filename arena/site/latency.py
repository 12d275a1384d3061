"""How long a bot takes, from the times that records keep. Pure.

A call that ran into its limit was charged the limit, so it counts with that and never with 0.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from arena.errors import RulesError
from arena.rules.record import parse, replay
from arena.site.charts import Histogram, log_histogram
from arena.store.rows import HandRow

EDGES = tuple(round(factor * 10**power, 3) for power in range(6) for factor in (1, 1.5, 2, 3, 5, 7))
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
    """Milliseconds of each decision of a seat; decisions that took less than one are left out."""
    try:
        record = parse(hand.record)
        positions = [p for p, at in enumerate(record.plan.seats) if at == seat]
        actors = [state.to_act for state in replay(record)]
    except RulesError:
        return []
    return [
        time for actor, time in zip(actors, hand.times, strict=False) if actor in positions and time
    ]


def latency(hands: Sequence[Sequence[int]], deadline_ms: int | None) -> Latency | None:
    """The distribution over the times of some hands, see `times_of`; None without a decision."""
    times = sorted(time for hand in hands for time in hand)
    if not times:
        return None
    found = Counter(_bin(time) for time in times)
    bins = tuple(
        Bin(EDGES[at], EDGES[at + 1], found[at]) for at in range(min(found), max(found) + 1)
    )
    limit = (float(deadline_ms), f"deadline {deadline_ms} ms") if deadline_ms else None
    return Latency(
        decisions=len(times),
        hands=len(hands),
        median=times[len(times) // 2],
        p95=times[int(0.95 * (len(times) - 1))],
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
