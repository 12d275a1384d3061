"""The settings of Indian rummy and its named variants."""

from __future__ import annotations

import json
from typing import Any

import pytest

from arena.errors import InvalidCards, InvalidSettings
from arena.rules.base import DealPlan
from arena.rules.gin.rules import GinRules
from arena.rules.indian.family import FAMILY, VARIANTS
from arena.rules.indian.rules import IndianRules, group_rules_of, replace_rules


def test_every_setting_is_described() -> None:
    """The table of settings and the record name the same things; defaults are JSON-able."""
    described = {setting.name: setting.default for setting in FAMILY.settings()}

    assert described == IndianRules().as_dict()
    assert json.loads(json.dumps(described)) == described


@pytest.mark.parametrize(
    ("changes", "field", "text"),
    [
        ({"midle_drop": 30}, "midle_drop", "did you mean 'middle_drop'"),
        ({"cap": "80"}, "cap", "a whole number from 1 to 1000"),
        ({"cap": True}, "cap", "cap is true"),
        ({"format": "poool"}, "format", "one of points, pool, deals"),
        ({"packs": 4}, "packs", "packs is 4, but must be a whole number from 1 to 3"),
        ({"wild_natural_pure": 1}, "wild_natural_pure", "true or false"),
        ({"first_drop": None}, "middle_drop", "first_drop is none"),
        ({"packs": 1}, "max_players", "54 cards are too few"),
        ({"min_players": 5, "max_players": 4}, "min_players", "max_players is 4"),
        ({"min_pure": 2}, "min_sequences", "more than min_pure"),
        ({"min_sequences": 4, "hand_size": 10}, "min_sequences", "at most 3"),
        ({"format": "deals", "deals": 5}, "max_hands", "5 deals"),
        ({"max_hands": 0}, "max_hands", "max_hands is 0"),
    ],
)
def test_settings_that_cannot_be_are_refused(
    changes: dict[str, Any], field: str, text: str
) -> None:
    """The error names the field, its value and what would be allowed."""
    with pytest.raises(InvalidSettings, match=text.replace("(", r"\(")) as caught:
        FAMILY.replace(IndianRules(), changes)

    assert caught.value.field == field


def test_settings_are_replaced_together() -> None:
    """Changes that only make sense together are made together."""
    rules = replace_rules(IndianRules(), {"first_drop": None, "middle_drop": None, "packs": 3})

    assert rules.first_drop is None
    assert len(FAMILY.deck(rules)) == 158


def test_variants_are_the_published_rule_sets() -> None:
    """Names, formats, drops, misses and limits of the five variants."""
    found = {
        variant.name: (
            rules.format,
            rules.pool_limit if rules.format == "pool" else rules.deals,
            rules.first_drop,
            rules.middle_drop,
            rules.miss_points,
        )
        for variant in VARIANTS
        if isinstance(rules := variant.rules, IndianRules)
    }

    assert found == {
        "indian_points": ("points", 2, 20, 40, 40),
        "indian_pool_101": ("pool", 101, 20, 40, 40),
        "indian_pool_201": ("pool", 201, 25, 50, 50),
        "indian_deals_2": ("deals", 2, None, None, 80),
        "indian_deals_3": ("deals", 3, None, None, 80),
    }


def test_names_and_aliases_are_unique() -> None:
    """No name stands for two variants."""
    names = [name for variant in VARIANTS for name in (variant.name, *variant.aliases)]

    assert len(set(names)) == len(names)


def test_a_deck_must_be_the_whole_pack() -> None:
    """One card too few, too many or of another pack is refused."""
    rules = IndianRules()
    deck = FAMILY.deck(rules)
    plan = DealPlan((0, 1), 0)

    assert FAMILY.deal(rules, deck[::-1], plan).to_act == 1
    for wrong in (deck[1:], (*deck, "JK"), (*deck[1:], "2C"), (*deck[1:], "XX")):
        with pytest.raises(InvalidCards, match="106"):
            FAMILY.deal(rules, wrong, plan)


@pytest.mark.parametrize(("players", "first_dealer"), [(1, 0), (7, 0), (3, 3), (3, -1)])
def test_impossible_tables_are_refused(players: int, first_dealer: int) -> None:
    """Two to six seats, and the dealer is one of them."""
    with pytest.raises(InvalidSettings):
        FAMILY.new_sheet(IndianRules(), players, first_dealer)


def test_rules_of_another_game_are_refused() -> None:
    """A record of another family is an error, not nonsense later."""
    with pytest.raises(InvalidSettings, match="GinRules"):
        FAMILY.deck(GinRules())


def test_grouping_rules_are_read_from_a_request() -> None:
    """From the values in force and the wild rank; nonsense is refused."""
    rules = replace_rules(IndianRules(), {"ace": "low", "min_natural": 0})

    assert group_rules_of(rules.as_dict(), "Q") == rules.group_rules(11)
    assert group_rules_of({}, None) == IndianRules().group_rules(None)
    for wild in ("1", "QD", ""):
        with pytest.raises(InvalidCards, match="is no rank"):
            group_rules_of({}, wild)
    with pytest.raises(InvalidSettings):
        group_rules_of({"hand_size": 10, "knock_limit": 10}, None)
