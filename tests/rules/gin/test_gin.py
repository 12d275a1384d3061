"""Whose turn it is in a hand of gin, where one may draw, what may be thrown, what players see."""

from __future__ import annotations

from typing import Any

import pytest

from arena.errors import IllegalAction
from arena.rules.base import LogEntry, Phase
from arena.rules.cards import NAMES, parse_cards
from arena.rules.gin.actions import DISCARDS, DRAW_DISCARD, DRAW_STOCK, KNOCKS, PASS
from arena.rules.gin.hand import deal_gin
from arena.rules.gin.rules import GinRules
from tests.rules.build import LOOSE, OTHER, SETS, about_to_show, act, dealt, ids, wall_with_a_knock
from tests.rules.vectors import case_id, cases


def legality(case: Any) -> bool:
    """Whether the engine allows what the vector describes."""
    given = case["input"]
    phase, what = given["phase"], given["action"]
    if phase == "layoff":
        knocker = parse_cards("JCQCKC 9C9D9H 2C2D2H 5C")
        pair = parse_cards("5D 5H AC AD AH 4H 6D 7S 7H KS")
        hand = about_to_show(GinRules(), knocker, defender=pair, complete=True)
        outcome = hand.apply(KNOCKS[hand.drawn]).outcome
        assert outcome is not None
        return bool(outcome.shown[1].laid_off)
    if phase == "discard" and "taken" in given:
        source = {"discard": given["taken"], "stock": None}[given["taken_from"]]
        hand = about_to_show(GinRules(), [*LOOSE[:-4], *OTHER[:4], "KD"], taken=source)
        return f"discard:{given['taken']}" in ids(hand)
    if phase == "discard" and given.get("turn") == 1:
        hand = about_to_show(GinRules(), [*SETS[:-1], "9S", "8D"], taken="9S")
        assert hand.turns == 0
        return "knock:8D" in ids(hand)
    if phase == "discard":
        hand = wall_with_a_knock(GinRules(), last="stock")
        assert hand.bottom - hand.top == given["stock_left"]
        return any(each.startswith("knock") for each in ids(hand))
    if phase == "draw":
        hand = wall_with_a_knock(GinRules(wall_rule=given["wall_rule"]), last="discard")
        return "draw:discard" in ids(hand)
    hand = dealt()
    if phase == "first_upcard_dealer":
        hand = hand.apply(PASS)
    elif phase == "after_two_passes":
        hand = hand.apply(PASS).apply(PASS)
    assert (hand.to_act == 0) is (given["player"] == "non_dealer")
    return {"take_discard": "draw:discard", "draw_stock": "draw:stock"}.get(what, what) in ids(hand)


@pytest.mark.parametrize("case", cases("legality"), ids=case_id)
def test_legality_vector(case: Any) -> None:
    """What the rulebook calls legal is offered, and what it forbids is not."""
    assert legality(case) is case["expected"]["legal"]


def test_deal_alternates_from_the_non_dealer() -> None:
    """Cards 1, 3, 5… go to the non-dealer, 2, 4, 6… to the dealer, the 21st is turned."""
    places = deal_gin(GinRules(), NAMES, 0).cards_by_place()

    assert set(places["hand1"]) == set(NAMES[0:20:2])
    assert set(places["hand0"]) == set(NAMES[1:20:2])
    assert places["discard"] == (NAMES[20],)
    assert places["stock"] == NAMES[21:]


def test_upcard_is_offered_to_both_and_then_the_stock_is_forced() -> None:
    """Non-dealer, dealer, then the non-dealer must draw from the stock; the upcard stays."""
    hand = dealt()
    assert (hand.to_act, hand.phase, ids(hand)) == (
        0,
        Phase.FIRST_UPCARD,
        ["pass", "draw:discard"],
    )

    hand = hand.apply(PASS)
    assert (hand.to_act, hand.phase) == (1, Phase.FIRST_UPCARD_DEALER)
    assert ids(hand) == ["pass", "draw:discard"]

    hand = hand.apply(PASS)
    assert (hand.to_act, hand.phase, ids(hand)) == (0, Phase.FORCED_STOCK, ["draw:stock"])

    hand = act(hand, "draw:stock", "discard:KH")
    assert (hand.to_act, hand.phase) == (1, Phase.DRAW)
    assert hand.view(1).discard_pile == ("8H", "KH")


def test_dealer_who_takes_the_refused_upcard_is_followed_by_a_free_choice() -> None:
    """After the dealer's discard the non-dealer may take it or draw from the stock."""
    hand = act(dealt(), "pass", "draw:discard", "discard:KS")

    assert (hand.to_act, hand.phase) == (0, Phase.DRAW)
    assert ids(hand) == ["draw:stock", "draw:discard"]


def test_upcard_taken_by_the_non_dealer_is_followed_by_a_free_choice() -> None:
    """The dealer is next and may take the discard or draw."""
    hand = act(dealt(), "draw:discard", "discard:KH")

    assert (hand.to_act, hand.phase) == (1, Phase.DRAW)


