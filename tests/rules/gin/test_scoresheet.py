"""The course of a game: who deals, when it ends, who wins, what is added at the end."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from arena.rules.base import DealPlan, Ending, GameEnding, HandOutcome
from arena.rules.gin.rules import GinRules
from arena.rules.gin.scoresheet import GinSheet, new_gin_sheet
from arena.rules.race import SUDDEN_DEATH_HANDS
from tests.rules.build import won_by


def after(results: str, first_dealer: int = 0, **settings: Any) -> GinSheet:
    """The sheet after hands written like ``A30 B25 -``; ``-`` is a dead hand."""
    sheet = new_gin_sheet(GinRules(**settings), first_dealer)
    for result in results.split():
        sheet = sheet.add(
            won_by(None) if result == "-" else won_by("AB".index(result[0]), result[1:])
        )
    return sheet


def points(sheet: GinSheet) -> tuple[int, ...]:
    """Points by seat."""
    return tuple(line.points for line in sheet.lines)


def dealer(sheet: GinSheet) -> int:
    """Who deals next."""
    plan = sheet.next_deal()
    assert plan is not None
    assert plan.seats == (0, 1)
    return plan.dealer


def test_undercutter_who_crosses_the_target_wins() -> None:
    """A has 95 and knocks with 8, B has 88 and undercuts with 3: B wins with 118."""
    sheet = after("A95 B88")
    undercut = HandOutcome(Ending.UNDERCUT, (0, 30), 1, (), "undercut", knocker=0)
    sheet = sheet.add(undercut)

    assert points(sheet) == (95, 118)
    assert (sheet.over, sheet.winners, sheet.ending) == (True, (1,), GameEnding.TARGET)
    assert [line.total for line in sheet.lines] == [120, 118 + 100 + 50]
    assert sheet.ranking() == ((1,), (0,))


def test_winner_may_have_the_smaller_total() -> None:
    """101 points in two hands win against 99 in ten, 251 to 349."""
    sheet = after("A51 " + "B9 " * 9 + "B18 A50")

    assert sheet.winners == (0,)
    assert [line.total for line in sheet.lines] == [251, 349]


def test_bonuses_do_not_help_to_reach_the_target() -> None:
    """Ninety-nine points in eleven hands are not a game."""
    assert not after("B9 " * 11).over


@pytest.mark.parametrize(
    ("results", "settings", "dealers"),
    [
        ("A5 B5 A5 B5", {}, [0, 1, 0, 1, 0]),
        ("A5 - - B5", {}, [0, 1, 1, 1, 0]),
        ("- A5", {"dealer_after_dead": "alternate"}, [0, 1, 0]),
        ("A5 A5 B5 -", {"dealer_next": "winner"}, [0, 0, 0, 1, 1]),
        ("A5 A5 B5 -", {"dealer_next": "loser"}, [0, 1, 1, 0, 0]),
    ],
)
def test_dealer_rotation(results: str, settings: dict[str, Any], dealers: list[int]) -> None:
    """Alternate, winner or loser deals; a dead hand is dealt again by the same, or alternates."""
    words = results.split()
    found = [dealer(after(" ".join(words[:count]), **settings)) for count in range(len(words) + 1)]

    assert found == dealers


def test_dead_hands_change_no_score() -> None:
    """Void hands count as hands played and nothing else."""
    sheet = after("A30 - -")

    assert points(sheet) == (30, 0)
    assert [line.hands_won for line in sheet.lines] == [1, 0]
    assert sheet.hands == 3


def test_hand_limit_is_won_by_the_higher_score() -> None:
    """A game of dead hands ends; whoever is ahead wins and has the game bonus."""
    sheet = after("A30 - -", max_hands=3)

    assert (sheet.ending, sheet.winners) == (GameEnding.HAND_LIMIT, (0,))
    assert sheet.lines[0].total == 30 + 25 + 100 + 30


def test_equal_scores_at_the_limit_are_decided_by_the_next_hand_won() -> None:
    """Sudden death: dead hands do not decide, the first scored hand does."""
    sheet = after("A30 B30 -", max_hands=3)
    assert not sheet.over

    sheet = sheet.add(won_by(None)).add(won_by(1, 4))
    assert (sheet.ending, sheet.winners) == (GameEnding.SUDDEN_DEATH, (1,))


def test_sudden_death_ends_in_a_draw() -> None:
    """Ten further dead hands, and the game is drawn; nobody gets a bonus."""
    sheet = after("- " * (2 + SUDDEN_DEATH_HANDS), max_hands=2)

    assert (sheet.over, sheet.ending, sheet.winners) == (True, GameEnding.DRAW, ())
    assert sheet.next_deal() is None
    assert sheet.ranking() == ((0, 1),)


def test_target_reached_in_sudden_death_is_the_target() -> None:
    """Reaching the target is always what ends the game."""
    assert after("A60 B60 B40", max_hands=2).ending is GameEnding.TARGET


def test_nothing_is_added_to_a_finished_game() -> None:
    """A hand after the end is the caller's mistake."""
    with pytest.raises(ValueError, match="the game is over"):
        after("A100").add(won_by(1, 5))


