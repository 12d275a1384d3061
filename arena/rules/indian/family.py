"""Indian rummy as the rest of the arena sees it, and its named variants.

The variants are data: each is the points game with some settings changed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from arena.errors import InvalidCards
from arena.rules.base import DealPlan, Variant
from arena.rules.family import GameFamily
from arena.rules.indian.cards import deck_of
from arena.rules.indian.dealing import deal_indian
from arena.rules.indian.hand import IndianHand
from arena.rules.indian.rules import IndianRules, indian_settings, replace_rules
from arena.rules.indian.sheet import new_indian_sheet


def _seats(rules: IndianRules) -> tuple[int, int]:
    return rules.min_players, rules.max_players


def _pack(rules: IndianRules) -> tuple[str, ...]:
    return deck_of(rules.packs, rules.printed_jokers)


def _deal(rules: IndianRules, deck: Sequence[str], plan: DealPlan) -> IndianHand:
    whole = _pack(rules)
    if Counter(deck) != Counter(whole):
        raise InvalidCards(
            f"the deck has {len(deck)} cards; it must be the {len(whole)} of the game, in any order"
        )
    return deal_indian(rules, deck, len(plan.seats), plan.dealer)


FAMILY: Final = GameFamily(
    name="indian",
    title="Indian rummy",
    rules=IndianRules,
    listed=indian_settings,
    changed=replace_rules,
    seats=_seats,
    start=new_indian_sheet,
    dealt=_deal,
    pack=_pack,
)


def _variant(name: str, title: str, summary: str, *aliases: str, **settings: object) -> Variant:
    return Variant(name, title, summary, FAMILY, replace_rules(IndianRules(), settings), aliases)


_DEALS: Final[dict[str, object]] = {
    "format": "deals",
    "first_drop": None,
    "middle_drop": None,
    "miss_points": 80,
}

VARIANTS: Final[tuple[Variant, ...]] = (
    _variant(
        "indian_points",
        "Indian rummy, points",
        "13 cards, two packs with jokers; one deal, whose winner takes the points of all losers.",
        "indian",
        "indian_rummy",
        "rummy13",
    ),
    _variant(
        "indian_pool_101",
        "Indian rummy, pool 101",
        "Points of all deals add up; who reaches 101 is out, and the last one in wins.",
        "indian_pool",
        "pool_101",
        format="pool",
        pool_limit=101,
        max_hands=30,
    ),
    _variant(
        "indian_pool_201",
        "Indian rummy, pool 201",
        "Points of all deals add up; who reaches 201 is out, and the last one in wins.",
        "pool_201",
        format="pool",
        pool_limit=201,
        first_drop=25,
        middle_drop=50,
        miss_points=50,
        max_hands=40,
    ),
    _variant(
        "indian_deals_2",
        "Indian rummy, best of two deals",
        "Two deals for chips; most chips win, and a tie is played off.",
        "indian_deals",
        **_DEALS,
        deals=2,
        max_hands=12,
    ),
    _variant(
        "indian_deals_3",
        "Indian rummy, best of three deals",
        "Three deals for chips; most chips win, and a tie is played off.",
        **_DEALS,
        deals=3,
        max_hands=13,
    ),
)
