"""Whose time it is: a bot is charged for its own, the arena answers for what the arena takes."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from arena.referee.asks import Answer, Reply
from arena.referee.verdicts import BotFault, FaultCode
from arena.wire import messages
from arena.wire.crew import Crew
from arena.wire.lane import Lane, Ticket
from arena.wire.messages import parse_act_reply
from arena.wire.presence import PresenceClock
from arena.wire.schemas import InvalidMessage
from tests.faulty_bots import Behaviour, FaultyBot
from tests.waiting import wait_until
from tests.wire.lanes import MARGIN_MS, Outcome, ask, end_payload, lane_to, together


@pytest.fixture(params=[1, 16], ids="crew-of-{}".format)
def any_crew(request: pytest.FixtureRequest) -> Iterator[Crew]:
    """A crew with threads to spare, and one whose only thread makes the call."""
    errors: list[BaseException] = []
    crew = Crew(request.param, on_error=errors.append)
    yield crew
    crew.close()
    assert errors == []


def with_work(outcome: Outcome, work: Callable[[], object]) -> Ticket:
    """A ticket whose match has something to do before it notes the reply."""
    ticket = outcome.ticket()

    def done(reply: Reply) -> None:
        work()
        ticket.done(reply)

    return ticket._replace(done=done)


def test_the_work_of_another_match_is_not_charged_to_the_bot(any_crew: Crew) -> None:
    """It answers at 300 of 600 ms; a match of the same batch that timed out works for 700 ms."""
    with FaultyBot(Behaviour.SLOW, delay_s=0.3, max_batch=2) as bot:
        lane = lane_to(bot, any_crew)
        short, long = Outcome("m_0-1-1-1", 100), Outcome("m_1-1-1-1", 600)
        work = with_work(short, lambda: threading.Event().wait(0.7))
        together(lane, [work, long.ticket()])
        answer, fault = long.reply(), short.reply()

    assert isinstance(answer, Answer)
    assert 300 <= answer.elapsed_ms < 600
    assert isinstance(fault, BotFault)
    assert (fault.code, fault.elapsed_ms) == (FaultCode.TIMEOUT, 100)
    assert len(short.replies) == len(long.replies) == 1
    assert lane.stats.faults == {FaultCode.TIMEOUT: 1}
    assert lane.stats.decisions == 2


def test_the_time_of_the_arena_is_never_negative(monkeypatch: pytest.MonkeyPatch) -> None:
    """A clock that leaves an absence out steps back a little when it sees one."""
    back_s = 0.0

    def judged(*arguments: Any) -> Any:
        nonlocal back_s
        back_s = 0.2
        return parse_act_reply(*arguments)

    monkeypatch.setattr(PresenceClock, "now", lambda self: time.monotonic() - back_s)
    monkeypatch.setattr(messages, "parse_act_reply", judged)
    crew = Crew(1)
    with FaultyBot() as bot:
        answer = ask(lane_to(bot, crew)).reply()
        crew.close()

    assert isinstance(answer, Answer)
    assert answer.overhead_ms == 0


def test_what_has_timed_out_is_settled_while_its_call_goes_on(any_crew: Crew) -> None:
    """Each allowance at its own time, in another thread than that of the call."""
    with FaultyBot(Behaviour.SILENT, max_batch=3) as bot:
        lane = lane_to(bot, any_crew)
        first, second, last = (
            Outcome(f"m_{number}-1-1-1", allowance_ms)
            for number, allowance_ms in enumerate((100, 200, 60_000))
        )
        together(lane, [first.ticket(), second.ticket(), last.ticket()])
        assert isinstance(first.reply(), BotFault)
        assert isinstance(second.reply(), BotFault)
        assert lane.in_flight == 1
        assert not last.is_over
        lane.close()

    assert first.took_ms < 100 + MARGIN_MS
    assert second.took_ms < 200 + MARGIN_MS


def test_a_match_whose_decision_timed_out_goes_on_at_once(crew: Crew) -> None:
    """Its next decision is another bot's, and the batch that it was in still hangs."""
    with FaultyBot(Behaviour.SILENT, max_batch=2) as bot, FaultyBot() as other:
        lane, next_lane = lane_to(bot, crew), lane_to(other, crew)
        short, long = Outcome("m_0-1-1-1", 100), Outcome("m_1-1-1-1", 60_000)
        following = Outcome("m_0-1-1-2", 1000)
        work = with_work(short, lambda: next_lane.ask(following.ticket()))
        together(lane, [work, long.ticket()])

        assert isinstance(following.reply(), Answer)
        assert following.took_ms < MARGIN_MS
        assert not long.is_over


