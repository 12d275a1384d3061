"""The sequential test and the comparison that runs on it."""

from __future__ import annotations

import random
from itertools import islice
from math import isfinite

import pytest

from arena.errors import ConfigError
from arena.tournament.model import FixtureKey, FixtureResult, FormatOptions
from arena.tournament.statistics.comparison import Comparison
from arena.tournament.statistics.odds import game_chance
from arena.tournament.statistics.sprt import (
    PAIRS_FOR_DECISION,
    Decision,
    SprtSettings,
    pair_scores,
    points_against,
    sprt,
)
from tests.tournament.results import play_out, result
from tests.tournament.simulation import one_game, pair_values

A, B = 0, 1
SETTINGS = SprtSettings(game_chance(0), game_chance(40))


def test_bounds_are_walds() -> None:
    """ln(β/(1-α)) and ln((1-β)/α)."""
    assert SETTINGS.upper_bound == pytest.approx(2.944, abs=1e-3)
    assert SETTINGS.lower_bound == pytest.approx(-2.944, abs=1e-3)


@pytest.mark.parametrize(("elo", "wrong"), [(0.0, Decision.HIGH), (40.0, Decision.LOW)])
def test_error_rates_are_kept(elo: float, wrong: Decision) -> None:
    """At either hypothesis at most about 5 % wrong decisions; 250 simulated tests."""
    states = [
        sprt(islice(pair_values(random.Random(seed), game_chance(elo)), 1000), SETTINGS)
        for seed in range(250)
    ]
    errors = sum(state.decision is wrong for state in states)

    # 5 % of 250 is 12.5; 24 is more than three standard errors above.
    assert errors <= 24
    assert sum(state.decision is Decision.GO_ON for state in states) <= 5


def test_no_decision_before_the_least_number_of_pairs() -> None:
    """However clear it looks."""
    early = sprt([1.0] * (PAIRS_FOR_DECISION - 1), SETTINGS)

    assert (early.llr, early.decision) == (None, Decision.GO_ON)
    wide = SprtSettings(game_chance(0), game_chance(200))
    assert sprt([1.0] * PAIRS_FOR_DECISION, wide).decision is Decision.HIGH
    assert sprt([1.0] * (PAIRS_FOR_DECISION - 1), wide).decision is Decision.GO_ON


def test_the_first_decision_stands() -> None:
    """Later values are not looked at."""
    values = [1.0] * 40 + [0.0] * 400
    state = sprt(values, SETTINGS)

    assert state.decision is Decision.HIGH
    assert PAIRS_FOR_DECISION <= state.pairs < 40
    assert sprt(values[: state.pairs], SETTINGS) == state


def test_pairs_that_are_all_alike_stay_finite() -> None:
    """A deterministic bot against itself: every pair is even, no improvement is accepted."""
    state = sprt([0.5] * 50, SETTINGS)

    assert state.llr is not None
    assert isfinite(state.llr)
    assert state.decision is Decision.LOW
    assert state.estimate.mean == 0.5
    assert state.estimate.low is None


def test_nothing_played_yet() -> None:
    """No likelihood, no estimate."""
    state = sprt([], SETTINGS)

    assert (state.llr, state.pairs, state.decision) == (None, 0, Decision.GO_ON)
    assert state.estimate.mean is None


@pytest.mark.parametrize(
    ("low", "high", "alpha", "beta", "message"),
    [
        (0.5, 0.5, 0.05, 0.05, "low must be below high"),
        (0.5, 0.6, 0.0, 0.05, "alpha = 0.0"),
        (0.5, 0.6, 0.05, 0.5, "beta = 0.5"),
    ],
)
def test_impossible_tests_are_refused(
    low: float, high: float, alpha: float, beta: float, message: str
) -> None:
    """The message names the values."""
    with pytest.raises(ConfigError, match=message):
        SprtSettings(low, high, alpha, beta)


def half(slot: int, number: int, winner: int | None, points: tuple[int, int]) -> FixtureResult:
    """Half a pair between A and B; points are A's and B's."""
    seats = (A, B) if number == 0 else (B, A)
    by_seat = points if number == 0 else points[::-1]
    return result(seats, winner, points=by_seat, hands=5, key=FixtureKey("c", slot, 1, number))


