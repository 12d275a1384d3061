"""Estimates whose unit is the mirrored pair, and Student's t behind them."""

from __future__ import annotations

import random

import pytest

from arena.tournament.formats.round_robin import RoundRobin
from arena.tournament.model import FixtureKey, FixtureResult, FormatOptions
from arena.tournament.statistics.additive import Lead, expected_points
from arena.tournament.statistics.intervals import (
    Estimate,
    mean_estimate,
    points_per_hand,
    ratio_estimate,
)
from arena.tournament.statistics.pairs import pairs
from arena.tournament.statistics.student import t_cdf, t_quantile
from tests.tournament.results import result
from tests.tournament.simulation import points_league, unlike_opponents

A, B, C = range(3)


@pytest.mark.parametrize(
    ("degrees", "quantile"),
    [
        (1, 12.7062), (2, 4.30265), (3, 3.18245), (4, 2.77645), (5, 2.57058), (10, 2.22814),
        (30, 2.04227), (60, 2.00030), (61, 1.99962), (100, 1.98397), (1000, 1.96234),
    ],
)  # fmt: skip
def test_student_quantiles_equal_the_printed_tables(degrees: int, quantile: float) -> None:
    """The 97.5 % points."""
    assert t_quantile(0.975, degrees) == pytest.approx(quantile, abs=2e-5)
    assert t_cdf(quantile, degrees) == pytest.approx(0.975, abs=1e-6)
    assert t_cdf(-quantile, degrees) == pytest.approx(0.025, abs=1e-6)


def test_student_ends() -> None:
    """Infinite values are certain."""
    assert (t_cdf(float("inf"), 3), t_cdf(float("-inf"), 3)) == (1.0, 0.0)
    assert t_cdf(0.0, 7) == 0.5


def test_mean_of_one_value_a_pair_is_the_textbook_interval() -> None:
    """1 to 5: mean 3, standard error 0.7071, t(4) = 2.7764."""
    estimate = mean_estimate([1, 2, 3, 4, 5])

    assert estimate.mean == 3
    assert estimate.half_width == pytest.approx(2.77645 * 0.707107, abs=1e-4)
    assert (estimate.pairs, estimate.amount) == (5, 5)


@pytest.mark.parametrize(
    ("sums", "amounts", "expected"),
    [
        ([], [], Estimate(None, None, None, 0, 0)),
        ([5.0], [10], Estimate(0.5, None, None, 1, 10)),
        ([0.0, 0.0, 0.0], [9, 9, 9], Estimate(0.0, None, None, 3, 27)),
        ([3.0, 6.0] * 3, [1, 2] * 3, Estimate(3.0, None, None, 6, 9)),
        ([-400.0, 420.0, 1.0, 9.0], [9, 9, 9, 3], Estimate(1.0, None, None, 4, 30)),
    ],
    ids=["none", "one pair", "all dead", "all alike", "too few pairs"],
)
def test_too_little_data_gives_no_interval(
    sums: list[float], amounts: list[int], expected: Estimate
) -> None:
    """None instead of an infinite or empty interval."""
    assert ratio_estimate(sums, amounts) == expected


def mirrored(
    generator: random.Random, number: int, edge: float, luck: float
) -> list[FixtureResult]:
    """Pairs of ten hands a half; luck of the deal of this size cancels between the halves."""
    found = []
    for slot in range(number):
        deal = generator.gauss(0, luck)
        for half, seats in enumerate([(A, B), (B, A)]):
            lead = round(10 * edge + (deal if half == 0 else -deal) + generator.gauss(0, 30))
            points = (500 + lead, 500) if half == 0 else (500, 500 + lead)
            found.append(
                result(seats, None, points=points, hands=10, key=FixtureKey("p", slot, 1, half))
            )
    return found


def test_points_per_hand_are_net_and_opposite_for_two() -> None:
    """What one gains the other loses, with the same uncertainty."""
    table = points_per_hand(mirrored(random.Random(1), 40, edge=2.0, luck=100))

    a, b = table[A], table[B]
    assert a.mean is not None
    assert a.mean == pytest.approx(-(b.mean or 0))
    assert a.half_width == pytest.approx(b.half_width)
    assert (a.pairs, a.amount) == (40, 800)
    assert a.low is not None
    assert a.low < 2.0 < (a.high or 0)


def test_pairs_cancel_the_luck_of_the_deal() -> None:
    """Taken as pairs the interval is much narrower than with the halves as if independent."""
    results = mirrored(random.Random(2), 60, edge=1.0, luck=200)
    apart = [
        result(
            r.seats, None, points=r.points, hands=10, key=r.key._replace(slot=r.key.half, half=0)
        )
        for r in results
    ]

    paired, unpaired = points_per_hand(results)[A], points_per_hand(apart)[A]

    assert paired.mean == pytest.approx(unpaired.mean)
    assert (paired.half_width or 0) < 0.5 * (unpaired.half_width or 0)
    assert (paired.pairs, unpaired.pairs) == (60, 120)


def test_penalty_points_count_downwards() -> None:
    """Fewer penalties are a positive lead."""
    results = [result((A, B), A, points=(10, 40), hands=3)]

    assert points_per_hand(results, fewer_points_win=True)[A].mean == 10


