"""Ratings where results decide who meets whom: luck adds up, and intervals allow for it."""

from __future__ import annotations

import random
from statistics import median

import numpy as np
import pytest

from arena.tournament.formats.swiss import Swiss
from arena.tournament.model import FormatOptions
from arena.tournament.statistics.planning import plan
from arena.tournament.statistics.rating import MEAN
from arena.tournament.statistics.ratings import rate
from arena.tournament.statistics.sequential import variance_factors
from tests.tournament.simulation import by_rounds


def test_intervals_of_a_swiss_among_equals_hold() -> None:
    """Thirty-two equal bots, nine rounds: 1500 is within 95 % of the intervals, or more.

    By the covariance of the fit, which takes the schedule as given, it is within 78 %.
    """
    inside = total = 0
    for seed in range(4):
        options = FormatOptions(games=1, rounds=9)
        results = by_rounds(Swiss(), [0.0] * 32, options, random.Random(seed))
        for row in rate(range(32), results).rows:
            assert row.low is not None
            assert row.high is not None
            inside += row.low <= MEAN <= row.high
            total += 1

    assert total == 128
    assert inside / total >= 0.95


def test_planned_interval_of_a_swiss_is_what_simulation_gives() -> None:
    """Within a fifth, where the plan was a third too sharp."""
    for n, rounds in ((8, 5), (16, 7)):
        options = FormatOptions(games=1, rounds=rounds)
        strengths = [1.2 * (e / (n - 1) - 0.5) for e in range(n)]
        widths = []
        for seed in range(8):
            results = by_rounds(Swiss(), strengths, options, random.Random(seed))
            for row in rate(range(n), results).rows:
                if row.low is not None and row.high is not None:
                    widths.append((row.high - row.low) / 2)

        assert plan("swiss", n, options).rating_half_width == pytest.approx(median(widths), rel=0.2)


def test_strengths_within_their_luck_are_expected_to_be_nearer_the_middle() -> None:
    """One that stands out by luck alone is less certain than its covariance says; the others
    more."""
    factors = variance_factors(np.array([1.2, 0.1, -0.1, -1.2]), 0.5 * np.eye(4))

    assert factors[0] == pytest.approx(factors[3])
    assert factors[0] > 1 > factors[1] > 0.5


def test_strengths_far_apart_are_taken_as_they_are() -> None:
    """Where everything is known well, there is nothing to allow for."""
    factors = variance_factors(np.linspace(-2, 2, 9), 1e-4 * np.eye(9))

    assert factors == pytest.approx(np.ones(9), abs=0.01)


def test_certainty_stays_certainty() -> None:
    """No variance, no division by it."""
    assert variance_factors(np.array([0.0, 1.0]), np.zeros((2, 2))).tolist() == [1.0, 1.0]
