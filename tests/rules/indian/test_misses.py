"""Missed turns, the reshuffle of the open pile, and deals that end void."""

from __future__ import annotations

import hashlib
from collections import Counter

import pytest

from arena.errors import InvalidCards
from arena.rules.base import Ending, LogEntry, Phase, action
from arena.rules.indian.dealing import deal_indian
from arena.rules.indian.hand import IndianHand
from arena.rules.indian.rules import IndianRules
from tests.rules.indian.building import (
    OTHER_POOR,
    POOR,
    WINNING,
    cards_of,
    dealt,
    legal,
    play,
    throw_on,
)

TINY: dict[str, object] = {"hand_size": 3, "min_pure": 0, "min_sequences": 1}


def tiny(deck: str, **settings: object) -> IndianHand:
    """Two hands of three cards from this deck; position 0 deals, so position 1 begins."""
    rules = IndianRules(**(TINY | settings))  # type: ignore[arg-type]
    return deal_indian(rules, deck.split(), 2, 0)


def three(stock: str = "4H") -> IndianHand:
    """Three positions; position 0 moves first."""
    return dealt([WINNING, POOR, OTHER_POOR], "4S", "QD", stock, dealer=2)


def test_a_miss_before_the_draw_draws_and_throws() -> None:
    """The hand keeps its cards, the drawn card is open, the turn passes; all see just that."""
    hand = three().miss()

    assert (hand.to_act, hand.phase, hand.turn) == (1, Phase.DRAW, 1)
    assert sorted(hand.view(0).hand) == sorted(WINNING.split())
    assert hand.view(1).discard_pile == ("4S", "4H")
    assert hand.view(1).log == (LogEntry(0, "draw:stock"), LogEntry(0, "discard:4H"))
    assert hand.state.places[0].has_drawn


@pytest.mark.parametrize(("draw", "thrown"), [("draw:stock", "4H"), ("draw:discard", "4S")])
def test_a_miss_after_the_draw_throws_the_drawn_card(draw: str, thrown: str) -> None:
    """From wherever it came; a card taken from the open pile goes back."""
    hand = play(three(), draw).miss()

    assert (hand.to_act, hand.turn) == (1, 2)
    assert sorted(hand.view(0).hand) == sorted(WINNING.split())
    assert hand.view(1).discard_pile[-1] == thrown
    assert hand.view(1).positions[0].known == ()


def test_the_action_and_the_method_are_the_same() -> None:
    """``miss`` is never offered but can be applied, so records can be replayed."""
    hand = three()

    assert "miss" not in legal(hand)
    assert hand.apply(action("miss")) == hand.miss()


def test_three_misses_in_a_row_end_the_deal_for_a_player() -> None:
    """The third draws nothing; the penalty is the same whether or not cards were drawn."""
    hand = three()
    for _ in range(2):
        hand = throw_on(hand.miss(), 2)
    stock = hand.view(0).stock_count
    hand = hand.miss()
    place = hand.state.places[0]

    assert (place.penalty, place.left) == (40, "missed too many turns")
    assert hand.view(1).stock_count == stock
    assert hand.view(1).log[-1] == LogEntry(0, "drop")
    assert (hand.to_act, hand.view(1).positions[0].active) == (1, False)

    outcome = play(hand, "drop").outcome
    assert outcome is not None
    assert outcome.points == (40, 40, 0)
    assert outcome.sentence == (
        "P2 is the last player left: P0 40 (missed too many turns), P1 40 (dropped)"
    )


def test_the_third_miss_after_a_draw_throws_the_drawn_card() -> None:
    """Who leaves keeps thirteen cards, out of play."""
    hand = three()
    for _ in range(2):
        hand = throw_on(hand.miss(), 2)
    hand = play(hand, "draw:stock").miss()

    assert not hand.state.places[0].active
    assert hand.view(1).positions[0].card_count == 13


