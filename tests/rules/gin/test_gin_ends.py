"""How a hand of gin ends: by a knock, by gin, at the wall, or before it began."""

from __future__ import annotations

import pytest

from arena.errors import IllegalAction
from arena.rules.base import Ending, Phase
from arena.rules.cards import parse_cards
from arena.rules.gin.actions import BIG_GIN, DISCARDS, DRAW_DISCARD, DRAW_STOCK, KNOCKS, PASS
from arena.rules.gin.hand import GinHand, deal_gin
from arena.rules.gin.rules import GinRules
from tests.rules.build import (
    EVERY_ACTION,
    LOOSE,
    OTHER,
    RIVAL,
    SETS,
    about_to_show,
    act,
    dealt,
    deck_for,
    ids,
    wall_with_a_knock,
)


def to_the_wall(hand: GinHand) -> GinHand:
    """Both draw from the stock and throw what they drew until something else is asked."""
    while hand.phase in (Phase.DRAW, Phase.FORCED_STOCK):
        hand = hand.apply(DRAW_STOCK)
        hand = hand.apply(DISCARDS[hand.drawn])
    return hand


def test_hand_dies_when_a_discard_leaves_two_cards() -> None:
    """The fiftieth card may be drawn and thrown; then nobody scores."""
    hand = to_the_wall(act(dealt(), "pass", "pass"))

    assert hand.to_act is None
    assert hand.phase is Phase.OVER
    assert hand.outcome is not None
    assert (hand.outcome.ending, hand.outcome.points) == (Ending.DEAD_STOCK, (0, 0))
    assert hand.outcome.winner is None
    assert len(hand.cards_by_place()["stock"]) == 2


def test_wall_can_be_higher() -> None:
    """With ``wall_cards`` 3 the hand dies a card earlier."""
    hand = to_the_wall(act(dealt(GinRules(wall_cards=3)), "pass", "pass"))

    assert len(hand.cards_by_place()["stock"]) == 3


def test_last_discard_may_be_taken_to_knock_where_a_rule_says_so() -> None:
    """Then only a knock may follow; the hand ends by it."""
    hand = wall_with_a_knock(GinRules(wall_rule="opponent_may_knock"), last="discard")
    assert (hand.phase, ids(hand)) == (Phase.LAST_DISCARD, ["pass", "draw:discard"])

    taken = hand.apply(DRAW_DISCARD)
    assert all(each.startswith("knock:") for each in ids(taken))
    with pytest.raises(IllegalAction, match="only a knock may follow"):
        act(taken, f"discard:{taken.view(0).hand[0]}")
    outcome = taken.apply(taken.legal_actions()[0]).outcome
    assert outcome is not None
    assert outcome.ending in (Ending.KNOCK, Ending.UNDERCUT)

    passed = hand.apply(PASS).outcome
    assert passed is not None
    assert passed.ending is Ending.DEAD_STOCK


def test_last_discard_may_not_be_taken_without_a_knock() -> None:
    """Whoever cannot knock with it may only pass."""
    hand = act(dealt(GinRules(wall_rule="opponent_may_knock")), "pass", "pass")
    hand = to_the_wall(hand)

    assert (hand.phase, ids(hand)) == (Phase.LAST_DISCARD, ["pass"])
    with pytest.raises(IllegalAction, match="only in order to knock"):
        hand.apply(DRAW_DISCARD)
    with pytest.raises(IllegalAction, match="not allowed in phase last_discard"):
        hand.apply(DRAW_STOCK)


def test_two_players_who_only_take_discards_reach_the_turn_limit() -> None:
    """The stock never shrinks, so the hand dies at ``max_turns``."""
    hand = act(dealt(GinRules(max_turns=40)), "draw:discard")
    while hand.to_act is not None:
        cards = hand.view(hand.to_act).hand
        throw = next(card for card in cards if card != hand.view(hand.to_act).drawn)
        hand = act(hand, f"discard:{throw}")
        if hand.to_act is not None:
            hand = hand.apply(DRAW_DISCARD)

    assert hand.turns == 40
    assert hand.outcome is not None
    assert hand.outcome.ending is Ending.DEAD_TURNS


def test_knock_on_the_first_turn_with_the_upcard() -> None:
    """Allowed by default, also for whoever just took the upcard."""
    hand = deal_gin(GinRules(), deck_for([*SETS[:-1], "QD"], RIVAL, "4D"), 1)
    outcome = act(hand, "draw:discard", "knock:QD").outcome

    assert outcome is not None
    assert (outcome.ending, outcome.knocker) == (Ending.KNOCK, 0)


def test_hand_that_could_be_knocked_as_dealt_is_a_misdeal_where_a_rule_says_so() -> None:
    """Nobody is asked anything, nobody scores."""
    hand = deal_gin(GinRules(misdeal_if_knockable=True), deck_for(SETS, RIVAL, "8H"), 1)

    assert hand.to_act is None
    assert hand.outcome is not None
    assert (hand.outcome.ending, hand.outcome.winner) == (Ending.MISDEAL, None)
    assert dealt(GinRules(misdeal_if_knockable=True)).to_act == 0


@pytest.mark.parametrize(
    ("ace", "limit"), [("gin", 0), ("one", 1)], ids=["ace means gin", "ace counts one"]
)
def test_ace_as_knock_card(ace: str, limit: int) -> None:
    """Two readings of an ace, chosen by a setting."""
    rules = GinRules(knock_card_source="upcard", oklahoma_ace=ace)

    assert deal_gin(rules, deck_for(LOOSE, OTHER, "AH"), 1).view(0).knock_limit == limit


