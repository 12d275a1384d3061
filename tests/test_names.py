"""Which names may be used and which are too alike."""

from __future__ import annotations

import re

import pytest

from arena.errors import ConfigError
from arena.names import check_name, name_key


@pytest.mark.parametrize(
    "name",
    ["Keen", "Let's & Go", "=cmd", "牌手", "لاعب", "Zoë", "bot 2.0", "<b>bold</b>", "a" * 64],
)
def test_readable_names_are_allowed(name: str) -> None:
    """Names in any script, with any printable marks, are whole and safe."""
    check_name(name, "bot name")


@pytest.mark.parametrize(
    ("name", "word"),
    [
        ("", "empty"),
        ("   ", "empty"),
        (" keen", "space"),
        ("keen ", "space"),
        ("a" * 65, "65"),
        ("ke\u200ben", "U\\+200B"),
        ("ke\u202een", "U\\+202E"),
        ("keen\n", "space"),
        ("ke\nen", "U\\+000A"),
        ("ke\u00a0en", "U\\+00A0"),
        ("k\u0301\u0301\u0301een", "accents"),
        ("!!!", "letter"),
    ],
)
def test_unreadable_names_are_refused_with_the_fix(name: str, word: str) -> None:
    """Invisible, direction-changing, too long or empty names get a message that says what."""
    with pytest.raises(ConfigError, match=word):
        check_name(name, "bot name")


FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"


@pytest.mark.parametrize(
    "name",
    [
        "می\u200cخواهم",
        "خانه\u200cها",
        "ශ්\u200dරී",
        "न्\u200cन",
        f"Family {FAMILY}",
        "coder \U0001f469\U0001f3fd\u200d\U0001f4bb",
        "heart \u2764\ufe0f\u200d\U0001f525",
    ],
    ids=["persian", "plural", "sinhala", "hindi", "family", "skin", "style"],
)
def test_joiners_are_allowed_where_they_are_seen_and_make_no_other_name(name: str) -> None:
    """Scripts and pictures need them; the name without them is too like."""
    check_name(name, "bot name")

    assert name_key(name) == name_key(re.sub("[\u200c\u200d\ufe0f]", "", name))


@pytest.mark.parametrize(
    "name",
    [
        "ke\u200cen",
        "ke\u200den",
        "می\u200c",
        "\u200cمی",
        "رو\u200cها",
        "می\u200dخواهم",
        "می\u200c\u200cخواهم",
        "bot \U0001f468\u200d",
        "bot\u200d\U0001f468",
        f"{FAMILY}\u200dbot",
        "ke\u3164en",
        "ke\u034fen",
    ],
)
def test_joiners_and_fillers_that_nobody_sees_are_refused(name: str) -> None:
    """Between letters that do not join there, at an end, twice, or beside one picture only."""
    with pytest.raises(ConfigError, match="invisible"):
        check_name(name, "bot name")


@pytest.mark.parametrize(
    "twin",
    [
        "knocker",
        "KNOCKER",
        "Knосker",
        "Κnocker",
        "Ｋｎｏｃｋｅｒ",  # full width
        "Knocke\u0301r",
        "Kn0cker",
        "K nocker",
    ],
)
def test_look_alikes_share_a_key(twin: str) -> None:
    """Case, script, width, accents and digits do not make another name."""
    assert name_key(twin) == name_key("Knocker")


def test_different_names_have_different_keys() -> None:
    """Names that people can tell apart stay apart."""
    names = ["simple", "greedy", "keen", "random_bot", "keen2", "keen3", "bot", "bots"]

    assert len({name_key(name) for name in names}) == len(names)