def test_a_turn_played_to_its_end_breaks_the_row() -> None:
    """Two misses, an own discard, two misses: still in. A draw alone breaks nothing."""
    hand = three()
    for _ in range(2):
        hand = throw_on(hand.miss(), 2)
    hand = throw_on(hand, 3)
    for _ in range(2):
        hand = throw_on(play(hand, "draw:stock").miss(), 2)
    assert hand.state.places[0].active

    assert not play(hand, "draw:stock").miss().state.places[0].active


def test_two_silent_players_end_a_deal() -> None:
    """The second player's third miss cannot come: the first is out before and the other wins."""
    hand = dealt([WINNING, POOR], "4S", "QD", dealer=1)
    for _ in range(5):
        hand = hand.miss()

    assert hand.outcome is not None
    assert hand.outcome.ending is Ending.LAST_PLAYER
    assert hand.outcome.points == (40, 0)


def test_empty_stock_is_the_open_pile_below_its_top_in_an_order_anyone_can_redo() -> None:
    """Keys from SHAKE-256 over the reshuffle's number and the deck, as documented."""
    deck = "2C 4D 6H 8S TC QD 5S KH 3C 9D"
    hand = throw_on(tiny(deck), 2)
    cards = ["5S", "3C"]
    text = f"reshuffle|1|{deck}"
    stream = hashlib.shake_256(text.encode()).digest(16)
    keys = {card: stream[at * 8 : at * 8 + 8] for at, card in enumerate(cards)}

    assert hand.cards_by_place()["stock"] == tuple(sorted(cards, key=lambda card: keys[card]))
    assert hand.view(0).discard_pile == ("9D",)
    assert hand.view(0).stock_count == 2
    assert hand.state.shuffles == 1
    assert not hand.state.opening

    again = throw_on(hand, 2)
    assert again.state.shuffles == 2
    assert Counter(again.cards_by_place()["stock"]) + Counter(
        again.cards_by_place()["discard"]
    ) == Counter(["5S", "3C", "9D"])


def test_the_order_of_a_reshuffle_depends_on_the_deck() -> None:
    """Decks that differ only in the players' hands give different orders sooner or later."""
    orders = {
        throw_on(tiny(f"{first} 4D 6H 8S TC QD 5S KH 3C 9D 7D 7H 7S"), 5).cards_by_place()["stock"]
        for first in ("2C", "2D", "2H", "2S", "AC", "AD")
    }

    assert len(orders) > 1


def test_a_deal_without_a_card_to_draw_is_void() -> None:
    """No stock and a joker on the open pile that may not be taken."""
    hand = tiny("2C 4D 6H 8S TC QD KS KH", open_joker="never")

    assert hand.outcome is not None
    assert hand.outcome.ending is Ending.DEAD_STOCK
    assert hand.outcome.points == (0, 0)
    assert hand.outcome.winner is None
    assert hand.outcome.sentence.endswith("the deal is void")


def test_without_stock_the_open_card_must_be_taken() -> None:
    """One open card and no stock: it goes round; a miss leaves all as it is."""
    hand = tiny("2C 4D 6H 8S TC QD KS 9H")

    assert legal(hand) == ["draw:discard", "drop"]
    assert hand.miss().cards_by_place() == hand.cards_by_place()
    assert hand.miss().to_act == 0


def test_a_deal_is_void_when_a_player_has_had_all_turns() -> None:
    """Nothing counts, penalties of who left included."""
    hand = dealt([WINNING, POOR, OTHER_POOR], "4S", "QD", dealer=2, max_turns=4)
    hand = play(throw_on(hand, 1), "drop")
    hand = throw_on(hand, 7)
    outcome = hand.outcome

    assert outcome is not None
    assert (outcome.ending, outcome.points, outcome.winner) == (Ending.DEAD_TURNS, (0, 0, 0), None)
    said = "P0 has had 4 turns; the deal is void, and no penalty in it counts"
    assert outcome.sentence == said
    assert cards_of(hand).total() == 106


def test_a_deck_too_small_is_refused() -> None:
    """Hands, open card and wild joker must be there."""
    with pytest.raises(InvalidCards, match="7 cards are too few"):
        tiny("2C 4D 6H 8S TC QD KS")
