"""Plans: counts, games of a series, and sharpness against simulation."""

from __future__ import annotations

import random
from itertools import product

import pytest

from arena.errors import ConfigError
from arena.tournament.formats.registry import FORMATS
from arena.tournament.formats.round_robin import RoundRobin
from arena.tournament.formats.volume import expected_games
from arena.tournament.model import FormatOptions
from arena.tournament.statistics.intervals import points_per_hand
from arena.tournament.statistics.planning import (
    Assumptions,
    pairs_needed,
    plan,
    points_deviation,
)
from arena.tournament.statistics.ratings import rate
from tests.tournament.results import play_out
from tests.tournament.simulation import mirrored_results, points_league


@pytest.mark.parametrize("best_of", [1, 3, 5, 7])
@pytest.mark.parametrize("chance", [0.5, 0.7])
def test_expected_games_equal_enumeration(best_of: int, chance: float) -> None:
    """Every sequence of games, cut off at the decision."""
    wins = best_of // 2 + 1
    expected = 0.0
    for sequence in product((True, False), repeat=best_of):
        probability = 1.0
        for won in sequence:
            probability *= chance if won else 1 - chance
        length = next(
            n
            for n in range(1, best_of + 1)
            if max(sum(sequence[:n]), n - sum(sequence[:n])) == wins
        )
        expected += probability * length

    assert expected_games(FormatOptions(best_of=best_of), chance) == pytest.approx(expected)


def test_a_fixed_number_of_games_is_played_in_full() -> None:
    """Without ``best_of`` nothing is cut off."""
    assert expected_games(FormatOptions(games=4)) == 4


@pytest.mark.parametrize(
    ("name", "n"),
    [("round_robin", 6), ("single_elimination", 9), ("swiss", 9), ("groups", 9), ("gauntlet", 5)],
)
def test_planned_fixtures_are_those_played(name: str, n: int) -> None:
    """Where the number is known in advance."""
    options = FormatOptions()
    _, results = play_out(FORMATS[name], range(n), options)
    planned = plan(name, n, options)

    assert planned.fixtures == planned.most_fixtures == len(results)
    assert planned.games == 2 * len(results)
    assert planned.hands == pytest.approx(17.6 * len(results))
    assert planned.seconds == pytest.approx(planned.decisions / 1000)
    played = [sum(e in r.seats for r in results.values()) for e in range(n)]
    assert planned.hands_per_entrant == pytest.approx(17.6 * min(played))


def test_double_elimination_is_planned_with_half_a_second_final() -> None:
    """2n - 2 or 2n - 1."""
    planned = plan("double_elimination", 8, FormatOptions(best_of=3))

    assert (planned.fixtures, planned.most_fixtures) == (14.5, 15)


def test_groups_play_their_games_and_the_bracket_its_series() -> None:
    """Two groups of four, mirrored, two games each; four bracket matches best of three."""
    planned = plan("groups", 8, FormatOptions(best_of=3))

    assert planned.games == 24 * 2 + 4 * 2.5


def test_tables_count_all_seat_orders_as_one_unit() -> None:
    """Seven at tables of three: seven tables, six orders, three tables each."""
    planned = plan("tables", 7, FormatOptions(table_size=3))

    assert (planned.fixtures, planned.pairs_per_entrant) == (42, 3)


def test_planned_rating_interval_is_what_simulation_gives() -> None:
    """Eight equal bots, six legs of mirrored single games: within a fifth."""
    options = FormatOptions(games=1, legs=6)
    fixtures = RoundRobin().fixtures(range(8), options, {})
    widths = []
    for seed in range(12):
        results = mirrored_results(random.Random(seed), [0.0] * 8, fixtures)
        for row in rate(range(8), results).rows:
            assert row.low is not None
            assert row.high is not None
            widths.append((row.high - row.low) / 2)
    planned = plan("round_robin", 8, options).rating_half_width

    assert planned == pytest.approx(sum(widths) / len(widths), rel=0.2)


