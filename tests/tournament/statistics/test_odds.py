"""The chance to win a match, from ratings: against hand calculation and counting of cases."""

from __future__ import annotations

from itertools import product

import pytest

from arena.tournament.statistics.odds import Favourite, favourite, game_chance, match_chance


def test_chance_of_a_game_is_the_logistic_of_base_ten() -> None:
    """400 points are ten to one."""
    assert game_chance(0) == 0.5
    assert game_chance(400) == pytest.approx(10 / 11)
    assert game_chance(-400) == pytest.approx(1 / 11)


def test_best_of_three_is_the_textbook_formula() -> None:
    """p² (3 - 2p): two straight wins, or two of three with the last won."""
    assert match_chance(0.6, 3, 2) == pytest.approx(0.36 * 1.8)


@pytest.mark.parametrize("games", [1, 3, 5, 7])
@pytest.mark.parametrize("chance", [0.5, 0.63, 0.9])
def test_best_of_n_is_the_share_of_all_courses(games: int, chance: float) -> None:
    """Playing on after the decision changes no winner, so every course of n games is counted."""
    needed = games // 2 + 1
    total = 0.0
    for course in product((True, False), repeat=games):
        if sum(course) >= needed:
            total += chance ** sum(course) * (1 - chance) ** (games - sum(course))

    assert match_chance(chance, games, needed) == pytest.approx(total)
    assert match_chance(chance, games, None) == pytest.approx(total)


def test_half_of_a_level_match_is_won() -> None:
    """Two games: p² and half of 2p(1 - p), which is p."""
    assert match_chance(0.7, 2, None) == pytest.approx(0.7)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        (1700.0, 1300.0, Favourite(0, 10 / 11)),
        (1300.0, 1700.0, Favourite(1, 10 / 11)),
        (1500.0, 1500.0, Favourite(0, 0.5)),
        (None, 1500.0, None),
        (1500.0, None, None),
        (None, None, None),
    ],
)
def test_favourite_is_the_better_rated(
    one: float | None, other: float | None, expected: Favourite | None
) -> None:
    """On whichever side it stands; nobody where a rating is missing."""
    found = favourite(one, other, 1, 1)

    if expected is None or found is None:
        assert found is expected
    else:
        assert found.side == expected.side
        assert found.chance == pytest.approx(expected.chance)
