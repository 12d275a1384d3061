"""Requests as the referee words them, made by hand so that the SDK is tested by itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Requests = Callable[..., dict[str, Any]]

RULES: dict[str, Any] = {
    "hand_size": 10,
    "knock_limit": 10,
    "ace_mode": "low",
    "ace_deadwood": 1,
    "gin_bonus": 25,
}


def _request(
    hand: str = "AC 2C 3C 9C 9D 9H 4H 5H KS QS 2S", phase: str = "discard", **changes: Any
) -> dict[str, Any]:
    cards = hand.split()
    legal: list[dict[str, Any]] = [
        {"id": f"discard:{card}", "kind": "discard", "card": card} for card in cards
    ]
    if phase == "draw":
        legal = [{"id": "draw:stock", "kind": "draw"}, {"id": "draw:discard", "kind": "draw"}]
    players: list[dict[str, Any]] = [
        {
            "seat": seat,
            "position": seat,
            "cards": 10,
            "known": [],
            "melds": [],
            "active": True,
            "score": 24,
            "hands_won": 2,
            "games_won": 1,
        }
        for seat in (0, 1)
    ]
    return {
        "request_id": "m_1-1-3-12",
        "protocol": "1.0",
        "tournament": "t_1",
        "match": "m_1",
        "game": 1,
        "hand": 3,
        "turn": 12,
        "seat": 0,
        "position": 0,
        "dealer": 1,
        "variant": "gin",
        "rules": RULES,
        "phase": phase,
        "cards": cards,
        "drawn": cards[-1] if phase == "discard" else None,
        "taken": False,
        "upcard": "5C",
        "discard_pile": ["4C", "5C"],
        "stock_count": 17,
        "knock_limit": 10,
        "knock_card": None,
        "multiplier": 1,
        "wild": None,
        "wild_card": None,
        "players": players,
        "target": 100,
        "columns": [[24, 24]],
        "log": [{"position": 1, "action": "draw:stock"}],
        "deadline_ms": 1000,
        "bank_ms": 30000,
        "last_latency_ms": None,
        "last_status": None,
        "legal": legal,
        **changes,
    }


@pytest.fixture(scope="session")
def make_request() -> Requests:
    """Builds a decision request: the hand as text, the phase, and any field to change."""
    return _request
