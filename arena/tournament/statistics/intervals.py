"""Means with 95 % intervals whose unit is the mirrored pair. Pure.

Opponents are given by the schedule and not drawn at random: that one is beaten by sixty points and
another by three does not make the mean of both uncertain. Where there are too few pairs to say how
uncertain a mean is there is no interval.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass
from math import fsum, sqrt

from arena.tournament.model import FixtureResult
from arena.tournament.statistics.additive import Expected, Lead, expected_points
from arena.tournament.statistics.pairs import Pair, pairs, sums_for, units_by_entrant
from arena.tournament.statistics.student import t_quantile

CONFIDENCE = 0.95
PAIRS_FOR_INTERVAL = 5
LEAST_DEGREES = 3
"""With fewer pairs, or fewer degrees of freedom, there is no interval: it would be so wide, and its
width so much a matter of luck, that it says less than its absence."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean and its interval.

    ``mean`` is None without data; ``low`` and ``high`` are None when the data cannot tell how
    uncertain it is: too few pairs, or all pairs exactly alike. ``pairs``: number of units,
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
    sums: Sequence[float],
    amounts: Sequence[int],
    confidence: float = CONFIDENCE,
    *,
    strata: Sequence[Sequence[Hashable]] | None = None,
    expected: Sequence[float] | None = None,
    spent: float = 0.0,
) -> Estimate:
    """The ratio of two totals, e.g. points to hands, where each unit gives one of both.

    The variance is that of the units' residuals (sum less ratio times amount), the usual one for
    ratios of cluster totals; the quantile is Student's.

    ``strata``: for each unit what was fixed about it beforehand, from the finest to the coarsest
    (opponent and seat, opponent). How much such strata differ says nothing about the uncertainty,
    so residuals are taken about the mean of their stratum. A unit alone in its stratum shares a
    coarser one. For those alone in all, ``expected`` says what sum to expect of each, the share
    ``spent`` of the data having gone into that; without it they make a stratum together, whose
    differences make the interval wider than need be.
    """
    amount = sum(amounts)
    units = len(sums)
    if not amount:
        return Estimate(None, None, None, units, 0)
    ratio = fsum(sums) / amount
    if units < PAIRS_FOR_INTERVAL:
        return Estimate(ratio, None, None, units, amount)
    residuals = [s - ratio * a for s, a in zip(sums, amounts, strict=True)]
    groups, lone = _grouped(strata or [("all",)] * units)
    variances = []
    if lone and expected is not None:
        squares = fsum((sums[unit] - expected[unit]) ** 2 for unit in lone)
        kept = max(1.0 - spent, 1e-9)
        variances.append((squares / kept, len(lone) * kept))
    elif len(lone) == 1 and groups:
        min(groups, key=len).extend(lone)
    elif lone:
        groups.append(lone)
    for members in groups:
        own = [residuals[unit] for unit in members]
        mean = fsum(own) / len(own)
        squares = fsum((value - mean) ** 2 for value in own)
        variances.append((squares * len(own) / (len(own) - 1), len(own) - 1))
    error = sqrt(fsum(variance for variance, _ in variances)) / amount
    degrees = _degrees(variances)
    if error < 1e-12 or degrees < LEAST_DEGREES:
        return Estimate(ratio, None, None, units, amount)
    reach = t_quantile((1 + confidence) / 2, degrees) * error
    return Estimate(ratio, ratio - reach, ratio + reach, units, amount)


def _grouped(strata: Sequence[Sequence[Hashable]]) -> tuple[list[list[int]], list[int]]:
    """The units of each stratum with at least two; and the units that are left."""
    groups: list[list[int]] = []
    left = list(range(len(strata)))
    for level in range(len(strata[0])):
        cells: dict[Hashable, list[int]] = {}
        for unit in left:
            cells.setdefault(strata[unit][level], []).append(unit)
        groups += [cell for cell in cells.values() if len(cell) > 1]
        left = [cell[0] for cell in cells.values() if len(cell) == 1]
    return groups, left


def _degrees(variances: Sequence[tuple[float, float]]) -> int:
    """Degrees of freedom of a sum of variances, each with its own.

    Satterthwaite's formula with unbiased estimates of the squares in it; without that, strata of
    two units would seem to hold a third of what they do.
    """
    total = fsum(variance for variance, _ in variances)
    if not total:
        return 0
    squares = fsum(variance**2 / (degrees + 2) for variance, degrees in variances)
    most = fsum(degrees for _, degrees in variances)
    # The tiny addition keeps a whole number whole.
    return int(min(most, total**2 / squares - 2) + 1e-9)


def mean_estimate(values: Sequence[float], confidence: float = CONFIDENCE) -> Estimate:
    """The mean of one value a unit."""
    return ratio_estimate(values, [1] * len(values), confidence)


def points_per_hand(
    results: Iterable[FixtureResult],
    *,
    fewer_points_win: bool = False,
    void: Collection[int] = (),
) -> dict[int, Estimate]:
    """Net hand points a hand of each entrant that has played one, against these opponents.

    ``void``: disqualified entrants, whose results count for nobody.
    """
    units = pairs(result for result in results if not set(void) & set(result.seats))
    own = sorted(units_by_entrant(units).items())
    expected = None
    if any(_met_once(shared) for _, shared in own):
        expected = _expected(units, fewer_points_win)
    return {
        entrant: _points(shared, entrant, fewer_points_win, expected) for entrant, shared in own
    }


def _points(
    units: Sequence[Pair], entrant: int, fewer_points_win: bool, expected: Expected | None
) -> Estimate:
    found = [(sums_for(unit, entrant, fewer_points_win=fewer_points_win), unit) for unit in units]
    played = [(sums, unit) for sums, unit in found if sums.hands]
    if expected is None or any(len(unit[0].seats) != 2 for _, unit in played):
        foreseen = None
    else:
        foreseen = [
            expected.points(entrant, sum(unit[0].seats) - entrant, sums.hands)
            for sums, unit in played
        ]
    return ratio_estimate(
        [sums.net_points for sums, _ in played],
        [sums.hands for sums, _ in played],
        strata=[_strata(unit, entrant) for _, unit in played],
        expected=foreseen,
        spent=0.0 if expected is None else expected.spent,
    )


def _met_once(units: Sequence[Pair]) -> bool:
    """Whether an entrant met several opponents once each, two at a table."""
    times = Counter(frozenset(unit[0].seats) for unit in units if len(unit[0].seats) == 2)
    return sum(count == 1 for count in times.values()) > 1


def _expected(units: Iterable[Pair], fewer_points_win: bool) -> Expected:
    """What to expect of matches of two."""
    leads = []
    for unit in units:
        if len(unit[0].seats) == 2:
            first, second = unit[0].seats
            sums = sums_for(unit, first, fewer_points_win=fewer_points_win)
            if sums.hands:
                leads.append(Lead(first, second, sums.net_points, sums.hands))
    return expected_points(leads)


def _strata(unit: Pair, entrant: int) -> tuple[Hashable, Hashable]:
    """Whom the entrant met and from which seats, and whom it met."""
    opponents = frozenset(unit[0].seats)
    seats = tuple(sorted(result.seats.index(entrant) for result in unit))
    return (opponents, seats), opponents