@pytest.mark.parametrize(("last", "winner"), [("A50", 1), ("A51", 0), ("A60", 0)])
def test_exact_margin_forfeits_the_game(last: str, winner: int) -> None:
    """With the exact-fifty clause a winner who is ahead by just fifty loses."""
    sheet = after(f"A50 B50 {last}", forfeit_margin=50)

    assert sheet.winners == (winner,)


@pytest.mark.parametrize(
    ("hands", "winners", "totals"),
    [
        ("A10", (1,), [10 + 25, 0 + 100]),
        ("A11", (0,), [11 + 11 + 25 + 100, 0]),
        ("B3 A13", (1,), [13 + 25, 3 + 25 + 100]),
        ("- -", (), [0, 0]),
    ],
)
def test_exact_margin_forfeits_a_game_that_the_hand_limit_ends(
    hands: str, winners: tuple[int, ...], totals: list[int]
) -> None:
    """Whoever is ahead by exactly so much does not win, by the target or by the limit."""
    sheet = after(hands, forfeit_margin=10, max_hands=len(hands.split()))

    assert sheet.winners == winners
    assert [line.total for line in sheet.lines] == totals
    assert sheet.over == bool(winners)


def test_hollywood_columns_open_with_wins() -> None:
    """The first win counts once, the second twice, the third in all three columns."""
    assert after("A10", columns=3).columns == ((10, 0), (0, 0), (0, 0))
    assert after("A10 A10", columns=3).columns == ((20, 0), (10, 0), (0, 0))
    assert after("A10 A10 A10 B7", columns=3).columns == ((30, 7), (20, 0), (10, 0))


def test_hollywood_ends_when_every_column_is_closed() -> None:
    """Closed columns take no more; the seat with more columns wins; bonuses count by column."""
    sheet = after("A60 A60 A60", columns=3)
    assert not sheet.over
    assert sheet.columns == ((120, 0), (120, 0), (60, 0))

    sheet = sheet.add(won_by(1, 30)).add(won_by(0, 40))
    assert (sheet.ending, sheet.winners) == (GameEnding.EVERY_COLUMN, (0,))
    # Columns 1 and 2 were closed against nothing: points doubled, game bonus, two hands each.
    first = 2 * 120 + 100 + 2 * 25
    third = 100 + 100 + 2 * 25
    assert sheet.columns == ((120, 0), (120, 0), (100, 30))
    assert sheet.lines[0].total == 2 * first + third
    assert sheet.lines[1].total == 30 + 25
    assert points(sheet) == (340, 30)
    assert sheet.target == 100


def test_hollywood_winner_has_more_columns_not_more_points() -> None:
    """Each column is a game of its own; two narrow ones beat one high one."""
    sheet = after("A50 A60 B95 B1 B4 A1 A1 A38 B1 B1 B94", columns=3)
    leaders = [column.winner for column in sheet.book]

    assert sheet.over
    assert sheet.winners == (max((0, 1), key=leaders.count),)


def test_hollywood_hand_limit_counts_columns_led() -> None:
    """At the limit open columns go to whoever leads them."""
    sheet = after("A10 B40 A35", columns=3, max_hands=3)

    assert sheet.columns == ((45, 40), (35, 0), (0, 0))
    assert (sheet.ending, sheet.winners) == (GameEnding.HAND_LIMIT, (0,))


def test_game_target_goes_on_while_totals_are_equal() -> None:
    """Both past the target with the same total: another play to the target decides."""
    settings: dict[str, Any] = {"game_target": 200, "shutout": "none", "target": 50}
    sheet = after("A50 B50", **settings)
    assert sheet.games == ((175, 0), (0, 175))
    assert not sheet.over

    sheet = after("A50 B50 A50", **settings)
    assert (sheet.over, sheet.winners, sheet.target) == (True, (0,), 200)
    assert [line.total for line in sheet.lines] == [350, 175]

    behind = replace(after("", **settings), banked=(100, 275))
    equal = behind.add(won_by(0, 50))
    assert points(equal) == (275, 275)
    assert not equal.over


def test_game_target_keeps_hands_of_the_play_in_progress() -> None:
    """Banked totals and the points of the running play add up."""
    sheet = after("A50 B20", game_target=500, target=50, shutout="none")

    assert points(sheet) == (175, 20)
    assert [line.total for line in sheet.lines] == [175, 45]
    assert sheet.columns == ((0, 20),)


def test_plan_names_both_seats() -> None:
    """Seats sit at their own positions; only the dealer moves."""
    assert after("", first_dealer=1).next_deal() == DealPlan((0, 1), 1)


def test_game_target_at_the_hand_limit_adds_no_bonus_for_an_unfinished_play() -> None:
    """Whoever is ahead wins, but nobody reached the target of the running play."""
    sheet = after("A30 B20", game_target=500, max_hands=2)

    assert (sheet.ending, sheet.winners) == (GameEnding.HAND_LIMIT, (0,))
    assert [line.total for line in sheet.lines] == [55, 45]
