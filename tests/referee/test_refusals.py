"""What the author of a bot is told about an action that was not offered."""

from __future__ import annotations

import re
from typing import Any

import pytest

from arena.referee.moments import Moment, deal, moment_of
from arena.referee.refusals import refusal
from arena.rules.games import find_variant

DECK = (
    "KC 2C QD 3C 9D 4C 7H 5C 2H 6C TS 7C 5S 8C AD 9C KS TC 4D JC KH QC AS".split()
    + "2D 3D 5D 6D 7D 8D TD JD KD AH 3H 4H 5H 6H 8H 9H TH JH QH".split()
    + "2S 3S 4S 6S 7S 8S 9S JS QS AC".split()
)
"""KC QD 9D 7H 2H TS 5S AD KS 4D for position 0, and KH as the upcard."""


def after(*actions: str) -> Moment:
    """The decision after some actions of a hand of standard gin."""
    variant = find_variant("gin")
    hand, context = deal(variant, 2, "refused", match="m_refused", deck=DECK)
    for action in actions:
        hand = moment_of(hand, context).after(action)
    return moment_of(hand, context)


def request(*actions: str) -> dict[str, Any]:
    """Its request."""
    return after(*actions).request


@pytest.mark.parametrize(
    ("actions", "answer", "why"),
    [
        (["draw:discard"], "discard:KH", "KH was just taken from the discard pile"),
        (
            ["draw:discard"],
            "knock:QD",
            r"without QD the deadwood is \d+, and the knock limit is 10",
        ),
        (["draw:discard"], "discard:8S", "8S is not in your hand"),
        (["draw:discard"], "big_gin", "not all cards are in melds"),
        (["draw:discard"], "draw:stock", "phase discard asks for discard"),
        ([], "discard:KC", "phase first_upcard asks for pass or draw"),
    ],
)
def test_a_refusal_says_why(actions: list[str], answer: str, why: str) -> None:
    """The rule that forbids it, with the cards and numbers it is about."""
    asked = request(*actions)

    assert re.search(why, refusal(asked, answer)), refusal(asked, answer)
    assert f"not among the {len(asked['legal'])} legal actions: " in refusal(asked, answer)


def test_a_misspelt_action_gets_the_nearest_one() -> None:
    """No rule is to blame for it."""
    assert refusal(request(), "draw:discards").endswith("; did you mean 'draw:discard'?")


def test_whatever_is_answered_gets_a_short_text() -> None:
    """An action may be any text."""
    for answer in ("", ":", "discard:", "knock:JK", "x" * 9999, "discard:\u202e"):
        assert len(refusal(request("draw:discard"), answer)) < 300
