"""Turns of Indian rummy: drawing, throwing, jokers on the open pile, declaring, dropping."""

from __future__ import annotations

from typing import Any

import pytest

from arena.errors import IllegalAction
from arena.rules.base import Ending, Melds, Phase, action
from arena.rules.indian.dealing import deal_indian
from arena.rules.indian.hand import IndianHand
from arena.rules.indian.rules import IndianRules
from tests.rules.indian.building import (
    DECK,
    OTHER_POOR,
    POOR,
    WINNING,
    WINNING_GROUPS,
    dealt,
    legal,
    play,
    throw_on,
)


def two(opening: str = "4S", shown: str = "QD", stock: str = "", **settings: Any) -> IndianHand:
    """Position 1 deals, position 0 moves first and holds a winning hand."""
    return dealt([WINNING, POOR], opening, shown, stock, dealer=1, **settings)


def three(**settings: Any) -> IndianHand:
    """The same with a third position."""
    return dealt([WINNING, POOR, OTHER_POOR], "4S", "QD", dealer=2, **settings)


def test_cards_go_round_from_the_dealers_left() -> None:
    """One card at a time; then the open card, the wild joker, and the rest is the stock."""
    hand = dealt([POOR, WINNING], "4S", "QD", "4H JK", dealer=0)
    places = hand.cards_by_place()

    assert hand.to_act == 1
    assert sorted(places["hand0"]) == sorted(POOR.split())
    assert sorted(places["hand1"]) == sorted(WINNING.split())
    assert (places["discard"], places["wild"]) == (("4S",), ("QD",))
    assert places["stock"][:2] == ("4H", "JK")
    assert len(places["stock"]) == 104 - 2 * 13


@pytest.mark.parametrize(("positions", "stock"), [(2, 78), (3, 65), (4, 52), (5, 39), (6, 26)])
def test_stock_size_by_players(positions: int, stock: int) -> None:
    """104 cards less thirteen a player."""
    hand = deal_indian(IndianRules(), DECK, positions, 0)

    assert hand.view(0).stock_count == stock


def test_a_turn_is_a_draw_and_a_throw() -> None:
    """Who drew may throw any card, the drawn one too, or declare with any card."""
    hand = two(stock="4H")
    assert legal(hand) == ["draw:stock", "draw:discard", "drop"]

    hand = play(hand, "draw:stock")
    held = {*WINNING.split(), "4H"}
    assert hand.phase is Phase.DISCARD
    assert legal(hand)[0] == "discard:4H"
    assert set(legal(hand)) == {f"{act}:{card}" for act in ("discard", "declare") for card in held}

    hand = play(hand, "discard:KC")
    assert (hand.to_act, hand.phase, hand.turn) == (1, Phase.DRAW, 2)
    assert hand.view(1).discard_pile == ("4S", "KC")


def test_first_action_never_throws_a_joker_while_another_card_is_there() -> None:
    """A drawn joker is kept and the dearest other card goes; so too after taking the open card."""
    assert legal(play(two(stock="JK"), "draw:stock"))[0] == "discard:KC"
    assert legal(play(two(stock="QH"), "draw:stock"))[0] == "discard:KC"
    assert legal(play(two(), "draw:discard"))[0] == "discard:KC"


@pytest.mark.parametrize("opening", ["JK", "QH"])
def test_opening_joker_may_be_taken_and_no_other(opening: str) -> None:
    """The opening card may be taken though it is a joker; a joker that was thrown may not."""
    hand = two(opening)
    assert "draw:discard" in legal(hand)

    taken = play(hand, "draw:discard", f"discard:{opening}")
    assert "draw:discard" not in legal(taken)
    with pytest.raises(IllegalAction, match="draw:discard is not allowed now"):
        taken.apply(action("draw:discard"))


def test_opening_joker_on_top_again_may_be_taken() -> None:
    """A card thrown on it left with a wrong declaration: the opening card is the top once more."""
    hand = dealt([WINNING, POOR, OTHER_POOR], "JK", "QD", dealer=2)
    hand = play(throw_on(hand, 1), "draw:discard", "declare:KH")

    assert hand.to_act == 2
    assert hand.view(2).discard_pile == ("JK",)
    assert "draw:discard" in legal(hand)


def test_open_pile_may_be_empty() -> None:
    """The only open card left with a wrong declaration: the next player draws from the stock."""
    hand = play(three(), "draw:discard", "declare:KC")

    assert hand.view(1).discard_pile == ()
    assert legal(hand) == ["draw:stock", "drop"]


