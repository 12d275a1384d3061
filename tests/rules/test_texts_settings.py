"""Every setting that is not as usual is said: no two different games have the same text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

import pytest

from arena.errors import InvalidSettings
from arena.rules.base import Setting, Variant
from arena.rules.games import all_variants, variant_with
from arena.rules.texts import rule_text

NO_SENTENCE: frozenset[tuple[str, str]] = frozenset()
"""Family and name of settings that change nothing a player is to know. There are none."""

CONTEXT: Mapping[str, Mapping[str, object]] = {
    "oklahoma_ace": {"knock_card_source": "upcard"},
    "gin_zero_after_layoff": {"layoff_on_gin": True},
    "max_factor": {"doubling": True},
    "hollywood_shutout": {"columns": 3},
    "pool_limit": {"format": "pool"},
    "deals": {"format": "deals"},
}
"""Settings that count only together with another: what has to be set besides."""

FAMILIES = {variant.family.name: variant for variant in reversed(all_variants())}
"""The plain game of each family."""


def other_values(setting: Setting) -> Iterator[object]:
    """Values that a setting may have, as its own words say; a few of each range."""
    if setting.allowed == "true or false":
        yield from (True, False)
    elif found := re.match(r"a whole number from (-?\d+) to (\d+)", setting.allowed):
        least, most = map(int, found.groups())
        default = setting.default if isinstance(setting.default, int) else least
        yield from sorted({least, most, max(least, default - 1), min(most, default + 1)})
        if "or none" in setting.allowed:
            yield None
    else:
        assert setting.allowed.startswith("one of ")
        words = setting.allowed.removeprefix("one of ").split(", ")
        yield from (int(word) if word.isdigit() else word for word in words)


def text(variant: Variant) -> str:
    """The whole text."""
    return "\n".join(rule_text(variant))


def settings() -> list[tuple[str, str]]:
    """Every setting of every family."""
    return [
        (family, setting.name)
        for family, variant in FAMILIES.items()
        for setting in variant.family.settings()
    ]


@pytest.mark.parametrize(("family", "name"), settings())
def test_every_setting_is_said_or_named_as_needing_no_sentence(family: str, name: str) -> None:
    """Any two values that a setting may have make two texts."""
    game = FAMILIES[family]
    setting = next(one for one in game.family.settings() if one.name == name)
    base = CONTEXT.get(name, {})
    plain = variant_with(game.name, base)
    said = {text(plain): plain.rules.as_dict()[name]}
    for value in other_values(setting):
        try:
            variant = variant_with(game.name, {**base, name: value})
        except InvalidSettings:  # such a value goes with others only
            continue
        words = text(variant)
        assert said.setdefault(words, value) == value or (family, name) in NO_SENTENCE

    assert len(said) > 1


def test_what_needs_no_sentence_is_a_setting() -> None:
    """The list of exceptions names nothing that is not there."""
    assert set(settings()) >= NO_SENTENCE


def test_games_of_other_rules_have_other_texts() -> None:
    """Only games that are the same under two names are told in the same words."""
    seen: dict[tuple[str, str], Variant] = {}
    for variant in all_variants():
        same = seen.setdefault((variant.family.name, text(variant)), variant)
        assert same.rules == variant.rules, (same.name, variant.name)


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("mahjong", {"hand_size": 13}),
        ("battle_royal", {"hand_size": 7}),
        ("gin", {"hand_size": 7}),
        ("indian_points", {"hand_size": 10, "packs": 3, "printed_jokers": 0}),
    ],
)
def test_no_figure_stands_in_a_sentence_by_itself(name: str, changes: dict[str, object]) -> None:
    """The cards dealt are those of the rules, in every place where they are counted."""
    words = text(variant_with(name, changes))

    assert f"get {changes['hand_size']} cards each" in words
    assert not re.search(r"\bten cards|\b13 cards|\bthirteen", words.replace("13 cards each", ""))


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("multi_match", ["first to 100 points wins that play", "reaches 500", "adds 100 more"]),
        ("oklahoma_separate", ["starts empty, and the non-dealer draws first", "winner moves fi"]),
        ("extra100", ["(a shutout), the winner adds 100 more"]),
        ("house_25", ["(a shutout), the bonus of the winner is 200 instead"]),
        ("rubl", ["hand points and the bonus of the winner count double"]),
        ("teams_tedesco", ["25 when all three, 50 when all four and 75 when all five"]),
        ("teams", ["150 for teams of two", "200 for teams of five"]),
        ("round_the_corner", ["Nobody scores for gin when that rids the defender"]),
        ("battle_royal", ["adds 100", "25 for each hand won", "(a shutout)", "when 3 cards are"]),
        ("cutthroat", ["Who has won no hand pays the winner 100 more"]),
        ("doubling", ["scores 10 and what the other has more in deadwood"]),
        ("hollywood", ["whoever closed more of them wins", "100, and everybody adds 25 for each"]),
        ("indian_points", ["nothing in it counts", "taken from it may be thrown in the same turn"]),
    ],
)
def test_what_sets_a_game_apart_is_said(name: str, words: list[str]) -> None:
    """Bonuses, shutouts, refusals and who wins, as they are refereed."""
    said = text(variant_with(name))

    for one in words:
        assert one in said


def test_upcard_and_separate_card_are_never_told_together() -> None:
    """With a separate card nothing is turned onto the discard pile."""
    words = text(variant_with("oklahoma_separate"))

    assert "upcard" not in words
    assert "first card of the discard pile" not in words
