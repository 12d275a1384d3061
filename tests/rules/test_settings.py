"""Rule settings: every value checked, every contradiction named."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from arena.errors import InvalidSettings
from arena.rules.games import all_variants, find_variant, variant_with
from arena.rules.gin.family import FAMILY
from arena.rules.gin.rules import ROWS, GinRules, replace_rules
from arena.rules.settings import parse_setting

BAD: list[tuple[str, Any, str]] = [
    ("hand_size", 30, "one of 7, 10"),
    ("hand_size", 10.0, "one of 7, 10"),
    ("hand_size", True, "one of 7, 10"),
    ("knock_limit", 11, "from 0 to 10"),
    ("knock_limit", -1, "from 0 to 10"),
    ("knock_limit", "10", "from 0 to 10"),
    ("knock_limit", None, "from 0 to 10"),
    ("knock_limit", True, "from 0 to 10"),
    ("target", 0, "from 1 to"),
    ("target", 1e2, "from 1 to"),
    ("target", float("nan"), "from 1 to"),
    ("gin_bonus", -5, "from 0 to"),
    ("undercut_bonus", 10**9, "from 0 to"),
    ("undercut_on_tie", 1, "true or false"),
    ("undercut_on_tie", "true", "true or false"),
    ("ace_mode", "high", "one of low, corner"),
    ("ace_mode", None, "one of low, corner"),
    ("ace_mode", ["low"], "one of low, corner"),
    ("ace_deadwood", True, "one of 1, 15"),
    ("shutout", "double", "double_hand_points"),
    ("columns", 2, "one of 1, 3"),
    ("columns", True, "one of 1, 3"),
    ("max_turns", 0, "from 1 to"),
    ("max_hands", "many", "from 1 to"),
    ("max_factor", 65, "from 2 to 64"),
    ("wall_cards", 0, "from 1 to"),
    ("forfeit_margin", 0, "or none"),
]


@pytest.mark.parametrize(("name", "value", "allowed"), BAD)
def test_value_that_is_not_allowed_is_refused(name: str, value: Any, allowed: str) -> None:
    """The error names the setting, the value and what is allowed, and carries the name."""
    with pytest.raises(InvalidSettings) as caught:
        replace_rules(GinRules(), {name: value})

    assert caught.value.field == name
    assert str(caught.value).startswith(f"{name} is ")
    assert allowed in str(caught.value)
    with pytest.raises(InvalidSettings):
        GinRules(**{name: value})


CONTRADICTIONS: list[tuple[dict[str, Any], str]] = [
    ({"knock_card_source": "upcard", "knock_limit": 5}, "knock_limit"),
    ({"knock_card_source": "separate", "knock_limit": 0}, "knock_limit"),
    ({"big_gin_bonus": 20}, "big_gin_bonus"),
    ({"gin_bonus": 40}, "big_gin_bonus"),
    ({"columns": 3, "doubling": True}, "doubling"),
    ({"columns": 3, "game_target": 500}, "game_target"),
    ({"columns": 3, "forfeit_margin": 50}, "forfeit_margin"),
]


@pytest.mark.parametrize(("changes", "field"), CONTRADICTIONS)
def test_contradictions_are_refused(changes: dict[str, Any], field: str) -> None:
    """Settings that are allowed one by one but not together."""
    with pytest.raises(InvalidSettings) as caught:
        replace_rules(GinRules(), changes)

    assert caught.value.field == field


def test_straight_gin_forbids_an_oklahoma_card() -> None:
    """The knock limit of straight gin is fixed at 0."""
    with pytest.raises(InvalidSettings, match="a card sets the limit"):
        variant_with("straight", {"knock_card_source": "upcard"})


def test_unknown_setting_names_the_nearest() -> None:
    """A misspelt setting is an error that suggests the right one."""
    with pytest.raises(InvalidSettings, match=r"'knock_limt' is no rule setting.*'knock_limit'"):
        variant_with("gin", {"knock_limt": 5})
    with pytest.raises(
        InvalidSettings, match="'zzz' is no rule setting; known settings: hand_size"
    ):
        variant_with("gin", {"zzz": 5})


def test_every_field_has_a_row_and_a_documented_default() -> None:
    """The table of settings and the record have the same names, in the same sense."""
    rules = GinRules()
    settings = {setting.name: setting for setting in FAMILY.settings()}

    assert set(settings) == {field.name for field in dataclasses.fields(GinRules)}
    assert len(settings) == len(ROWS)
    for name, value in rules.as_dict().items():
        assert settings[name].default == value
        assert settings[name].meaning
        assert settings[name].allowed


def test_every_allowed_word_is_accepted() -> None:
    """Each word that a choice lists can be set, with what it needs beside it."""
    for row in ROWS:
        if row.allowed.startswith("one of "):
            for word in row.allowed.removeprefix("one of ").split(", "):
                rules = replace_rules(GinRules(), {row.name: parse_setting(row.name, word)})

                assert str(getattr(rules, row.name)) == word


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("20", 20),
        (" -5 ", -5),
        ("true", True),
        ("Yes", True),
        ("off", False),
        ("none", None),
        ("NULL", None),
        ("low", "low"),
        ("1.5", "1.5"),
        ("٥", "٥"),
        ("9" * 30, "9" * 30),
    ],
)
def test_parse_setting_reads_text(text: str, value: object) -> None:
    """Numbers, booleans and none are recognised; everything else stays text to be checked."""
    assert parse_setting("x", text) == value
    assert type(parse_setting("x", text)) is type(value)


def test_parse_setting_wants_a_value() -> None:
    """An empty value is an error, not an empty word."""
    with pytest.raises(InvalidSettings, match="target has no value; write target=VALUE"):
        parse_setting("target", "  ")


def test_word_none_for_a_choice_called_none() -> None:
    """``shutout=none`` and ``knock_card_source=none`` mean the word, big gin none means None."""
    for name in ("shutout", "knock_card_source"):
        value = parse_setting(name, "none")
        rules = variant_with("gin", {name: value}).rules.as_dict()

        assert rules[name] == "none"
    assert variant_with("gin", {"big_gin_bonus": None}).rules.as_dict()["big_gin_bonus"] is None


def test_variant_is_found_by_name_and_alias() -> None:
    """Aliases, capitals, spaces and hyphens lead to the same variant."""
    assert find_variant("gin") is find_variant("standard") is find_variant("Arena")
    assert find_variant("Round the-Corner").name == "round_the_corner"


def test_unknown_variant_suggests_the_nearest() -> None:
    """A misspelt game is an error that names the right one; nonsense lists all games."""
    with pytest.raises(InvalidSettings, match="'oklahma' is no game; did you mean 'oklahoma'"):
        find_variant("oklahma")
    with pytest.raises(InvalidSettings, match="'' is no game; games: gin, "):
        find_variant("")


def test_every_variant_is_listed_once_and_explained() -> None:
    """Names are unique, and each variant has a title and one line of summary."""
    variants = all_variants()

    assert len({variant.name for variant in variants}) == len(variants)
    assert len({variant.title for variant in variants}) == len(variants)
    for variant in variants:
        assert find_variant(variant.name) is variant
        assert variant.summary.endswith(".")
        assert "\n" not in variant.summary
        assert variant.changes == ()


def test_changes_are_kept_sorted_and_only_where_they_change_something() -> None:
    """Name and changes together name the rules, whatever order the organiser wrote them in."""
    first = variant_with("gin", {"undercut_bonus": 10, "gin_bonus": 20, "target": 100})
    second = variant_with("gin", {"target": 100, "gin_bonus": 20, "undercut_bonus": 10})

    assert first == second
    assert first.changes == (("gin_bonus", 20), ("undercut_bonus", 10))
    assert variant_with("gin", {"target": 100}) == variant_with("gin") == find_variant("gin")


def test_combinations_are_possible() -> None:
    """House rules combine: Oklahoma with doubling, corner runs and a fifty-card rule."""
    rules = variant_with(
        "oklahoma",
        {"doubling": True, "ace_mode": "corner", "wall_rule": "opponent_may_knock"},
    ).rules.as_dict()

    assert rules["knock_card_source"] == "upcard"
    assert rules["doubling"] is True
    assert rules["ace_mode"] == "corner"


@pytest.mark.parametrize("players", [0, 1, 3, 5])
def test_gin_is_for_two(players: int) -> None:
    """Another number of players is refused before any card is dealt."""
    with pytest.raises(InvalidSettings, match=f"players is {players}, .* played by 2"):
        FAMILY.new_sheet(GinRules(), players, 0)
    assert FAMILY.players(GinRules()) == (2, 2)


def test_dealer_must_be_a_seat() -> None:
    """A first dealer who does not sit at the table is refused."""
    with pytest.raises(InvalidSettings, match="a seat from 0 to 1"):
        FAMILY.new_sheet(GinRules(), 2, 2)
