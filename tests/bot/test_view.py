"""What a bot reads from a request."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from arena.bot import BotView, LegalAction, Shown

Requests = Callable[..., dict[str, Any]]


def test_view_shows_the_hand_and_the_pile(make_request: Requests) -> None:
    """Cards, upcard, pile and limits are those of the request."""
    view = BotView(make_request("AC 2C 3C"))

    assert view.hand == ("AC", "2C", "3C")
    assert (view.upcard, list(view.discard_pile), view.stock_count) == ("5C", ["4C", "5C"], 17)
    assert (view.drawn, view.taken, view.knock_limit) == ("3C", False, 10)


def test_legal_actions_have_kind_card_and_argument(make_request: Requests) -> None:
    """A legal action splits its id; the card is only set where there is exactly one."""
    legal = [
        {"id": "discard:AC", "kind": "discard", "card": "AC"},
        {"id": "take:3", "kind": "take"},
        {"id": "add:7H:0", "kind": "add"},
    ]
    view = BotView(make_request(legal=legal))

    assert view.legal == (
        LegalAction("discard:AC", "discard", "AC", "AC"),
        LegalAction("take:3", "take", None, "3"),
        LegalAction("add:7H:0", "add", None, "7H:0"),
    )
    assert view.actions("take") == [view.legal[1]]
    assert view.can("take:3")
    assert not view.can("take:4")
    assert view.safe == "discard:AC"


def test_best_melds_leave_the_least_deadwood(make_request: Requests) -> None:
    """Of a set and a run that share a card, the run is chosen where it leaves less."""
    view = BotView(make_request("7C 7S 7D 8D 9D"))

    assert view.best_melds() == (("7D", "8D", "9D"),)
    assert view.deadwood() == 14


def test_deadwood_after_has_an_entry_for_each_legal_discard(make_request: Requests) -> None:
    """A card that was just taken may not be thrown and has no entry."""
    request = make_request("AC 2C 3C 9C KD")
    del request["legal"][0]
    view = BotView(request)

    assert view.deadwood_after == {"2C": 23, "3C": 22, "9C": 10, "KD": 9}


def test_defence_weighs_own_melds_against_layoffs(make_request: Requests) -> None:
    """Three nines are the best melds of this hand, and yet not what leaves the least."""
    view = BotView(make_request("9H 9C 9D 8C 7C"))
    found = view.defence((("6H", "7H", "8H"),))

    assert view.best_melds() == (("9C", "9D", "9H"),)
    assert view.deadwood() == 15
    assert found == Shown((("7C", "8C", "9C"),), ("9D",), ("9H",), 9)
    assert view.defence(()).value == 15
    assert view.defence((("6H", "7H", "8H"),), ["9H", "KD"]).laid_off == ("9H",)


def test_aces_count_as_the_rules_say(make_request: Requests) -> None:
    """With ranks in a ring and loose aces at 15, K-A-2 is a run."""
    rules = {"ace_mode": "corner", "ace_deadwood": 15}
    view = BotView(make_request("KH AH 2H AS", rules=rules))

    assert view.best_melds() == (("AH", "2H", "KH"),)
    assert view.deadwood() == 15


def test_unseen_cards_are_those_nobody_showed(make_request: Requests) -> None:
    """Own cards, the pile and what the opponent took openly are not unseen."""
    request = make_request("AC 2C 3C")
    request["players"] = [dict(player) for player in request["players"]]
    request["players"][1]["known"] = ["KH"]
    view = BotView(request)

    assert view.known_opponent_cards == ("KH",)
    assert len(view.unseen) == 52 - 3 - 2 - 1
    assert not {"AC", "4C", "5C", "KH"} & set(view.unseen)


def test_unseen_cards_of_two_packs_may_occur_twice(make_request: Requests) -> None:
    """Indian rummy has two packs and two printed jokers."""
    rules = {"packs": 2, "printed_jokers": 2}
    view = BotView(make_request("AC AC 2C JK", rules=rules, discard_pile=[], upcard=None))

    unseen = view.unseen
    assert (unseen.count("AC"), unseen.count("2C"), unseen.count("JK")) == (0, 1, 1)
    assert len(unseen) == 106 - 4


def test_cards_that_were_turned_and_are_out_of_play_are_seen(make_request: Requests) -> None:
    """A separate knock card and a wild joker can be drawn by nobody; an upcard may be."""
    cards = "AC 2C 3C"
    separate = make_request(cards, rules={"knock_card_source": "separate"}, knock_card="KH")
    upcard = make_request(cards, rules={"knock_card_source": "upcard"}, knock_card="KH")
    packs = {"packs": 2, "printed_jokers": 2}
    indian = make_request(cards, rules=packs, wild="7", wild_card="7H")

    assert BotView(separate).knock_card == BotView(upcard).knock_card == "KH"
    assert "KH" not in BotView(separate).unseen
    assert "KH" in BotView(upcard).unseen
    assert BotView(indian).knock_card is None
    assert BotView(indian).unseen.count("7H") == 1


def test_opponents_start_at_the_left(make_request: Requests) -> None:
    """Opponents come in playing order after the bot; a seat that sits out is none."""
    request = make_request(seat=1, position=2)
    one = request["players"][0]
    places = {0: 1, 1: 2, 2: None, 3: 0}
    request["players"] = [{**one, "seat": seat, "position": at} for seat, at in places.items()]
    view = BotView(request)

    assert [player.seat for player in view.opponents] == [3, 0]
    assert view.me.seat == 1


def test_random_numbers_depend_on_the_request_id(make_request: Requests) -> None:
    """The same request gives the same numbers, another request others."""
    draws = [BotView(make_request(request_id=name)).rng.random() for name in ("a-1", "a-1", "b")]

    assert draws[0] == draws[1] != draws[2]


def test_takeable_discards_are_named_by_their_draw(make_request: Requests) -> None:
    """The top of the pile, and in Battle Royal the card below it."""
    legal = [{"id": f"draw:{place}", "kind": "draw"} for place in ("stock", "discard", "under")]
    both = BotView(make_request(phase="draw", legal=legal))
    top = BotView(make_request(phase="draw", legal=legal[:2]))
    none = BotView(make_request(phase="draw", legal=legal[:1]))

    assert both.takeable == {"draw:discard": "5C", "draw:under": "4C"}
    assert top.takeable == {"draw:discard": "5C"}
    assert none.takeable == {}


def test_expected_deadwood_averages_over_what_may_be_drawn(make_request: Requests) -> None:
    """The mean over all unseen cards of the best that each would allow."""
    hand = "AC 2C 3C KH KS"
    view = BotView(make_request(hand, discard_pile=["KD"], upcard="KD"))
    best = [
        min(
            [view.deadwood([*view.without(own), card]) for own in view.hand] + [view.deadwood()],
        )
        for card in view.unseen
    ]

    assert view.expected_deadwood(view.hand) == sum(best) / len(best)


def test_one_of_two_equal_cards_is_left_out(make_request: Requests) -> None:
    """With two packs a name may be in the hand twice."""
    assert BotView(make_request("AC AC 2C")).without("AC") == ["AC", "2C"]