def test_results_of_the_disqualified_count_for_nobody() -> None:
    """The other's points come from the rest alone; who is out has none."""
    results = [
        result((A, B), A, points=(30, 10), hands=4),
        result((A, C), A, points=(90, 10), hands=4),
    ]
    table = points_per_hand(results, void={C})

    assert table[A].mean == pytest.approx(20 / 4)
    assert set(table) == {A, B}


def test_what_opponents_differ_by_makes_a_mean_no_less_certain() -> None:
    """Fifty points a hand from one and two from another, each to a point or so."""
    strong = [20.0, 22.0, 18.0, 21.0, 19.0]
    sums = [*strong, *(value + 480 for value in strong)]
    opponents = [[("B",)]] * 5 + [[("C",)]] * 5

    fixed = ratio_estimate(sums, [10] * 10, strata=opponents)
    drawn = ratio_estimate(sums, [10] * 10)

    assert fixed.mean == drawn.mean == 26
    # Standard deviation of a sum 1.5811, of the mean a hand 0.05; t(8) = 2.306.
    assert fixed.half_width == pytest.approx(2.30600 * 0.05, abs=1e-5)
    assert (drawn.half_width or 0) > 15


def test_units_alone_in_their_stratum_are_taken_together() -> None:
    """First those of one opponent whatever the seats, then all that are left."""
    seats = [("B", 0), ("B", 1), ("C", 0), ("D", 0), ("E", 0)]
    sums = [3.0, 5.0, 20.0, 10.0, 0.0]
    found = ratio_estimate(sums, [1] * 5, strata=[(seat, seat[0]) for seat in seats])

    # B's residuals 1 and -1, of the rest 10, 0 and -10: variances 4 and 300 with 1 and 2 degrees.
    assert found.half_width is None
    more = ratio_estimate(sums * 2, [1] * 10, strata=[(seat, seat[0]) for seat in seats * 2])
    assert more.half_width is None


def test_expected_points_are_the_least_squares() -> None:
    """Two pools: 0 leads 1 by 3 a hand, 1 leads 2 by 2, 0 leads 2 by 8; 3 leads 4 by 1."""
    found = expected_points(
        [Lead(0, 1, 30, 10), Lead(1, 2, 20, 10), Lead(2, 0, -80, 10), Lead(3, 4, 5, 5)]
    )

    assert found.points(0, 1, 1) == pytest.approx(4)
    assert found.points(1, 2, 2) == pytest.approx(6)
    assert found.points(0, 2, 1) == pytest.approx(7)
    assert found.points(4, 3, 1) == pytest.approx(-1)
    assert found.spent == pytest.approx(3 / 4)
    assert expected_points([]).strengths == {}


def test_who_met_everybody_once_is_measured_by_everybodys_results() -> None:
    """In a league of one leg the interval is that of the luck, not of the field's spread."""
    edges = [-50.0, -4.0, -2.0, 0.0, 2.0, 4.0, 6.0, 8.0]
    fixtures = RoundRobin().fixtures(range(8), FormatOptions(), {})
    table = points_per_hand(points_league(random.Random(3), edges, fixtures))

    # 280 hands with a deviation of 20 each: 3.1 points at 5 degrees of freedom.
    halves = [estimate.half_width or 0 for estimate in table.values()]
    assert 2 < sum(halves) / 8 < 4


def test_seats_are_strata_where_halves_are_no_pairs() -> None:
    """Without mirrored deals the first seat's hundred points are known, not chance."""
    generator = random.Random(5)
    results = [
        result(
            (A, B) if slot % 2 else (B, A),
            None,
            points=(1000 + round(generator.gauss(0, 5)), 0),
            hands=10,
            key=FixtureKey("p", 1, slot),
        )
        for slot in range(20)
    ]

    estimate = points_per_hand(results)[A]

    assert estimate.mean == pytest.approx(0, abs=0.5)
    assert 0 < (estimate.half_width or 0) < 0.5


def test_pairs_are_the_fixtures_of_one_round_and_slot() -> None:
    """In order of keys, halves together; byes are no unit."""
    keys = [FixtureKey("s", 1, 2, 1), FixtureKey("s", 1, 1), FixtureKey("s", 1, 2, 0)]
    bye = result((C,), C, key=FixtureKey("s", 1, 3))
    units = pairs([*(result((A, B), A, key=key) for key in keys), bye])

    assert [[r.key.half for r in unit] for unit in units] == [[0], [0, 1]]


def test_intervals_cover_the_true_mean_over_different_opponents() -> None:
    """Three opponents five times each, as far apart as bots can be: 400 simulated leagues."""
    hits = 0
    for seed in range(400):
        results, truth = unlike_opponents(random.Random(seed), [-58, -4, 6], 5)
        estimate = points_per_hand(results)[0]
        assert estimate.low is not None
        hits += estimate.low <= truth <= (estimate.high or 0)

    # Four standard errors; the bench runs the full size.
    assert 0.91 <= hits / 400 <= 0.99


def test_intervals_cover_the_true_mean() -> None:
    """Points per hand of 400 simulated comparisons."""
    hits = 0
    for seed in range(400):
        estimate = points_per_hand(mirrored(random.Random(seed), 15, edge=0.7, luck=100))[A]
        assert estimate.low is not None
        hits += estimate.low <= 0.7 <= (estimate.high or 0)

    # Four standard errors; the bench runs the full size.
    assert 0.91 <= hits / 400 <= 0.99
