"""The ratings of one pool, read from one fit and one measure of its uncertainty. Pure.

Of whom a rating, an interval or a likelihood is given at all is decided here too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from math import sqrt

from arena.tournament.statistics.bradley_terry import Fit, Observation, fit
from arena.tournament.statistics.connected import chains_of
from arena.tournament.statistics.evidence import Record
from arena.tournament.statistics.intervals import LEAST_DEGREES
from arena.tournament.statistics.profile import Profile
from arena.tournament.statistics.rating import (
    CONFIDENCE,
    LEAST_GAMES,
    MEAN,
    PAIRS_FOR_INTERVAL,
    SCALE,
    Bound,
    Rating,
    SeatEffect,
)
from arena.tournament.statistics.sequential import variance_factors
from arena.tournament.statistics.student import t_cdf, t_quantile


class RatedPool:
    """The fit of one pool, read entrant by entrant."""

    def __init__(
        self, pool: Sequence[int], observed: Sequence[Observation], records: Mapping[int, Record]
    ) -> None:
        index = {entrant: number for number, entrant in enumerate(pool)}
        numbers = {unit: n for n, unit in enumerate(sorted({o.unit for o in observed}))}
        numbered = [
            o._replace(first=index[o.first], second=index[o.second], unit=numbers[o.unit])
            for o in observed
        ]
        self._pool = pool
        self._index = index
        self._records = records
        self._seated = any(o.seated for o in observed)
        self._fit: Fit = fit(len(pool), numbered)
        self._profile = Profile(self._fit, numbered)
        self._chains = chains_of(observed)
        self._met: dict[int, Counter[int]] = {entrant: Counter() for entrant in pool}
        for o in observed:
            self._met[o.first][o.second] += 1
            self._met[o.second][o.first] += 1
        self._core = [e for e in pool if 0 < records[e].ahead < records[e].compared]
        if len(self._core) < 2:
            self._core = list(pool)
        self._degrees, self._correction = self._freedom(len(observed) / len(numbers))
        strengths = self._fit.strengths
        self._mean = sum(float(strengths[index[e]]) for e in self._core) / len(self._core)
        self.order = sorted(pool, key=lambda e: (-strengths[index[e]], e))
        self._reaches = self._all_reaches()
        self.likelihood = self._likelihood()

    def _freedom(self, observations: float) -> tuple[int, float]:
        """Degrees of freedom of the residuals, and the factor by which the fit made them small."""
        # A table of k seats in every order says k - 1 things; a pair of two says one.
        seats = 2.0 if self._seated else (1 + sqrt(1 + 8 * max(1.0, observations))) / 2
        values = self._fit.units * min(seats - 1, len(self._pool) - 1)
        left = values - (len(self._core) - 1) - self._seated
        if left <= 0:
            return 0, 1.0
        return int(left + 1e-9), values / left

    def _dispersion(self, chained: bool) -> float:
        """What variances of a fit are to be multiplied by.

        Where wins lead only one way between two parts of the pool the fit is as extreme as the
        prior lets it, and residuals are next to nothing: there at least that of independent games.
        """
        measured = self._fit.dispersion * self._correction
        return measured if chained else max(1.0, measured)

    def is_rated(self, entrant: int) -> bool:
        """Whether it has played enough for a rating."""
        return self._records[entrant].games >= LEAST_GAMES

    def _has_interval(self, entrant: int) -> bool:
        return (
            self.is_rated(entrant)
            and self._records[entrant].pairs >= PAIRS_FOR_INTERVAL
            and self._degrees >= LEAST_DEGREES
            and self._fit.dispersion > 1e-12
        )

    def row(self, entrant: int, pool: int, marks: str) -> Rating:
        """The rating of an entrant."""
        record = self._records[entrant]
        rating = low = high = bound = None
        if self.is_rated(entrant):
            rating = MEAN + SCALE * (float(self._fit.strengths[self._index[entrant]]) - self._mean)
            if record.compared and record.ahead in (0, record.compared):
                bound = Bound.AT_LEAST if record.ahead else Bound.AT_MOST
            if self._has_interval(entrant):
                down, up = self._reaches[entrant]
                low = None if bound is Bound.AT_MOST else rating - SCALE * down
                high = None if bound is Bound.AT_LEAST else rating + SCALE * up
        return Rating(
            entrant, rating, low, high, bound, record.games, record.won, record.pairs, pool, marks
        )

    def _met_all(self, entrant: int) -> bool:
        """Whether it has met everybody."""
        return len(self._met[entrant]) == len(self._pool) - 1

    def _met_by_results(self, entrant: int) -> bool:
        """Whether whom it met may have followed from results: not all of them equally often."""
        return not self._met_all(entrant) or len(set(self._met[entrant].values())) > 1

    def _pair_degrees(self, *entrants: int) -> int:
        """Degrees of freedom of the difference of two.

        The dispersion is the field's. But of those that have not met everybody the errors are
        larger than the covariance of the fit says, see `sequential`; of differences it is not known
        by how much, and their own few pairs are what counts.
        """
        own = [self._records[e].pairs - 1 for e in entrants if not self._met_all(e)]
        return min(self._degrees, *own) if own else self._degrees

    def _all_reaches(self) -> dict[int, tuple[float, float]]:
        """How far each interval reaches down and up, in log-odds."""
        import numpy as np

        if self._degrees < LEAST_DEGREES:
            return {}
        covariance = self._fit.covariance[:-1, :-1]
        core = [self._index[entrant] for entrant in self._core]
        of_mean = covariance[:, core].mean(axis=1)
        variances = np.diagonal(covariance) - 2 * of_mean + float(of_mean[core].mean())
        together = len({self._chains[entrant] for entrant in self._core}) == 1
        home = self._chains[self._core[0]]
        dispersions = np.array(
            [self._dispersion(together and self._chains[entrant] == home) for entrant in self._pool]
        )
        by_luck = np.array([self._met_by_results(entrant) for entrant in self._pool])
        if by_luck.any():
            factors = variance_factors(self._fit.strengths, covariance * self._dispersion(together))
            variances = np.where(by_luck, variances * factors, variances)
        distance = t_quantile((1 + CONFIDENCE) / 2, self._degrees)
        down, up = self._profile.reaches(
            variances * dispersions, np.full(len(self._pool), distance)
        )
        return {e: (float(down[i]), float(up[i])) for e, i in self._index.items()}

    def _likelihood(self) -> dict[tuple[int, int], float | None]:
        """For each ordered pair the probability that the first is stronger."""
        chances: dict[tuple[int, int], float | None] = {}
        roots = self._profile.roots().tolist() if self._degrees >= LEAST_DEGREES else None
        scale = {chained: sqrt(self._dispersion(chained)) for chained in (True, False)}
        for place, a in enumerate(self.order):
            for b in self.order[place + 1 :]:
                chance = None
                if roots and self._has_interval(a) and self._has_interval(b):
                    root = roots[self._index[a]][self._index[b]]
                    chained = self._chains[a] == self._chains[b]
                    chance = t_cdf(root / scale[chained], self._pair_degrees(a, b))
                chances[a, b] = chance
                chances[b, a] = None if chance is None else 1 - chance
        return chances

    def seat_effect(self) -> SeatEffect:
        """What the first seat is worth; nothing is said from too few pairs."""
        if not self._seated or self._degrees < LEAST_DEGREES:
            return SeatEffect(None, None, None)
        points = SCALE * self._fit.seat
        spread = self._fit.seat_dispersion * self._correction
        variance = float(self._fit.covariance[-1, -1]) * spread
        if variance < 1e-12:
            return SeatEffect(points, None, None)
        reach = SCALE * t_quantile((1 + CONFIDENCE) / 2, self._degrees) * sqrt(variance)
        return SeatEffect(points, points - reach, points + reach)
