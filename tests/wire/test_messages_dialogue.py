"""Whole matches as a bot hears them: every message of the referee fits the protocol."""

from __future__ import annotations

import json
import random
from contextlib import suppress
from typing import Any

import pytest

from arena.referee.asks import Answer, Ask, Event, Notice, Reply
from arena.referee.clock import ClockRules
from arena.referee.match import MatchSetup
from arena.referee.table import play_match
from arena.referee.verdicts import BotFault, FaultCode
from arena.rules.base import Variant
from arena.rules.games import all_variants, variant_with
from arena.wire.messages import act_body, end_body, start_body

SHORT = {"max_turns": 12, "max_hands": 3}
"""Random play ends few hands; these limits end the rest."""

ENDED = {"hand", "game"}
ENDS_SOON = {"double", "drop"}

Heard = list[tuple[int, str, dict[str, Any]]]
"""Seat, what it was, and the message as the bot reads it."""


def _variants() -> list[Variant]:
    return [variant_with(variant.name, _short(variant)) for variant in all_variants()]


def _short(variant: Variant) -> dict[str, object]:
    return {name: value for name, value in SHORT.items() if name in variant.rules.as_dict()}


def hear(variant: Variant, seats: int, fail: float = 0.0, games: int = 1) -> Heard:
    """Play a match at random and return what the bots are told, in order.

    ``fail``: how often a call fails.
    """
    rng = random.Random(f"{variant.name}{seats}{fail}")
    names = tuple(f"Bot {seat}" for seat in range(seats))
    setup = MatchSetup(
        *("t_1", "m_1", variant, names, games, None, bytes(32), "key", ClockRules(bank_ms=500))
    )
    heard: Heard = []
    referee = play_match(setup)
    reply: Reply | None = None
    with suppress(StopIteration):
        while True:
            said = referee.send(reply)
            reply = None
            if isinstance(said, Notice):
                body_of = start_body if said.event is Event.START else end_body
                heard.append((said.seat, said.event, json.loads(body_of(said.payload))))
            elif isinstance(said, Ask):
                request = json.loads(act_body([said.request]))["requests"][0]
                assert request["request_id"] == said.request_id
                heard.append((said.seat, "act", request))
                kinds = {one["id"]: one["kind"] for one in request["legal"]}
                legal = [id for id, kind in kinds.items() if kind not in ENDS_SOON]
                legal = [id for id, kind in kinds.items() if kind == "knock"] or legal
                elapsed_ms = 1010.0 if rng.random() < fail else 5.0
                reply = Answer(rng.choice(legal), None, None, elapsed_ms, 0.1)
                if rng.random() < fail:
                    reply = BotFault(FaultCode.SCHEMA, "answers/0: 'action' is missing; add it", 3)
    return heard


@pytest.mark.parametrize("variant", _variants(), ids=lambda variant: variant.name)
def test_a_match_is_told_from_start_to_end(variant: Variant) -> None:
    """One start and one end of the match for each seat, and every message fits its schema."""
    seats = variant.family.players(variant.rules)[1]

    heard = hear(variant, seats)

    for seat in range(seats):
        mine = [(what, message) for who, what, message in heard if who == seat]
        assert [what for what, _ in mine].count("start") == 1
        assert mine[0][0] == "start"
        assert mine[-1][0] == "match"
        assert all(message["seat"] == seat for _, message in mine)


@pytest.mark.parametrize("name", ["gin", "cutthroat", "battle_royal", "indian_points"])
def test_faults_are_told_to_the_bot_that_made_them(name: str) -> None:
    """The fault of a hand comes with its end, and shows as the status of the next request."""
    variant = variant_with(name, _short(variant_with(name)))
    heard = hear(variant, variant.family.players(variant.rules)[0], fail=0.05, games=8)
    faulted = [(seat, m) for seat, what, m in heard if what == "hand" and m["faults"]]

    assert faulted
    for _, message in faulted:
        assert {fault["code"] for fault in message["faults"]} <= {"schema", "timeout"}
    statuses = {m["last_status"] for _, what, m in heard if what == "act"}
    assert {None, "ok", "late", "schema"} <= statuses


@pytest.mark.parametrize("name", ["gin", "cutthroat", "battle_royal", "mahjong"])
def test_results_are_by_seat(name: str) -> None:
    """The points of a hand are what it added to the scores, whatever the positions were."""
    variant = variant_with(name, {"max_hands": 40})
    seats = variant.family.players(variant.rules)[1]
    told = [message for _, what, message in hear(variant, seats, games=2) if what in ENDED]
    scores, scored = [0] * seats, 0

    for message in {(one["game"], one["hand"] or 0): one for one in told}.values():
        if message["event"] == "hand":
            points = message["result"]["points"]
            scores = [before + more for before, more in zip(scores, points, strict=True)]
            scored += any(points)
        assert message["scores"] == scores
        if message["event"] == "game":
            scores = [0] * seats
    assert scored


def test_whoever_played_a_hand_sees_all_its_cards() -> None:
    """The cards on the table come with seat and position, to every seat that played."""
    heard = hear(variant_with("battle_royal", {"max_hands": 40}), 3)
    ends = [(seat, m) for seat, what, m in heard if what == "hand" and m["shown"]]

    assert ends
    for seat, message in ends:
        assert {one["seat"] for one in message["shown"]} == {0, 1, 2}
        assert seat == message["seat"]
