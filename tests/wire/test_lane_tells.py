"""Lanes: advisory messages are in order, bounded, and in nobody's way."""

from __future__ import annotations

import pytest

from arena.referee.asks import Answer
from arena.wire import tells
from arena.wire.crew import Crew
from tests.faulty_bots import Behaviour, FaultyBot
from tests.wire.lanes import MARGIN_MS, ask, end_payload, lane_to, outcomes


def test_advisory_messages_arrive_in_order(crew: Crew) -> None:
    """One at a time, and drain waits for them."""
    with FaultyBot(max_concurrency=4) as bot:
        lane = lane_to(bot, crew)
        for hand in range(1, 9):
            lane.tell("/end", end_payload() | {"hand": hand})
        assert lane.drain()
        assert [request.json["hand"] for request in bot.requests if request.path == "/end"] == list(
            range(1, 9)
        )
    assert lane.stats.tells == 8


def test_a_bot_that_hangs_on_advisory_messages_still_decides(
    crew: Crew, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With two connections decisions do not wait; after three failures messages are dropped."""
    monkeypatch.setattr(tells, "TELL_TIMEOUT_MS", 100)
    with FaultyBot(Behaviour.SILENT, on=("/start", "/end"), max_concurrency=2) as bot:
        lane = lane_to(bot, crew)
        for _ in range(10):
            lane.tell("/end", end_payload())
        for turn in range(20):
            assert ask(lane, f"m_1-1-1-{turn}", 1000).took_ms < MARGIN_MS
        assert lane.drain()
        lane.tell("/end", end_payload())
        assert lane.drain()
        assert bot.hits("/end") == 3

    assert (lane.stats.tells, lane.stats.tells_lost) == (0, 11)
    assert lane.stats.faults == {}


def test_any_success_will_do_for_an_advisory_message(crew: Crew) -> None:
    """204 without a body, and 404 is a failure that costs nothing."""
    with FaultyBot(Behaviour.STATUS_204, on=("/end",)) as bot:
        lane = lane_to(bot, crew)
        lane.tell("/end", end_payload())
        assert lane.drain()
        assert isinstance(ask(lane).reply(), Answer)
    assert (lane.stats.tells, lane.stats.tells_lost) == (1, 0)


def test_waiting_advisory_messages_are_bounded(crew: Crew, monkeypatch: pytest.MonkeyPatch) -> None:
    """The oldest is dropped for the newest."""
    monkeypatch.setattr(tells, "MOST_TELLS", 3)
    with FaultyBot(Behaviour.SLOW, on=("/end",), delay_s=0.1, times=1) as bot:
        lane = lane_to(bot, crew)
        for hand in range(1, 9):
            lane.tell("/end", end_payload() | {"hand": hand})
        assert lane.drain()
        hands = [request.json["hand"] for request in bot.requests if request.path == "/end"]
    assert hands[-3:] == [6, 7, 8]
    assert len(hands) <= 4


def test_advisory_messages_get_their_turn_in_a_busy_lane(crew: Crew) -> None:
    """A single connection that always has decisions waiting."""
    with FaultyBot() as bot:
        lane = lane_to(bot, crew)
        waiting = outcomes(30)
        for outcome in waiting:
            lane.ask(outcome.ticket())
        lane.tell("/end", end_payload())
        for outcome in waiting:
            outcome.reply()
        place = [request.path for request in bot.requests].index("/end")
        assert place < 20
