"""Battle Royal, rule by rule."""

from __future__ import annotations

from typing import cast

import pytest

from arena.errors import IllegalAction
from arena.rules.base import DealPlan, Ending, Phase, action
from arena.rules.cards import NAMES, mask_of
from arena.rules.melds import meld_tables, stated_spread
from arena.rules.tables.royal import FAMILY
from arena.rules.tables.royal_hand import RoyalHand
from arena.rules.tables.royal_rules import RoyalRules
from arena.rules.tables.royal_showdown import (
    defend_directly,
    hand_winners,
    score_royal,
    settle_royal,
)
from tests.rules.tables.playing import ids, play, stacked_deck

RULES = RoyalRules()
P0 = "2C4D6H8S TC QD 3H 5S 7C 9D"
P1 = "AC3D5H7S 9C JD KH 4S 6C 8D"
P2 = "2S4H6D8C TH QS 3S 5D 7H 9H"


def start(
    hands: tuple[str, str, str] = (P0, P1, P2),
    dealer: int = 2,
    upcard: str = "KC",
    stock: str = "",
    rules: RoyalRules = RULES,
) -> RoyalHand:
    """A hand of three; position 2 deals, so position 0 begins."""
    deck = stacked_deck(hands, dealer, upcard, stock)
    return FAMILY.deal(rules, deck, DealPlan((0, 1, 2), dealer))


def on(hand: RoyalHand, *actions: str) -> RoyalHand:
    """`play`, for this game."""
    return cast(RoyalHand, play(hand, *actions))


def test_deal_begins_at_the_dealers_left_and_leaves_21_cards() -> None:
    """Ten cards each, one at a time; one upcard, 21 in the stock."""
    hand = FAMILY.deal(RULES, NAMES, DealPlan((0, 1, 2), 1))
    assert (hand.to_act, hand.view(2).stock_count) == (2, 21)
    assert hand.view(2).hand == NAMES[:30:3]
    assert hand.view(0).hand == NAMES[1:30:3]
    assert hand.view(1).hand == NAMES[2:30:3]
    assert hand.view(0).discard_pile == (NAMES[30],)


def test_upcard_goes_round_and_then_the_first_player_must_draw() -> None:
    """Three offers, the dealer last; after three passes only the stock."""
    hand = start()
    phases = []
    for _ in range(3):
        assert ids(hand) == ["pass", "draw:discard"]
        phases.append((hand.to_act, hand.phase))
        hand = on(hand, "pass")
    assert phases == [
        (0, Phase.FIRST_UPCARD),
        (1, Phase.FIRST_UPCARD),
        (2, Phase.FIRST_UPCARD_DEALER),
    ]
    assert (hand.to_act, hand.phase, ids(hand)) == (0, Phase.FORCED_STOCK, ["draw:stock"])


def test_refused_upcard_cannot_be_taken_later() -> None:
    """It is nobody's discard: below the first discard it stays."""
    hand = on(start(), "pass", "pass", "pass", "draw:stock", "discard:QD")
    assert hand.view(1).discard_pile == ("KC", "QD")
    assert ids(hand) == ["draw:stock", "draw:discard"]
    hand = on(hand, "draw:discard", "discard:KH")
    assert hand.view(2).discard_pile == ("KC", "KH")
    assert ids(hand) == ["draw:stock", "draw:discard"]


def test_player_who_takes_the_upcard_is_followed_by_his_left_neighbour() -> None:
    """The others keep their turns in order, whoever took it."""
    hand = on(start(), "pass", "draw:discard", "discard:JD")
    assert (hand.to_act, hand.phase) == (2, Phase.DRAW)
    hand = on(hand, "draw:stock", "discard:QS")
    assert (hand.to_act, ids(hand)) == (0, ["draw:stock", "draw:discard", "draw:under"])


def test_both_opponents_latest_discards_are_within_reach() -> None:
    """Top: the previous player's; under: the one before; each until taken or covered."""
    hand = on(start(), "pass", "pass", "pass", "draw:stock", "discard:QD")
    hand = on(hand, "draw:stock", "discard:KH")
    assert ids(hand) == ["draw:stock", "draw:discard", "draw:under"]
    under = on(hand, "draw:under")
    assert (under.view(2).drawn, under.view(2).taken) == ("QD", True)
    assert under.view(2).discard_pile == ("KC", "KH")
    assert "discard:QD" not in ids(under)
    with pytest.raises(IllegalAction, match="QD was just taken"):
        under.apply(action("discard:QD"))
    # position 2 discards; position 0 reaches 2's and 1's, but not his own
    after = on(under, "discard:QS")
    assert after.view(0).discard_pile == ("KC", "KH", "QS")
    assert on(after, "draw:under").view(0).drawn == "KH"
    # had 2 taken the top (1's KH), 0 could reach only 2's discard
    top = on(hand, "draw:discard", "discard:QS")
    assert top.view(0).discard_pile == ("KC", "QD", "QS")
    assert ids(top) == ["draw:stock", "draw:discard"]


