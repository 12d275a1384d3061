"""Ratings on an Elo-like scale with honest intervals. Pure.

From all results at once (never step by step, so nothing drifts and order does not matter). The
quantity is the chance to win a *game*; games lost by strikes count, matches that were not played do
not. 400 points are odds of ten to one. 1500 is the mean of the bots of a pool that have both won
and lost (of all, if those are fewer than two): how weak a bot is that never won nobody knows, and
the others' ratings should not hang on it. Bots that have never met, not even through others, are in
different *pools*, and their ratings cannot be compared.

Likelihoods, intervals and marks come from one fit and one measure of its uncertainty. Where results
decide who meets whom, as in a Swiss or a ladder, luck adds up, and intervals allow for that (see
`sequential`). Marks are stricter than the likelihoods: they hold for all pairs of bots together, so
that among equals any false separation is as rare as 5 %.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import log, sqrt

from arena.tournament.bradley_terry import Fit, Observation, fit
from arena.tournament.intervals import LEAST_DEGREES
from arena.tournament.marks import letters, shaffer
from arena.tournament.match import places
from arena.tournament.model import FixtureResult
from arena.tournament.pairs import game_share, pairs
from arena.tournament.profile import Profile
from arena.tournament.sequential import variance_factors
from arena.tournament.student import t_cdf, t_quantile
from arena.tournament.tally import games_played

MEAN = 1500.0
SCALE = 400 / log(10)
CONFIDENCE = 0.95
LEAST_GAMES = 2
"""With fewer games there is no rating: one game says nothing but who won it."""

LEAST_PAIRS = LEAST_DEGREES + 1
"""With fewer pairs of its own an entrant's rating has no interval, whatever the field has shown."""


class Bound(StrEnum):
    """What a rating is that rests on wins only or on losses only."""

    AT_LEAST = "at_least"
    AT_MOST = "at_most"


@dataclass(frozen=True, slots=True)
class Rating:
    """The rating of an entrant; None where there is too little to tell.

    ``low`` and ``high``: 95 % interval of the distance to 1500; both None where there are too few
    pairs for one. ``bound``: set for an unbeaten or winless entrant, whose interval is open to that
    side (None). ``pairs``: units behind it. ``pool``: from 0, None before the first game.
    ``marks``: two entrants with letters share one exactly when the data do not separate them;
    empty for those that cannot be compared with the others, see `_marks`.
    """

    entrant: int
    rating: float | None
    low: float | None
    high: float | None
    bound: Bound | None
    games: int
    games_won: float
    pairs: int
    pool: int | None
    marks: str


