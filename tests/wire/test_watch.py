"""One thread waits for all answers: nothing is lost, and nobody holds up the others."""

from __future__ import annotations

import random
import threading
import time

import pytest

from arena.referee.asks import Answer, Reply
from arena.referee.verdicts import BotFault, FaultCode
from arena.wire.crew import Crew
from tests.faulty_bots import Behaviour, FaultyBot, Talk
from tests.wire.lanes import MARGIN_MS, Outcome, ask, end_payload, lane_to

HEAD = b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n"


def test_calls_under_way_at_a_time_are_settled_by_one_thread(crew: Crew) -> None:
    """Eight calls to two bots, all sent before the first answer comes."""
    gate = threading.Barrier(8)

    def together(talk: Talk) -> None:
        gate.wait(10)
        body = talk.good()
        talk.send(HEAD % len(body) + body)

    with (
        FaultyBot(together, on=("/act",), max_concurrency=4) as one,
        FaultyBot(together, on=("/act",), max_concurrency=4) as two,
    ):
        lanes = [lane_to(one, crew), lane_to(two, crew)]
        for attempt in range(2):
            outcomes = [Outcome(f"m_{number}-1-1-{attempt}", 5000) for number in range(8)]
            for number, outcome in enumerate(outcomes):
                lanes[number % 2].ask(outcome.ticket())
            assert all(isinstance(outcome.reply(), Answer) for outcome in outcomes)
            threads = {outcome.thread for outcome in outcomes}

    # The first time each had a connection to make.
    assert len(threads) == 1


def test_a_callback_that_waits_does_not_hold_up_the_others(crew: Crew) -> None:
    """As for a disk: another thread keeps watch in its place."""
    over = threading.Event()
    with FaultyBot() as bot, FaultyBot() as other:
        lane, next_lane = lane_to(bot, crew), lane_to(other, crew)
        for each in (lane, next_lane):
            each.warm_up()
        held = Outcome("m_0-1-1-1")
        ticket = held.ticket()

        def done(reply: Reply) -> None:
            assert over.wait(10)
            ticket.done(reply)

        lane.ask(ticket._replace(done=done))
        for turn in range(5):
            assert ask(next_lane, f"m_1-1-1-{turn}").took_ms < MARGIN_MS
        assert not held.is_over
        over.set()
        assert isinstance(held.reply(), Answer)


@pytest.mark.parametrize("first", [1, 20, 38, 60])
def test_an_answer_in_pieces_is_one_answer(first: int, crew: Crew) -> None:
    """Cut in the status line, in the headers, and in the body."""

    def cut(talk: Talk) -> None:
        body = talk.good()
        data = HEAD % len(body) + body
        talk.send(data[:first])
        talk.pause(0.01)
        talk.send(data[first:])

    with FaultyBot(cut, on=("/act",)) as bot:
        lane = lane_to(bot, crew)
        lane.warm_up()
        for turn in range(3):
            answer = ask(lane, f"m_1-1-1-{turn}").reply()
            assert isinstance(answer, Answer)
            assert answer.elapsed_ms >= 10
        assert bot.connections == 1


def test_an_answer_that_stops_in_the_middle_is_given_up_in_time(crew: Crew) -> None:
    """It is awaited with all others when its time is up."""

    def half(talk: Talk) -> None:
        body = talk.good()
        talk.send((HEAD % len(body) + body)[:-5])
        talk.stall()

    with FaultyBot(half, on=("/act",)) as bot:
        lane = lane_to(bot, crew)
        lane.warm_up()
        outcome = ask(lane, timeout_ms=150)

    fault = outcome.reply()
    assert isinstance(fault, BotFault)
    assert (fault.code, fault.elapsed_ms) == (FaultCode.TIMEOUT, 150)
    assert "reading the answer" in fault.detail
    assert 150 <= outcome.took_ms < 150 + MARGIN_MS


def test_no_decision_is_forgotten_whoever_asks_and_when(crew: Crew) -> None:
    """Six threads ask at odd moments, with and without a connection that is kept."""
    errors: list[object] = []
    with (
        FaultyBot(max_concurrency=2) as one,
        FaultyBot(max_concurrency=3, max_batch=2) as two,
        FaultyBot(Behaviour.ANSWER_THEN_CLOSE) as closing,
    ):
        lanes = [lane_to(bot, crew) for bot in (one, two, closing)]

        def play(number: int) -> None:
            chance = random.Random(number)
            for turn in range(40):
                lane = lanes[chance.randrange(3)]
                if chance.random() < 0.2:
                    lane.tell("/end", end_payload())
                outcome = Outcome(f"m_{number}-1-1-{turn}", 10_000)
                lane.ask(outcome.ticket())
                if not isinstance(outcome.reply(), Answer):
                    errors.append(outcome.replies)
                time.sleep(chance.choice((0, 0, 0.001, 0.008)))

        players = [threading.Thread(target=play, args=(number,)) for number in range(6)]
        for player in players:
            player.start()
        for player in players:
            player.join(30)

    assert not any(player.is_alive() for player in players)
    assert errors == []
