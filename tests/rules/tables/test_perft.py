"""Counts of legal sequences on tiny packs: the engines, a naive reading and stored numbers agree.

`perft.json` holds positions with the number of legal sequences of one, two, three… actions from
there; a sequence that ends the hand sooner counts as well.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from arena.rules.base import Hand, Phase
from arena.rules.cards import card_index, mask_of, parse_cards
from arena.rules.tables.mahjong_hand import MahjongHand
from arena.rules.tables.mahjong_rules import MahjongRules
from arena.rules.tables.royal_hand import RoyalHand
from arena.rules.tables.royal_rules import RoyalRules
from tests.rules.tables import naive_mahjong, naive_royal

CASES: list[Any] = json.loads(Path(__file__).with_name("perft.json").read_text(encoding="utf-8"))
each_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])

Naive = naive_mahjong.Position | naive_royal.Position


def perft(hand: Hand, depth: int) -> int:
    """Number of legal sequences by the engine."""
    if depth == 0 or hand.to_act is None:
        return 1
    return sum(perft(hand.apply(each), depth - 1) for each in hand.legal_actions())


def naive_perft(position: Naive, depth: int) -> int:
    """Number of legal sequences by the naive reading."""
    if depth == 0 or position.over:
        return 1
    return sum(naive_perft(position.after(each), depth - 1) for each in position.legal())


def engine(case: Any) -> Hand:
    """The engine's state of a stored position."""
    hands = [mask_of(parse_cards(cards)) for cards in case["hands"]]
    stock = tuple(card_index(card) for card in parse_cards(case["stock"]))
    pile = tuple(card_index(card) for card in parse_cards(case["pile"]))
    if case["game"] == "battle_royal":
        return RoyalHand(
            rules=RoyalRules(knock_limit=case["limit"], wall_cards=1),
            dealer=case["dealer"],
            to_act=case["mover"],
            phase=Phase.FIRST_UPCARD,
            hands=tuple(hands),
            stock=stock,
            pile=pile,
        )
    laid = [tuple(mask_of(parse_cards(meld)) for meld in melds) for melds in case["table"]]
    return MahjongHand(
        rules=MahjongRules(wall_cards=1),
        dealer=case["dealer"],
        hands=(hands[0], hands[1]),
        stock=stock,
        pile=pile,
        mover=case["mover"],
        phase=Phase.DRAW,
        laid=(laid[0], laid[1]),
    )


def naive(case: Any) -> Naive:
    """The naive state of a stored position."""
    hands = [frozenset(parse_cards(cards)) for cards in case["hands"]]
    stock, pile = parse_cards(case["stock"]), parse_cards(case["pile"])
    if case["game"] == "battle_royal":
        return naive_royal.Position(
            case["dealer"],
            case["mover"],
            (hands[0], hands[1], hands[2]),
            stock,
            pile,
            limit=case["limit"],
            wall=1,
        )
    laid = [tuple(frozenset(parse_cards(meld)) for meld in melds) for melds in case["table"]]
    return naive_mahjong.Position(
        case["dealer"],
        case["mover"],
        (hands[0], hands[1]),
        stock,
        pile,
        table=(laid[0], laid[1]),
        wall=1,
    )


@each_case
def test_engine_counts_the_stored_numbers(case: Any) -> None:
    """Every depth of every position."""
    counts = [perft(engine(case), depth) for depth in range(1, len(case["counts"]) + 1)]
    assert counts == case["counts"]


@each_case
def test_naive_reading_counts_the_stored_numbers(case: Any) -> None:
    """The numbers do not come from the engine alone; the deepest is left to the engine."""
    depths = range(1, len(case["counts"]))
    assert [naive_perft(naive(case), depth) for depth in depths] == case["counts"][:-1]
