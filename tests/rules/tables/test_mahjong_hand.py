"""Mahjong gin, rule by rule."""

from __future__ import annotations

from typing import cast

import pytest

from arena.errors import IllegalAction, InvalidCards
from arena.rules.base import DealPlan, Ending, Phase, action
from arena.rules.cards import NAMES
from arena.rules.tables.mahjong import FAMILY
from arena.rules.tables.mahjong_hand import MahjongHand
from arena.rules.tables.mahjong_rules import MahjongRules
from tests.rules.tables.playing import assert_whole_pack, ids, play, stacked_deck

RULES = MahjongRules()
NON_DEALER = "AC2C3C 5D5H5S 9C JD QS KH"
DEALER = "7C 8D TH JS QC 4D 4H 6S 8S KD"


def start(
    first: str = NON_DEALER,
    second: str = DEALER,
    upcard: str = "2H",
    stock: str = "",
    rules: MahjongRules = RULES,
) -> MahjongHand:
    """A hand in which position 1 deals and position 0 holds ``first``."""
    size = len(first.replace(" ", "")) // 2
    rules = FAMILY.replace(rules, {"hand_size": size})
    deck = stacked_deck([first, second], 1, upcard, stock)
    return FAMILY.deal(rules, deck, DealPlan((0, 1), 1))


def on(hand: MahjongHand, *actions: str) -> MahjongHand:
    """`play`, for this game."""
    return cast(MahjongHand, play(hand, *actions))


def test_non_dealer_gets_the_first_card_and_moves_first() -> None:
    """Cards alternate from the non-dealer; 31 stay in the stock."""
    hand = FAMILY.deal(RULES, NAMES, DealPlan((0, 1), 0))
    assert hand.view(1).hand == NAMES[:20:2]
    assert hand.view(0).hand == NAMES[1:20:2]
    assert hand.view(0).discard_pile == (NAMES[20],)
    assert (hand.to_act, hand.view(0).stock_count) == (1, 31)


def test_a_short_deck_is_refused() -> None:
    """The pack must be whole."""
    with pytest.raises(InvalidCards, match="51 cards"):
        FAMILY.deal(RULES, NAMES[1:], DealPlan((0, 1), 0))


def test_upcard_is_offered_to_both_then_the_stock_is_forced() -> None:
    """Non-dealer, dealer, then the non-dealer must draw from the stock."""
    hand = start()
    assert (hand.phase, ids(hand)) == (Phase.FIRST_UPCARD, ["pass", "draw:discard"])
    hand = on(hand, "pass")
    assert (hand.phase, hand.to_act) == (Phase.FIRST_UPCARD_DEALER, 1)
    hand = on(hand, "pass")
    assert (hand.phase, hand.to_act, ids(hand)) == (Phase.FORCED_STOCK, 0, ["draw:stock"])


def test_dealer_takes_the_refused_upcard_and_play_goes_to_the_non_dealer() -> None:
    """After the dealer's discard the non-dealer has a free choice."""
    hand = on(start(), "pass", "draw:discard", "discard:KD")
    assert (hand.phase, hand.to_act) == (Phase.DRAW, 0)
    assert ids(hand) == ["draw:stock", "draw:discard"]


def test_two_ended_stock() -> None:
    """The non-dealer draws from the top, the dealer from the bottom; or both from the top."""
    hand = on(start(stock="6C 7H"), "pass", "pass", "draw:stock")
    assert hand.view(0).drawn == "6C"
    hand = on(hand, "discard:6C", "draw:stock")
    assert hand.view(1).drawn == "KS"
    single = FAMILY.replace(RULES, {"two_ended_stock": False})
    hand = on(start(stock="6C 7H", rules=single), "pass", "pass", "draw:stock", "discard:6C")
    assert on(hand, "draw:stock").view(1).drawn == "7H"


def test_single_card_taken_may_not_be_thrown_back_but_may_be_melded() -> None:
    """One card obliges to nothing; it only cannot go back in the same turn."""
    hand = on(start(upcard="4C"), "draw:discard")
    assert "discard:4C" not in ids(hand)
    with pytest.raises(IllegalAction, match="4C was taken from the discard pile in this turn"):
        hand.apply(action("discard:4C"))
    assert "meld:2C3C4C" in ids(hand)
    assert "discard:AC" in ids(on(hand, "meld:2C3C4C"))


