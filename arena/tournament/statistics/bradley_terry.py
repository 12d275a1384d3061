"""Fits the Bradley-Terry model: strengths from who beat whom. Pure.

The log-odds that the first wins are its strength less the second's, plus an advantage of the first
seat. A drawn game is half a win. The fit maximises the likelihood by Newton's method, with a tenth
of a drawn game against an average entrant added for everybody (and between the seats), so that
every system has a solution. With few games for many strengths that fit is too extreme:
strengths follow luck, all the more the further out they are. So, after Firth (1993), each
observation is given as much of a drawn game as its share in its own fit; so an unbeaten or winless
record stays finite too.

The inverse of the information is the covariance if all games were independent. Those of a mirrored
pair are not, so it is to be multiplied by the *dispersion*: how much larger the residuals of pairs
are than independent games would make them. One figure for the whole field is steady also where each
entrant has only a few pairs; the seat has its own, since halves that cancel for entrants add up for
seats.

numpy does the algebra, 200 entrants in a fraction of a second; it is imported on first use, since
most commands never rate anything. choix fits the strengths alone, without seats, clusters or
intervals, and brings scipy; statsmodels could do it as a generalised linear model, and brings
scipy and pandas for these few lines of algebra.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from arena.arrays import load_numpy

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

PRIOR_GAMES = 0.1
MOST_STEPS = 100
PRECISION = 1e-11
CHUNK = 4096


class Observation(NamedTuple):
    """Games between two entrants (indices 0…n-1) with one of them on the first seat.

    ``share`` of ``weight`` games was won by ``first``. ``seated``: whether the first seat may
    matter (not at larger tables). ``unit``: number of the mirrored pair, from 0.
    """

    first: int
    second: int
    share: float
    weight: float
    seated: bool
    unit: int


@dataclass(frozen=True, slots=True)
class Fit:
    """``strengths`` in log-odds; only their differences mean something.

    ``information``: of the strengths and, last, of the seat, with the drawn games that were
    ``added`` to each observation. ``covariance``: the inverse without those, to be multiplied by
    ``dispersion``. ``units``: how many pairs the residuals are worth; fewer than were played where
    some were decided beforehand. ``seat``: log-odds that the first seat adds, ``seat_dispersion``
    what its variance is to be multiplied by.
    """

    strengths: Floats
    information: Floats
    covariance: Floats
    dispersion: float
    units: float
    seat: float
    seat_dispersion: float
    added: Floats


def fit(
    entrants: int, observations: Sequence[Observation], prior_games: float = PRIOR_GAMES
) -> Fit:
    """The strengths that make the observations most likely."""
    load_numpy()
    import numpy as np

    data = _Data(entrants, observations, prior_games)
    values = np.zeros(entrants + 1)
    added = np.zeros(len(observations))
    for _ in range(MOST_STEPS):
        slope, curve = data.derivatives(values, added)
        step = np.linalg.solve(curve, slope)
        longest = float(np.abs(step).max())
        # Far from the top a full step may overshoot; one unit of log-odds never does.
        values = values + step / max(1.0, longest)
        if longest < PRECISION:
            break
        added = data.leverages(values)
    information = data.derivatives(values, added)[1]
    covariance = np.linalg.inv(data.derivatives(values, np.zeros_like(added))[1])
    dispersion, units, seat_dispersion = data.dispersions(values)
    return Fit(
        strengths=values[:-1],
        information=information,
        covariance=np.asarray(covariance, dtype=np.float64),
        dispersion=dispersion,
        units=units,
        seat=float(values[-1]),
        seat_dispersion=seat_dispersion,
        added=added,
    )


class _Data:
    """The observations as arrays. Parameter number ``entrants`` is the seat."""

    def __init__(
        self, entrants: int, observations: Sequence[Observation], prior_games: float
    ) -> None:
        import numpy as np

        self.first = np.array([o.first for o in observations])
        self.second = np.array([o.second for o in observations])
        self.seat = np.full(len(observations), entrants)
        self.share = np.array([o.share for o in observations])
        self.weight = np.array([o.weight for o in observations])
        self.seated = np.array([float(o.seated) for o in observations])
        self.unit = np.array([o.unit for o in observations])
        self.width = entrants + 1
        self.prior_games = prior_games

    def chances(self, values: Floats) -> Floats:
        """The first's chance in each observation."""
        return _logistic(values[self.first] - values[self.second] + self.seated * values[-1])

    def columns(self) -> list[tuple[Ints, Floats]]:
        """The parameters of each observation with their signs."""
        import numpy as np

        plus = np.ones(len(self.share))
        return [(self.first, plus), (self.second, -plus), (self.seat, self.seated)]

    def leverages(self, values: Floats) -> Floats:
        """How much of each observation goes into its own fit."""
        import numpy as np

        chance = self.chances(values)
        spread = self.weight * chance * (1 - chance)
        inverse = np.linalg.inv(self.derivatives(values, np.zeros_like(spread))[1])
        found = np.zeros_like(spread)
        for row, sign in self.columns():
            for column, other in self.columns():
                found += spread * sign * other * inverse[row, column]
        return found

    def derivatives(self, values: Floats, added: Floats) -> tuple[Floats, Floats]:
        """Gradient and negative Hessian of the log-likelihood with the prior, so much of a drawn
        game being added to each observation."""
        import numpy as np

        chance, prior = self.chances(values), _logistic(values)
        residual = self.weight * (self.share - chance) + added * (0.5 - chance)
        spread = (self.weight + added) * chance * (1 - chance)
        slope = self.prior_games * (0.5 - prior)
        curve = np.diag(self.prior_games * prior * (1 - prior))
        for row, sign in self.columns():
            slope += np.bincount(row, residual * sign, self.width)
            for column, other in self.columns():
                curve += _scatter(row, column, spread * sign * other, self.width, self.width)
        return slope, curve

    def dispersions(self, values: Floats) -> tuple[float, float, float]:
        """Squares of the units' scores by what independent games would give, for strengths and for
        the seat, and how many units that is worth.

        Units are taken in chunks, so that memory stays bounded however many there are.
        """
        import numpy as np

        chance = self.chances(values)
        residual = self.weight * (self.share - chance)
        spread = self.weight * chance * (1 - chance)
        total = int(self.unit.max()) + 1
        squares = np.zeros(self.width)
        for start in range(0, total, CHUNK):
            own = (self.unit >= start) & (self.unit < start + CHUNK)
            row = self.unit[own] - start
            scores = np.zeros((CHUNK, self.width))
            for column, sign in self.columns():
                part = residual[own] * sign[own]
                scores += _scatter(row, column[own], part, CHUNK, self.width)
            squares += np.square(scores).sum(axis=0)
        by_unit = np.bincount(self.unit, spread, total)
        everything = float(by_unit.sum())
        seated = float((spread * self.seated).sum())
        return (
            float(squares[:-1].sum()) / (2 * everything),
            everything**2 / float(np.square(by_unit).sum()),
            float(squares[-1]) / seated if seated else 1.0,
        )


def _logistic(values: Floats) -> Floats:
    import numpy as np

    return np.asarray(1 / (1 + np.exp(-np.clip(values, -500, 500))))


def _scatter(row: Ints, column: Ints, values: Floats, rows: int, columns: int) -> Floats:
    """A matrix with the values added up at their places."""
    import numpy as np

    flat = np.bincount(row * columns + column, values, rows * columns)
    return np.asarray(flat, dtype=np.float64).reshape(rows, columns)