def test_newer_discard_covers_the_older_one_of_its_owner() -> None:
    """Only the latest discard of each opponent counts, even when older ones lie in the pile."""
    hand = on(start(stock="KS QH JS JH"), "pass", "pass", "pass")
    for _ in range(4):
        hand = on(hand, "draw:stock")
        hand = on(hand, ids(hand)[0])
    assert hand.view(1).discard_pile == ("KC", "KS", "QH", "JS", "JH")
    # position 1 takes 2's JS; for 2, JH of 0 is below 1's new discard, and 0's KS is out of reach
    hand = on(hand, "draw:under", "discard:9C")
    assert on(hand, "draw:under").view(2).drawn == "JH"
    # once 2's newest is taken, its older QH does not come back within reach of 1
    hand = on(hand, "draw:under", "discard:TH", "draw:discard", "discard:QD")
    assert hand.view(1).discard_pile == ("KC", "KS", "QH", "9C", "QD")
    assert ids(hand) == ["draw:stock", "draw:discard"]


def test_hand_dies_when_a_discard_leaves_three_cards() -> None:
    """Eighteen cards can be drawn; whoever drew the last may still knock, nobody after."""
    hand = on(start(), "pass", "pass", "pass")
    draws = 0
    while hand.to_act is not None:
        if hand.phase is not Phase.DISCARD:
            draws += 1
        hand = on(hand, ids(hand)[0])
    assert draws == 18
    assert hand.view(0).stock_count == 3
    assert hand.outcome is not None
    assert hand.outcome.ending is Ending.DEAD_STOCK
    assert (hand.outcome.points, hand.outcome.winner) == ((0, 0, 0), None)
    assert len(hand.outcome.shown) == 3


def test_turn_limit_ends_a_hand() -> None:
    """Players who only take discards stop at the cap."""
    rules = FAMILY.replace(RULES, {"max_turns": 7})
    hand = on(start(rules=rules), "draw:discard")
    while hand.to_act is not None:
        hand = on(hand, "draw:discard" if "draw:discard" in ids(hand) else ids(hand)[0])
    assert hand.outcome is not None
    assert (hand.outcome.ending, hand.view(0).stock_count) == (Ending.DEAD_TURNS, 21)


KNOCKER = "4S5S6S 9C9D9H QCQDQH 2D"
LEFT = "7S8S KCKDKH ACADAH 3C 5D"
RIGHT = "3S TCTDTH JCJDJH 8D 8H 2C"


def test_knock_limit_and_stated_melds() -> None:
    """A knock must stay within ten as stated; left out, the least deadwood counts."""
    hand = on(
        start((KNOCKER, LEFT, RIGHT), upcard="4H", stock="KS"), "pass", "pass", "pass", "draw:stock"
    )
    knocks = [each for each in ids(hand) if each.startswith("knock")]
    assert knocks == ["knock:2D", "knock:KS"]
    knock = action("knock:KS")
    with pytest.raises(IllegalAction, match="leaves deadwood 59 with the melds stated"):
        hand.apply(knock, (("4S", "5S", "6S"),))
    with pytest.raises(IllegalAction, match="uses 9S, not held"):
        hand.apply(knock, (("9C", "9D", "9S"),))
    with pytest.raises(IllegalAction, match="knock:4S leaves deadwood"):
        hand.apply(action("knock:4S"))
    with pytest.raises(IllegalAction, match="AS is not in the hand"):
        hand.apply(action("knock:AS"))
    with pytest.raises(IllegalAction, match="allowed: discard:KS"):
        hand.apply(action("big_gin"))
    done = hand.apply(knock)
    assert done.outcome is not None
    assert done.outcome.points == (32, 0, 0)
    assert done.outcome.sentence == (
        "P0 knocks with 2; P1 is left with 16, P2 is left with 18: 32 points to P0"
    )
    assert done.outcome.shown[1].laid_off == ("7S",)
    with pytest.raises(IllegalAction, match="over"):
        done.apply(knock)
    with pytest.raises(IllegalAction, match="over"):
        done.safe_action()


