"""What is refused in a hand of gin, and what is done for a bot that gives no legal answer."""

from __future__ import annotations

import pytest

from arena.errors import IllegalAction, InvalidAction, InvalidCards
from arena.rules.base import Phase
from arena.rules.cards import NAMES, parse_cards
from arena.rules.gin.actions import ACCEPT, DISCARDS, DOUBLE, DRAW_STOCK, PASS, REFUSE
from arena.rules.gin.hand import deal_gin
from arena.rules.gin.rules import GinRules
from tests.rules.build import EVERY_ACTION, LOOSE, about_to_show, act, dealt, doubling


def test_safe_action_keeps_a_failed_bot_in_the_game() -> None:
    """Pass, draw from the stock, throw what was drawn, accept; it is what comes first in legal."""
    hand = dealt()
    while hand.to_act is not None:
        safe, melds = hand.safe_action()
        assert (safe, melds) == (hand.legal_actions()[0], None)
        if hand.phase is Phase.DISCARD:
            assert safe is DISCARDS[hand.drawn]
        else:
            assert safe in (PASS, DRAW_STOCK)
        hand = hand.apply(safe)
    assert doubling().apply(DOUBLE).safe_action() == (ACCEPT, None)
    with pytest.raises(IllegalAction, match="nobody is to move"):
        hand.safe_action()


def test_safe_discard_after_a_taken_card_leaves_the_least_deadwood() -> None:
    """The card from the pile may not go back, so the dearest unmelded card goes."""
    hand = about_to_show(GinRules(), parse_cards("AS2S3S 5H5D5C 2D4H7D QC KD"), taken="KD")

    assert hand.safe_action()[0].id == "discard:QC"


@pytest.mark.parametrize("word", ["sideways", "", "DISCARD:7H", "discard", "7H", "draw stock"])
def test_text_that_is_no_action_or_no_card(word: str) -> None:
    """Either no action at all, or one that no card of the hand fits."""
    hand = about_to_show(GinRules(), [*LOOSE, "KD"])

    with pytest.raises((InvalidAction, IllegalAction)):
        act(hand, word)


@pytest.mark.parametrize(
    "word", ["discard:7H:1", "discard:1X", "discard:QS", "knock:", "draw:under", "take:3", "drop"]
)
def test_actions_of_other_games_and_strange_cards_are_illegal(word: str) -> None:
    """They are actions, but never allowed here."""
    with pytest.raises(IllegalAction):
        act(about_to_show(GinRules(), [*LOOSE, "KD"]), word)


def test_illegal_action_tells_what_is_allowed() -> None:
    """The text names the phase and the legal actions."""
    with pytest.raises(
        IllegalAction, match="draw:stock is not allowed in phase first_upcard; allowed: pass, draw"
    ):
        act(dealt(), "draw:stock")
    with pytest.raises(IllegalAction, match="allowed: accept, refuse"):
        act(doubling(), "double", "pass")
    with pytest.raises(IllegalAction, match="refuse is not allowed"):
        act(dealt(), "refuse")
    assert REFUSE in EVERY_ACTION


@pytest.mark.parametrize(
    "deck",
    [NAMES[:23], [*NAMES[:51], "AC"], [*NAMES[:51], "JK"], ()],
    ids=["too few", "twice", "joker", "empty"],
)
def test_deck_that_is_no_pack_is_refused(deck: tuple[str, ...]) -> None:
    """The deal says what is wrong with the cards."""
    with pytest.raises(InvalidCards):
        deal_gin(GinRules(), deck, 0)
