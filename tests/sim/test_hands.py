"""Batches: dealing, taking, checking, playing on; what a learner sees; what a search finds."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from arena.errors import IllegalAction, InvalidAction, InvalidCards, InvalidSettings
from arena.rules.cards import INDEX, NAMES, mask_of
from arena.rules.gin.hand import deal_gin
from arena.rules.gin.rules import GinRules
from arena.sim import (
    ACTIONS,
    DISCARD,
    KNOCK,
    PASS,
    PLANES,
    Hands,
    PhaseNumber,
    SimRules,
    action_id,
    action_number,
    action_values,
    finish,
    from_hand,
    planes,
    play,
    random_legal,
    shuffled_orders,
    simple,
    worlds,
)
from tests.sim.players import requests_of_a_game


@pytest.fixture
def rng() -> np.random.Generator:
    """The same numbers in every run."""
    return np.random.default_rng(11)


def test_actions_have_names_and_numbers() -> None:
    """All of them, both ways."""
    assert [action_number(action_id(number)) for number in range(ACTIONS)] == list(range(ACTIONS))
    assert action_id(DISCARD + INDEX["7H"]) == "discard:7H"
    assert action_id(KNOCK + INDEX["KS"]) == "knock:KS"
    with pytest.raises(InvalidAction):
        action_number("meld:7H8H9H")


@pytest.mark.parametrize(
    "order", [np.zeros((1, 52), int), np.arange(52), np.arange(51)[None], np.arange(1, 53)[None]]
)
def test_what_is_no_pack_is_not_dealt(order: np.ndarray[Any, Any]) -> None:
    """Each row has to hold every card once."""
    with pytest.raises(InvalidCards):
        Hands.deal(order)


@pytest.mark.parametrize(
    ("name", "value"),
    [("knock_card_source", "upcard"), ("ace_mode", "corner"), ("doubling", True)],
)
def test_rules_that_are_more_than_numbers_are_refused(name: str, value: object) -> None:
    """By the name of the setting, with what to use instead."""
    with pytest.raises(InvalidSettings, match=rf"{name}.*arena\.rules") as caught:
        SimRules(GinRules(**{name: value}))  # type: ignore[arg-type]
    assert caught.value.field == name


def test_illegal_actions_are_refused_when_checked(rng: np.random.Generator) -> None:
    """And nothing is changed then."""
    hands = Hands.deal(shuffled_orders(3, rng))

    with pytest.raises(IllegalAction, match="hand 1: discard:AC is not allowed"):
        hands.apply(np.array([PASS, DISCARD, PASS]), checked=True)
    with pytest.raises(IllegalAction, match="hand 2: 500"):
        hands.apply(np.array([PASS, PASS, 500]), checked=True)
    assert hands.turn.tolist() == [0, 0, 0]


def test_random_actions_are_legal_and_all_come_up(rng: np.random.Generator) -> None:
    """Each with about the same frequency."""
    one = Hands.deal(shuffled_orders(1, rng))
    hands = one.take(np.zeros(4000, np.int64))
    hands.apply(random_legal(hands, rng), checked=True)
    taken = hands.take(hands.phase == PhaseNumber.DISCARD)

    chosen = random_legal(taken, rng)
    taken.apply(chosen, checked=True)

    assert 1800 < len(taken) < 2200
    counts = np.bincount(chosen, minlength=ACTIONS)
    assert np.count_nonzero(counts) == 10  # eleven cards less the one taken
    assert counts[counts > 0].min() > 130


def test_hands_that_are_over_stay_as_they_are(rng: np.random.Generator) -> None:
    """Whatever action is given for them."""
    over = play(shuffled_orders(20, rng), (simple, simple), rng)
    before = over.take(slice(None))

    over.apply(np.full(20, PASS))

    assert not over.live.any()
    assert not over.legal().any()
    assert np.array_equal(over.points, before.points)
    assert np.array_equal(over.turn, before.turn)


def test_a_rollout_changes_only_its_copy(rng: np.random.Generator) -> None:
    """And ends what was in play, in the order in which it was given."""
    hands = Hands.deal(shuffled_orders(200, rng))
    hands.apply(simple(hands, rng))

    over = finish(hands, (simple, random_legal), rng)

    assert hands.turn.tolist() == [1] * 200
    assert not over.live.any()
    assert np.array_equal(over.order, hands.order)
    assert (over.ending >= 0).all()


def test_planes_show_the_mover_only_what_it_may_know(rng: np.random.Generator) -> None:
    """Hidden cards may change places without changing a plane."""
    requests = [each for each in requests_of_a_game() if each["turn"] > 6]
    for request in requests[:40]:
        seen = planes(worlds(request, 30, rng))
        own, drawn, upcard, others, known = (
            {NAMES[card] for card in np.flatnonzero(plane)} for plane in seen[0]
        )
        assert len(PLANES) == seen.shape[1]
        assert (seen == seen[0]).all()
        assert own == set(request["cards"])
        assert drawn == ({request["drawn"]} if request["drawn"] else set())
        assert upcard == ({request["upcard"]} if request["upcard"] else set())
        assert others == set(request["discard_pile"]) - upcard
        assert known == set(request["players"][1 - request["seat"]]["known"])


def test_worlds_fit_what_was_seen_and_differ_in_what_was_not(rng: np.random.Generator) -> None:
    """Every card in one place; known cards where they are; the unseen anywhere."""
    request = next(
        each
        for each in requests_of_a_game()
        if each["turn"] > 8 and each["players"][1 - each["seat"]]["known"]
    )
    me = request["position"]
    known = mask_of(request["players"][1 - request["seat"]]["known"])

    hands = worlds(request, 3000, rng)

    other = hands.hands[:, 1 - me]
    stock = [mask_of(NAMES[c] for c in row[: request["stock_count"]]) for row in hands.order]
    pile = mask_of(request["discard_pile"])
    whole = other + hands.hands[:, me] + np.array(stock, np.uint64) + np.uint64(pile)
    assert (whole == np.uint64((1 << 52) - 1)).all()
    assert (other & np.uint64(known) == known).all()
    unseen = [c for c in range(52) if not (pile | known | mask_of(request["cards"])) >> c & 1]
    held = [int((other >> np.uint64(card) & np.uint64(1)).sum()) for card in unseen]
    assert max(held) < 1.25 * min(held)


def test_worlds_allow_what_the_request_allows(rng: np.random.Generator) -> None:
    """At every decision of a game."""
    for request in requests_of_a_game():
        legal = worlds(request, 1, rng).legal()[0]
        ids = {action_id(int(column)) for column in np.flatnonzero(legal)}
        assert ids == {each["id"] for each in request["legal"]}


def test_a_search_sees_that_gin_wins(rng: np.random.Generator) -> None:
    """And values every legal action."""
    names = "AH 2H 3H 4H 5S 6S 7S 9C 9D 9S".split()
    others = [name for name in NAMES if name not in names]
    order = [card for pair in zip(names, others[:10], strict=True) for card in pair]
    hand = deal_gin(GinRules(), [*order, *others[10:]], 1)
    for id in ("pass", "pass", "draw:stock"):
        hand = hand.apply(next(each for each in hand.legal_actions() if each.id == id))
    batch = from_hand(hand)
    assert batch.legal()[0, KNOCK:].any()
    request = next(each for each in requests_of_a_game() if each["phase"] == "discard")
    request = {
        **request,
        "cards": sorted([*names, "KD"], key=INDEX.__getitem__),
        "drawn": "KD",
        "taken": False,
        "discard_pile": ["QD"],
        "log": [],
        "players": [{**each, "known": []} for each in request["players"]],
        "stock_count": 30,
    }

    values = action_values(request, rng, count=40)

    assert max(values, key=values.__getitem__) == "knock:KD"
    assert values["knock:KD"] > 25
    assert len(values) == len([id for id in values if id.startswith(("discard", "knock"))])


def test_nothing_else_loads_the_simulator() -> None:
    """Whoever does not use it does not pay for it."""
    code = (
        "import sys, arena.cli, arena.rules.games, arena.referee.table, arena.bot\n"
        "import arena.wire.lane, arena.tournament.playing.play, arena.site\n"
        "print([name for name in sys.modules if name.startswith('arena.sim')])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.strip() == "[]"


def test_the_example_runs() -> None:
    """It prints what each player won."""
    done = subprocess.run(
        [sys.executable, "-m", "arena.sim", "300"],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert "points a hand" in done.stdout
