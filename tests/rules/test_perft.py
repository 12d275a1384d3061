"""Counts of positions by depth, against committed figures and a second implementation.

A miscounted rule anywhere in a hand changes these numbers. The packs are tiny, so that hands are
played to their end: two hands of seven and a stock of a few cards.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from arena.rules.cards import parse_cards
from arena.rules.gin.hand import GinHand, deal_gin
from arena.rules.gin.rules import GinRules
from tests.rules import naive_gin

PERFT = Path(__file__).parents[1] / "data" / "perft_gin.json"
POSITIONS: list[Any] = json.loads(PERFT.read_text(encoding="utf-8"))


def perft(hand: GinHand, depth: int) -> list[int]:
    """Number of positions after 1, 2… actions, finished hands counted when they finish."""
    level, counts = [hand], []
    for _ in range(depth):
        level = [state.apply(each) for state in level for each in state.legal_actions()]
        counts.append(len(level))
    return counts


@pytest.mark.parametrize("position", POSITIONS, ids=lambda position: str(position["name"]))
def test_engine_counts(position: Any) -> None:
    """The engine visits exactly the committed number of positions at each depth."""
    rules = GinRules(**position["rules"])
    hand = deal_gin(rules, parse_cards(position["deck"]), position["dealer"])

    assert perft(hand, len(position["counts"])) == position["counts"]


@pytest.mark.parametrize("position", POSITIONS, ids=lambda position: str(position["name"]))
def test_naive_counts(position: Any) -> None:
    """The naive implementation agrees with the committed figures as deep as it can go quickly."""
    rules = GinRules(**position["rules"]).as_dict()
    depth = next(
        (at for at, count in enumerate(position["counts"]) if count > 6000),
        len(position["counts"]),
    )
    deck = list(parse_cards(position["deck"]))

    assert naive_gin.perft(deck, position["dealer"], rules, depth) == position["counts"][:depth]
