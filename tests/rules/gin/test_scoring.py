"""What hands and games are worth."""

from __future__ import annotations

from typing import Any

import pytest

from arena.rules.base import Ending
from arena.rules.gin.rules import GinRules, replace_rules
from arena.rules.gin.scoring import game_totals, score_knock, score_refused_double

RULES = GinRules()
CORNER = GinRules(layoff_on_gin=True, gin_zero_after_layoff="no_score")


@pytest.mark.parametrize(
    ("knocker", "defender", "ending", "points"),
    [
        (8, 10, Ending.KNOCK, (2, 0)),
        (10, 10, Ending.UNDERCUT, (0, 25)),
        (8, 3, Ending.UNDERCUT, (0, 30)),
        (1, 0, Ending.UNDERCUT, (0, 26)),
        (0, 30, Ending.GIN, (55, 0)),
        (0, 0, Ending.GIN, (25, 0)),
    ],
)
def test_knock_in_the_standard_game(
    knocker: int, defender: int, ending: Ending, points: tuple[int, int]
) -> None:
    """Difference, undercut with its bonus (ties too), gin with its bonus."""
    score = score_knock(RULES, knocker, defender)

    assert (score.ending, (score.knocker, score.defender)) == (ending, points)


def test_big_gin_bonus_replaces_the_gin_bonus() -> None:
    """31 and the defender's count."""
    assert score_knock(RULES, 0, 5, big_gin=True).knocker == 36


def test_tie_scores_nothing_where_a_rule_says_so() -> None:
    """Without an undercut on ties nobody wins the hand."""
    score = score_knock(replace_rules(RULES, {"undercut_on_tie": False}), 6, 6)

    assert score == (Ending.TIE, 0, 0)


def test_gin_against_an_emptied_hand() -> None:
    """Laid off to nothing: no score; melded to nothing without laying off: the bonus."""
    assert score_knock(CORNER, 0, 0, laid_off=True) == (Ending.GIN_LAID_OFF, 0, 0)
    assert score_knock(CORNER, 0, 0, laid_off=False) == (Ending.GIN, 25, 0)
    assert score_knock(CORNER, 0, 4, laid_off=True) == (Ending.GIN, 29, 0)
    assert score_knock(RULES, 0, 0, laid_off=True) == (Ending.GIN, 25, 0)


def test_multiplier_covers_the_bonuses() -> None:
    """An undercut by two with 25 doubles to 54, gin with eight to 66."""
    assert score_knock(RULES, 4, 2, multiplier=2).defender == 54
    assert score_knock(RULES, 0, 8, multiplier=2).knocker == 66


def test_refused_double_never_scores_less_than_ten() -> None:
    """An offerer with the worse hand still gets ten, times the factor."""
    assert score_refused_double(50, 10, 1) == 10
    assert score_refused_double(10, 50, 4) == 200


@pytest.mark.parametrize(
    ("shutout", "total"),
    [
        ("double_hand_points", 410),
        ("double_points_and_game", 510),
        ("game_bonus_200", 405),
        ("extra_100", 405),
        ("none", 305),
    ],
)
def test_readings_of_a_shutout(shutout: str, total: int) -> None:
    """105 points in four hands against nothing, by each reading."""
    rules = replace_rules(RULES, {"shutout": shutout})

    assert game_totals(rules, (105, 0), (4, 0), 0) == (total, 0)
    assert game_totals(rules, (0, 105), (0, 4), 1) == (0, total)


@pytest.mark.parametrize("shutout", ["double_hand_points", "double_points_and_game"])
def test_no_shutout_when_the_loser_won_a_hand(shutout: str) -> None:
    """A hand won by the loser, however small, saves the loser from a shutout."""
    rules = replace_rules(RULES, {"shutout": shutout})

    assert game_totals(rules, (105, 1), (4, 1), 0) == (305, 26)


def test_totals_without_a_winner_have_line_bonuses_only() -> None:
    """While a game runs, or in a draw, nobody has a game bonus."""
    assert game_totals(RULES, (60, 0), (2, 0), None) == (110, 0)


def test_settings_reach_the_score() -> None:
    """House figures are used in every hand, never the defaults."""
    rules: Any = replace_rules(RULES, {"gin_bonus": 20, "undercut_bonus": 10})

    assert score_knock(rules, 0, 7).knocker == 27
    assert score_knock(rules, 7, 7).defender == 10
