"""How hands are laid out: melds as people lay them, loose cards in order, and what they count."""

from __future__ import annotations

import pytest

from arena.rules.base import DealPlan, Hand
from arena.rules.deal import shuffled
from arena.rules.games import find_variant
from arena.rules.indian.cards import VALUES, faces_of, is_joker
from arena.rules.indian.groups import GroupRules
from arena.site.hands.arrange import arranger, by_suit, grouped


def dealt(rules: str, seats: int = 2, seed: bytes = b"arrange") -> Hand:
    """A hand of this game."""
    variant = find_variant(rules)
    family = variant.family
    deck = shuffled(family.deck(variant.rules), seed)
    sheet = family.new_sheet(variant.rules, seats, 0)
    plan = sheet.next_deal() or DealPlan(tuple(range(seats)), 0)
    return family.deal(variant.rules, deck, plan)


@pytest.mark.parametrize("rules", ["gin", "mahjong"])
def test_loose_cards_rise_by_rank(rules: str) -> None:
    """Tens come before jacks, queens and kings though all count ten; cards of a rank together."""
    cards = ("KC", "JD", "TC", "QH", "2S", "TS", "9D", "AH")
    laid = arranger(dealt(rules))(cards, False)

    assert laid.melds == ()
    assert laid.loose == ("AH", "2S", "9D", "TC", "TS", "JD", "QH", "KC")


def test_dear_aces_come_last() -> None:
    """Where an ace counts more than a king it lies behind him."""
    laid = arranger(dealt("round_the_corner"))(("AH", "KC", "TS", "5D"), False)

    assert laid.loose == ("5D", "TS", "KC", "AH")


def test_run_round_the_corner_reads_on_after_the_king() -> None:
    """Q-K-A-2, not A-2-Q-K."""
    laid = arranger(dealt("round_the_corner"))(("2S", "AS", "QS", "KS", "7D"), False)

    assert laid.melds == (("QS", "KS", "AS", "2S"),)
    assert laid.loose == ("7D",)


def test_card_to_throw_is_not_counted() -> None:
    """With eleven cards the deadwood is what the best throw leaves, and all cards are shown."""
    cards = ("4C", "5C", "6C", "9D", "9H", "9S", "2D", "3H", "KD", "KH", "QS")
    laid = arranger(dealt("gin"))(cards, True)

    assert laid.value == 2 + 3 + 10 + 10
    assert laid.loose == ("2D", "3H", "QS", "KD", "KH")


def test_melds_stay_when_an_indian_hand_draws() -> None:
    """Fourteen cards are grouped like thirteen: what stays after the best throw, and its points."""
    hands = (dealt("indian_points", seed=bytes([at])) for at in range(200))
    hand = next(hand for hand in hands if hand.view(0).wild == "3")
    cards = ("4C", "5C", "6C", "7D", "8D", "9D", "JH", "JS", "JC", "2S", "QD", "AC", "KH")
    before = arranger(hand)(cards, False)
    after = arranger(hand)((*cards, "TS"), True)

    assert before.melds
    assert set(before.melds) <= set(after.melds)
    assert after.value <= before.value
    assert sorted([*after.loose, *(card for meld in after.melds for card in meld)]) == sorted(
        (*cards, "TS")
    )
    dear = sum(VALUES[face] for face in faces_of(after.loose))
    assert after.value < dear


def test_jokers_lie_at_the_end() -> None:
    """Loose cards of two packs by suit and rank, then wild cards and printed jokers."""
    loose = by_suit(faces_of(["JK", "5S", "KC", "5C", "2D", "AC"]), 4)

    assert loose == ("AC", "KC", "2D", "5C", "5S", "JK")
    assert is_joker(faces_of(["5C"])[0], 4)


def test_stated_groups_are_put_in_order() -> None:
    """A group as a bot stated it reads as people lay it, a joker in its gap."""
    rules = GroupRules(wild=4)

    assert grouped((("TH", "JK", "8H"), ("KC", "AC", "QC")), rules) == (
        ("8H", "JK", "TH"),
        ("QC", "KC", "AC"),
    )
