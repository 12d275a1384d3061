"""The likelihood away from its top, against fits under the restriction."""

from __future__ import annotations

import random
from itertools import combinations
from math import exp, log, sqrt

import numpy as np
import pytest

from arena.tournament.statistics.bradley_terry import Fit, Observation, fit
from arena.tournament.statistics.profile import Profile


def field(generator: random.Random, strengths: list[float], games: int) -> list[Observation]:
    """So many games of each two, the first seat in turn."""
    found = []
    for unit, (a, b) in enumerate(combinations(range(len(strengths)), 2)):
        for game in range(games):
            chance = 1 / (1 + exp(strengths[b] - strengths[a]))
            won = float(generator.random() < chance)
            if game % 2:
                found.append(Observation(a, b, won, 1.0, True, unit))
            else:
                found.append(Observation(b, a, 1 - won, 1.0, True, unit))
    return found


def log_likelihood(fitted: Fit, observed: list[Observation]) -> float:
    """Of a fit with the prior left out."""
    total = 0.0
    for o in observed:
        odds = fitted.strengths[o.first] - fitted.strengths[o.second] + o.seated * fitted.seat
        total += o.weight * (o.share * odds - float(np.logaddexp(0, odds)))
    return total


@pytest.mark.parametrize("last", [0.0, -1.5, -9.0])
def test_the_root_is_that_of_a_fit_that_holds_two_equal(last: float) -> None:
    """Entrants 0 and 3 merged into one and fitted anew; also where 3 has lost everything."""
    observed = field(random.Random(2), [0.5, 0.0, -0.3, last], 40)
    free = fit(4, observed, prior_games=1e-9)
    merged = [
        o._replace(first=o.first % 3, second=o.second % 3)
        for o in observed
        if {o.first, o.second} != {0, 3}
    ]
    equal = fit(3, merged, prior_games=1e-9)
    own = sum(
        o.share * equal.seat - float(np.logaddexp(0, equal.seat))
        for o in observed
        if {o.first, o.second} == {0, 3}
    )
    exact = sqrt(2 * (log_likelihood(free, observed) - log_likelihood(equal, merged) - own))
    fitted = fit(4, observed)

    assert abs(Profile(fitted, observed).roots()[0, 3]) == pytest.approx(exact, rel=0.1)


def test_roots_are_opposite_and_between_neighbours_those_of_the_parabola() -> None:
    """Many games of bots that are close: the gap by its standard error."""
    observed = field(random.Random(4), [0.2, 0.0, 0.1], 300)
    fitted = fit(3, observed)
    roots = Profile(fitted, observed).roots()

    assert roots == pytest.approx(-roots.T)
    for a, b in combinations(range(3), 2):
        covariance = fitted.covariance
        error = sqrt(covariance[a, a] + covariance[b, b] - 2 * covariance[a, b])
        expected = (fitted.strengths[a] - fitted.strengths[b]) / error
        assert roots[a, b] == pytest.approx(expected, rel=0.02, abs=0.01)


def test_reaches_end_where_the_likelihood_has_fallen_so_far() -> None:
    """Two bots, 20 games, all won by the first: the second's reach up is where e^-2 is left."""
    observed = [Observation(0, 1, 1.0, 20.0, False, 0)]
    fitted = fit(2, observed)
    held = 1 / np.diagonal(fitted.information)[:-1]
    _, up = Profile(fitted, observed).reaches(held, np.array([2.0, 2.0]))
    gap = float(fitted.strengths[0] - fitted.strengths[1])
    games, drawn = 20.0, float(fitted.added[0])

    def likelihood(gap: float) -> float:
        """Of all games won, and of the drawn game that the fit adds."""
        return -(games + drawn / 2) * log(1 + exp(-gap)) - drawn / 2 * log(1 + exp(gap))

    # The prior, half a drawn game, has a small part in it.
    assert likelihood(gap) - likelihood(gap - float(up[1])) == pytest.approx(2.0, abs=0.2)


def test_few_games_for_many_strengths_do_not_drive_them_apart() -> None:
    """Twelve bots, two games of each two: the fit's spread is that of the truth, on the average."""
    truth = np.array([0.25 * (entrant - 5.5) for entrant in range(12)])
    slopes = []
    for seed in range(60):
        fitted = fit(12, field(random.Random(seed), truth.tolist(), 2)).strengths
        slopes.append(float(truth @ (fitted - fitted.mean()) / (truth @ truth)))

    # The standard error is 0.02; without the draws that are added the mean is 1.1.
    assert sum(slopes) / 60 == pytest.approx(1.0, abs=0.06)