def test_knock_limit_shown_is_the_limit_enforced() -> None:
    """Oklahoma with a seven turned: eight is refused, seven accepted."""
    rules = GinRules(knock_card_source="upcard")
    for left, allowed in (("8D", False), ("7D", True)):
        hand = about_to_show(rules, [*SETS[:-1], left], knock_card="7H", complete=True)
        assert hand.view(0).knock_limit == 7
        knock = KNOCKS[hand.drawn]
        assert (knock in hand.legal_actions()) is allowed
        if not allowed:
            with pytest.raises(IllegalAction, match=r"deadwood 8, but the knock limit .* is 7"):
                hand.apply(knock)


def test_big_gin_shows_all_cards_and_throws_none() -> None:
    """Eleven melded cards; the bonus replaces the gin bonus."""
    cards = parse_cards("KHKCKD 4S5S6S7S 9C9D9H9S")
    defender = parse_cards("JCJDJH QCQDQH 2C3C4C 5D")
    hand = about_to_show(GinRules(), cards, defender=defender)
    over = hand.apply(BIG_GIN)

    assert over.outcome is not None
    assert over.outcome.points == (36, 0)
    assert over.outcome.ending is Ending.BIG_GIN
    assert over.outcome.sentence == "P0 has big gin; P1 is left with 5: 36 points to P0"
    assert len(over.cards_by_place()["hand0"]) == 11


def test_big_gin_is_refused_where_it_is_not_played_or_not_there() -> None:
    """A false big gin is an illegal action, never a knock."""
    cards = parse_cards("KHKCKD 4S5S6S7S 9C9D9H9S")
    with pytest.raises(IllegalAction, match="not played under these rules"):
        about_to_show(GinRules(big_gin_bonus=None), cards).apply(BIG_GIN)
    false = about_to_show(GinRules(), parse_cards("KHKCKD 4S5S6S7S 9C9D9H 2S"))
    assert BIG_GIN not in false.legal_actions()
    with pytest.raises(IllegalAction, match="2S would not be melded"):
        false.apply(BIG_GIN)
    with pytest.raises(IllegalAction, match="7S would not be melded"):
        about_to_show(GinRules(), cards).apply(
            BIG_GIN, (("KH", "KC", "KD"), ("4S", "5S", "6S"), ("9C", "9D", "9H", "9S"))
        )


def test_big_gin_can_be_scored_as_gin_by_throwing_a_card() -> None:
    """The referee does not upgrade: a knock stays a knock."""
    cards = parse_cards("KHKCKD 4S5S6S7S 9C9D9H9S")
    outcome = act(about_to_show(GinRules(), cards), "knock:7S").outcome

    assert outcome is not None
    assert outcome.ending is Ending.GIN


def test_knock_without_deadwood_is_gin_and_takes_no_layoffs() -> None:
    """Whatever the action was called; the defender's king stays in hand."""
    hand = about_to_show(
        GinRules(),
        parse_cards("4S5S6S 9C9D9H9S KCKDKH"),
        defender=parse_cards("KS7S8S JCJDJH 2C3C4C 5D"),
        complete=True,
    )
    outcome = hand.apply(KNOCKS[hand.drawn]).outcome

    assert outcome is not None
    assert outcome.ending is Ending.GIN
    assert outcome.points == (25 + 30, 0)
    assert outcome.shown[1].laid_off == ()


def test_knock_sentence_names_what_happened() -> None:
    """Who knocked with what, what was laid off, what was left and who scores."""
    hand = about_to_show(
        GinRules(),
        parse_cards("9C9D9H 5S6S7S KHKCKD 8H"),
        defender=parse_cards("AC2C3C JCJDJH KS8S7D3H"),
        complete=True,
    )
    outcome = hand.apply(KNOCKS[hand.drawn]).outcome

    assert outcome is not None
    assert outcome.sentence == "P0 knocks with 8; P1 lays off 8S KS, left with 10: 2 points to P0"
    assert outcome.shown[0].deadwood == ("8H",)
    assert outcome.shown[1].laid_off == ("8S", "KS")


def test_card_knocked_with_is_out_of_play() -> None:
    """It is neither on the pile nor in the hand."""
    hand = about_to_show(GinRules(), [*SETS, "QD"], taken=None)
    over = act(hand, "knock:QD")

    assert over.cards_by_place()["out"] == ("QD",)
    assert "QD" not in over.cards_by_place()["discard"]
    assert "QD" not in over.cards_by_place()["hand0"]


def test_known_card_thrown_with_a_knock_is_no_longer_in_the_hand() -> None:
    """A card taken from the pile and thrown with the knock is known to be gone."""
    hand = deal_gin(GinRules(), deck_for([*SETS[:-1], "AD"], RIVAL, "QD"), 1)
    hand = act(hand, "draw:discard", "discard:AD", "draw:stock")
    hand = hand.apply(DISCARDS[hand.drawn]).apply(DRAW_STOCK)
    assert hand.view(1).positions[0].known == ("QD",)

    over = act(hand, "knock:QD")
    assert over.view(1).positions[0].known == ()


def test_nothing_can_be_done_when_the_hand_is_over() -> None:
    """A finished hand has no legal actions and refuses all of them."""
    over = to_the_wall(act(dealt(), "pass", "pass"))

    assert over.legal_actions() == ()
    for each in EVERY_ACTION:
        with pytest.raises(IllegalAction, match="the hand is over"):
            over.apply(each)
