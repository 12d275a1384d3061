"""A whole game worked out by hand, and games that come out the same in every process."""

from __future__ import annotations

from arena.rules.base import Ending, GameEnding, action
from arena.rules.cards import parse_cards
from arena.rules.gin.actions import DISCARDS, DRAW_STOCK
from arena.rules.gin.hand import GinHand, deal_gin
from arena.rules.gin.rules import GinRules
from arena.rules.gin.scoresheet import new_gin_sheet
from tests.hash_seeds import outputs
from tests.rules.build import deck_for

ANN, BOB = 0, 1
RULES = GinRules(two_ended_stock=False)
WORDS = {"p": "pass", "u": "draw:discard", "s": "draw:stock", "b": "big_gin"}


def hand(dealer: int, others: str, dealers: str, turned: str, stock: str, plays: str) -> GinHand:
    """A hand after these plays, written as in a record; ``others`` are the non-dealer's cards."""
    deck = deck_for(parse_cards(others), parse_cards(dealers), turned, parse_cards(stock))
    state = deal_gin(RULES, deck, dealer)
    for word in plays.split():
        card = f"knock:{word[1:]}" if word[0] == "k" else f"discard:{word}"
        state = state.apply(action(WORDS.get(word, card)))
    return state


def undecided() -> GinHand:
    """Ann deals, nobody takes anything from the pile, and the stock runs down."""
    state = hand(ANN, "AC3D5H7S9CJDKH2S4C6D", "AD3H5S7C9DJHKS2C4D6H", "8H", "", "p p")
    while state.to_act is not None:
        state = state.apply(DRAW_STOCK)
        state = state.apply(DISCARDS[state.drawn])
    return state


def test_whole_game_by_hand() -> None:
    """Five hands to 100 points; Ann wins 340 to 91.

    1. Ann deals. Bob draws 5D and throws it, knocking with 8D: 8. Ann melds A-2-3 of clubs and
       the jacks, lays 7C off on 4-5-6, and is left with QS 7D 4D: 21. Bob scores 21 - 8 = 13.
    2. Bob deals. Ann takes 4D and throws QD, knocking with 4. Bob melds threes and jacks, lays
       8S 9S off on 5-6-7 and 2S on the deuces, and is left with AC: 1. That is an undercut:
       Bob scores 25 + 4 - 1 = 28, and has 41.
    3. Ann deals. Nobody knocks until two cards are left: no score, and Ann deals again.
    4. Ann deals. Bob passes, Ann takes the fourth jack and throws KS: gin. Bob is left with
       1 + 4 + 7 + 10 + 2 + 5 + 8 + 9 + 10 + 10 = 66. Ann scores 25 + 66 = 91.
    5. Bob deals. Ann takes 9H and has eleven melded cards: big gin. Bob is left with
       1 + 3 + 5 + 7 + 9 + 10 + 4 + 10 + 9 + 10 = 68. Ann scores 31 + 68 = 99, and has 190.

    Both won two hands, so nobody was shut out: Ann has 190 + 100 + 2 * 25, Bob 41 + 2 * 25.
    """
    hands = [
        hand(ANN, "4C5C6C9C9D9HKCKDKH8D", "AC2C3CJCJDJHQS7C7D4D", "KS", "5D", "p p s k5D"),
        hand(BOB, "2C2D2H5S6S7STCTDTHQD", "3C3D3HJCJDJH8S9SAC2S", "4D", "", "u kQD"),
        undecided(),
        hand(ANN, "AC4D7HTS2S5C8C9HQHKH", "3C3D3H6D7D8DJCJSJHKS", "JD", "", "p u kKS"),
        hand(BOB, "2C2D2H2S6H7H8HQCQDQH", "AC3D5S7S9CJD4HKC9SKS", "9H", "", "u b"),
    ]
    course = [
        (Ending.KNOCK, (0, 13), (0, 13)),
        (Ending.UNDERCUT, (0, 28), (0, 41)),
        (Ending.DEAD_STOCK, (0, 0), (0, 41)),
        (Ending.GIN, (91, 0), (91, 41)),
        (Ending.BIG_GIN, (99, 0), (190, 41)),
    ]
    sheet = new_gin_sheet(RULES, ANN)
    for state, (ending, points, standing) in zip(hands, course, strict=True):
        plan, outcome = sheet.next_deal(), state.outcome
        assert plan is not None
        assert plan.dealer == state.table.dealer
        assert outcome is not None
        assert (outcome.ending, outcome.points) == (ending, points)
        sheet = sheet.add(outcome)
        assert tuple(line.points for line in sheet.lines) == standing

    assert (sheet.winners, sheet.ending, sheet.hands) == ((ANN,), GameEnding.TARGET, 5)
    assert [line.hands_won for line in sheet.lines] == [2, 2]
    assert [line.total for line in sheet.lines] == [340, 91]


GAME = """
from arena.rules.base import DealPlan
from arena.rules.deal import deal_seed, shuffled
from arena.rules.games import find_variant
from arena.rules.record import HandRecord, Play, write
from tests.bench.bench_rules import simple

for name in ("gin", "seven_card", "house_20"):
    variant = find_variant(name)
    sheet = variant.family.new_sheet(variant.rules, 2, 0)
    while (plan := sheet.next_deal()) is not None:
        seed = deal_seed(b"secret", name, 1, sheet.hands + 1)
        deck = shuffled(variant.family.deck(variant.rules), seed)
        hand, plays = variant.family.deal(variant.rules, deck, plan), []
        while hand.to_act is not None:
            chosen = simple(hand.view(hand.to_act), hand.legal_actions())
            plays.append(Play(chosen.id))
            hand = hand.apply(chosen)
        print(write(HandRecord.of(variant, plan, deck, plays, hand.outcome)))
        sheet = sheet.add(hand.outcome)
"""


def test_games_are_the_same_in_every_process() -> None:
    """Byte-equal records under three hash seeds: nothing depends on the order of a set."""
    logs = outputs(GAME)

    assert len(logs) == 1
    assert logs.pop().count(b"\n") > 6
