"""Doubles of the stake: who may offer one, what it does, and what refusing one costs."""

from __future__ import annotations

import pytest

from arena.errors import IllegalAction
from arena.rules.base import Ending, Phase
from arena.rules.gin.actions import ACCEPT, DOUBLE
from arena.rules.gin.hand import deal_gin
from arena.rules.gin.rules import GinRules
from tests.rules.build import RIVAL, SETS, act, dealt, deck_for, doubling, ids


def test_double_is_offered_before_drawing_and_answered_at_once() -> None:
    """Accepted, the stake doubles and the offerer goes on where it was."""
    hand = doubling()
    assert ids(hand) == ["pass", "draw:discard", "double"]

    offered = hand.apply(DOUBLE)
    assert (offered.to_act, offered.phase) == (1, Phase.ANSWER_DOUBLE)
    assert ids(offered) == ["accept", "refuse"]
    assert offered.view(1).multiplier == 1

    accepted = offered.apply(ACCEPT)
    assert (accepted.to_act, accepted.phase) == (0, Phase.FIRST_UPCARD)
    assert accepted.view(0).multiplier == 2
    assert ids(accepted) == ["pass", "draw:discard"]


def test_right_to_double_lies_with_whoever_accepted_last() -> None:
    """The first offer is free; afterwards it passes to and fro."""
    hand = act(doubling(), "double", "accept", "pass")
    assert "double" in ids(hand)

    hand = act(hand, "double", "accept")
    assert hand.view(0).multiplier == 4
    assert "double" not in ids(hand)
    hand = act(hand, "pass")
    assert ids(hand) == ["draw:stock", "double"]


def test_dealer_may_make_the_first_offer() -> None:
    """The first offer is free to either player."""
    assert "double" in ids(act(doubling(), "pass"))


def test_factor_is_capped() -> None:
    """No offer is possible that would go over ``max_factor``."""
    hand = act(doubling(factor=2), "double", "accept", "pass")

    assert "double" not in ids(hand)
    with pytest.raises(IllegalAction, match="double is not allowed"):
        hand.apply(DOUBLE)


def test_refused_double_ends_the_hand_for_the_offerer() -> None:
    """Ten and the difference of deadwood, no layoffs, at the factor before the offer."""
    hand = act(doubling(), "double", "accept", "pass", "double", "refuse")
    outcome = hand.outcome

    assert hand.to_act is None
    assert outcome is not None
    assert (outcome.ending, outcome.winner) == (Ending.DOUBLE_REFUSED, 1)
    own, other = outcome.shown[1].value, outcome.shown[0].value
    assert outcome.points == (0, (10 + max(0, other - own)) * 2)
    assert "refuses P1's double" in outcome.sentence


def test_doubles_and_spades_multiply() -> None:
    """A spade upcard and an accepted double make a factor of four on the whole score."""
    rules = GinRules(doubling=True, knock_card_source="upcard", spades_double=True)
    deck = deck_for([*SETS[:-1], "QD"], RIVAL, "TS")
    hand = act(deal_gin(rules, deck, 1), "double", "accept")
    assert hand.view(0).multiplier == 4

    outcome = act(hand, "draw:discard", "knock:QD").outcome
    assert outcome is not None
    assert outcome.points[0] == 4 * (outcome.shown[1].value - 10)
    assert outcome.sentence.endswith("(score times 4)")


def test_no_double_is_offered_without_the_rule() -> None:
    """The action does not exist in the standard game."""
    with pytest.raises(IllegalAction, match="double is not allowed"):
        dealt().apply(DOUBLE)