@pytest.mark.parametrize(("n", "legs"), [(4, 5), (8, 1), (5, 3)])
def test_planned_interval_of_points_is_what_simulation_gives(n: int, legs: int) -> None:
    """Leagues of matches of twenty hands with a deviation of 20 each: within a tenth or so."""
    options = FormatOptions(games=2, legs=legs)
    fixtures = RoundRobin().fixtures(range(n), options, {})
    halves = []
    for seed in range(30):
        results = points_league(random.Random(seed), [3.0 * e for e in range(n)], fixtures)
        halves += [estimate.half_width or 0 for estimate in points_per_hand(results).values()]
    suppose = Assumptions(hands_per_game=10, hand_deviation=20, mirror_gain=1)
    planned = plan("round_robin", n, options, suppose).points_half_width

    assert planned == pytest.approx(sum(halves) / len(halves), rel=0.12)


def test_the_plan_of_a_league_of_sample_bots_is_what_leagues_gave() -> None:
    """Four bots, five legs of two games, played three times: medians ± 1.85 and ± 68.

    From ± 1.35 to ± 4.1 for the three sensible ones, and ± 64 to ± 74. The fourth was hopeless; its
    short games say little, so that a plan, which knows of no such bot, is a little sharper.
    """
    planned = plan("round_robin", 4, FormatOptions(games=2, legs=5))

    assert planned.points_half_width == pytest.approx(1.85, rel=0.2)
    assert planned.rating_half_width == pytest.approx(68, rel=0.2)


def test_a_plan_gives_no_interval_where_the_tournament_will_have_none() -> None:
    """Four rounds of a Swiss are too few pairs for points a hand."""
    assert plan("swiss", 16, FormatOptions(rounds=4)).points_half_width is None
    assert plan("swiss", 16, FormatOptions(rounds=7)).points_half_width is not None
    assert plan("round_robin", 4, FormatOptions()).rating_half_width is None


def test_a_plan_without_pairs_has_no_interval() -> None:
    """One match of a bracket tells nothing about its own uncertainty."""
    planned = plan("single_elimination", 8, FormatOptions(best_of=5))

    assert planned.points_half_width is None
    assert planned.rating_half_width is None


def test_a_ladder_cannot_be_planned() -> None:
    """It has no end, unless it has rounds."""
    with pytest.raises(ConfigError, match="runs until it is ended; give it rounds"):
        plan("ladder", 8, FormatOptions())
    assert plan("ladder", 8, FormatOptions(rounds=5)).fixtures == 40


def test_impossible_options_are_refused_by_the_plan_too() -> None:
    """The same message as from the format."""
    with pytest.raises(ConfigError, match="best_of = 2"):
        plan("round_robin", 4, FormatOptions(best_of=2))


def test_pairs_needed_is_the_textbook_number() -> None:
    """(1.96 + 0.8416)² · (σ/δ)² = 7.849 · 100."""
    assert pairs_needed(0.1, 1.0) == 785
    assert pairs_needed(0.1, 1.0, confidence=0.99, power=0.9) == 1488
    assert pairs_needed(100, 1.0) == 2


def test_so_many_pairs_show_the_gap_as_often_as_promised() -> None:
    """Simulated at 80 % power."""
    generator = random.Random(8)
    number = pairs_needed(0.5, 1.0)
    found = 0
    for _ in range(600):
        values = [generator.gauss(0.5, 1.0) for _ in range(number)]
        mean = sum(values) / number
        spread = (sum((v - mean) ** 2 for v in values) / (number - 1) / number) ** 0.5
        found += mean - 1.96 * spread > 0

    assert 0.74 <= found / 600 <= 0.86


def test_deviations_shrink_with_more_games() -> None:
    """Four times the games, half the deviation."""
    assert points_deviation(games=8) == pytest.approx(points_deviation(games=2) / 2)
    assert points_deviation(Assumptions(hand_deviation=47)) == 2 * points_deviation()


@pytest.mark.parametrize(
    ("gap", "deviation", "power"),
    [
        (0, 1, 0.8),
        (1, 0, 0.8),
        (1, 1, 1.0),
        (float("nan"), 1, 0.8),
        (1, float("inf"), 0.8),
        (1e-300, 1, 0.8),
        (1, 1, float("nan")),
    ],
)
def test_questions_without_an_answer_are_refused(
    gap: float, deviation: float, power: float
) -> None:
    """The message names the values."""
    with pytest.raises(ConfigError, match="must be"):
        pairs_needed(gap, deviation, power=power)


def test_two_pairs_are_the_fewest_whatever_little_is_asked() -> None:
    """Hardly any confidence and power need no more."""
    assert pairs_needed(0.01, 100.0, confidence=0.01, power=0.01) == 2
