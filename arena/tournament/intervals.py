"""Means with 95 % intervals whose unit is the mirrored pair. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import fsum, sqrt

from arena.tournament.model import FixtureResult
from arena.tournament.pairs import pairs, sums_for, units_by_entrant, units_by_opponents
from arena.tournament.student import t_quantile

CONFIDENCE = 0.95


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean and its interval.

    ``mean`` is None without data; ``low`` and ``high`` are None when the data cannot tell how
    uncertain it is: fewer than two pairs, or all pairs exactly alike. ``pairs``: number of units,
    ``amount``: what the mean is taken over (hands, or games).
    """

    mean: float | None
    low: float | None
    high: float | None
    pairs: int
    amount: int

    @property
    def half_width(self) -> float | None:
        """Half the length of the interval."""
        return None if self.low is None or self.high is None else (self.high - self.low) / 2


def ratio_estimate(
    sums: Sequence[float], amounts: Sequence[int], confidence: float = CONFIDENCE
) -> Estimate:
    """The ratio of two totals, e.g. points to hands, where each unit gives one of both.

    The variance is that of the units' residuals (sum less ratio times amount), the usual one for
    ratios of cluster totals; the quantile is Student's for the number of units less one.
    """
    amount = sum(amounts)
    units = len(sums)
    if not amount:
        return Estimate(None, None, None, units, 0)
    ratio = fsum(sums) / amount
    if units < 2:
        return Estimate(ratio, None, None, units, amount)
    squares = fsum((s - ratio * a) ** 2 for s, a in zip(sums, amounts, strict=True))
    error = sqrt(squares * units / (units - 1)) / amount
    if error < 1e-12:
        return Estimate(ratio, None, None, units, amount)
    reach = t_quantile((1 + confidence) / 2, units - 1) * error
    return Estimate(ratio, ratio - reach, ratio + reach, units, amount)


def mean_estimate(values: Sequence[float], confidence: float = CONFIDENCE) -> Estimate:
    """The mean of one value a unit."""
    return ratio_estimate(values, [1] * len(values), confidence)


def points_per_hand(
    results: Iterable[FixtureResult], *, fewer_points_win: bool = False
) -> dict[int, Estimate]:
    """Net hand points a hand of each entrant that has played one."""
    table = {}
    for entrant, units in sorted(units_by_entrant(pairs(results)).items()):
        sums = [sums_for(unit, entrant, fewer_points_win=fewer_points_win) for unit in units]
        played = [s for s in sums if s.hands]
        table[entrant] = ratio_estimate([s.net_points for s in played], [s.hands for s in played])
    return table


def head_to_head_points(
    results: Iterable[FixtureResult], *, fewer_points_win: bool = False
) -> dict[tuple[int, int], Estimate]:
    """Net hand points a hand of the first against the second, for each ordered pair that met."""
    table = {}
    for a, b, units in units_by_opponents(pairs(results)):
        sums = [sums_for(u, a, opponent=b, fewer_points_win=fewer_points_win) for u in units]
        played = [s for s in sums if s.hands]
        table[a, b] = ratio_estimate([s.net_points for s in played], [s.hands for s in played])
    return table
