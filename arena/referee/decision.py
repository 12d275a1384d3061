"""Turns what a seat may know into the decision request of the protocol.

The request is built from a `View`, which holds only public facts and the seat's own cards, and
from a `GameContext`, which is public altogether. Nothing here may ever see a `Hand`, a deck or a
deal seed: what is not passed in cannot leak.

The hot path of the arena: equal parts of a request are shared, so treat requests as read-only.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from arena.referee.verdicts import FaultCode
from arena.rules.base import Action, ActionKind, DealPlan, LogEntry, PositionView, SheetLine, View

PROTOCOL = "1.0"
"""Version of the protocol that this arena speaks."""

CARD_KINDS = frozenset({ActionKind.DISCARD, ActionKind.KNOCK, ActionKind.DECLARE})
"""Actions whose argument is exactly one card of the hand; ``legal`` names it as ``card``."""

_CACHE_LIMIT = 20_000

_Key = TypeVar("_Key")


@dataclass(frozen=True, slots=True)
class HandContext:
    """What stays the same for all decisions of one hand; build it once a hand.

    ``rules``: `RulesRecord.as_dict`, every value in force. ``plan``: which seat sits where.
    ``lines``, ``columns``, ``target``: the game's sheet before this hand. ``games_won``: by seat.
    """

    tournament: str
    match: str
    game: int
    hand: int
    variant: str
    rules: Mapping[str, object]
    plan: DealPlan
    lines: Sequence[SheetLine]
    columns: Sequence[Sequence[int]]
    target: int | None
    games_won: Sequence[int]


@dataclass(frozen=True, slots=True)
class GameContext:
    """What one decision needs beside the view: the hand's context and the seat's clock.

    ``deadline_ms``: time for the call. ``bank_ms``: what is left of the bank.
    ``last_latency_ms``, ``last_status``: how the seat's previous call went, None if there was none
    (or, for the latency, if it never ended).
    """

    of_hand: HandContext
    deadline_ms: float
    bank_ms: float
    last_latency_ms: float | None = None
    last_status: FaultCode | None = None


def request_id(match: str, game: int, hand: int, turn: int) -> str:
    """Names a decision; the same decision asked again after a crash has the same id."""
    return f"{match}-{game}-{hand}-{turn}"


def decision(view: View, legal: Sequence[Action], context: GameContext) -> dict[str, object]:
    """The decision request for the seat at ``view.position``."""
    hand = context.of_hand
    latency = context.last_latency_ms
    pile = view.discard_pile
    return {
        "request_id": request_id(hand.match, hand.game, hand.hand, view.turn),
        "protocol": PROTOCOL,
        "tournament": hand.tournament,
        "match": hand.match,
        "game": hand.game,
        "hand": hand.hand,
        "turn": view.turn,
        "seat": hand.plan.seats[view.position],
        "position": view.position,
        "dealer": view.dealer,
        "variant": hand.variant,
        "rules": hand.rules,
        "phase": view.phase.value,
        "cards": list(view.hand),
        "drawn": view.drawn,
        "taken": view.taken,
        "upcard": pile[-1] if pile else None,
        "discard_pile": list(pile),
        "stock_count": view.stock_count,
        "knock_limit": view.knock_limit,
        "knock_card": view.knock_card,
        "multiplier": view.multiplier,
        "wild": view.wild,
        "wild_card": view.wild_card,
        "players": _players(view.positions, hand),
        "target": hand.target,
        "columns": [list(column) for column in hand.columns],
        "log": list(map(_LOG.__getitem__, view.log)),
        "deadline_ms": max(1, int(context.deadline_ms)),
        "bank_ms": max(0, int(context.bank_ms)),
        "last_latency_ms": None if latency is None else round(latency, 1),
        "last_status": None if context.last_status is None else context.last_status.value,
        "legal": list(map(_LEGAL.__getitem__, legal)),
    }


def _players(positions: Sequence[PositionView], hand: HandContext) -> list[dict[str, object]]:
    """Every seat of the game, those included that sit out this hand."""
    place = {seat: position for position, seat in enumerate(hand.plan.seats)}
    players: list[dict[str, object]] = []
    for seat, line in enumerate(hand.lines):
        position = place.get(seat)
        seen = _AWAY if position is None else positions[position]
        players.append(
            {
                "seat": seat,
                "position": position,
                "cards": seen.card_count,
                "known": list(seen.known),
                "melds": [list(meld) for meld in seen.melds],
                "active": seen.active,
                "score": line.points,
                "hands_won": line.hands_won,
                "games_won": hand.games_won[seat],
            }
        )
    return players


_AWAY = PositionView(card_count=0, active=False)


class _Shared(dict[_Key, dict[str, object]]):
    """Equal parts of requests, made once; bounded, since mahjong melds make ever new actions."""

    def __init__(self, make: Callable[[_Key], dict[str, object]]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, key: _Key) -> dict[str, object]:
        if len(self) >= _CACHE_LIMIT:
            self.clear()
        found = self[key] = self._make(key)
        return found


def _legal_action(one: Action) -> dict[str, object]:
    card = {"card": one.arg} if one.kind in CARD_KINDS else {}
    return {"id": one.id, "kind": one.kind.value, **card}


def _log_entry(entry: LogEntry) -> dict[str, object]:
    return {"position": entry.position, "action": entry.action}


_LEGAL = _Shared(_legal_action)
_LOG = _Shared(_log_entry)