@pytest.mark.parametrize(
    ("which", "expected"),
    [("always", (True, True)), ("never", (False, False)), ("opening_only", (True, False))],
)
def test_who_may_take_jokers_is_a_setting(which: str, expected: tuple[bool, bool]) -> None:
    """``open_joker``: the opening joker, and one that was thrown."""
    hand = two("JK", stock="JK", open_joker=which)
    later = play(hand, "draw:stock", "discard:JK")

    assert tuple("draw:discard" in legal(each) for each in (hand, later)) == expected


def test_throwing_back_the_card_just_taken_is_a_setting() -> None:
    """Allowed unless ``redraw_discard`` is off; another copy of it may go all the same."""
    assert "discard:4S" in legal(play(two(), "draw:discard"))
    barred = play(two(redraw_discard=False), "draw:discard")
    assert "discard:4S" not in legal(barred)
    assert "declare:4S" in legal(barred)
    with pytest.raises(IllegalAction, match="discard:4S is not allowed now"):
        barred.apply(action("discard:4S"))
    assert "discard:2H" in legal(play(two("2H", redraw_discard=False), "draw:discard"))


def test_printed_joker_shown_makes_aces_wild() -> None:
    """Or no rank at all, by setting."""
    assert two(shown="JK").view(0).wild == "A"
    assert two(shown="JK", shown_joker="none_wild").view(0).wild is None
    assert two(shown="JK").view(0).wild_card == "JK"
    assert two(shown="QD").view(0).wild == "Q"


def test_valid_declaration_wins() -> None:
    """The winner has 0, the loser the best count of the hand, capped; both lay open."""
    hand = play(two(stock="4H"), "draw:stock").apply(action("declare:4H"), WINNING_GROUPS)
    outcome = hand.outcome

    assert outcome is not None
    assert (outcome.ending, outcome.winner, outcome.knocker) == (Ending.DECLARED, 0, 0)
    assert outcome.points == (0, 80)
    assert outcome.shown[0] == (WINNING_GROUPS, (), (), 0)
    assert outcome.shown[1].value == 84
    assert outcome.sentence == "P0 declares a valid hand: P1 80"
    assert hand.legal_actions() == ()
    assert hand.cards_by_place()["finish"] == ("4H",)


def test_declaration_without_melds_takes_the_best_grouping() -> None:
    """A winning hand wins, whoever groups it; any other is a wrong declaration."""
    drawn = play(two(stock="4H"), "draw:stock")
    right, wrong = drawn.apply(action("declare:4H")), drawn.apply(action("declare:KC"))

    assert right.outcome is not None
    assert wrong.outcome is not None
    assert right.outcome.winner == 0
    assert wrong.outcome.winner == 1
    assert wrong.outcome.points == (80, 0)


BAD_GROUPS: Melds = (("2H", "3H", "4H"), ("5C", "6C", "7C", "8C"), ("9D", "9S", "9H", "KC"))


def test_wrong_declaration_at_a_table_of_two_loses_the_deal() -> None:
    """Judged as grouped though the cards could be grouped to win."""
    drawn = play(two(stock="4H"), "draw:stock")
    outcome = drawn.apply(action("declare:4H"), (*BAD_GROUPS, ("KD", "KS"))).outcome

    assert outcome is not None
    assert (outcome.ending, outcome.winner) == (Ending.WRONG_DECLARATION, 1)
    assert outcome.points == (80, 0)
    assert "group 3 (9D 9S 9H KC) is no sequence" in outcome.sentence


def test_judging_by_the_best_grouping_is_a_setting() -> None:
    """With ``judge`` best_grouping the same declaration wins."""
    drawn = play(two(stock="4H", judge="best_grouping"), "draw:stock")
    outcome = drawn.apply(action("declare:4H"), (*BAD_GROUPS, ("KD", "KS"))).outcome

    assert outcome is not None
    assert (outcome.ending, outcome.points) == (Ending.DECLARED, (0, 80))