def test_melds_are_public_and_numbered_over_the_table() -> None:
    """Position 0's melds come first, then position 1's; both positions see the same."""
    hand = on(start(stock="6C"), "pass", "pass", "draw:stock", "meld:AC2C3C", "meld:5D5H5S")
    hand = on(hand, "discard:KH", "draw:stock")
    # the dealer drew KS from the bottom and has no meld, but may add to the clubs
    for position in (0, 1):
        table = [meld for each in hand.view(position).positions for meld in each.melds]
        assert table == [("AC", "2C", "3C"), ("5D", "5H", "5S")]


def test_adding_to_any_run_or_three_card_set_counts_for_who_adds() -> None:
    """Cards added to the opponent's melds score for the player who adds them."""
    first = "AC2C3C 5D5H5S 9C JD QS KH"
    second = "4C 5C TH JS QC 4D 4H 6S 8S KD"
    hand = on(start(first, second, stock="6C"), "pass", "pass", "draw:stock")
    hand = on(hand, "meld:AC2C3C", "meld:5D5H5S", "discard:KH", "draw:stock")
    assert "add:5C:0" not in ids(hand)
    assert {"add:4C:0", "add:5C:1"} <= set(ids(hand))
    full = on(hand, "add:5C:1")
    assert not [each for each in ids(full) if each.startswith("add:") and each.endswith(":1")]
    hand = on(hand, "add:4C:0", "add:5C:0")
    assert hand.view(0).positions[0].melds[0] == ("AC", "2C", "3C", "4C", "5C")
    assert hand.credit[1] == sum(1 << NAMES.index(card) for card in ("4C", "5C"))


def test_four_card_set_is_closed_and_a_set_may_be_laid_as_three_of_four() -> None:
    """Every three of four of a rank, or all four, may be laid."""
    hand = on(
        start("5C5D5H5S 9C JD QS KH 2D 7C", DEALER.replace("7C", "9D"), stock="6C"),
        "pass",
        "pass",
        "draw:stock",
    )
    sets = [each for each in ids(hand) if each.startswith("meld:")]
    assert len(sets) == 5 + 1  # five of the fives, and 5C6C7C
    assert "add:5S:0" in ids(on(hand, "meld:5C5D5H"))


def test_deep_draw_needs_a_use_for_the_deepest_card() -> None:
    """The example 8S 3H 5H: all three may be taken when 8S can be melded, else not."""
    first = "6S7S KD KH 2C 4D 9C JD QS AH"
    second = "8D 8H TC JH QC 4C 4H 6D 2S TD"
    hand = start(first, second, upcard="8S", stock="3H")
    hand = on(hand, "pass", "pass", "draw:stock", "discard:3H")
    # position 1: 8S below 3H, holds 8D 8H, so both may be taken
    assert ids(hand) == ["draw:stock", "draw:discard", "take:2"]
    hand = on(hand, "draw:discard", "discard:TD")
    # position 0: pile 8S TD; 6S 7S make 8S useful
    assert "take:2" in ids(hand)
    taken = on(hand, "take:2")
    view = taken.view(0)
    assert (view.drawn, view.taken, view.phase) == ("8S", True, Phase.MELD)
    assert ids(taken) == ["meld:6S7S8S"]
    with pytest.raises(IllegalAction, match="8S must be melded or added before the discard"):
        taken.apply(action("discard:KD"))
    free = on(taken, "meld:6S7S8S")
    assert free.view(0).drawn is None
    assert "discard:TD" in ids(free), "other cards of a deep draw may be thrown"


def test_deep_draw_without_a_use_is_not_offered() -> None:
    """Without two neighbours or two of the rank the pile stays where it is."""
    hand = start("6S 2H KD KH 2C 4D 9C JD QS AH", "9D TH TC JH QC 4C 4H 6D 2S TD", "8S", stock="3H")
    hand = on(hand, "pass", "pass", "draw:stock", "discard:3H")
    assert ids(hand) == ["draw:stock", "draw:discard"]
    with pytest.raises(IllegalAction, match="take:2 is not allowed"):
        hand.apply(action("take:2"))


