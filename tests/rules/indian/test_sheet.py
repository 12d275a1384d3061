"""The three formats: points, pool, deals."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from arena.errors import RulesError
from arena.rules.base import DealPlan, Ending, GameEnding, HandOutcome
from arena.rules.indian.family import FAMILY, VARIANTS
from arena.rules.indian.sheet import IndianSheet

RULES = {variant.name: variant.rules for variant in VARIANTS}


def new(name: str, players: int, first_dealer: int = 0, **changes: object) -> IndianSheet:
    """An empty sheet of a variant."""
    return FAMILY.new_sheet(FAMILY.replace(RULES[name], changes), players, first_dealer)


def won(winner: int, points: Sequence[int]) -> HandOutcome:
    """A deal won by this position."""
    return HandOutcome(Ending.DECLARED, tuple(points), winner, (), "")


def void(positions: int) -> HandOutcome:
    """A deal without winner or points."""
    return HandOutcome(Ending.DEAD_TURNS, (0,) * positions, None, (), "")


def first_seat(sheet: IndianSheet) -> int:
    """The seat that moves first in the next deal."""
    plan = sheet.next_deal()
    assert plan is not None
    return plan.seats[(plan.dealer + 1) % len(plan.seats)]


def test_points_game_is_one_deal() -> None:
    """The winner gains the sum, each loser loses its own count; more is better."""
    sheet = new("indian_points", 3).add(won(2, (34, 80, 0)))

    assert sheet.over
    assert [line.points for line in sheet.lines] == [-34, -80, 114]
    assert (sheet.winners, sheet.ending) == ((2,), GameEnding.DEALS_PLAYED)
    assert sheet.ranking() == ((2,), (0,), (1,))
    assert not sheet.lower_is_better
    assert sheet.next_deal() is None


def test_winner_of_a_points_deal_that_costs_nobody_anything_wins_the_game() -> None:
    """Losers whose cards are all grouped, or jokers, count 0; they have lost all the same."""
    sheet = new("indian_points", 3).add(won(1, (0, 0, 0)))

    assert [line.points for line in sheet.lines] == [0, 0, 0]
    assert (sheet.winners, sheet.ending) == ((1,), GameEnding.DEALS_PLAYED)
    assert sheet.ranking() == ((1,), (0, 2))


def test_void_points_deal_is_dealt_again() -> None:
    """Up to ``max_hands``; then nobody has won."""
    once = new("indian_points", 2).add(void(2))
    assert not once.over

    assert once.add(won(0, (0, 25))).winners == (0,)
    never = once.add(void(2)).add(void(2))
    assert (never.over, never.winners, never.ending) == (True, (), GameEnding.DRAW)
    assert never.ranking() == ((0, 1),)


@pytest.mark.parametrize(("first_dealer", "firsts"), [(0, [1, 2, 3, 0]), (3, [0, 1, 2, 3])])
def test_first_player_moves_on_each_deal(first_dealer: int, firsts: list[int]) -> None:
    """By one seat, void deals included; the first player sits after the dealer."""
    sheet = new("indian_pool_201", 4, first_dealer)
    seen = []
    for outcome in (won(0, (0, 1, 1, 1)), void(4), won(1, (1, 0, 1, 1)), void(4)):
        seen.append(first_seat(sheet))
        sheet = sheet.add(outcome)

    assert seen == firsts


def test_first_player_passes_over_seats_that_are_out() -> None:
    """Seat 2 is out when it would be its turn to begin: seat 3 begins."""
    sheet = new("indian_pool_101", 4).add(won(1, (40, 0, 101, 40)))

    assert sheet.next_deal() == DealPlan((0, 1, 3), 1)
    assert first_seat(sheet) == 3
    assert [line.active for line in sheet.lines] == [True, True, False, True]


def test_pool_goes_on_until_one_is_left() -> None:
    """100 is in, 101 is out; who went out later, then with fewer points, ranks higher."""
    sheet = new("indian_pool_101", 4).add(won(0, (0, 80, 80, 80)))
    sheet = sheet.add(won(0, (0, 20, 21, 40)))
    assert sheet.points == (0, 100, 101, 120)
    assert sheet.target == 101
    assert not sheet.over

    sheet = sheet.add(won(1, (60, 0))).add(won(0, (0, 1)))
    assert sheet.over
    assert (sheet.winners, sheet.ending) == ((0,), GameEnding.LAST_PLAYER)
    assert sheet.ranking() == ((0,), (1,), (2,), (3,))
    assert [line.hands_won for line in sheet.lines] == [3, 1, 0, 0]
    assert sheet.lower_is_better


def test_all_others_out_at_once_leaves_the_winner_of_the_deal() -> None:
    """Equal points in the same deal are one place."""
    sheet = new("indian_pool_101", 3, pool_limit=50).add(won(1, (80, 0, 80)))

    assert sheet.winners == (1,)
    assert sheet.ranking() == ((1,), (0, 2))


def test_pool_ends_at_the_limit_of_deals() -> None:
    """Fewest points win; equal ones draw."""
    ahead = new("indian_pool_101", 3, max_hands=2).add(won(0, (0, 20, 30))).add(void(3))
    level = new("indian_pool_101", 3, max_hands=2).add(won(0, (0, 20, 30)))
    level = level.add(won(1, (20, 0, 0)))

    assert (ahead.winners, ahead.ending) == ((0,), GameEnding.HAND_LIMIT)
    assert (level.winners, level.ending) == ((), GameEnding.DRAW)
    assert level.ranking() == ((0, 1), (2,))


def test_deals_game_is_played_for_chips() -> None:
    """Each begins with 80 a deal; winners take what losers count; most chips win."""
    sheet = new("indian_deals_2", 3)
    assert [line.points for line in sheet.lines] == [160, 160, 160]

    sheet = sheet.add(won(0, (0, 30, 50))).add(won(1, (20, 0, 80)))
    assert sheet.points == (220, 230, 30)
    assert (sheet.winners, sheet.ending) == ((1,), GameEnding.DEALS_PLAYED)
    assert sheet.ranking() == ((1,), (0,), (2,))
    assert not sheet.lower_is_better


def test_tie_of_chips_is_played_off_by_the_tied() -> None:
    """One more deal among them; losing it keeps them before those who were not in it."""
    sheet = new("indian_deals_2", 3, 2).add(won(0, (0, 20, 5))).add(won(1, (20, 0, 5)))
    assert sheet.points == (165, 165, 150)
    assert not sheet.over
    assert sheet.next_deal() == DealPlan((0, 1), 1)
    assert [line.active for line in sheet.lines] == [True, True, False]

    again = sheet.add(void(2))
    assert not again.over
    sheet = again.add(won(1, (60, 0)))
    assert sheet.points == (105, 225, 150)
    assert (sheet.winners, sheet.ending) == ((1,), GameEnding.SUDDEN_DEATH)
    assert sheet.ranking() == ((1,), (0,), (2,))


def test_tie_that_is_never_broken_is_a_draw() -> None:
    """After ``max_hands`` deals, void ones included."""
    sheet = new("indian_deals_3", 2)
    while not sheet.over:
        sheet = sheet.add(void(2))

    assert (sheet.hands, sheet.winners, sheet.ending) == (13, (), GameEnding.DRAW)


def test_finished_game_takes_no_deal() -> None:
    """Adding to it is an error."""
    sheet = new("indian_points", 2).add(won(0, (0, 10)))

    with pytest.raises(RulesError, match="the game is over"):
        sheet.add(won(0, (0, 10)))


def test_running_game_has_no_winner_and_no_ending() -> None:
    """Whoever is ahead; the one column holds the points."""
    sheet = new("indian_pool_201", 2).add(won(0, (0, 10)))

    assert (sheet.winners, sheet.ending, sheet.over) == ((), None, False)
    assert sheet.columns == ((0, 10),)
    assert sheet.ranking() == ((0,), (1,))
