"""Student's t distribution for whole degrees of freedom. Pure.

The standard library has the normal distribution only, and intervals from a handful of pairs are
too narrow with it. Forty lines are cheaper than a dependency on scipy.
"""

from __future__ import annotations

from functools import lru_cache
from math import atan, copysign, cos, isinf, log1p, pi, sin, sqrt
from statistics import NormalDist

NORMAL = NormalDist()
EXACT_UP_TO = 60
"""Above, Wallace's transformation to a normal value is right to six decimals, and faster."""


def t_cdf(t: float, degrees: int) -> float:
    """The probability of a value of at most ``t``: the finite series in the angle atan(t/√ν)."""
    if isinf(t):
        return 1.0 if t > 0 else 0.0
    if degrees > EXACT_UP_TO:
        size = sqrt(degrees * log1p(t * t / degrees)) * (8 * degrees + 1) / (8 * degrees + 3)
        return NORMAL.cdf(copysign(size, t))
    angle = atan(t / sqrt(degrees))
    cosine = cos(angle)
    term = cosine if degrees % 2 else 1.0
    total = 0.0
    for k in range(3 if degrees % 2 else 2, degrees + 1, 2):
        total += term
        term *= cosine * cosine * (k - 1) / k
    if degrees % 2:
        between = (angle + sin(angle) * total) * 2 / pi
    else:
        between = sin(angle) * total
    return min(1.0, max(0.0, 0.5 + between / 2))


@lru_cache(maxsize=1024)
def t_quantile(probability: float, degrees: int) -> float:
    """The value that is not exceeded with this probability, 0.5 < probability < 1."""
    low, high = 0.0, 2.0
    while t_cdf(high, degrees) < probability:
        high *= 2
    for _ in range(60):
        middle = (low + high) / 2
        if t_cdf(middle, degrees) < probability:
            low = middle
        else:
            high = middle
    return (low + high) / 2