def test_duty_may_be_met_by_a_chain_on_the_table() -> None:
    """7C cannot touch A-2-3 of clubs, but 4C 5C 6C can carry it there."""
    first = "AC2C3C 5D5H5S 9S JD QS KH"
    second = "4C 5C 6C JS QC 4D 4H 6S 8S KD"
    hand = on(start(first, second, upcard="7C", stock="9H"), "pass", "pass", "draw:stock")
    hand = on(hand, "meld:AC2C3C", "discard:9H")
    assert "take:2" in ids(hand)
    hand = on(hand, "take:2")
    # melding 4C 5C 6C would cut the chain, but 7C fits that meld; every way on reaches 7C
    assert set(ids(hand)) == {
        "add:4C:0",
        "meld:4C5C6C",
        "meld:4C5C6C7C",
        "meld:5C6C7C",
        "meld:4C4D4H",
    }
    hand = on(hand, "add:4C:0", "add:5C:0", "add:6C:0")
    assert ids(hand) == ["add:7C:0"]


def test_actions_that_would_make_the_duty_impossible_are_not_offered() -> None:
    """8S needs 8D 8H; a run that would use 8H up is refused until 8S is down."""
    first = "6H7H8H 8D KD KH 2C 4C 9C JD"
    second = "AD 3D TC JH QC 5C 4H 6D 2S TD"
    hand = start(first, second, upcard="8S", stock="3H QH")
    hand = on(hand, "pass", "pass", "draw:stock", "discard:3H", "draw:stock", "discard:TD")
    hand = on(hand, "take:3")
    assert ids(hand) == ["meld:8D8H8S"]


def test_last_card_rule_never_leads_to_a_dead_end() -> None:
    """With two cards left, one just taken, melding the other away is refused if the taken one
    could then go nowhere."""
    base = start()
    bits = {name: 1 << at for at, name in enumerate(NAMES)}
    state = MahjongHand(
        rules=base.rules,
        dealer=1,
        hands=(bits["4C"], bits["KD"] | bits["QS"]),
        stock=tuple(range(30, 40)),
        pile=(NAMES.index("9H"),),
        mover=0,
        phase=Phase.DRAW,
        laid=((bits["AC"] | bits["2C"] | bits["3C"],), ()),
    )
    state = on(state, "draw:discard")
    assert ids(state) == ["discard:4C"], "adding 4C would strand 9H in the hand"
    from_stock = MahjongHand(
        rules=base.rules,
        dealer=1,
        hands=state.hands,
        stock=state.stock,
        pile=(),
        mover=0,
        phase=Phase.MELD,
        laid=state.laid,
        drawn=NAMES.index("9H"),
    )
    assert set(ids(from_stock)) == {"discard:9H", "discard:4C", "add:4C:0"}
    done = on(from_stock, "add:4C:0", "discard:9H")
    assert done.outcome is not None
    assert done.outcome.ending is Ending.GIN


def test_going_out_without_a_discard() -> None:
    """No card left after laying down is gin at once."""
    first = "AC2C3C 5D5H5S 9C9D9H KS"
    second = "7C 8D TH JS QC 4D 4H 6S 8S KD"
    hand = start(first, second, upcard="KC", stock="KH")
    hand = on(hand, "draw:discard", "meld:AC2C3C", "meld:5D5H5S", "meld:9C9D9H")
    # KS and KC are left, KC was taken: only KS may go, then KC stays
    assert ids(hand) == ["discard:KS"]
    hand = on(hand, "discard:KS", "draw:stock", "discard:7C", "draw:stock")
    assert hand.to_act == 0
    hand = on(hand, "discard:KH")
    assert hand.outcome is None, "KC is still in hand"


