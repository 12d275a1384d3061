"""Sequential test: stop as soon as it is clear whether one bot is better than another. Pure.

Wald's sequential probability ratio test on mirrored pairs. The hypotheses are two values of the
mean that a pair yields; the log-likelihood ratio is that of normal means with an unknown variance
(the generalised SPRT: each hypothesis takes the variance that fits it best),

    LLR = n/2 · ln[(v + (m - low)²) / (v + (m - high)²)]

for n pairs with mean m and variance v. Taking pairs and not games as the unit makes the test right
however the halves are correlated; for scores of a pair (0, ¼, ½, ¾, 1) it is what chess engine
testers call the pentanomial test.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from math import log

from arena.errors import ConfigError
from arena.tournament.model import FixtureResult
from arena.tournament.statistics.intervals import Estimate, mean_estimate, points_per_hand
from arena.tournament.statistics.pairs import Pair, pairs, sums_for

PAIRS_FOR_DECISION = 20
"""No decision before: with fewer the variance is too uncertain for the promised error rates."""


class Decision(StrEnum):
    """What the test says so far."""

    GO_ON = "go_on"
    LOW = "low"
    """The lower hypothesis is accepted: no improvement of the size looked for."""
    HIGH = "high"
    """The higher hypothesis is accepted."""


@dataclass(frozen=True, slots=True)
class SprtSettings:
    """``low`` and ``high``: the two means to tell apart, in units of the values of pairs.

    ``alpha``: chance of accepting `HIGH` when the mean is ``low``; ``beta``: of `LOW` when it is
    ``high``.

    :raises ConfigError: when they make no test.
    """

    low: float
    high: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not self.low < self.high:
            raise ConfigError(f"low = {self.low}, high = {self.high}: low must be below high")
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise ConfigError(
                f"alpha = {self.alpha}, beta = {self.beta}: both must lie between 0 and 0.5"
            )

    @property
    def lower_bound(self) -> float:
        """The LLR at which `LOW` is accepted."""
        return log(self.beta / (1 - self.alpha))

    @property
    def upper_bound(self) -> float:
        """The LLR at which `HIGH` is accepted."""
        return log((1 - self.beta) / self.alpha)


@dataclass(frozen=True, slots=True)
class SprtState:
    """``llr`` after ``pairs`` pairs, None before `PAIRS_FOR_DECISION`; bounds; the decision.

    ``estimate``: mean and plain 95 % interval of the pairs that the decision rests on. After a
    stop it is a little too far from the middle, as of every test that stops at an extreme.
    """

    llr: float | None
    lower_bound: float
    upper_bound: float
    decision: Decision
    pairs: int
    estimate: Estimate


class RunningTest:
    """The test while values come in. ``decision``: what it says so far."""

    def __init__(self, settings: SprtSettings) -> None:
        self.decision = Decision.GO_ON
        self._settings = settings
        self._seen: list[float] = []
        self._total = 0.0
        self._squares = 0.0
        self._llr: float | None = None

    def take(self, values: Iterable[float]) -> Decision:
        """Look at further values one by one, at none after the decision; what it says then."""
        for value in values:
            if self.decision is not Decision.GO_ON:
                break
            self._seen.append(value)
            self._total += value
            self._squares += value * value
            if len(self._seen) >= PAIRS_FOR_DECISION:
                self._decide()
        return self.decision

    def _decide(self) -> None:
        settings = self._settings
        llr = self._llr = _llr(len(self._seen), self._total, self._squares, settings)
        if llr >= settings.upper_bound:
            self.decision = Decision.HIGH
        elif llr <= settings.lower_bound:
            self.decision = Decision.LOW

    @property
    def state(self) -> SprtState:
        """Where it stands."""
        return SprtState(
            self._llr,
            self._settings.lower_bound,
            self._settings.upper_bound,
            self.decision,
            len(self._seen),
            mean_estimate(self._seen),
        )


def sprt(values: Iterable[float], settings: SprtSettings) -> SprtState:
    """The test over the values of pairs in order of the schedule; it stops at the first decision.

    Values after the decision are not looked at: a test that goes on looking has other error rates.
    """
    test = RunningTest(settings)
    test.take(values)
    return test.state


def _llr(pairs: int, total: float, squares: float, settings: SprtSettings) -> float:
    mean = total / pairs
    # Pairs that are all alike (a bot against itself) have no variance; a sliver keeps this finite.
    sliver = ((settings.high - settings.low) / pairs) ** 2
    variance = max(squares / pairs - mean * mean, sliver)
    low = variance + (mean - settings.low) ** 2
    high = variance + (mean - settings.high) ** 2
    return pairs / 2 * log(low / high)


def complete_pairs(results: Iterable[FixtureResult], first: int, second: int) -> list[Pair]:
    """The mirrored pairs of two entrants in order of the schedule, up to the first unfinished one.

    Short matches end sooner than long ones; taking pairs as they finish would favour the results
    that come quickly.
    """
    complete = []
    for unit in pairs(results):
        if set(unit[0].seats) == {first, second}:
            if len(unit) < 2:
                break
            complete.append(unit)
    return complete


def pair_scores(results: Iterable[FixtureResult], first: int, second: int) -> list[float]:
    """The share of games that ``first`` won in each pair, drawn games half; pairs without a
    finished game are left out."""
    sums = [sums_for(unit, first) for unit in complete_pairs(results, first, second)]
    return [s.games_won / s.games for s in sums if s.games]


def points_against(results: Iterable[FixtureResult], first: int, second: int) -> Estimate:
    """The net hand points a hand of ``first``, from the complete pairs of the two."""
    played = [result for unit in complete_pairs(results, first, second) for result in unit]
    return points_per_hand(played).get(first, Estimate(None, None, None, 0, 0))
