"""Cutthroat: who plays, who sits out, who wins, who pays."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.errors import InvalidSettings
from arena.rules.base import GameEnding, Phase
from arena.rules.gin.hand import GinHand
from arena.rules.tables.cutthroat import FAMILY, CutthroatSheet
from arena.rules.tables.settings import CutthroatRules
from tests.rules.tables.playing import choose, play_game, seat_outcome
from tests.rules.tables.scripts import play_script

RULES = CutthroatRules()


def test_scripted_game() -> None:
    """Six hands, seat 1 dealing first to seat 2; the hands are described in `scripts`.

    ====  =====  ======  ========  ===  ===  ===  sits out next
    hand  seats  dealer  script     s0   s1   s2
    ====  =====  ======  ========  ===  ===  ===  =============
    1     1 2    1       gin                 +48  1
    2     0 2    0       undercut  +26            2 (knocked)
    3     0 1    1       dead                     2 still
    4     0 1    1       gin       +48            1
    5     0 2    2       knock      +6            2
    6     0 1    1       gin       +48
    sum                            128    0   48
    won                              4    0    1
    ====  =====  ======  ========  ===  ===  ===  =============

    Totals 128 + 100 + 100 = 328, 0, 48 + 25 = 73. Seat 1 won no hand and pays seat 0 100 more:
    328 + 255 + 100 = 683; -328 - 73 - 100 = -501; -255 + 73 = -182.
    """
    sheet, plans = play_script(
        FAMILY,
        RULES,
        FAMILY.new_sheet(RULES, 3, 1),
        ["gin", "undercut", "dead", "gin", "knock", "gin"],
    )
    assert plans == [((1, 2), 1), ((0, 2), 0), ((0, 1), 1), ((0, 1), 1), ((0, 2), 2), ((0, 1), 1)]
    assert isinstance(sheet, CutthroatSheet)
    assert [tuple(line)[:3] for line in sheet.lines] == [(128, 4, 328), (0, 0, 0), (48, 1, 73)]
    assert (sheet.winners, sheet.ending, sheet.target) == ((0,), GameEnding.TARGET, 100)
    assert sheet.ranking() == ((0,), (2,), (1,))
    assert sheet.settlement() == (683, -501, -182)
    assert (sheet.over, sheet.next_deal()) == (True, None)
    with pytest.raises(ValueError, match="over"):
        sheet.add(seat_outcome(FAMILY.new_sheet(RULES, 3, 1), 1, 5))


@pytest.mark.parametrize("first_dealer", [0, 1, 2])
def test_first_dealer_plays_the_seat_on_the_left(first_dealer: int) -> None:
    """The third seat sits out the first hand."""
    sheet = FAMILY.new_sheet(RULES, 3, first_dealer)
    plan = sheet.next_deal()
    assert plan is not None
    assert plan.seats[plan.dealer] == first_dealer
    assert sheet.idle == (first_dealer + 2) % 3
    assert sheet.idle not in plan.seats


def random_game(seed: int, rules: CutthroatRules = RULES) -> tuple[CutthroatSheet, int]:
    """A game between random players that knock when they may, and the number of its hands."""
    rng = Random(seed)
    sheet = FAMILY.new_sheet(rules, 3, seed % 3)
    over, plans = play_game(FAMILY, rules, sheet, lambda hand: choose(hand, rng, 0.9), rng)
    assert isinstance(over, CutthroatSheet)
    return over, len(plans)


@given(st.integers(0, 2**32))
@settings(max_examples=8, deadline=None)
def test_a_game_of_any_legal_play_ends_within_its_limit_of_hands(seed: int) -> None:
    """At most the limit and ten hands more; payments sum to nothing."""
    rules = FAMILY.replace(RULES, {"max_hands": 12})
    sheet, hands = random_game(seed, rules)
    assert hands <= 22
    assert sum(sheet.settlement()) == 0
    assert sheet.ending is not None


@given(st.lists(st.tuples(st.sampled_from(["dealer", "other", "dead"]), st.integers(1, 40))))
@settings(max_examples=80, deadline=None)
def test_the_incoming_player_deals_and_never_plays_as_non_dealer_at_first(
    hands: list[tuple[str, int]],
) -> None:
    """Loser out, idle in as dealer, dead hand unchanged, nobody idle twice running by a loss."""
    sheet = FAMILY.new_sheet(RULES, 3, 0)
    for winner, points in hands:
        if sheet.over:
            break
        idle, dealer, other = sheet.idle, sheet.dealer, sheet.other
        assert {idle, dealer, other} == {0, 1, 2}
        seat = {"dealer": dealer, "other": other, "dead": None}[winner]
        sheet = sheet.add(seat_outcome(sheet, seat, points))
        if seat is None:
            assert (sheet.idle, sheet.dealer, sheet.other) == (idle, dealer, other)
        else:
            assert (sheet.dealer, sheet.other) == (idle, seat)
            assert sheet.idle == dealer + other - seat
        assert sum(sheet.settlement()) == 0
        assert all(line.active for line in sheet.lines)


def test_a_hand_that_scores_nothing_counts_as_dead() -> None:
    """With ties void, a tie changes neither seats nor dealer nor score."""
    rules = FAMILY.replace(RULES, {"undercut_on_tie": False})
    sheet = FAMILY.new_sheet(rules, 3, 1)
    after = sheet.add(seat_outcome(sheet, None))
    assert after.next_deal() == sheet.next_deal()
    assert after.race.points == (0, 0, 0)


def test_game_without_a_winner_is_drawn_after_its_limit() -> None:
    """Nobody ever knocks: the limit, ten hands more, then a draw; nobody pays."""
    sheet = FAMILY.new_sheet(FAMILY.replace(RULES, {"max_hands": 4}), 3, 0)
    hands = 0
    while not sheet.over:
        sheet = sheet.add(seat_outcome(sheet, None))
        hands += 1
    assert (hands, sheet.ending, sheet.winners) == (14, GameEnding.DRAW, ())
    assert sheet.settlement() == (0, 0, 0)
    assert sheet.ranking() == ((0, 1, 2),)


def test_hands_are_two_handed_gin_under_the_rules_of_the_table() -> None:
    """Settings of gin reach the hands, with the ones that make no sense here left out."""
    rules = FAMILY.replace(RULES, {"hand_size": 7, "knock_card_source": "upcard"})
    sheet = FAMILY.new_sheet(rules, 3, 2)
    plan = sheet.next_deal()
    assert plan is not None
    hand = FAMILY.deal(rules, FAMILY.deck(rules), plan)
    assert isinstance(hand, GinHand)
    assert (len(hand.view(0).hand), hand.phase) == (7, Phase.FIRST_UPCARD)
    assert rules.as_dict()["hand_size"] == 7
    assert "columns" not in rules.as_dict()
    with pytest.raises(InvalidSettings, match="'columns' is no rule setting"):
        FAMILY.replace(RULES, {"columns": 3})
