"""Every impossible setting or number of players is refused, by name, before anything is dealt."""

from __future__ import annotations

import json

import pytest

from arena.errors import InvalidCards, InvalidSettings
from arena.rules.base import DealPlan, RulesRecord, Variant
from arena.rules.gin.rules import GinRules
from arena.rules.tables import chouette, cutthroat, mahjong, royal, teams
from arena.rules.tables.mahjong_rules import MahjongRules
from arena.rules.tables.royal_rules import RoyalRules
from arena.rules.tables.settings import CutthroatRules, TeamRules

VARIANTS: tuple[Variant, ...] = (
    *mahjong.VARIANTS,
    *royal.VARIANTS,
    *cutthroat.VARIANTS,
    *chouette.VARIANTS,
    *teams.VARIANTS,
)
BY_NAME = {variant.name: variant for variant in VARIANTS}
NONSENSE: tuple[object, ...] = ("sideways", -1, 10**9, 2.5, [], True)
each_variant = pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.name)


def test_names_and_aliases_are_unique() -> None:
    """Each game has its own name, and no alias that repeats one."""
    known = [name for variant in VARIANTS for name in (variant.name, *variant.aliases)]
    assert len(set(known)) == len(known)


@each_variant
def test_settings_and_values_in_force_have_the_same_names(variant: Variant) -> None:
    """What people may set is what bots are told, and defaults are allowed values."""
    settings = variant.family.settings()
    assert {each.name for each in settings} == set(variant.rules.as_dict())
    assert all(each.meaning and each.allowed for each in settings)
    json.dumps(variant.rules.as_dict())
    defaults = {each.name: each.default for each in settings}
    assert variant.family.replace(variant.rules, defaults).as_dict() == defaults


@each_variant
def test_every_setting_refuses_nonsense_by_name(variant: Variant) -> None:
    """The message names the setting, the value and what is allowed."""
    for setting in variant.family.settings():
        for nonsense in NONSENSE:
            if isinstance(setting.default, bool) and nonsense is True:
                continue
            with pytest.raises(InvalidSettings) as caught:
                variant.family.replace(variant.rules, {setting.name: nonsense})
            assert caught.value.field == setting.name
            assert str(caught.value).startswith(f"{setting.name} is ")
            assert "must be" in str(caught.value)


@each_variant
def test_every_change_of_one_setting_shows_in_the_values_in_force(variant: Variant) -> None:
    """A change is never dropped on the way to the record."""
    for setting in variant.family.settings():
        value = variant.rules.as_dict()[setting.name]
        if not isinstance(value, bool) and isinstance(value, int) and "whole" in setting.allowed:
            low, high = (
                int(word) for word in setting.allowed.split(",")[0].split() if word.isdigit()
            )
            other = low if value != low else high
            try:
                changed = variant.family.replace(variant.rules, {setting.name: other})
            except InvalidSettings:
                continue
            assert changed.as_dict() == {**variant.rules.as_dict(), setting.name: other}


@each_variant
def test_unknown_settings_are_refused_with_the_nearest_known_one(variant: Variant) -> None:
    """A slip of the pen gets a hint."""
    with pytest.raises(InvalidSettings, match="did you mean") as caught:
        variant.family.replace(variant.rules, {"max_turnz": 5})
    assert caught.value.field == "max_turnz"


@pytest.mark.parametrize(
    ("name", "players", "allowed"),
    [
        ("mahjong", 3, "2"),
        ("battle_royal", 2, "3"),
        ("battle_royal", 4, "3"),
        ("cutthroat", 5, "3"),
        ("cutthroat", 2, "3"),
        ("chouette", 2, "3 to 6"),
        ("chouette", 7, "3 to 6"),
        ("teams", 2, "4 to 10"),
    ],
)
def test_numbers_of_players_are_checked(name: str, players: int, allowed: str) -> None:
    """Five players at Cutthroat are an error that says what is played."""
    variant = BY_NAME[name]
    least, most = variant.family.players(variant.rules)
    assert not least <= players <= most
    with pytest.raises(InvalidSettings, match=f"players is {players}, .*played by {allowed}$"):
        variant.family.new_sheet(variant.rules, players, 0)


@each_variant
def test_first_dealer_must_be_a_seat(variant: Variant) -> None:
    """The range is named."""
    least, _ = variant.family.players(variant.rules)
    for dealer in (-1, least):
        with pytest.raises(InvalidSettings, match=f"first_dealer is {dealer}, but must be a seat"):
            variant.family.new_sheet(variant.rules, least, dealer)


@each_variant
def test_rules_of_another_family_are_refused(variant: Variant) -> None:
    """Records do not mix."""
    records: list[RulesRecord] = [
        MahjongRules(),
        RoyalRules(),
        CutthroatRules(),
        TeamRules(),
        GinRules(),
    ]
    for rules in records:
        if type(rules) is not type(variant.rules):
            with pytest.raises(InvalidSettings, match="has no rules of type"):
                variant.family.new_sheet(rules, variant.family.players(rules)[0], 0)


@each_variant
def test_decks_must_be_whole(variant: Variant) -> None:
    """A card twice is no pack."""
    family, rules = variant.family, variant.rules
    deck = family.deck(rules)
    assert len(set(deck)) == 52
    sheet = family.new_sheet(rules, family.players(rules)[0], 0)
    plan = sheet.next_deal()
    assert isinstance(plan, DealPlan)
    with pytest.raises(InvalidCards):
        family.deal(rules, (*deck[:-1], deck[0]), plan)
