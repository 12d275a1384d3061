"""Indian rummy as the rest of the arena sees it, and its named variants.

The variants are data: each is the points game with some settings changed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from arena.errors import InvalidCards, InvalidSettings
from arena.rules.base import DealPlan, RulesRecord, Setting, Sheet, Variant
from arena.rules.indian.cards import deck_of
from arena.rules.indian.dealing import deal_indian
from arena.rules.indian.hand import IndianHand
from arena.rules.indian.rules import IndianRules, indian_settings, replace_rules
from arena.rules.indian.sheet import IndianSheet, new_indian_sheet
from arena.rules.seating import check_seats


class IndianFamily:
    """How to deal Indian rummy, keep its score and check its settings."""

    name = "indian"

    def settings(self) -> Sequence[Setting]:
        """Every rule setting."""
        return indian_settings()

    def replace(self, rules: RulesRecord, changes: Mapping[str, object]) -> IndianRules:
        """The rules with these settings changed.

        :raises InvalidSettings: an unknown setting, a value not allowed, or a contradiction.
        """
        return replace_rules(_indian(rules), changes)

    def players(self, rules: RulesRecord) -> tuple[int, int]:
        """Fewest and most seats."""
        own = _indian(rules)
        return own.min_players, own.max_players

    def new_sheet(self, rules: RulesRecord, players: int, first_dealer: int) -> IndianSheet:
        """An empty sheet of a game between so many seats.

        :raises InvalidSettings: too few or too many players, or a dealer who is no seat.
        """
        check_seats("Indian rummy", players, self.players(rules), first_dealer)
        return new_indian_sheet(_indian(rules), players, first_dealer)

    def deck(self, rules: RulesRecord) -> tuple[str, ...]:
        """All packs and printed jokers in canonical order; names repeat."""
        own = _indian(rules)
        return deck_of(own.packs, own.printed_jokers)

    def deal(
        self, rules: RulesRecord, deck: Sequence[str], plan: DealPlan, sheet: Sheet
    ) -> IndianHand:
        """The hand dealt from this order of cards, top first; the sheet does not matter here.

        :raises InvalidCards: the deck is not exactly the cards of the game.
        """
        whole = self.deck(rules)
        if Counter(deck) != Counter(whole):
            raise InvalidCards(
                f"the deck has {len(deck)} cards; it must be the {len(whole)} of the game,"
                " in any order"
            )
        return deal_indian(_indian(rules), deck, len(plan.seats), plan.dealer)


def _indian(rules: RulesRecord) -> IndianRules:
    if not isinstance(rules, IndianRules):
        raise InvalidSettings(f"Indian rummy has no rules of type {type(rules).__name__}")
    return rules


FAMILY: Final = IndianFamily()


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
