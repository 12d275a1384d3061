"""How many lines of play small decks allow, compared with counts that are kept as data.

The data came from the second implementation in `naive_play`, which the first test runs again.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from arena.rules.indian.dealing import deal_indian
from arena.rules.indian.hand import IndianHand
from arena.rules.indian.rules import IndianRules, replace_rules
from tests.rules.indian import naive_play

DATA = Path(__file__).parents[2] / "data" / "indian_perft.json"
CASES: list[Any] = json.loads(DATA.read_text(encoding="utf-8"))["cases"]


def lines(hand: IndianHand, depth: int) -> Counter[str]:
    """Lines of play of this length, and shorter ones that end before, by how they end."""
    if hand.outcome is not None:
        return Counter([hand.outcome.ending.value])
    if depth == 0:
        return Counter(["running"])
    total: Counter[str] = Counter()
    for each in hand.legal_actions():
        total.update(lines(hand.apply(each), depth - 1))
    return total


def rules_of(case: Any) -> IndianRules:
    """The rules of a case."""
    return replace_rules(IndianRules(), case["rules"])


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["title"]))
def test_lines_of_play(case: Any) -> None:
    """At every depth as many lines run and end, each in its way, as the data say."""
    deck = case["deck"].split()
    hand = deal_indian(rules_of(case), deck, case["positions"], case["positions"] - 1)
    for depth, expected in enumerate(case["counts"]):
        assert dict(lines(hand, depth)) == expected, depth


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["title"]))
def test_data_are_what_the_plain_implementation_counts(case: Any) -> None:
    """The kept numbers come from code that shares nothing with the product."""
    rules = rules_of(case).as_dict()
    for depth, expected in enumerate(case["counts"][:-1]):
        table = naive_play.Table(case["deck"].split(), case["positions"], rules)
        assert naive_play.count(table, depth) == expected, depth


def test_cases_reach_every_way_to_end() -> None:
    """The small decks see declarations right and wrong, drops, void deals and reshuffles."""
    endings = {ending for case in CASES for ending in case["counts"][-1]}

    assert endings == {
        "running",
        "declared",
        "wrong_declaration",
        "last_player",
        "dead_turns",
        "dead_stock",
    }
