"""Whole games from the first card to the winner, with the score worked out by hand."""

from __future__ import annotations

from arena.rules.base import DealPlan, Ending, GameEnding, HandOutcome, action
from arena.rules.indian.family import FAMILY, VARIANTS
from arena.rules.indian.hand import IndianHand
from tests.rules.indian.building import (
    OTHER_POOR,
    POOR,
    WINNING,
    WINNING_GROUPS,
    dealt,
    play,
    throw_on,
)

POOL = next(variant for variant in VARIANTS if variant.name == "indian_pool_101")


def ended(hand: IndianHand) -> HandOutcome:
    """The outcome of a deal that is over."""
    assert hand.outcome is not None
    return hand.outcome


def test_a_whole_deal_of_three() -> None:
    """Ten turns with a taken card, a bad guess, a miss and a declaration.

    Wild: queens. P0 lacks 4H for 2H 3H 4H; it takes it from the open pile when P2 throws it and
    declares with JS. P1's cards group as 5S 6S 7S, 9C QH JC (a queen as TC) and nothing else:
    loose are KD KH 2D 3C 8D 8H 4D = 10 + 10 + 2 + 3 + 8 + 8 + 4 = 45. P2 has 3S 4S 5S only, no
    second sequence, so all its cards count: 3 + 4 + 5 + 10 (AH) + 10 (KC) + 9 (9D) + 7 (7D) +
    2 (2C) + 6 (6C) + 8 (8S) + 10 (TH) + 10 (JD) + 5 (5D) = 89, capped at 80.
    """
    p0 = "2H 3H JS 5C 6C 7C 8C 9D 9S 9H KC KD KS"
    p1 = "5S 6S 7S 9C JC QH KD KH 2D 3C 8D 8H 4D"
    p2 = "3S 4S 5S AH KC 9D 7D 2C 6C 8S TH JD 4H"
    hand = dealt([p0, p1, p2], "AC", "QS", "AS AS TC 5D AD", dealer=2)

    hand = play(hand, "draw:stock", "discard:AS")  # P0
    hand = play(hand, "draw:discard", "discard:AS")  # P1 thinks better of it
    hand = play(hand, "draw:stock", "discard:AS")  # P2
    hand = play(hand, "draw:stock", "discard:TC")  # P0
    hand = hand.miss()  # P1 draws 5D and throws it
    hand = play(hand, "draw:discard", "discard:4H")  # P2 keeps the 5D
    hand = play(hand, "draw:discard")  # P0 has its card
    assert hand.view(1).positions[0].known == ("4H",)
    groups = (("2H", "3H", "4H"), *WINNING_GROUPS[1:])
    outcome = ended(hand.apply(action("declare:JS"), groups))

    assert outcome.ending is Ending.DECLARED
    assert outcome.points == (0, 45, 80)
    assert [shown.value for shown in outcome.shown] == [0, 45, 89]
    assert outcome.shown[1].melds == (("9C", "QH", "JC"), ("5S", "6S", "7S"))
    assert outcome.sentence == "P0 declares a valid hand: P1 45, P2 80"


def test_a_whole_pool_of_three() -> None:
    """Four deals to 101; penalty points by seat.

    1. Seat 0 begins and wins. Seat 1 holds thirteen cards that do not fit: 94 less the wild queen,
       capped at 80. Seat 2 drops before its first draw: 20. Totals 0, 80, 20.
    2. Seat 1 begins and drops: 20. Seat 2 declares wrongly: 80. Seat 0 is left. Totals 0, 100, 100:
       nobody is out, for 100 is not 101.
    3. Seat 2 begins and wins. Seat 1 misses three turns: 40, so 140 and out.
       Seat 0 groups 5H 6H 7H, 8S 9S JK and has KS KD 2S 4C 9D TC QH loose:
       10 + 10 + 2 + 4 + 9 + 10 + 10 = 55. Totals 55, 140, 100.
    4. Seat 0 begins (seat 1 is gone) and wins. Seat 2 groups all but the 2D: 102 and out.
    Seat 0 wins with 55, then seat 2, which lasted longer than seat 1.
    """
    rules = POOL.rules
    sheet = FAMILY.new_sheet(rules, 3, first_dealer=2)

    assert sheet.next_deal() == DealPlan((0, 1, 2), 2)
    hand = throw_on(dealt([WINNING, POOR, OTHER_POOR], "4S", "QD", "2D 3S JD", dealer=2), 2)
    hand = play(hand, "drop", "draw:stock").apply(action("declare:JD"), WINNING_GROUPS)
    sheet = sheet.add(ended(hand))
    assert sheet.points == (0, 80, 20)

    assert sheet.next_deal() == DealPlan((0, 1, 2), 0)
    hand = play(dealt([POOR, OTHER_POOR, WINNING], "4S", "QD", "4H", dealer=0), "drop")
    hand = play(hand, "draw:stock").apply(action("declare:4H"), WINNING_GROUPS[1:])
    sheet = sheet.add(ended(hand))
    assert sheet.points == (0, 100, 100)
    assert [line.active for line in sheet.lines] == [True, True, True]

    assert sheet.next_deal() == DealPlan((0, 1, 2), 1)
    seat_0 = "5H 6H 7H 8S 9S JK KS KD 2S 4C 9D TC QH"
    hand = dealt([seat_0, POOR, WINNING], "4S", "3D", dealer=1)
    for _ in range(3):
        hand = throw_on(hand, 2).miss()
    assert not hand.view(0).positions[1].active
    hand = play(hand, "draw:stock")
    hand = hand.apply(action(f"declare:{hand.view(2).drawn}"), WINNING_GROUPS)
    sheet = sheet.add(ended(hand))
    assert sheet.points == (55, 140, 100)

    assert sheet.next_deal() == DealPlan((0, 2), 1)
    seat_2 = "5H 6H 7H 8S 9S TS JK KH QH 4D 4S 4H 2D"
    hand = play(dealt([WINNING, seat_2], "AS", "TD", "JD", dealer=1), "draw:stock")
    sheet = sheet.add(ended(hand.apply(action("declare:JD"))))
    assert sheet.points == (55, 140, 102)

    assert sheet.over
    assert (sheet.winners, sheet.ending) == ((0,), GameEnding.LAST_PLAYER)
    assert sheet.ranking() == ((0,), (2,), (1,))
    assert [line.hands_won for line in sheet.lines] == [3, 0, 1]
