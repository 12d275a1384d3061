"""Seven-card gin that one may knock with seven: the stricter of the two customs."""

from __future__ import annotations

from dataclasses import fields

import pytest

from arena.rules.games import find_variant
from arena.rules.gin.rules import GinRules
from arena.rules.texts import rule_text


def test_it_is_seven_card_gin_but_for_the_knock_limit() -> None:
    """One setting makes the game."""
    looser, stricter = (find_variant(name).rules for name in ("seven_card", "seven_card_seven"))
    assert isinstance(looser, GinRules)
    assert isinstance(stricter, GinRules)

    differing = {
        field.name
        for field in fields(GinRules)
        if getattr(looser, field.name) != getattr(stricter, field.name)
    }

    assert differing == {"knock_limit"}


@pytest.mark.parametrize(
    ("name", "words"), [("seven_card", "10 or less"), ("seven_card_seven", "7 or less")]
)
def test_its_text_says_the_limit(name: str, words: str) -> None:
    """What is told is what is refereed."""
    assert words in " ".join(rule_text(find_variant(name)))