def test_pairs_are_taken_in_order_up_to_the_first_gap() -> None:
    """Pair 2 lacks its mirror: pair 3 has to wait, though it is complete."""
    results = [
        half(3, 0, A, (50, 0)),
        half(3, 1, A, (50, 0)),
        half(1, 0, A, (100, 20)),
        half(1, 1, B, (10, 60)),
        half(2, 0, A, (80, 0)),
    ]

    assert pair_scores(results, A, B) == [0.5]
    assert pair_scores(results, B, A) == [0.5]


def test_points_a_hand_come_from_complete_pairs() -> None:
    """Six pairs of 80 and -50 or so in ten hands; the half of a seventh does not count yet."""
    results = [
        half(slot, number, A, ((80 + slot, 0), (0, 50))[number])
        for slot in range(1, 8)
        for number in range(2)
    ]
    points = points_against(results[:-1], A, B)

    assert points.mean == pytest.approx(3.35)
    assert points.pairs == 6
    assert points.low is not None
    assert points_against(results, B, A).mean == pytest.approx(-3.4)
    assert points_against([], A, B).mean is None


def test_a_comparison_stops_at_the_decision() -> None:
    """A always wins: two blocks of sixteen pairs reach the least number, then it is over."""
    comparison = Comparison(SETTINGS)

    fixtures, results = play_out(
        comparison, [A, B], FormatOptions(games=1), lambda f: one_game(f, A)
    )

    assert comparison.state([A, B], results).decision is Decision.HIGH
    assert len(fixtures) == len(results) == 2 * 32
    firsts = [f for f in fixtures if f.key.half == 0]
    assert sum(f.seats[0] == A for f in firsts) == len(firsts) // 2


class _Counted(dict[FixtureKey, FixtureResult]):
    """Results that count how often one was looked at."""

    looks = 0

    def __getitem__(self, key: FixtureKey) -> FixtureResult:
        self.looks += 1
        return super().__getitem__(key)


def test_a_comparison_looks_at_each_result_once() -> None:
    """However many blocks there are, the next is found in time that grows with the results."""
    comparison = Comparison(SprtSettings(0.4999, 0.5001), block=4)
    results = _Counted()
    while len(results) < 400:
        fixtures = comparison.fixtures([A, B], FormatOptions(games=1), results)
        results |= {f.key: one_game(f, f.key.slot % 2) for f in fixtures}
    results.looks = 0

    comparison.fixtures([A, B], FormatOptions(games=1), results)

    assert results.looks == len(results)


@pytest.mark.parametrize("seed", range(20))
def test_a_comparison_decides_as_the_test_of_all_its_results(seed: int) -> None:
    """Going on from block to block is one test over all of them, which ends in the last block."""
    chance = random.Random(seed)
    comparison = Comparison(SprtSettings(0.5, 0.6), block=4, most_pairs=400)

    fixtures, results = play_out(
        comparison,
        [A, B],
        FormatOptions(games=1),
        lambda f: one_game(f, int(chance.random() > 0.6)),
    )

    state = comparison.state([A, B], results)
    before = {key: value for key, value in results.items() if key.round < fixtures[-1].key.round}
    assert comparison.state([A, B], before).decision is Decision.GO_ON
    assert state.decision is not Decision.GO_ON or len(fixtures) == 2 * 400


def test_a_comparison_ends_undecided_at_its_limit() -> None:
    """Results that alternate keep the test between its bounds."""
    comparison = Comparison(SprtSettings(game_chance(-5), game_chance(5)), block=4, most_pairs=10)

    fixtures, results = play_out(
        comparison, [A, B], FormatOptions(games=1), lambda f: one_game(f, f.key.slot % 2)
    )

    assert comparison.state([A, B], results).decision is Decision.GO_ON
    assert len(fixtures) == 2 * 10


@pytest.mark.parametrize(("n", "duplicate"), [(3, True), (2, False)])
def test_comparisons_need_two_and_mirrors(n: int, duplicate: bool) -> None:
    """Anything else is refused."""
    with pytest.raises(ConfigError, match="exactly 2 entrants and duplicate"):
        Comparison(SETTINGS).fixtures(range(n), FormatOptions(duplicate=duplicate), {})
