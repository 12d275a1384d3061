"""Decisions of a recorded hand are those that the match asked."""

from __future__ import annotations

from typing import Any

import pytest

from arena.errors import InvalidRecord
from arena.referee.moments import HandName, moments_of
from arena.referee.verdicts import FaultCode
from arena.rules.record import parse, sheets
from tests.referee.matches import after, failing, seeded, sensible, setup, watch

OF_THE_MATCH = {"tournament", "bank_ms", "last_latency_ms", "last_status", "games_won"}
"""What a record and its hand's name do not tell."""


def told(request: dict[str, Any]) -> dict[str, Any]:
    """The request without what only the match knows."""
    kept = {key: value for key, value in request.items() if key not in OF_THE_MATCH}
    players = [
        {key: value for key, value in player.items() if key not in OF_THE_MATCH}
        for player in request["players"]
    ]
    return {**kept, "players": players}


@pytest.mark.parametrize("rules", ["gin", "oklahoma", "hollywood", "chouette", "cutthroat"])
def test_recorded_decisions_are_word_by_word_those_that_were_asked(rules: str) -> None:
    """Ids, score, log, legal actions: a bot cannot tell it from the match."""
    variant = setup(rules=rules, target=60).variant
    seats = variant.family.players(variant.rules)[0]
    played = watch(seeded(variant, seats, 7), [sensible] * seats)
    records = [parse(hand.record) for hand in played.hands]
    before = sheets(variant, records, seats)

    again = [
        told(moment.request)
        for hand, record, sheet in zip(played.hands, records, before, strict=False)
        for moment, _ in moments_of(
            record, HandName("m_1", hand.game, hand.number), sheet=sheet, games_won=(0,) * seats
        )
    ]

    assert len(records) > 1
    assert again == [told(ask.request) for ask in played.asks]


def test_a_bot_that_was_out_is_not_asked_again() -> None:
    """What the referee played for it was no decision of its own; what failed was one."""
    match = seeded(setup(rules="cutthroat", target=60).variant, 3, 3)
    broken = after(2, sensible, failing(FaultCode.TIMEOUT))
    played = watch(match, [sensible, sensible, broken])
    asked = [ask.request["request_id"] for ask in played.asks if ask.request["game"] == 1]
    found = [
        (moment, play)
        for hand in played.hands
        for moment, play in moments_of(parse(hand.record), HandName("m_1", 1, hand.number))
    ]

    assert [moment.id for moment, _ in found] == asked
    assert [play.fault for _, play in found if play.fault] == [FaultCode.TIMEOUT] * 3


def test_a_record_that_goes_on_after_its_end_is_refused() -> None:
    """Nothing is made up for a damaged record."""
    record = watch(setup(target=10), [sensible] * 2).hands[0].record
    wrong = record.replace(" = ", " s = ", 1)

    with pytest.raises(InvalidRecord):
        list(moments_of(parse(wrong)))
