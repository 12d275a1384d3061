"""The decision request: complete, public but for the seat's own cards, and cheap to make."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any, cast

import orjson
import pytest

from arena.referee.decision import GameContext, HandContext, decision, request_id
from arena.referee.verdicts import FaultCode
from arena.rules.base import (
    DealPlan,
    Hand,
    LogEntry,
    Phase,
    PositionView,
    SheetLine,
    Variant,
    View,
    action,
)
from arena.rules.deal import deal_seed, shuffled
from arena.rules.games import all_variants
from arena.wire.messages import act_body


def _context(**changes: Any) -> HandContext:
    values: dict[str, Any] = {
        "tournament": "t_1",
        "match": "m_1",
        "game": 2,
        "hand": 3,
        "variant": "cutthroat",
        "rules": {"hand_size": 10},
        "plan": DealPlan((2, 0), 1),
        "lines": (SheetLine(12, 1, 37), SheetLine(0, 0, 0), SheetLine(-5, 2, 45)),
        "columns": ((12, 0, -5),),
        "target": 100,
        "games_won": (1, 0, 0),
    }
    return HandContext(**{**values, **changes})


def _view(**changes: Any) -> View:
    view = View(
        position=0,
        dealer=1,
        turn=4,
        phase=Phase.DISCARD,
        hand=("7C", "8C", "9C"),
        drawn="8C",
        taken=True,
        discard_pile=("2D", "KS"),
        stock_count=29,
        knock_limit=10,
        multiplier=1,
        wild=None,
        positions=(PositionView(3, ("8C",)), PositionView(2)),
        log=(LogEntry(1, "draw:stock"), LogEntry(1, "discard:8C"), LogEntry(0, "draw:discard")),
        knock_card="KS",
    )
    return view._replace(**changes)


LEGAL = (action("discard:7C"), action("knock:9C"), action("big_gin"))


def test_the_request_tells_view_and_context() -> None:
    """Every field comes from where it should."""
    request = decision(_view(), LEGAL, GameContext(_context(), 1000, 512.9, 12.34, FaultCode.LATE))

    assert request == {
        "request_id": "m_1-2-3-4",
        "protocol": "1.0",
        "tournament": "t_1",
        "match": "m_1",
        "game": 2,
        "hand": 3,
        "turn": 4,
        "seat": 2,
        "position": 0,
        "dealer": 1,
        "variant": "cutthroat",
        "rules": {"hand_size": 10},
        "phase": "discard",
        "cards": ["7C", "8C", "9C"],
        "drawn": "8C",
        "taken": True,
        "upcard": "KS",
        "discard_pile": ["2D", "KS"],
        "stock_count": 29,
        "knock_limit": 10,
        "knock_card": "KS",
        "multiplier": 1,
        "wild": None,
        "wild_card": None,
        "players": [
            {
                **{"seat": 0, "position": 1, "cards": 2, "known": [], "melds": []},
                **{"active": True, "score": 12, "hands_won": 1, "games_won": 1},
            },
            {
                **{"seat": 1, "position": None, "cards": 0, "known": [], "melds": []},
                **{"active": False, "score": 0, "hands_won": 0, "games_won": 0},
            },
            {
                **{"seat": 2, "position": 0, "cards": 3, "known": ["8C"], "melds": []},
                **{"active": True, "score": -5, "hands_won": 2, "games_won": 0},
            },
        ],
        "target": 100,
        "columns": [[12, 0, -5]],
        "log": [
            {"position": 1, "action": "draw:stock"},
            {"position": 1, "action": "discard:8C"},
            {"position": 0, "action": "draw:discard"},
        ],
        "deadline_ms": 1000,
        "bank_ms": 512,
        "last_latency_ms": 12.3,
        "last_status": "late",
        "legal": [
            {"id": "discard:7C", "kind": "discard", "card": "7C"},
            {"id": "knock:9C", "kind": "knock", "card": "9C"},
            {"id": "big_gin", "kind": "big_gin"},
        ],
    }
    act_body([request])


def test_a_bot_always_has_some_time() -> None:
    """Neither a spent bank nor rounding makes the deadline 0 or the bank negative."""
    request = decision(_view(), LEGAL, GameContext(_context(), 0.4, -3.0))

    assert request["deadline_ms"] == 1
    assert request["bank_ms"] == 0
    act_body([request])


def test_the_first_call_has_no_history() -> None:
    """No latency and no status before the first call; no upcard on an empty pile."""
    view = _view(phase=Phase.DRAW, drawn=None, taken=False, discard_pile=())
    request = decision(view, (action("draw:stock"),), GameContext(_context(), 1000, 0))

    assert request["last_latency_ms"] is None
    assert request["last_status"] is None
    assert request["upcard"] is None
    act_body([request])


def test_the_same_decision_has_the_same_id() -> None:
    """After a crash the hand is dealt again and asked again under the same ids."""
    assert request_id("m_1", 2, 3, 4) == "m_1-2-3-4"
    context = GameContext(_context(), 1000, 0)
    assert decision(_view(), LEGAL, context) == decision(_view(), LEGAL, context)


def test_many_different_melds_do_not_fill_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """What requests share is bounded, and stays right when it starts anew."""
    monkeypatch.setattr("arena.referee.decision._CACHE_LIMIT", 3)
    kinds = [action(f"discard:{rank}{suit}") for suit in "CD" for rank in "A23456789TJQK"]

    for _ in range(2):
        request = decision(_view(), kinds, GameContext(_context(), 1000, 0))
        assert [one["id"] for one in cast(list[dict[str, Any]], request["legal"])] == [
            one.id for one in kinds
        ]


def _walk(variant: Variant, seed: int) -> Iterator[tuple[Hand, dict[str, Any]]]:
    rng = random.Random(f"{variant.name}{seed}")
    family, rules = variant.family, variant.rules
    seats = family.players(rules)[1]
    sheet = family.new_sheet(rules, seats, 0)
    plan = sheet.next_deal()
    assert plan is not None
    deck = shuffled(family.deck(rules), deal_seed(bytes(32), variant.name, seed, 1))
    hand = family.deal(rules, deck, plan)
    context = _context(
        variant=variant.name,
        plan=plan,
        lines=sheet.lines,
        columns=sheet.columns,
        target=sheet.target,
        games_won=(0,) * seats,
    )
    while hand.to_act is not None:
        legal = hand.legal_actions()
        yield hand, decision(hand.view(hand.to_act), legal, GameContext(context, 1000, 0))
        hand = hand.apply(rng.choice(legal))


def _hidden_from(hand: Hand) -> dict[str, tuple[str, ...]]:
    """Cards by place that the player to move may not see."""
    return {
        place: cards
        for place, cards in hand.cards_by_place().items()
        if place == "stock" or (place.startswith("hand") and place != f"hand{hand.to_act}")
    }


@pytest.mark.parametrize(
    "variant",
    [one for one in all_variants() if not one.family.name.startswith("indian")],
    ids=lambda variant: variant.name,
)
def test_no_hidden_card_is_in_the_bytes_sent(variant: Variant) -> None:
    """In one-pack games: a card of the stock or of another hand is named only if it was public."""
    for hand, request in _walk(variant, seed=1):
        own = set(cast(list[str], request["cards"]))
        known = {card for player in request["players"] for card in player["known"]}
        thrown = {
            entry["action"].partition(":")[2]
            for entry in request["log"]
            if entry["action"].startswith(("discard:", "declare:"))
        }
        hidden = _hidden_from(hand)
        assert len(hidden) >= 2  # the stock and another hand
        sent = orjson.dumps({**request, "log": []})
        for place, cards in hidden.items():
            for card in cards:
                if card not in known:
                    assert f'"{card}"'.encode() not in sent, (place, card, request["turn"])
                    assert card not in own
                if card not in thrown and card not in known:
                    assert card.encode() not in orjson.dumps(request["log"]), (place, card)