def test_wrong_declaration_among_three_leaves_the_others_playing() -> None:
    """The offender is out with 80 and all see its cards; who is left last wins with 0."""
    drawn = play(three(), "draw:stock")
    card = drawn.view(0).drawn
    hand = drawn.apply(action(f"declare:{card}"), BAD_GROUPS)
    seen = hand.view(2).positions[0]

    assert (hand.to_act, hand.phase, hand.outcome) == (1, Phase.DRAW, None)
    assert (seen.active, seen.melds, seen.card_count) == (False, BAD_GROUPS, 13)
    assert sorted(seen.known) == sorted(WINNING.split())
    assert hand.cards_by_place()["finish"] == (card,)

    hand = throw_on(hand, 1)
    assert hand.to_act == 2
    outcome = play(hand, "drop").outcome
    assert outcome is not None
    assert outcome.ending is Ending.LAST_PLAYER
    assert outcome.points == (80, 0, 20)
    assert outcome.shown[0].melds == BAD_GROUPS
    assert outcome.shown[0].deadwood == ("KD", "KS")
    assert outcome.sentence == (
        "P1 is the last player left: P0 80 (wrong declaration), P2 20 (dropped)"
    )


@pytest.mark.parametrize(
    ("card", "melds", "text"),
    [
        ("5H", WINNING_GROUPS, "5H is not in the hand"),
        ("XX", WINNING_GROUPS, "no card"),
        ("4H", (("2H", "3H", "4H", "5H"),), "melds: 5H is stated more often"),
        ("2H", (("2H", "3H", "4H"),), "melds: 2H is stated more often .* when 2H finishes"),
        ("KC", (("9H", "9H", "9D"),), "melds: 9H is stated more often"),
        ("KC", (("9H", "9X", "9D"),), "melds: '9X' is no card"),
        ("KC", (("9H", "9S", "9D"), ()), "a group is empty"),
    ],
)
def test_melds_of_other_cards_are_no_declaration(card: str, melds: Melds, text: str) -> None:
    """Groups that name cards not held are illegal; nothing is lost by them here."""
    drawn = play(two(stock="4H"), "draw:stock")
    with pytest.raises(IllegalAction, match=text):
        drawn.apply(action(f"declare:{card}"), melds)


def test_groups_that_leave_cards_out_are_a_wrong_declaration() -> None:
    """Twelve cards grouped are not thirteen."""
    drawn = play(two(stock="4H"), "draw:stock")
    outcome = drawn.apply(action("declare:4H"), WINNING_GROUPS[:3]).outcome

    assert outcome is not None
    assert "the groups hold 10 cards, not all 13" in outcome.sentence


def test_drop_costs_more_after_the_first_draw() -> None:
    """20 before one's own first draw, whoever drew before; 40 later; only before drawing."""
    first = play(throw_on(three(), 2), "drop")
    later = play(throw_on(three(), 3), "drop")

    assert first.state.places[2].penalty == 20
    assert later.state.places[0].penalty == 40
    assert "drop" not in legal(play(three(), "draw:stock"))


def test_drop_is_offered_only_where_it_is_played() -> None:
    """Deals games know no drop; a rule set may know only the first."""
    none = three(first_drop=None, middle_drop=None)
    first = three(middle_drop=None)

    assert "drop" not in legal(none)
    assert "drop" in legal(first)
    assert "drop" not in legal(throw_on(first, 3))
    with pytest.raises(IllegalAction, match="drop is not allowed now"):
        none.apply(action("drop"))


def test_turns_pass_over_who_has_left() -> None:
    """After a drop the other two take turns."""
    hand = play(throw_on(three(), 1), "drop")
    movers = []
    for _ in range(4):
        movers.append(hand.to_act)
        hand = throw_on(hand, 1)

    assert movers == [2, 0, 2, 0]


def test_a_deal_is_over_for_everybody() -> None:
    """Nothing can be done, missed or offered after the end."""
    over = play(two(), "drop")

    assert (over.to_act, over.phase, over.legal_actions()) == (None, Phase.OVER, ())
    for each in ("draw:stock", "miss"):
        with pytest.raises(IllegalAction, match="the hand is over"):
            over.apply(action(each))
    with pytest.raises(IllegalAction, match="the hand is over"):
        over.miss()


@pytest.mark.parametrize(
    "id", ["discard:4H", "declare:4H", "pass", "knock:KC", "big_gin", "draw:under", "take:2"]
)
def test_other_actions_are_refused_before_the_draw(id: str) -> None:
    """The error lists what is allowed."""
    with pytest.raises(IllegalAction, match="allowed: draw:stock, draw:discard, drop"):
        two(stock="4H").apply(action(id))


@pytest.mark.parametrize("id", ["draw:stock", "draw:discard", "drop", "discard:5H", "discard:"])
def test_other_actions_are_refused_after_the_draw(id: str) -> None:
    """One draw a turn; only cards in hand are thrown."""
    with pytest.raises(IllegalAction):
        play(two(stock="4H"), "draw:stock").apply(action(id))
