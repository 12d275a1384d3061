"""How far ratings may be from the truth where results decided who met whom. Pure.

In a Swiss whoever won by luck meets others that did, and the luck adds up: among thirty-two equal
bots the errors after nine rounds are half as large again as the covariance of the fit says, which
takes the schedule as given. What was expected of the strengths beforehand, and the likelihood of
the results, do not depend on how the pairings came about. So where strengths are normally
distributed with some spread, the error that a rating must be expected to have follows from the data
alone; the spread, which nobody knows, is averaged over, each weighing by its likelihood.

The covariance is right for a schedule that nobody's luck has made, and the expected error for
strengths that follow the normal distribution. The middle between both variances holds in Swiss
tournaments of 8 to 64 bots, equal ones and unlike ones, and in ladders: see the coverage that
``tests/bench/bench_statistics.py`` prints.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

WIDEST_SPREAD = 2.0
"""The largest standard deviation of strengths that is considered, in log-odds (350 points)."""

SPREADS = 41
"""So many spreads from 0 to the widest are averaged over."""

SMALLEST = 1e-9
"""Variances below this share of the largest count as 0. One always does: strengths are known only
up to a common constant."""


def variance_factors(strengths: Floats, covariance: Floats) -> Floats:
    """For each strength what its variance is to be multiplied by.

    ``covariance``: of the strengths, as if the schedule had been fixed beforehand.
    """
    import numpy as np

    size = len(strengths)
    centred = np.eye(size) - 1 / size
    held = centred @ covariance @ centred
    found, directions = np.linalg.eigh(held)
    counts = found > SMALLEST * max(float(found[-1]), SMALLEST)
    found, directions = found[counts], directions[:, counts]
    lengths = directions.T @ (strengths - strengths.mean())
    spreads = np.linspace(0, WIDEST_SPREAD, SPREADS) ** 2
    totals = found[None, :] + spreads[:, None]
    likelihoods = -0.5 * (np.log(totals) + lengths**2 / totals).sum(axis=1)
    weights = np.exp(likelihoods - likelihoods.max())
    weights /= weights.sum()
    errors = np.zeros(size)
    for spread, weight in zip(spreads.tolist(), weights.tolist(), strict=True):
        if weight > SMALLEST:
            drawn_in = found / (found + spread)
            away = directions @ (drawn_in * lengths)
            left = (directions**2) @ ((1 - drawn_in) * found)
            errors += weight * (left + away**2)
    variances = np.diagonal(held)
    safe = np.where(variances > 0, variances, 1.0)
    return np.asarray(np.where(variances > 0, (1 + errors / safe) / 2, 1.0))
