"""Suggesting a name for a mistyped one."""

from __future__ import annotations

import pytest

from arena.nearest import did_you_mean

KNOWN = ["target", "line_bonus", "discard:7H", "discard:8H"]


@pytest.mark.parametrize(
    ("word", "meant"),
    [("traget", "target"), ("LineBonus", "line_bonus"), ("discard:7h", "discard:7H")],
)
def test_a_slip_is_answered_with_the_name_as_it_is_spelt(word: str, meant: str) -> None:
    """Capitals and small slips do not matter."""
    assert did_you_mean(word, KNOWN) == f"; did you mean {meant!r}?"


def test_what_is_like_nothing_gets_no_hint() -> None:
    """A wrong guess would mislead."""
    assert did_you_mean("zzz", KNOWN) == ""
    assert did_you_mean("target", []) == ""
