"""Chouette: the box, the captains, one score a side."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.rules.base import GameEnding
from arena.rules.gin.rules import GinRules
from arena.rules.tables.chouette import FAMILY, ChouetteSheet
from tests.rules.tables.playing import choose, play_game, seat_outcome
from tests.rules.tables.scripts import play_script

RULES = GinRules()


def test_scripted_game() -> None:
    """Eight hands of four players, seat 2 in the box; the hands are described in `scripts`.

    ====  =======  ======  ========  ===  ====
    hand  captain  dealer  script    box  team
    ====  =======  ======  ========  ===  ====
    1     3        2       gin             +48
    2     3        3       knock      +6
    3     0        2       undercut  +26
    4     1        1       dead
    5     1        1       gin       +48
    6     3        2       gin             +48
    7     3        3       knock      +6
    8     0        2       knock            +6
    sum                               86   102
    won                                4     3
    ====  =======  ======  ========  ===  ====

    Totals 86 + 100 = 186 and 102 + 100 + 75 = 277: each of three partners gets 91 from the box.
    """
    sheet, plans = play_script(
        FAMILY,
        RULES,
        FAMILY.new_sheet(RULES, 4, 2),
        ["gin", "knock", "undercut", "dead", "gin", "gin", "knock", "knock"],
    )
    assert [seats for seats, _ in plans] == [(2, at) for at in (3, 3, 0, 1, 1, 3, 3, 0)]
    assert [dealer for _, dealer in plans] == [2, 3, 2, 1, 1, 2, 3, 2]
    assert isinstance(sheet, ChouetteSheet)
    team, box = (102, 3, 277), (86, 4, 186)
    assert [tuple(line)[:3] for line in sheet.lines] == [team, team, box, team]
    assert (sheet.winners, sheet.ending, sheet.target) == ((0, 1, 3), GameEnding.TARGET, 100)
    assert sheet.ranking() == ((0, 1, 3), (2,))
    assert sheet.columns == ((102, 102, 86, 102),)
    assert sheet.settlement() == (91, 91, -273, 91)
    assert (sheet.over, sheet.next_deal()) == (True, None)


@pytest.mark.parametrize(("players", "first_dealer"), [(3, 0), (3, 2), (6, 4)])
def test_first_dealer_is_the_box_and_the_others_follow_from_its_left(
    players: int, first_dealer: int
) -> None:
    """So the box moves on with the first dealer from game to game."""
    sheet = FAMILY.new_sheet(RULES, players, first_dealer)
    assert sheet.box == first_dealer
    assert sheet.queue == tuple((first_dealer + step) % players for step in range(1, players))
    plan = sheet.next_deal()
    assert plan is not None
    assert plan.seats == (sheet.box, sheet.captain)
    assert plan.seats[plan.dealer] == first_dealer


@given(
    st.integers(3, 6),
    st.lists(st.tuples(st.sampled_from(["box", "team", "dead"]), st.integers(1, 30)), max_size=30),
)
@settings(max_examples=80, deadline=None)
def test_box_stays_and_captains_change_on_a_loss_only(
    players: int, hands: list[tuple[str, int]]
) -> None:
    """The deal alternates between box and captain but for dead hands; every partner shows the
    team's line; payments sum to nothing."""
    sheet = FAMILY.new_sheet(RULES, players, 1)
    for winner, points in hands:
        plan = sheet.next_deal()
        if plan is None:
            break
        captain, queue = sheet.captain, sheet.queue
        seat = {"box": 1, "team": captain, "dead": None}[winner]
        sheet = sheet.add(seat_outcome(sheet, seat, points))
        assert sheet.box == 1
        assert sheet.queue == ((*queue[1:], captain) if winner == "box" else queue)
        assert sheet.book.dealer == (plan.dealer if winner == "dead" else 1 - plan.dealer)
        assert sum(sheet.settlement()) == 0
        assert len({sheet.lines[partner] for partner in queue}) == 1


def test_level_sides_share_a_place() -> None:
    """Before anybody scored all seats are one group."""
    assert FAMILY.new_sheet(RULES, 5, 0).ranking() == ((0, 1, 2, 3, 4),)


@given(st.integers(0, 2**32), st.integers(3, 6))
@settings(max_examples=6, deadline=None)
def test_a_game_of_any_legal_play_ends_within_its_limit_of_hands(seed: int, players: int) -> None:
    """Random players who knock when they may; only box and captain ever play."""
    rng = Random(seed)
    rules = FAMILY.replace(RULES, {"max_hands": 12})
    sheet = FAMILY.new_sheet(rules, players, seed % players)
    over, plans = play_game(FAMILY, rules, sheet, lambda hand: choose(hand, rng, 0.9), rng)
    assert len(plans) <= 22
    assert {plan.seats[0] for plan in plans} == {sheet.box}
    assert all(plan.seats[1] != sheet.box for plan in plans)
    assert over.ending is not None


def test_shutout_counts_for_the_two_sides() -> None:
    """The box takes 100 points in two hands and the team none: (2 * 100 + 100) + 2 * 25 = 350."""
    sheet = FAMILY.new_sheet(RULES, 3, 0)
    for points in (40, 60):
        sheet = sheet.add(seat_outcome(sheet, 0, points))
    assert [line.total for line in sheet.lines] == [350, 0, 0]
    assert (sheet.winners, sheet.settlement()) == ((0,), (700, -350, -350))