def test_no_card_may_be_laid_on_a_laid_off_card() -> None:
    """8S touches only 7S, which the same or another defender laid off: it stays deadwood."""
    shown = [mask_of(["4S", "5S", "6S"])]
    both = defend_directly(mask_of(["7S", "8S", "KD"]), shown, meld_tables(), may_lay_off=True)
    assert (both.value, both.laid_off) == (18, mask_of(["7S"]))
    alone = defend_directly(mask_of(["8S", "KD"]), shown, meld_tables(), may_lay_off=True)
    assert (alone.value, alone.laid_off) == (18, 0)


def test_layoff_competes_with_own_melds() -> None:
    """7S is worth more in 7S 8S 9S than on the knocker's run, and is not laid off then."""
    shown = [mask_of(["4S", "5S", "6S"])]
    hand = mask_of(["3S", "7S", "8S", "9S", "KD"])
    defence = defend_directly(hand, shown, meld_tables(), may_lay_off=True)
    assert (defence.value, defence.laid_off) == (10, mask_of(["3S"]))


def test_gin_by_any_name_scores_forty_and_allows_no_layoff() -> None:
    """A knock that leaves nothing is gin; a spread that leaves deadwood is a knock."""
    gin = "4S5S6S 9C9D9H9S QCQDQH"
    hand = start((gin, LEFT, RIGHT), upcard="4H", stock="KS")
    hand = on(hand, "pass", "pass", "pass", "draw:stock")
    done = hand.apply(action("knock:KS"))
    assert done.outcome is not None
    assert (done.outcome.ending, done.outcome.points) == (Ending.GIN, (40 + 23 + 21, 0, 0))
    held = (("4S", "5S", "6S"), ("9C", "9D", "9H"), ("QC", "QD", "QH"))
    kept = hand.apply(action("knock:KS"), held)
    assert kept.outcome is not None
    assert (kept.outcome.ending, kept.outcome.shown[0].value) == (Ending.KNOCK, 9)
    # 16 and 18 after 7S and 3S are laid off: 34 - 9
    assert kept.outcome.points == (25, 0, 0)


@pytest.mark.parametrize(
    ("counts", "points", "winners"),
    [
        ((5, 6, 7), (8, 0, 0), (0,)),
        ((5, 5, 20), (-20, 20, 0), (1,)),
        ((5, 20, 4), (-20, 0, 21), (2,)),
        ((6, 4, 4), (-20, 3, 3), (1, 2)),
        ((7, 4, 4), (-20, 3, 3), (1, 2)),
        ((5, 5, 5), (-20, 2, 2), (1, 2)),
        ((1, 0, 0), (-20, 0, 0), (1, 2)),
        ((0, 0, 12), (52, 0, 0), (0,)),
    ],
)
def test_scores(counts: tuple[int, ...], points: tuple[int, ...], winners: tuple[int, ...]) -> None:
    """Strictly lowest knocker, beaten or equalled knocker, shared hands, gin."""
    score = score_royal(RULES, counts, 0)
    assert (score.points, score.winners) == (points, winners)


def test_shared_hand_has_two_winners_and_no_single_one() -> None:
    """`winner` is None, yet both who beat the knocker have won the hand."""
    hands = [
        mask_of(["4S", "5S", "6S", "9C", "9D", "9H", "QC", "QD", "QH", "8C"]),
        mask_of(["7S", "3C", "KC", "KD", "KH", "AC", "AD", "AH", "2D", "2H"]),
        mask_of(["3S", "TC", "TD", "TH", "JC", "JD", "JH", "2C", "2S", "3H"]),
    ]
    melds = [["4S", "5S", "6S"], ["9C", "9D", "9H"], ["QC", "QD", "QH"]]
    outcome = settle_royal(RULES, hands, 0, stated_spread(hands[0], melds, meld_tables()))
    assert (outcome.winner, outcome.ending, hand_winners(outcome)) == (
        None,
        Ending.UNDERCUT,
        (1, 2),
    )
    assert outcome.sentence.endswith("4 points to P1 and P2, P0 loses 20")


def test_straight_option_allows_gin_only() -> None:
    """With limit 0 the hand with 2 left may not knock."""
    rules = FAMILY.replace(RULES, {"knock_limit": 0})
    hand = start((KNOCKER, LEFT, RIGHT), upcard="4H", stock="KS", rules=rules)
    hand = on(hand, "pass", "pass", "pass", "draw:stock")
    assert not [each for each in ids(hand) if each.startswith("knock")]
    assert hand.view(0).knock_limit == 0


def test_throwing_back_is_an_option() -> None:
    """With `redraw_discard` the card just taken may be thrown."""
    rules = FAMILY.replace(RULES, {"redraw_discard": True})
    assert "discard:KC" in ids(on(start(rules=rules), "draw:discard"))
    assert "discard:KC" not in ids(on(start(), "draw:discard"))