def test_score_of_a_finished_hand() -> None:
    """Worked by hand: P0 lays A-2-3 clubs (15+5+5), fives (15), nines (15), a fourth nine (5)
    and goes out: 60 + 25 = 85. P1 holds 7C 8D TH JS QC 4D 4H 6S 8S KD: 6 low cards 30, four high
    40, so -70."""
    first = "AC2C3C 5D5H5S 9C9D9H 9S"
    hand = start(first, DEALER, upcard="2H", stock="KH")
    hand = on(hand, "pass", "pass", "draw:stock", "meld:AC2C3C", "meld:5D5H5S")
    hand = on(hand, "meld:9C9D9H", "add:9S:2", "discard:KH")
    outcome = hand.outcome
    assert outcome is not None
    assert (outcome.ending, outcome.winner, outcome.points) == (Ending.GIN, 0, (85, -70))
    assert outcome.sentence == "P0 has no card left, which is gin; P0 +85, P1 -70"
    assert (hand.to_act, ids(hand), hand.phase) == (None, [], Phase.OVER)
    with pytest.raises(IllegalAction, match="over"):
        hand.apply(action("pass"))
    with pytest.raises(IllegalAction, match="over"):
        hand.safe_action()


def throw_to_the_wall(rules: MahjongRules, first: tuple[str, ...] = ()) -> MahjongHand:
    """Both draw from the stock and throw what they drew until the hand is dead."""
    hand = on(start(rules=rules), "pass", "pass", "draw:stock", *first)
    while hand.to_act is not None:
        hand = on(hand, ids(hand)[0])
    return hand


def test_dead_hand_is_void() -> None:
    """When a discard leaves two stock cards nobody scores."""
    hand = throw_to_the_wall(RULES, ("meld:AC2C3C",))
    outcome = hand.outcome
    assert outcome is not None
    assert (outcome.ending, outcome.points, outcome.winner) == (Ending.DEAD_STOCK, (0, 0), None)
    assert hand.view(0).stock_count == 2
    assert_whole_pack(hand.cards_by_place())


def test_dead_hand_may_count_the_tables() -> None:
    """By the option: table less hand, no bonus, still no winner. P0 25 on the table, 5D 5H 5S 9C
    JD QS KH in hand: 20 + 30 = 50; P1 holds 30 + 40."""
    rules = FAMILY.replace(RULES, {"mahjong_dead_hand": "tables"})
    outcome = throw_to_the_wall(rules, ("meld:AC2C3C",)).outcome
    assert outcome is not None
    assert (outcome.points, outcome.winner) == ((25 - 50, -70), None)


def test_turn_limit_ends_a_hand() -> None:
    """Two players who always take the discard and throw another card stop at the cap."""
    rules = FAMILY.replace(RULES, {"max_turns": 9})
    hand = on(start(rules=rules), "draw:discard")
    while hand.to_act is not None:
        legal = ids(hand)
        hand = on(hand, "draw:discard" if "draw:discard" in legal else legal[0])
    assert hand.outcome is not None
    assert hand.outcome.ending is Ending.DEAD_TURNS
    assert (hand.turns, hand.view(0).stock_count) == (9, 31)


def test_known_cards_are_those_taken_and_still_held() -> None:
    """Cards of the pile stay known until they are thrown or laid."""
    hand = on(start(upcard="4C"), "draw:discard", "discard:KH")
    assert hand.view(1).positions[0].known == ("4C",)
    hand = on(hand, "draw:stock", "discard:KD", "draw:stock", "meld:AC2C3C4C")
    assert hand.view(1).positions[0].known == ()


def test_round_the_corner_option() -> None:
    """With the corner option K-A-2 may be laid and goes on at both ends."""
    corner = FAMILY.replace(RULES, {"ace_mode": "corner"})
    first = "KCAC2C 5D6H7S 9C9D JD QS"
    for rules, offered in ((corner, True), (RULES, False)):
        hand = on(start(first, "3C QC 8D TH JS 4D 4H 6S 8S KD", rules=rules), "pass", "pass")
        hand = on(hand, "draw:stock")
        assert ("meld:AC2CKC" in ids(hand)) is offered
    hand = on(start(first, "3C QC 8D TH JS 4D 4H 6S 8S KD", rules=corner), "pass", "pass")
    hand = on(hand, "draw:stock", "meld:AC2CKC", "discard:JD", "draw:stock")
    assert {"add:3C:0", "add:QC:0"} <= set(ids(hand))


def test_stated_melds_are_no_part_of_this_game() -> None:
    """Melds given with an answer change nothing: they are laid by actions."""
    hand = on(start(), "pass", "pass", "draw:stock")
    named = hand.apply(action("discard:KH"), (("AC", "2C", "3C"),))
    assert named == hand.apply(action("discard:KH"))