@dataclass(frozen=True, slots=True)
class Ratings:
    """``rows``: pool by pool, the best first, those without a rating last.

    ``likelihood``: for each ordered pair the probability that the first is stronger; None where
    the two cannot be compared, or have played too little. ``seat_effects``: rating points that the
    first seat is worth, by pool, with its interval. ``apart``: the pairs, smaller number first,
    that are told apart where all are compared at once.
    """

    rows: tuple[Rating, ...]
    likelihood: Mapping[tuple[int, int], float | None]
    seat_effects: tuple[SeatEffect, ...]
    apart: frozenset[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class SeatEffect:
    """Rating points that the first seat is worth; None where nothing can be said."""

    points: float | None
    low: float | None
    high: float | None


@dataclass(slots=True)
class _Record:
    """What an entrant has behind it.

    ``ahead`` of ``compared``: how often it was better than others; games of two, and at larger
    tables each other that it was not level with, as partners always are.
    """

    games: int = 0
    won: float = 0.0
    pairs: int = 0
    ahead: float = 0.0
    compared: int = 0


def rate(
    entrants: Collection[int],
    results: Iterable[FixtureResult],
    *,
    fewer_points_win: bool = False,
    void: Collection[int] = (),
) -> Ratings:
    """Ratings of all entrants. ``void``: disqualified ones, whose results count for nobody."""
    counted = set(entrants) - set(void)
    units = [unit for unit in pairs(results) if set(unit[0].seats) <= counted]
    observed: list[Observation] = []
    records = {entrant: _Record() for entrant in entrants}
    for number, unit in enumerate(units):
        played = [result for result in unit if sum(result.games_won) + result.games_drawn]
        for result in played:
            observed += _observations(result, number, fewer_points_win)
            order = places(result, fewer_points_win)
            games = games_played(result, order)
            for seat, entrant in enumerate(result.seats):
                record = records[entrant]
                won = result.games_won[seat] + result.games_drawn / len(result.seats)
                record.games += games
                record.won += won
                if len(result.seats) == 2:
                    record.ahead += won
                    record.compared += games
                else:
                    record.ahead += sum(other > order[seat] for other in order)
                    record.compared += sum(other != order[seat] for other in order)
        for entrant in played[0].seats if played else ():
            records[entrant].pairs += 1
    rows: list[Rating] = []
    likelihood: dict[tuple[int, int], float | None] = {
        (a, b): None for a in entrants for b in entrants if a != b
    }
    pools = [
        _Pool(pool, [o for o in observed if o.first in set(pool)], records)
        for pool in _pools(observed)
    ]
    for rated in pools:
        likelihood.update(rated.likelihood)
    apart = _apart(likelihood)
    marks = _marks([[e for e in rated.order if rated.is_rated(e)] for rated in pools], apart)
    for number, rated in enumerate(pools):
        rows += [rated.row(e, number, marks.get(e, "")) for e in rated.order]
    rows.sort(key=lambda row: row.rating is None)
    seen = {row.entrant for row in rows}
    rows += [
        Rating(entrant, None, None, None, None, 0, 0.0, 0, None, "")
        for entrant in sorted(entrants)
        if entrant not in seen
    ]
    return Ratings(tuple(rows), likelihood, tuple(pool.seat_effect() for pool in pools), apart)


def _apart(likelihood: Mapping[tuple[int, int], float | None]) -> frozenset[tuple[int, int]]:
    """The pairs that are told apart, at one level for all comparisons of the field together."""
    doubts = {
        (a, b): 2 * min(chance, 1 - chance)
        for (a, b), chance in likelihood.items()
        if chance is not None and a < b
    }
    return frozenset(shaffer(doubts, 1 - CONFIDENCE))


def _marks(pools: Sequence[Sequence[int]], apart: Collection[tuple[int, int]]) -> Mapping[int, str]:
    """Letters for the rated entrants of each pool, the best first.

    A letter less in common says that two are apart, and of bots in different pools nobody knows.
    So where no two are apart all have one letter; else those of a pool larger than every other
    have letters, and whoever cannot be compared with them has none.
    """
    rated = [pool for pool in pools if pool]
    if not apart:
        return letters([entrant for pool in rated for entrant in pool], lambda a, b: False)
    sizes = sorted(map(len, pools), reverse=True)
    if len(sizes) > 1 and sizes[0] == sizes[1]:
        return {}
    return letters(max(pools, key=len), lambda a, b: (min(a, b), max(a, b)) in apart)


def _observations(
    result: FixtureResult, unit: int, fewer_points_win: bool
) -> Iterator[Observation]:
    """The games of a match of two; at larger tables, who came before whom."""
    if len(result.seats) == 2:
        share = game_share(result)
        games = sum(result.games_won) + result.games_drawn
        if share is not None:
            yield Observation(*result.seats, share, games, True, unit)
        return
    order = places(result, fewer_points_win)
    for seat, entrant in enumerate(result.seats):
        for other in range(seat + 1, len(result.seats)):
            share = (order[seat] < order[other]) + (order[seat] == order[other]) / 2
            yield Observation(entrant, result.seats[other], share, 1.0, False, unit)


def _pools(observed: Iterable[Observation]) -> list[list[int]]:
    """Entrants connected by games, the largest pool first."""
    meets: dict[int, set[int]] = {}
    for first, second in {(o.first, o.second) for o in observed}:
        meets.setdefault(first, set()).add(second)
        meets.setdefault(second, set()).add(first)
    pools = []
    left = set(meets)
    while left:
        pool = _reached(min(left), meets)
        left -= pool
        pools.append(sorted(pool))
    return sorted(pools, key=lambda pool: (-len(pool), pool[0]))


class _Pool:
    """The fit of one pool, read entrant by entrant."""

    def __init__(
        self, pool: Sequence[int], observed: Sequence[Observation], records: Mapping[int, _Record]
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
        self._chains = _chains(observed)
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
            and self._records[entrant].pairs >= LEAST_PAIRS
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


def _chains(observed: Iterable[Observation]) -> dict[int, int]:
    """A number for each entrant, the same for two between whom games won (or drawn) lead in a
    chain both ways."""
    beats: dict[int, set[int]] = {}
    beaten: dict[int, set[int]] = {}
    left: set[int] = set()
    for o in observed:
        left |= {o.first, o.second}
        for winner, loser, share in (
            (o.first, o.second, o.share),
            (o.second, o.first, 1 - o.share),
        ):
            if share > 0:
                beats.setdefault(winner, set()).add(loser)
                beaten.setdefault(loser, set()).add(winner)
    chains: dict[int, int] = {}
    while left:
        start = min(left)
        chain = _reached(start, beats) & _reached(start, beaten)
        chains |= dict.fromkeys(chain, start)
        left -= chain
    return chains


def _reached(start: int, steps: Mapping[int, set[int]]) -> set[int]:
    found, waiting = {start}, [start]
    while waiting:
        for other in steps.get(waiting.pop(), set()) - found:
            found.add(other)
            waiting.append(other)
    return found
