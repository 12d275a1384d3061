"""Team play: pairs, sums, sweeps, targets by size."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.errors import InvalidSettings
from arena.rules.base import Family, GameEnding, RulesRecord
from arena.rules.tables.settings import TeamRules
from arena.rules.tables.teams import FAMILY, VARIANTS, MemberResult, TeamSheet, team_score
from tests.rules.tables.playing import choose, dead, play_game, won
from tests.rules.tables.scripts import play_script

RULES = TeamRules()
BY_NAME = {variant.name: variant for variant in VARIANTS}


def test_scripted_game() -> None:
    """Five team hands of two pairs, team A dealing first; the hands are described in `scripts`.

    ====  ======  ================  =====  =====
    hand  dealer  scripts           A      B
    ====  ======  ================  =====  =====
    1     A       gin, undercut        26     48  B +22
    2     B       gin, gin             96         A +96
    3     A       dead, dead                      level, A deals again
    4     A       gin, gin                    96  B +96
    5     B       gin, knock           54         A +54
    sum                               150    118
    ====  ======  ================  =====  =====

    In hand 1 the non-dealers are team B: seat 1 goes gin, seat 3 knocks and is undercut. Two boxes
    each. Totals 150 + 50 + 100 = 300 and 118 + 50 = 168.
    """
    sheet, plans = play_script(
        FAMILY,
        RULES,
        FAMILY.new_sheet(RULES, 4, 2),
        ["gin", "undercut", "gin", "gin", "dead", "dead", "gin", "gin", "gin", "knock"],
    )
    assert [seats for seats, _ in plans] == [(0, 1), (2, 3)] * 5
    assert [dealer for _, dealer in plans] == [0, 2, 1, 3, 0, 2, 0, 2, 1, 3]
    team_a, team_b = (150, 2, 300), (118, 2, 168)
    assert [tuple(line)[:3] for line in sheet.lines] == [team_a, team_b] * 2
    assert (sheet.winners, sheet.ending, sheet.target) == ((0, 2), GameEnding.TARGET, 150)
    assert sheet.ranking() == ((0, 2), (1, 3))
    assert sheet.columns == ((150, 118, 150, 118),)
    assert (sheet.over, sheet.next_deal()) == (True, None)
    with pytest.raises(ValueError, match="over"):
        sheet.add(dead())


def results(*pairs: tuple[int, int]) -> list[MemberResult]:
    """Members' results from their points."""
    return [MemberResult(each, 0 if each[0] else 1 if each[1] else None) for each in pairs]


@pytest.mark.parametrize(
    ("played", "sweep", "score"),
    [
        (results((10, 0), (0, 30)), 25, (1, 20)),
        (results((10, 0), (0, 10)), 25, (None, 0)),
        (results((10, 0), (5, 0), (1, 0)), 25, (0, 41)),
        (results((10, 0), (5, 0), (0, 0)), 25, (0, 15)),
        (results((0, 9), (0, 9), (0, 9), (0, 9)), 50, (1, 86)),
        (results((0, 0), (0, 0)), 25, (None, 0)),
    ],
)
def test_team_hand_score(
    played: Sequence[MemberResult], sweep: int, score: tuple[int | None, int]
) -> None:
    """The difference of the sums to the larger, with the sweep bonus when all members won."""
    assert team_score(played, sweep) == score


def test_nothing_counts_before_the_last_member_has_played() -> None:
    """The lines stay as they were; the other pairs' results are not shown before."""
    sheet = FAMILY.new_sheet(RULES, 6, 0)
    half = sheet.add(won(0, 40)).add(won(0, 40))
    assert half.lines == sheet.lines
    plan = half.next_deal()
    assert plan is not None
    assert plan.seats == (4, 5)
    whole = half.add(won(1, 30))
    assert [line.points for line in whole.lines] == [50, 0] * 3
    assert [line.hands_won for line in whole.lines] == [1, 0] * 3


@pytest.mark.parametrize(
    ("name", "players", "target", "sweep"),
    [
        ("teams", 4, 150, 0),
        ("teams", 8, 175, 0),
        ("teams_round_the_corner", 4, 150, 0),
        ("teams_round_the_corner", 6, 175, 0),
        ("teams_round_the_corner", 8, 175, 0),
        ("teams_round_the_corner", 10, 200, 0),
        ("teams_tedesco", 4, 200, 0),
        ("teams_tedesco", 6, 300, 25),
        ("teams_tedesco", 8, 300, 50),
    ],
)
def test_targets_and_sweeps_by_size(name: str, players: int, target: int, sweep: int) -> None:
    """Larger teams play to more; Tedesco pays for a sweep of three and of four."""
    variant = BY_NAME[name]
    sheet = FAMILY.new_sheet(variant.rules, players, 0)
    assert sheet.target == target
    for _ in range(players // 2):
        sheet = sheet.add(won(1, 10))
    assert sheet.lines[1].points == 10 * (players // 2) + sweep


def test_tedesco_teams_keep_a_hollywood_sheet() -> None:
    """Three columns by team, shown for every seat."""
    sheet = FAMILY.new_sheet(BY_NAME["teams_tedesco"].rules, 4, 0)
    for _ in range(2):
        sheet = sheet.add(won(0, 30)).add(won(0, 30))
    assert sheet.columns == ((120, 0, 120, 0), (60, 0, 60, 0), (0, 0, 0, 0))


@pytest.mark.parametrize("players", [3, 5, 7, 11, 12])
def test_numbers_that_make_no_two_teams_are_refused(players: int) -> None:
    """The message names the number and what is allowed."""
    with pytest.raises(InvalidSettings, match=f"players is {players}, but team gin") as caught:
        FAMILY.new_sheet(RULES, players, 0)
    assert caught.value.field == "players"


@given(st.integers(0, 2**32), st.sampled_from([4, 6]), st.sampled_from(sorted(BY_NAME)))
@settings(max_examples=8, deadline=None)
def test_a_game_of_any_legal_play_ends_within_its_limit_of_hands(
    seed: int, players: int, name: str
) -> None:
    """Random players who knock when they may; every pair plays in every team hand."""
    rng = Random(seed)
    family: Family = FAMILY
    rules: RulesRecord = FAMILY.replace(BY_NAME[name].rules, {"max_hands": 4})
    sheet = family.new_sheet(rules, players, seed % players)
    over, plans = play_game(family, rules, sheet, lambda hand: choose(hand, rng, 0.9), rng)
    assert isinstance(over, TeamSheet)
    pairs = players // 2
    assert len(plans) % pairs == 0
    assert len(plans) <= pairs * 14
    assert [plan.seats for plan in plans[:pairs]] == [(2 * at, 2 * at + 1) for at in range(pairs)]
    assert len({line for line in over.lines[::2]}) == len({line for line in over.lines[1::2]}) == 1
