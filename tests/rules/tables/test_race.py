"""The bookkeeping that games with any number of sides share."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.rules.base import GameEnding
from arena.rules.race import SUDDEN_DEATH_HANDS, Race, grouped, settle


def test_points_and_hands_add_up() -> None:
    """Gains may be negative; several sides may win a hand."""
    race = Race.start(3, 100, 10).post((10, -5, 0), (0,)).post((1, 1, 0), (0, 1))
    assert (race.points, race.hands_won, race.hands) == ((11, -4, 0), (2, 1, 0), 2)
    assert (race.leaders, race.winner, race.ending) == ((0,), None, None)


def test_a_single_leader_at_the_target_wins() -> None:
    """Exactly the target is enough."""
    race = Race.start(2, 100, 10).post((99, 0), (0,))
    assert race.ending is None
    race = race.post((1, 0), (0,))
    assert (race.ending, race.winner) == (GameEnding.TARGET, 0)
    with pytest.raises(ValueError, match="over"):
        race.post((0, 0), ())


@given(st.integers(1, 20), st.integers(2, 4))
def test_a_race_of_dead_hands_ends_in_a_draw(max_hands: int, sides: int) -> None:
    """After the limit and ten hands more, never later."""
    race = Race.start(sides, 100, max_hands)
    for _ in range(max_hands + SUDDEN_DEATH_HANDS):
        assert race.ending is None
        race = race.post((0,) * sides, ())
    assert (race.ending, race.winner) == (GameEnding.DRAW, None)


@given(st.lists(st.integers(-50, 300), min_size=2, max_size=8))
def test_settlement_is_the_sum_over_pairs(totals: list[int]) -> None:
    """Each pair pays its difference; all together nothing is made or lost."""
    expected = [sum(mine - other for other in totals) for mine in totals]
    assert list(settle(totals)) == expected
    assert sum(settle(totals)) == 0


@given(st.lists(st.integers(-3, 3), min_size=1, max_size=8))
def test_groups_hold_every_seat_once_from_best_to_worst(points: list[int]) -> None:
    """Level seats share a group, groups fall strictly."""
    groups = grouped(points)
    assert sorted(seat for group in groups for seat in group) == list(range(len(points)))
    levels = [{points[seat] for seat in group} for group in groups]
    assert all(len(level) == 1 for level in levels)
    values = [level.pop() for level in levels]
    assert values == sorted(set(values), reverse=True)