def test_stock_is_drawn_from_both_ends() -> None:
    """The non-dealer draws from the top, the dealer from the bottom."""
    hand = act(dealt(), "pass", "pass")
    stock = hand.cards_by_place()["stock"]
    hand = act(hand, "draw:stock")
    assert hand.view(0).drawn == stock[0]

    hand = act(hand, "discard:KH", "draw:stock")
    assert hand.view(1).drawn == stock[-1]
    assert hand.cards_by_place()["stock"] == stock[1:-1]


def test_stock_can_be_drawn_from_one_end_only() -> None:
    """Without the two-ended stock both draw from the top."""
    hand = act(dealt(GinRules(two_ended_stock=False)), "pass", "pass")
    stock = hand.cards_by_place()["stock"]
    hand = act(hand, "draw:stock", "discard:KH", "draw:stock")

    assert hand.view(1).drawn == stock[1]


def test_taken_card_may_not_be_thrown_or_knocked_with() -> None:
    """The only knock throws 4D, keeping the king that came from the pile: exactly ten."""
    cards = parse_cards("AS2S3S 5H5D5C 9CTCJC 4D KD")
    hand = about_to_show(GinRules(), cards, taken="KD")

    assert "discard:KD" not in ids(hand)
    assert [each for each in ids(hand) if each.startswith("knock")] == ["knock:4D"]
    with pytest.raises(IllegalAction, match="KD was just taken from the discard pile"):
        act(hand, "knock:KD")
    with pytest.raises(IllegalAction, match="KD was just taken from the discard pile"):
        act(hand, "discard:KD")


def test_taken_card_may_go_back_where_a_rule_says_so() -> None:
    """With ``redraw_discard`` the king may be thrown, and knocked with."""
    cards = parse_cards("AS2S3S 5H5D5C 9CTCJC 4D KD")
    hand = about_to_show(GinRules(redraw_discard=True), cards, taken="KD")

    assert {"discard:KD", "knock:KD", "knock:4D"} <= set(ids(hand))
    assert ids(act(hand, "discard:KD")) == ["draw:stock", "draw:discard"]


def test_separate_knock_card_is_the_last_of_the_deck() -> None:
    """It sets the limit, is never dealt, and play begins from the stock with no discards."""
    rules = GinRules(knock_card_source="separate", spades_double=True)
    deck = [*(name for name in NAMES if name != "6S"), "6S"]
    hand = deal_gin(rules, deck, 1)
    view = hand.view(0)

    assert (view.knock_limit, view.multiplier, view.discard_pile) == (6, 2, ())
    assert (hand.phase, ids(hand)) == (Phase.FORCED_STOCK, ["draw:stock"])
    assert hand.cards_by_place()["knock_card"] == ("6S",)
    assert view.knock_card == hand.view(1).knock_card == "6S"
    hand = hand.apply(DRAW_STOCK)
    hand = hand.apply(DISCARDS[hand.drawn])
    assert act(hand, "draw:stock").view(1).drawn == deck[-2]


def test_upcard_that_set_the_limit_is_shown_when_it_is_gone() -> None:
    """In Oklahoma everybody saw it; whoever takes and keeps it changes nothing about the limit."""
    rules = GinRules(knock_card_source="upcard")
    hand = deal_gin(rules, NAMES, 1)
    turned = hand.pile[-1]
    assert hand.view(0).knock_card == turned
    hand = act(hand, "draw:discard")
    hand = hand.apply(hand.legal_actions()[0])

    assert turned not in hand.pile
    assert [hand.view(position).knock_card for position in (0, 1)] == [turned, turned]
    assert deal_gin(GinRules(), NAMES, 1).view(0).knock_card is None


def test_view_shows_what_is_public() -> None:
    """Own cards, the pile, counts, cards taken from the pile, and the log without stock cards."""
    hand = act(dealt(), "draw:discard", "discard:KH", "draw:stock")
    mine, theirs = hand.view(0), hand.view(1)

    assert mine.positions[0].known == theirs.positions[0].known == ("8H",)
    assert [each.card_count for each in mine.positions] == [10, 11]
    assert mine.log == (
        LogEntry(0, "draw:discard"),
        LogEntry(0, "discard:KH"),
        LogEntry(1, "draw:stock"),
    )
    assert mine.discard_pile == ("KH",)
    assert mine.stock_count == 30
    assert (mine.drawn, mine.taken) == (None, False)
    assert theirs.drawn in theirs.hand
    assert (mine.dealer, mine.turn, mine.wild) == (1, 3, None)
    assert act(hand, "discard:AD", "draw:stock", "discard:8H").view(1).positions[0].known == ()


def test_drawn_card_is_marked_as_taken_from_the_pile() -> None:
    """The player to move sees which card it was and where it came from."""
    view = dealt().apply(DRAW_DISCARD).view(0)

    assert (view.drawn, view.taken) == ("8H", True)
