"""Ratings on an Elo-like scale with honest intervals. Pure.

From all results at once (never step by step, so nothing drifts and order does not matter). The
quantity is the chance to win a *game*; games lost by strikes count, matches that were not played do
not. 400 points are odds of ten to one, the mean of a pool is 1500. Bots that have never met, not
even through others, are in different *pools*, and their ratings cannot be compared.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import log, sqrt

from arena.tournament.bradley_terry import Fit, Observation, fit
from arena.tournament.marks import holm, letters
from arena.tournament.match import places
from arena.tournament.model import FixtureResult
from arena.tournament.pairs import game_share, pairs
from arena.tournament.student import t_cdf, t_quantile

MEAN = 1500.0
SCALE = 400 / log(10)
CONFIDENCE = 0.95
LEAST_GAMES = 2
"""With fewer games there is no rating: one game says nothing but who won it."""


class Bound(StrEnum):
    """What a rating is that rests on wins only or on losses only."""

    AT_LEAST = "at_least"
    AT_MOST = "at_most"


@dataclass(frozen=True, slots=True)
class Rating:
    """The rating of an entrant; None where there is too little to tell.

    ``low`` and ``high``: 95 % interval of the distance to the pool's mean. ``bound``: set for an
    unbeaten or winless entrant, whose interval is open to that side (None). ``pairs``: units
    behind it. ``pool``: from 0, None before the first game. ``marks``: entrants of a pool that
    share a letter are not separated by the data.
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
    the two cannot be compared. ``seat_effect``: rating points that the first seat is worth, by
    pool, with its interval.
    """

    rows: tuple[Rating, ...]
    likelihood: Mapping[tuple[int, int], float | None]
    seat_effects: tuple[SeatEffect, ...]


@dataclass(frozen=True, slots=True)
class SeatEffect:
    """Rating points that the first seat is worth; None where nothing can be said."""

    points: float | None
    low: float | None
    high: float | None


@dataclass(slots=True)
class _Record:
    """What an entrant has behind it."""

    games: int = 0
    won: float = 0.0
    pairs: int = 0


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
            for entrant, won in zip(result.seats, result.games_won, strict=True):
                records[entrant].games += sum(result.games_won) + result.games_drawn
                records[entrant].won += won + result.games_drawn / len(result.seats)
        for entrant in played[0].seats if played else ():
            records[entrant].pairs += 1
    rows: list[Rating] = []
    likelihood: dict[tuple[int, int], float | None] = {
        (a, b): None for a in entrants for b in entrants if a != b
    }
    seat_effects = []
    used_letters = 0
    for number, pool in enumerate(_pools(observed)):
        rated = _Pool(pool, [o for o in observed if o.first in set(pool)], records)
        marks, used_letters = rated.marks(used_letters)
        rows += [rated.row(e, number, marks[e]) for e in rated.order]
        likelihood.update(rated.likelihood)
        seat_effects.append(rated.seat_effect())
    rows.sort(key=lambda row: row.rating is None)
    seen = {row.entrant for row in rows}
    rows += [
        Rating(entrant, None, None, None, None, 0, 0.0, 0, None, "")
        for entrant in sorted(entrants)
        if entrant not in seen
    ]
    return Ratings(tuple(rows), likelihood, tuple(seat_effects))


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
        self._index = {entrant: index for index, entrant in enumerate(pool)}
        self._records = records
        index = self._index
        numbers = {unit: n for n, unit in enumerate(sorted({o.unit for o in observed}))}
        self._seated = any(o.seated for o in observed)
        self._units = len(numbers)
        self._fit: Fit = fit(
            len(pool),
            [
                o._replace(first=index[o.first], second=index[o.second], unit=numbers[o.unit])
                for o in observed
            ],
        )
        self._chained = _is_chained(observed)
        self.order = sorted(pool, key=lambda e: (-self._fit.strengths[index[e]], e))
        self.likelihood = self._likelihood()

    def _variance(self, weights: Mapping[int, int]) -> float:
        """Of a sum of strengths with these weights.

        Where wins lead only one way between two parts of the pool the best fit is infinite but
        for the prior, and residuals next to nothing: there the plain variance is the least taken.
        """
        robust = plain = 0.0
        for a, x in weights.items():
            for b, y in weights.items():
                i, j = self._index[a], self._index[b]
                robust += x * y * self._fit.covariance[i][j]
                plain += x * y * self._fit.plain_covariance[i][j]
        return robust if self._chained else max(robust, plain)

    def _is_rated(self, entrant: int) -> bool:
        return self._records[entrant].games >= LEAST_GAMES

    def row(self, entrant: int, pool: int, marks: str) -> Rating:
        """The rating of an entrant."""
        record = self._records[entrant]
        rating = low = high = bound = None
        if self._is_rated(entrant):
            rating = MEAN + SCALE * self._fit.strengths[self._index[entrant]]
            if record.won in (0, record.games):
                bound = Bound.AT_LEAST if record.won else Bound.AT_MOST
            reach = self._reach(self._variance({entrant: 1}), record.pairs)
            if reach is not None:
                low = None if bound is Bound.AT_MOST else rating - reach
                high = None if bound is Bound.AT_LEAST else rating + reach
        return Rating(
            entrant, rating, low, high, bound, record.games, record.won, record.pairs, pool, marks
        )

    def _reach(self, variance: float, units: int) -> float | None:
        """Half the interval in rating points; None when the data cannot tell."""
        if units < 2 or variance < 1e-12:
            return None
        return SCALE * t_quantile((1 + CONFIDENCE) / 2, units - 1) * sqrt(variance)

    def _likelihood(self) -> dict[tuple[int, int], float | None]:
        """For each ordered pair the probability that the first is stronger."""
        chances: dict[tuple[int, int], float | None] = {}
        for place, a in enumerate(self.order):
            for b in self.order[place + 1 :]:
                chance = self._chance(a, b)
                chances[a, b] = chance
                chances[b, a] = None if chance is None else 1 - chance
        return chances

    def _chance(self, a: int, b: int) -> float | None:
        units = min(self._records[a].pairs, self._records[b].pairs)
        if not (self._is_rated(a) and self._is_rated(b)) or units < 2:
            return None
        variance = self._variance({a: 1, b: -1})
        gap = self._fit.strengths[self._index[a]] - self._fit.strengths[self._index[b]]
        if variance < 1e-12:
            return None
        return t_cdf(gap / sqrt(variance), units - 1)

    def marks(self, used: int) -> tuple[dict[int, str], int]:
        """The marks of the pool, with letters that no other pool uses; how many are used now."""
        doubts = {
            (a, b): 2 * min(chance, 1 - chance)
            for (a, b), chance in self.likelihood.items()
            if chance is not None and a < b
        }
        apart = holm(doubts, 1 - CONFIDENCE)
        rated = [entrant for entrant in self.order if self._is_rated(entrant)]
        marks, used = letters(rated, lambda a, b: (min(a, b), max(a, b)) in apart, used)
        return {entrant: marks.get(entrant, "") for entrant in self.order}, used

    def seat_effect(self) -> SeatEffect:
        """What the first seat is worth."""
        if not self._seated:
            return SeatEffect(None, None, None)
        points = SCALE * self._fit.seat
        reach = self._reach(self._fit.seat_variance, self._units)
        if reach is None:
            return SeatEffect(points, None, None)
        return SeatEffect(points, points - reach, points + reach)


def _is_chained(observed: Iterable[Observation]) -> bool:
    """Whether from everybody to everybody else a chain of games won (or drawn) leads."""
    beats: dict[int, set[int]] = {}
    beaten: dict[int, set[int]] = {}
    everybody: set[int] = set()
    for o in observed:
        everybody |= {o.first, o.second}
        for winner, loser, share in (
            (o.first, o.second, o.share),
            (o.second, o.first, 1 - o.share),
        ):
            if share > 0:
                beats.setdefault(winner, set()).add(loser)
                beaten.setdefault(loser, set()).add(winner)
    start = min(everybody)
    return _reached(start, beats) == everybody == _reached(start, beaten)


def _reached(start: int, steps: Mapping[int, set[int]]) -> set[int]:
    found, waiting = {start}, [start]
    while waiting:
        for other in steps.get(waiting.pop(), set()) - found:
            found.add(other)
            waiting.append(other)
    return found
