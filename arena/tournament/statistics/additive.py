"""What points a hand to expect of a pair from how everybody did against everybody. Pure.

Where two met only once nothing tells how much of the result was luck. All results together do: each
entrant is given a strength in points a hand, a pair is expected to end by the difference of both,
and what it ended by beside that is its residual. That strengths do not quite add up makes residuals
larger, so that intervals that rest on them are rather too wide than too narrow.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from arena.arrays import load_numpy


class Lead(NamedTuple):
    """By how many points ``first`` led ``second`` after so many hands, at least one."""

    first: int
    second: int
    points: float
    hands: int


@dataclass(frozen=True, slots=True)
class Expected:
    """``strengths`` in points a hand, by entrant; only differences within a pool mean something.

    ``spent``: the share of the data that went into the strengths, by which residuals are too small.
    """

    strengths: dict[int, float]
    spent: float

    def points(self, first: int, second: int, hands: int) -> float:
        """The lead to expect of the first after so many hands."""
        return (self.strengths[first] - self.strengths[second]) * hands


def expected_points(leads: Sequence[Lead]) -> Expected:
    """The strengths with the least squares of residuals a hand, weighted by hands."""
    load_numpy()
    import numpy as np

    entrants = sorted({entrant for lead in leads for entrant in lead[:2]})
    if not entrants:
        return Expected({}, 1.0)
    index = {entrant: at for at, entrant in enumerate(entrants)}
    normal = np.zeros((len(entrants), len(entrants)))
    right = np.zeros(len(entrants))
    for lead in leads:
        a, b = index[lead.first], index[lead.second]
        normal[a, a] += lead.hands
        normal[b, b] += lead.hands
        normal[a, b] -= lead.hands
        normal[b, a] -= lead.hands
        right[a] += lead.points
        right[b] -= lead.points
    solution, _, rank, _ = np.linalg.lstsq(normal, right, rcond=None)
    return Expected(dict(zip(entrants, solution.tolist(), strict=True)), int(rank) / len(leads))
