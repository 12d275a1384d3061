"""Whole games of Battle Royal: who wins, who pays, who deals."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.rules.base import Ending, GameEnding, HandOutcome
from arena.rules.race import Race
from arena.rules.tables.royal import FAMILY, VARIANTS, RoyalSheet
from arena.rules.tables.royal_rules import RoyalRules
from tests.rules.tables.playing import dead, won
from tests.rules.tables.scripts import play_script

RULES = RoyalRules()


def test_scripted_game() -> None:
    """Eight hands from seat 2's deal; the hands are described in `scripts`.

    ====  ======  =======  ====  ====  ====
    hand  dealer  script    s0    s1    s2
    ====  ======  =======  ====  ====  ====
    1     2       knock     +32
    2     0       gin             +84
    3     1       shared     +4    +4   -20
    4     2       dead
    5     2       gin       +84
    6     0       knock           +32
    7     1       gin                   +84
    8     2       gin       +84
    sum                     204   120    64
    won                       4     3     1
    ====  ======  =======  ====  ====  ====

    Totals: 204 + 100 + 4 * 25 = 404; 120 + 3 * 25 = 195; 64 + 25 = 89. Everybody won a hand, so
    pairs settle 209, 315 and 106: +524, -103, -421.
    """
    sheet, plans = play_script(
        FAMILY,
        RULES,
        FAMILY.new_sheet(RULES, 3, 2),
        ["knock", "gin", "shared", "dead", "gin", "knock", "gin", "gin"],
    )
    assert [dealer for _, dealer in plans] == [2, 0, 1, 2, 2, 0, 1, 2]
    assert isinstance(sheet, RoyalSheet)
    assert [tuple(line)[:3] for line in sheet.lines] == [(204, 4, 404), (120, 3, 195), (64, 1, 89)]
    assert (sheet.winners, sheet.ending) == ((0,), GameEnding.TARGET)
    assert sheet.ranking() == ((0,), (1,), (2,))
    assert sheet.settlement() == (524, -103, -421)
    assert (sheet.over, sheet.next_deal()) == (True, None)
    with pytest.raises(ValueError, match="over"):
        sheet.add(dead(3))


def test_pair_shutouts_are_settled_between_two() -> None:
    """Winner 204 in 4 hands, one opponent 90 in 3, the other -20 without a hand.

    With the one: 404 - (90 + 75) = 239. With the other, whose shutout doubles the hand points:
    2 * 204 + 100 + 100 + 20 = 628. Between the losers 165 + 20 = 185.
    """
    race = Race(200, 100, (0, 90, -20), (3, 3, 0)).post((204, 0, 0), (0,))
    sheet = RoyalSheet(race, RULES, 0)
    assert sheet.settlement() == (239 + 628, 185 - 239, -628 - 185)
    assert sum(sheet.settlement()) == 0
    assert [line.total for line in sheet.lines] == [404, 165, -20]


def shared(knocker: int, points: int) -> HandOutcome:
    """A hand that the two others share."""
    gains = tuple(-20 if at == knocker else points for at in range(3))
    return HandOutcome(Ending.UNDERCUT, gains, None, (), "", knocker=knocker)


def test_two_that_pass_the_target_together_level_play_on() -> None:
    """A shared hand lifts both to 200: nobody has won yet; the next hand decides."""
    sheet = FAMILY.new_sheet(RULES, 3, 0)
    for seat in (0, 1):
        sheet = sheet.add(won(seat, 190, 3))
    sheet = sheet.add(shared(2, 10))
    assert [line.points for line in sheet.lines] == [200, 200, -20]
    assert [line.hands_won for line in sheet.lines] == [2, 2, 0]
    assert (sheet.over, sheet.winners, sheet.ranking()) == (False, (), ((0, 1), (2,)))
    sheet = sheet.add(won(1, 4, 3))
    assert (sheet.winners, sheet.ending) == ((1,), GameEnding.TARGET)


def test_knocker_may_fall_below_nothing() -> None:
    """Points may be negative and stay on the sheet."""
    sheet = FAMILY.new_sheet(RULES, 3, 0).add(shared(1, 3)).add(shared(1, 3))
    assert [line.points for line in sheet.lines] == [6, -40, 6]
    assert sheet.columns == ((6, -40, 6),)


def test_game_of_dead_hands_ends() -> None:
    """After the limit level scores get ten hands more, then the game is drawn."""
    rules = FAMILY.replace(RULES, {"max_hands": 5})
    sheet = FAMILY.new_sheet(rules, 3, 0)
    hands = 0
    while not sheet.over:
        sheet = sheet.add(dead(3))
        hands += 1
    assert (hands, sheet.ending, sheet.winners) == (15, GameEnding.DRAW, ())
    assert sheet.ranking() == ((0, 1, 2),)
    assert sheet.settlement() == (0, 0, 0)


def test_dealer_after_a_dead_hand_is_a_setting() -> None:
    """The same again, or the next to the left."""
    moved = FAMILY.replace(RULES, {"dealer_after_dead": "next"})
    for rules, dealer in ((RULES, 1), (moved, 2)):
        plan = FAMILY.new_sheet(rules, 3, 1).add(dead(3)).next_deal()
        assert plan is not None
        assert (plan.seats, plan.dealer) == ((0, 1, 2), dealer)


@given(
    st.lists(
        st.tuples(st.integers(0, 2), st.integers(-1, 60), st.sampled_from(["won", "dead", "both"])),
        max_size=60,
    )
)
@settings(max_examples=60, deadline=None)
def test_settlement_always_sums_to_nothing(hands: list[tuple[int, int, str]]) -> None:
    """Whatever was played, what some receive others pay, and a sheet never loses a point."""
    sheet = FAMILY.new_sheet(RULES, 3, 0)
    points = [0, 0, 0]
    for seat, gain, kind in hands:
        if sheet.over:
            break
        outcome = (
            dead(3)
            if kind == "dead"
            else shared(seat, gain)
            if kind == "both"
            else won(seat, gain, 3)
        )
        sheet = sheet.add(outcome)
        points = [old + new for old, new in zip(points, outcome.points, strict=True)]
        assert [line.points for line in sheet.lines] == points
        assert sum(sheet.settlement()) == 0
        assert sorted(seat for group in sheet.ranking() for seat in group) == [0, 1, 2]


def test_variant_is_three_handed_and_named() -> None:
    """One variant, three seats, figures of the rules."""
    (variant,) = VARIANTS
    assert variant.family.players(variant.rules) == (3, 3)
    assert variant.rules.as_dict()["gin_bonus"] == 40
    assert variant.rules.as_dict()["target"] == 200