def test_a_callback_of_a_timed_out_decision_that_fails_is_reported() -> None:
    """It is the arena's bug: nobody is blamed for it, and the rest of the batch is answered."""
    errors: list[BaseException] = []
    crew = Crew(on_error=errors.append)

    def broken() -> None:
        raise KeyError("a bug")

    with FaultyBot(Behaviour.SLOW, delay_s=0.3, max_batch=2) as bot:
        lane = lane_to(bot, crew)
        short, long = Outcome("m_0-1-1-1", 100), Outcome("m_1-1-1-1", 2000)
        together(lane, [with_work(short, broken), long.ticket()])
        assert isinstance(long.reply(), Answer)
        crew.close()

    assert [type(error) for error in errors] == [KeyError]


def test_waiting_for_a_slot_of_the_bots_own_choosing_is_not_the_arenas_time(crew: Crew) -> None:
    """One request at a time of 100 ms each: the sixth decision waits for half a second."""
    with FaultyBot(Behaviour.SLOW, delay_s=0.1) as bot:
        lane = lane_to(bot, crew)
        waiting = [Outcome(f"m_{number}-1-1-1", 1000) for number in range(6)]
        together(lane, [outcome.ticket() for outcome in waiting])
        answers = [outcome.reply() for outcome in waiting]

    assert waiting[-1].took_ms > 600
    for answer in answers:
        assert isinstance(answer, Answer)
        assert 0 < answer.overhead_ms < MARGIN_MS
    assert lane.stats.queued_ms > 100 + 200 + 300 + 400 + 500


def test_waiting_for_an_advisory_message_is_not_the_arenas_time(crew: Crew) -> None:
    """A bot with one connection that takes its time with messages holds itself up."""
    with FaultyBot(Behaviour.SLOW, on=("/end",), delay_s=0.4) as bot:
        lane = lane_to(bot, crew)
        lane.tell("/end", end_payload())
        wait_until(lambda: bot.requests)
        answer = ask(lane).reply()

    assert isinstance(answer, Answer)
    assert answer.overhead_ms < MARGIN_MS
    assert lane.stats.queued_ms > 200


def test_waiting_for_a_thread_of_the_arena_is_the_arenas_time() -> None:
    """The bot has a slot free, but the only thread is with another bot for 400 ms."""
    crew = Crew(1)
    with FaultyBot(Behaviour.SLOW, delay_s=0.4) as slow, FaultyBot() as bot:
        hog, lane = lane_to(slow, crew), lane_to(bot, crew)
        first = Outcome("m_0-1-1-1", 1000)
        hog.ask(first.ticket())
        answer = ask(lane).reply()
        crew.close()

    assert isinstance(answer, Answer)
    assert answer.overhead_ms > 300
    assert lane.stats.queued_ms == 0


def test_a_decision_that_breaks_the_arenas_schema_is_reported_and_blames_nobody() -> None:
    """Nothing is sent, no ticket is done, and the lane goes on."""
    _reported_as_the_arenas_bug(
        lambda lane: lane.ask(
            Outcome("m_1-1-1-1").ticket()._replace(request={"request_id": "m_1-1-1-1"})
        )
    )


def test_a_message_that_breaks_the_arenas_schema_is_reported() -> None:
    """Advisory or not, it is a bug of the arena."""
    _reported_as_the_arenas_bug(lambda lane: lane.tell("/end", {"event": "nonsense"}))


def _reported_as_the_arenas_bug(break_schema: Callable[[Lane], None]) -> None:
    errors: list[BaseException] = []
    crew = Crew(on_error=errors.append)
    with FaultyBot() as bot:
        lane = lane_to(bot, crew)
        break_schema(lane)
        assert isinstance(ask(lane, "m_1-1-1-2").reply(), Answer)
        assert lane.drain()
        crew.close()
        assert len(bot.requests) == 1

    assert [type(error) for error in errors] == [InvalidMessage]
    assert lane.stats.faults == {}
