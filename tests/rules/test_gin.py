"""Who may do what in a hand of gin, and what it leads to."""

from __future__ import annotations

from typing import Any

import pytest

from arena.errors import IllegalAction, InvalidAction, InvalidCards
from arena.rules.base import Ending, LogEntry, Phase, action
from arena.rules.cards import NAMES, parse_cards
from arena.rules.gin import GinHand, deal_gin
from arena.rules.gin_actions import (
    ACCEPT,
    BIG_GIN,
    DISCARDS,
    DOUBLE,
    DRAW_DISCARD,
    DRAW_STOCK,
    KNOCKS,
    PASS,
    REFUSE,
)
from arena.rules.gin_rules import GinRules
from tests.rules.build import EVERY_ACTION, about_to_show, deck_for
from tests.rules.vectors import case_id, cases

LOOSE = parse_cards("AC 3D 5H 7S 9C JD KH 2S 4C 6D")
OTHER = parse_cards("AD 3H 5S 7C 9D JH KS 2C 4D 6H")
SETS = parse_cards("4S5S6S 9C9D9H KCKDKH 4D")
RIVAL = parse_cards("AC 3D 5H 7S TC JD QH 2S 4C 6D")


def ids(hand: GinHand) -> list[str]:
    """The ids of the legal actions, in order."""
    return [each.id for each in hand.legal_actions()]


def dealt(rules: GinRules | None = None, stock: str = "") -> GinHand:
    """A hand in which nobody can meld anything yet: position 0 begins, 8H is turned."""
    return deal_gin(rules or GinRules(), deck_for(LOOSE, OTHER, "8H", parse_cards(stock)), 1)


def act(hand: GinHand, *words: str) -> GinHand:
    """The hand after these action ids."""
    for word in words:
        hand = hand.apply(action(word))
    return hand


def to_the_wall(hand: GinHand) -> GinHand:
    """Both draw from the stock and throw what they drew until something else is asked."""
    while hand.phase in (Phase.DRAW, Phase.FORCED_STOCK):
        hand = hand.apply(DRAW_STOCK)
        hand = hand.apply(DISCARDS[hand.drawn])
    return hand


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


def wall_with_a_knock(rules: GinRules, last: str) -> GinHand:
    """Position 0 can knock at any time and is to move when two cards are left in the stock.

    ``last``: it has just drawn the last card that can be drawn from the ``stock``, or the other
    player has and threw it, so that it is the last ``discard``.
    """
    hand = deal_gin(rules, deck_for([*SETS[:-1], "QD"], RIVAL, "8H"), 1)
    hand = hand.apply(PASS).apply(PASS)
    while hand.bottom - hand.top > 3:
        hand = hand.apply(DRAW_STOCK)
        hand = hand.apply(DISCARDS[hand.drawn])
    if (last == "stock" and hand.to_act == 1) or (last == "discard" and hand.to_act == 0):
        hand = hand.apply(DRAW_DISCARD)
        hand = hand.apply(hand.legal_actions()[0])
    hand = hand.apply(DRAW_STOCK)
    return hand if last == "stock" else hand.apply(DISCARDS[hand.drawn])


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


def test_separate_knock_card_is_the_last_of_the_deck() -> None:
    """It sets the limit, is never dealt, and play begins from the stock with no discards."""
    rules = GinRules(knock_card_source="separate", spades_double=True)
    deck = [*(name for name in NAMES if name != "6S"), "6S"]
    hand = deal_gin(rules, deck, 1)
    view = hand.view(0)

    assert (view.knock_limit, view.multiplier, view.discard_pile) == (6, 2, ())
    assert (hand.phase, ids(hand)) == (Phase.FORCED_STOCK, ["draw:stock"])
    assert hand.cards_by_place()["knock_card"] == ("6S",)
    hand = hand.apply(DRAW_STOCK)
    hand = hand.apply(DISCARDS[hand.drawn])
    assert act(hand, "draw:stock").view(1).drawn == deck[-2]


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


def doubling(factor: int = 8) -> GinHand:
    """A fresh hand in which doubles may be offered."""
    return dealt(GinRules(doubling=True, target=200, max_factor=factor))


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


def test_nothing_can_be_done_when_the_hand_is_over() -> None:
    """A finished hand has no legal actions and refuses all of them."""
    over = to_the_wall(act(dealt(), "pass", "pass"))

    assert over.legal_actions() == ()
    for each in EVERY_ACTION:
        with pytest.raises(IllegalAction, match="the hand is over"):
            over.apply(each)


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
