"""Every Indian vector of the rulebook, run from the file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from arena.rules.base import DealPlan, Ending, HandOutcome, action
from arena.rules.indian.cards import value_of
from arena.rules.indian.family import FAMILY, VARIANTS
from arena.rules.indian.groups import Reason, judge, kinds
from arena.rules.indian.points import best_grouping, least_points
from arena.rules.indian.rules import IndianRules
from arena.rules.indian.sheet import IndianSheet
from tests.rules.indian.building import (
    OTHER_POOR,
    POOR,
    WINNING,
    dealt,
    faces,
    grouped_points,
    play,
    throw_on,
    wild,
)
from tests.rules.vectors import case_id, cases

RULES = {variant.name: variant.rules for variant in VARIANTS}
FORMATS = {
    "points": "indian_points",
    "pool101": "indian_pool_101",
    "pool201": "indian_pool_201",
    "deals": "indian_deals_2",
}
REASONS = {
    Reason.OK: "ok",
    Reason.NOT_ALL_CARDS: "not 13 cards",
    Reason.INVALID_GROUP: "invalid group",
    Reason.NO_PURE_SEQUENCE: "no pure sequence",
    Reason.TOO_FEW_SEQUENCES: "fewer than two sequences",
}


def scored(points: Sequence[int]) -> HandOutcome:
    """A deal that ended with these points; its winner is who has none."""
    winner = list(points).index(0)
    return HandOutcome(Ending.DECLARED, tuple(points), winner, (), "")


@pytest.mark.parametrize("case", cases("ir_group"), ids=case_id)
def test_group(case: Any) -> None:
    """A group is of exactly the kinds that the rulebook names."""
    given, expected = case["input"], case["expected"]
    found = kinds(faces(given["group"]), wild(given["wild_rank"]))

    assert sorted(found) == expected["kinds"]
    assert bool(found) == expected["valid"]


@pytest.mark.parametrize("case", cases("ir_declaration"), ids=case_id)
def test_declaration(case: Any) -> None:
    """A declaration is judged as grouped, with the rulebook's reason."""
    given, expected = case["input"], case["expected"]
    rules = wild(given["wild_rank"])
    groups = [faces(group) for group in given["groups"]]
    verdict = judge(groups, rules)

    assert verdict.valid == expected["valid"]
    assert REASONS[verdict.reason] == expected["reason"]


@pytest.mark.parametrize("case", cases("ir_declaration"), ids=case_id)
def test_declaration_regrouped(case: Any) -> None:
    """Whether the cards of a declaration are a winning hand in another grouping."""
    given, expected = case["input"], case["expected"]
    rules = wild(given["wild_rank"])
    cards = faces([card for group in given["groups"] for card in group])
    grouping = best_grouping(cards, rules)

    declarable = len(cards) == 13 and judge(grouping.groups, rules).valid
    assert declarable == expected["hand_declarable_if_regrouped"]
    if expected["regrouping"]:
        assert judge([faces(group) for group in expected["regrouping"]], rules).valid


@pytest.mark.parametrize("case", cases("ir_points"), ids=case_id)
def test_points(case: Any) -> None:
    """The points of a hand, at its best grouping or as somebody grouped it."""
    given, expected = case["input"], case["expected"]
    rules = wild(given["wild_rank"])
    if "groups" in given:
        groups = [faces(group) for group in given["groups"]]
        assert grouped_points(groups, faces(given["loose"]), rules) == expected["points"]
        return
    cards = faces(given["hand"])
    assert min(given["cap"], least_points(cards, rules)) == expected["points"]
    assert value_of(cards, rules.wild) == expected["all_cards"]
    if expected["one_best_grouping"] is None:
        assert best_grouping(cards, rules).groups == ()
    else:
        theirs = [faces(group) for group in expected["one_best_grouping"]]
        in_groups = sum(theirs, ())
        loose = list(cards)
        for card in in_groups:
            loose.remove(card)
        assert grouped_points(theirs, tuple(loose), rules) == best_grouping(cards, rules).points


def penalty(rules: IndianRules, event: str) -> int:
    """What the event costs, found by letting it happen at a table of three."""
    settings: dict[str, Any] = rules.as_dict()
    hand = dealt([WINNING, POOR, OTHER_POOR], "4S", "QD", dealer=2, **settings)
    if event.startswith("left"):
        return rules.leaving_points(has_drawn=event == "left after picking")
    if event == "drop before first pick":
        hand = play(hand, "drop")
    elif event == "drop later":
        hand = play(throw_on(hand, 3), "drop")
    elif event == "three misses":
        for _ in range(2):
            hand = throw_on(hand.miss(), 2)
        hand = hand.miss()
    else:
        assert event == "wrong declaration"
        hand = play(hand, "draw:stock").apply(action("declare:KC"), (("2H", "3H", "4H"),))
    points = hand.state.places[0].penalty
    assert points is not None
    return points


@pytest.mark.parametrize("case", cases("ir_penalty"), ids=case_id)
def test_penalty(case: Any) -> None:
    """Drops, misses and wrong declarations cost what the format says."""
    given = case["input"]
    rules = RULES[FORMATS[given["format"]]]
    assert isinstance(rules, IndianRules)

    assert penalty(rules, given["event"]) == case["expected"]["points"]


@pytest.mark.parametrize(
    "case",
    [case for case in cases("ir_winnings") if "loser_points" in case["input"]],
    ids=case_id,
)
def test_winnings(case: Any) -> None:
    """The winner of a points game gains the sum of the losers' points; money is not our affair."""
    losers = case["input"]["loser_points"]
    sheet = FAMILY.new_sheet(RULES["indian_points"], len(losers) + 1, 0)
    after = sheet.add(scored([0, *losers]))
    gains = after.points[after.winners[0]]

    assert gains * case["input"]["point_value"] == case["expected"]["winnings_before_fee"]
    assert sum(after.points) == 0


@pytest.mark.parametrize("case", cases("ir_pool"), ids=case_id)
def test_pool(case: Any) -> None:
    """Totals, who is out in which order, and the winner of a pool."""
    given, expected = case["input"], case["expected"]
    names = given["players"]
    rules = FAMILY.replace(RULES["indian_pool_101"], {"pool_limit": given["limit"]})
    sheet: IndianSheet = FAMILY.new_sheet(rules, len(names), len(names) - 1)
    out: list[str] = []
    for deal in given["rounds"]:
        plan = sheet.next_deal()
        assert plan is not None
        sheet = sheet.add(scored([deal[names[seat]] for seat in plan.seats]))
        active = [line.active for line in sheet.lines]
        out += [n for n, plays in zip(names, active, strict=True) if not plays and n not in out]

    assert dict(zip(names, sheet.points, strict=True)) == expected["totals"]
    assert out == expected["eliminated"]
    assert [names[seat] for seat in sheet.winners] == [expected["winner"]] * bool(
        expected["winner"]
    )
    assert sheet.hands == expected["rounds"]
    assert isinstance(sheet.next_deal(), DealPlan) == (expected["winner"] is None)
