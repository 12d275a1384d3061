"""Lanes: the first connection, and the end at any time."""

from __future__ import annotations

import threading
import time

import pytest

from arena.referee.asks import Answer
from arena.referee.verdicts import BotFault, FaultCode
from arena.wire.crew import Crew
from arena.wire.endpoint import Endpoint
from arena.wire.lane import Lane
from tests.faulty_bots import Behaviour, FaultyBot
from tests.waiting import wait_until
from tests.wire.lanes import Outcome, ask, full_backlog, info, lane_to, outcomes, together


def test_warming_up_opens_the_connection_that_decisions_use(crew: Crew) -> None:
    """The greeting costs nothing later, and tells who is there."""
    with FaultyBot(name="Fox") as bot:
        lane = lane_to(bot, crew)
        assert lane.warm_up().name == "Fox"
        ask(lane)
        assert bot.connections == 1


def test_warming_up_a_stranger_is_a_fault(crew: Crew) -> None:
    """Nobody there, or somebody who is no bot."""
    with FaultyBot(Behaviour.HTML, on=("/",)) as bot:
        with pytest.raises(BotFault) as caught:
            lane_to(bot, crew).warm_up()
        assert caught.value.code is FaultCode.BAD_JSON


def test_closing_ends_a_hanging_call_at_once_and_drops_what_waits(crew: Crew) -> None:
    """No verdict, no thread, no socket is left."""
    with FaultyBot(Behaviour.SILENT, max_concurrency=2) as bot:
        lane = lane_to(bot, crew)
        waiting = outcomes(6, 60_000)
        for outcome in waiting:
            lane.ask(outcome.ticket())
        wait_until(lambda: len(bot.requests) >= 2)
        began = time.monotonic()
        lane.close()
        assert time.monotonic() - began < 0.5
        assert lane.in_flight == 0
        lane.ask(waiting[0].ticket())
        lane.tell("/end", {})
        assert not any(outcome.is_over for outcome in waiting)


def test_closing_ends_a_hanging_connection_attempt(crew: Crew) -> None:
    """A bot whose backlog is full."""
    with full_backlog() as endpoint:
        lane = Lane(endpoint, info(), crew=crew)
        lane.ask(Outcome("m_1-1-1-1", 60_000).ticket())
        wait_until(lambda: [call._budget.phase for call in tuple(lane._busy)] == ["connecting"])
        began = time.monotonic()
        lane.close()
        assert time.monotonic() - began < 0.5


def test_a_lane_may_be_closed_by_a_callback(crew: Crew) -> None:
    """As when the answer ends the tournament."""
    closed = threading.Event()
    with FaultyBot() as bot:
        lane = lane_to(bot, crew)

        def done(_: object) -> None:
            lane.close()
            closed.set()

        lane.ask(Outcome().ticket()._replace(done=done))
        assert closed.wait(5)


def test_a_lane_may_be_closed_in_the_middle_of_a_call(crew: Crew) -> None:
    """By the callback of a decision that timed out while others of the batch go on."""
    closed = threading.Event()
    with FaultyBot(Behaviour.SILENT, max_batch=2) as bot:
        lane = lane_to(bot, crew)
        waiting = [Outcome("m_0-1-1-1", 50), Outcome("m_1-1-1-1", 60_000)]

        def done(_: object) -> None:
            lane.close()
            closed.set()

        first, second = [outcome.ticket() for outcome in waiting]
        together(lane, [first._replace(done=done), second])
        assert closed.wait(1)
        assert not waiting[1].is_over


def test_a_lane_without_a_crew_has_one_of_its_own() -> None:
    """For scripts and tests with a single bot."""
    with FaultyBot() as bot:
        lane = Lane(Endpoint.parse(bot.url), info())
        assert isinstance(ask(lane).reply(), Answer)
        lane.close()
