"""Whole games of Mahjong gin: who wins, who deals, how they end."""

from __future__ import annotations

import pytest

from arena.rules.base import Ending, GameEnding, Hand, HandOutcome
from arena.rules.tables.mahjong import FAMILY, VARIANTS, MahjongSheet
from arena.rules.tables.mahjong_rules import MahjongRules
from tests.rules.tables.playing import dead, play, stacked_deck

RULES = MahjongRules()
SMALL = "AC2C3C 5D5H5S 9C9D9H 9S"
GREAT = "ACADAH KCKDKHKS QCQDQH"
POOR = "7C 8D TH JS QC 4D 4H 6S 8S KD"
WEAK = "7C 8D TH JS 4C 4D 4H 6S 8S 9D"
PASSES = ("pass", "pass", "draw:stock")
LAY_GREAT = ("meld:ACADAH", "meld:KCKDKHKS", "meld:QCQDQH")


def test_scripted_game() -> None:
    """Five hands; seat 1 deals first. 2-9 count 5, T-K 10, aces 15, gin 25.

    1. Seat 0 lays A-2-3 (25), fives (15), nines (15), adds the fourth nine (5), throws KH: 60 + 25
       = 85. Seat 1 holds six low and four high cards: -70.
    2. Seat 1 lays aces (45), kings (40), queens (30), throws 2S: 115 + 25 = 140. Seat 0 holds
       eight low and two high cards: -60. Now 25 to 70.
    3. Seat 0 lays the aces, but the stock runs out: nobody scores; seat 1 deals again.
    4. As hand 2 with the seats exchanged: 165 to 10.
    5. Seat 1 throws 2S; seat 0 deals, lays the same, throws QS: 165 + 140 = 305 to 10 - 60 = -50.
    """
    sheet = FAMILY.new_sheet(RULES, 2, 1)
    dealers = []
    scripts = [
        (
            SMALL,
            POOR,
            (*PASSES, "meld:AC2C3C", "meld:5D5H5S", "meld:9C9D9H", "add:9S:2", "discard:KH"),
            "KH",
        ),
        (GREAT, WEAK, (*PASSES, *LAY_GREAT, "discard:2S"), "2S"),
        (GREAT, WEAK, (*PASSES, "meld:ACADAH"), "2S"),
        (GREAT, WEAK, (*PASSES, *LAY_GREAT, "discard:2S"), "2S"),
        (WEAK, GREAT, (*PASSES, "discard:2S", "draw:stock", *LAY_GREAT, "discard:QS"), "2S"),
    ]
    for first, second, actions, stock in scripts:
        plan = sheet.next_deal()
        assert plan is not None
        dealers.append(plan.dealer)
        hands = [first, second] if plan.dealer == 1 else [second, first]
        hand: Hand = FAMILY.deal(RULES, stacked_deck(hands, plan.dealer, "2H", stock), plan)
        hand = play(hand, *actions)
        while hand.to_act is not None:
            hand = hand.apply(hand.legal_actions()[0])
        assert hand.outcome is not None
        sheet = sheet.add(hand.outcome)
    assert dealers == [1, 0, 1, 1, 0]
    assert [tuple(line)[:3] for line in sheet.lines] == [(305, 3, 305), (-50, 1, -50)]
    assert (sheet.winners, sheet.ending, sheet.target) == ((0,), GameEnding.TARGET, 250)
    assert sheet.ranking() == ((0,), (1,))
    assert sheet.columns == ((305, -50),)
    assert sheet.next_deal() is None
    with pytest.raises(ValueError, match="over"):
        sheet.add(dead())


def gin(winner: int, points: tuple[int, int]) -> HandOutcome:
    """A hand that this position ended."""
    return HandOutcome(Ending.GIN, points, winner, (), "")


def test_both_may_pass_the_target_and_the_higher_wins() -> None:
    """260 to 255 is a win for the higher, even if the other ended the hand."""
    sheet = FAMILY.new_sheet(RULES, 2, 0).add(gin(0, (200, 240)))
    assert sheet.add(gin(1, (60, 15))).winners == (0,)


def test_level_above_the_target_plays_on() -> None:
    """At 250 all nobody has won; the next hand decides."""
    sheet = FAMILY.new_sheet(RULES, 2, 0).add(gin(0, (250, 250)))
    assert (sheet.over, sheet.winners, sheet.ranking()) == (False, (), ((0, 1),))
    assert sheet.add(gin(1, (-10, 60))).winners == (1,)


def test_hand_is_won_by_who_went_out_even_with_fewer_points() -> None:
    """Hands won count going out; points count cards."""
    sheet = FAMILY.new_sheet(RULES, 2, 0).add(gin(0, (60, 90)))
    assert [(line.points, line.hands_won) for line in sheet.lines] == [(60, 1), (90, 0)]


def test_dead_hands_with_counted_tables_change_the_score_but_nobody_wins_them() -> None:
    """The dealer stays, points move, no hand is won."""
    counted = HandOutcome(Ending.DEAD_STOCK, (-25, 15), None, (), "")
    sheet = FAMILY.new_sheet(RULES, 2, 1).add(counted)
    assert [(line.points, line.hands_won) for line in sheet.lines] == [(-25, 0), (15, 0)]
    assert (sheet.dealer, sheet.race.hands) == (1, 1)


@pytest.mark.parametrize(
    ("outcomes", "ending", "winners", "hands"),
    [
        ([gin(1, (-5, 90))], GameEnding.HAND_LIMIT, (1,), 3),
        ([dead(), dead(), dead(), gin(1, (-5, 9))], GameEnding.SUDDEN_DEATH, (1,), 4),
        ([], GameEnding.DRAW, (), 13),
    ],
)
def test_games_end_at_the_hand_limit(
    outcomes: list[HandOutcome], ending: GameEnding, winners: tuple[int, ...], hands: int
) -> None:
    """The higher wins at the limit; level scores get up to ten hands more, then a draw."""
    sheet = FAMILY.new_sheet(FAMILY.replace(RULES, {"max_hands": 3}), 2, 0)
    played = list(outcomes)
    while not sheet.over:
        sheet = sheet.add(played.pop(0) if played else dead())
    assert (sheet.ending, sheet.winners, sheet.race.hands) == (ending, winners, hands)


def test_variant_is_two_handed_to_250() -> None:
    """One variant, two seats."""
    (variant,) = VARIANTS
    assert variant.family.players(variant.rules) == (2, 2)
    assert isinstance(variant.family.new_sheet(variant.rules, 2, 0), MahjongSheet)
