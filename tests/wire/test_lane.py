"""Lanes: which decisions travel together, with what allowance, and how many calls at a time."""

from __future__ import annotations

import threading

import pytest

from arena.referee.asks import Answer
from arena.referee.verdicts import BotFault, FaultCode
from arena.wire.crew import Crew
from arena.wire.lane import Lane
from tests.faulty_bots import Behaviour, FaultyBot, Talk
from tests.wire.lanes import (
    MARGIN_MS,
    Outcome,
    ask,
    decision,
    end_payload,
    first_action,
    lane_to,
    outcomes,
    together,
)


def batches(bot: FaultyBot) -> list[list[str]]:
    """The request ids of every request for decisions."""
    return [
        [one["request_id"] for one in request.json["requests"]]
        for request in bot.requests
        if request.path == "/act"
    ]


def held_back(lane: Lane, outcomes: list[Outcome], pairs: list[str] | None = None) -> None:
    """Hand in the tickets of these outcomes at once."""
    of = pairs or [""] * len(outcomes)
    together(lane, [outcome.ticket(pair) for outcome, pair in zip(outcomes, of, strict=True)])


def test_one_decision_is_answered_with_its_times(crew: Crew) -> None:
    """Bot time and the arena's own time are apart."""
    with FaultyBot(Behaviour.SLOW, delay_s=0.1) as bot:
        reply = ask(lane_to(bot, crew), timeout_ms=1000).reply()

    assert isinstance(reply, Answer)
    assert reply.action == first_action(decision())
    assert 100 <= reply.elapsed_ms < 100 + MARGIN_MS
    assert 0 < reply.overhead_ms < MARGIN_MS


def test_waiting_tickets_travel_together_up_to_the_bots_batch(crew: Crew) -> None:
    """Twelve tickets for a bot that takes five at a time: oldest first."""
    with FaultyBot(max_batch=5) as bot:
        lane = lane_to(bot, crew)
        waiting = outcomes(12)
        held_back(lane, waiting)
        assert all(isinstance(outcome.reply(), Answer) for outcome in waiting)

    assert [len(batch) for batch in batches(bot)] == [5, 5, 2]
    assert [id for batch in batches(bot) for id in batch] == [
        outcome.request_id for outcome in waiting
    ]


def test_two_tickets_of_a_pair_never_share_a_request(crew: Crew) -> None:
    """Mirrored matches are kept apart; the order within the lane holds otherwise."""
    with FaultyBot(max_batch=8) as bot:
        lane = lane_to(bot, crew)
        waiting = outcomes(6)
        held_back(lane, waiting, ["a", "a", "b", "a", "b", "c"])
        assert all(isinstance(outcome.reply(), Answer) for outcome in waiting)

    ids = [outcome.request_id for outcome in waiting]
    assert batches(bot) == [[ids[0], ids[2], ids[5]], [ids[1], ids[4]], [ids[3]]]


def test_items_of_a_batch_are_judged_one_by_one(crew: Crew) -> None:
    """A missing, a malformed and a good answer in one reply."""

    def choose(request: dict[str, object]) -> dict[str, object]:
        id = str(request["request_id"])
        if id == "m_0-1-1-1":
            return {"id": "m_9-9-9-9", "action": "pass"}
        return {"id": id, "action": 7 if id == "m_1-1-1-1" else "pass"}

    with FaultyBot(max_batch=3, choose=choose) as bot:
        lane = lane_to(bot, crew)
        waiting = outcomes(3)
        held_back(lane, waiting)
        unknown, malformed, good = (outcome.reply() for outcome in waiting)

    assert isinstance(unknown, BotFault)
    assert isinstance(malformed, BotFault)
    assert isinstance(good, Answer)
    assert (unknown.code, malformed.code) == (FaultCode.UNKNOWN_ID, FaultCode.SCHEMA)
    assert lane.stats.faults == {FaultCode.UNKNOWN_ID: 1, FaultCode.SCHEMA: 1}
    assert lane.stats.decisions == 3


def test_each_decision_of_a_batch_has_its_own_allowance(crew: Crew) -> None:
    """The short ones time out at their own time, the long one is answered in the same call."""
    with FaultyBot(Behaviour.SLOW, max_batch=3, delay_s=0.45) as bot:
        lane = lane_to(bot, crew)
        waiting = [
            Outcome("m_0-1-1-1", 100),
            Outcome("m_1-1-1-1", 5000),
            Outcome("m_2-1-1-1", 200),
        ]
        held_back(lane, waiting)
        short, long, middle = (outcome.reply() for outcome in waiting)
        assert lane.drain()
        assert len(batches(bot)) == 1

    assert isinstance(short, BotFault)
    assert isinstance(middle, BotFault)
    assert isinstance(long, Answer)
    assert (short.code, short.elapsed_ms) == (FaultCode.TIMEOUT, 100)
    assert (middle.code, middle.elapsed_ms) == (FaultCode.TIMEOUT, 200)
    assert waiting[0].took_ms < 100 + MARGIN_MS
    assert waiting[2].took_ms < 200 + MARGIN_MS
    assert all(len(outcome.replies) == 1 for outcome in waiting)
    assert lane.stats.faults == {FaultCode.TIMEOUT: 2}


@pytest.mark.parametrize("most", [1, 3])
def test_a_bot_never_has_more_calls_than_it_takes(most: int, crew: Crew) -> None:
    """Advisory messages included."""
    running, peak, lock = [0], [0], threading.Lock()

    def watch(talk: Talk) -> None:
        with lock:
            running[0] += 1
            peak[0] = max(peak[0], running[0])
        talk.pause(0.01)
        with lock:
            running[0] -= 1
        body = talk.good()
        talk.send(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(body) + body)

    with FaultyBot(watch, on=("/act", "/end", "/start"), max_concurrency=most) as bot:
        lane = lane_to(bot, crew)
        waiting = outcomes(20)
        for number, outcome in enumerate(waiting):
            lane.ask(outcome.ticket())
            if number % 5 == 0:
                lane.tell("/end", end_payload())
        assert all(isinstance(outcome.reply(), Answer) for outcome in waiting)
        assert lane.drain()
        assert bot.connections <= most

    assert peak[0] == most
    assert lane.stats.tells == 4


def test_a_thread_that_settles_makes_the_next_call_itself(crew: Crew) -> None:
    """Two bots in turns: one thread plays the whole match."""
    threads: set[threading.Thread] = set()
    over = threading.Event()
    with FaultyBot() as one, FaultyBot() as two:
        lanes = [lane_to(one, crew), lane_to(two, crew)]
        for lane in lanes:
            lane.warm_up()

        def play(turn: int) -> None:
            outcome = Outcome(f"m_1-1-1-{turn}", 1000)
            ticket = outcome.ticket()

            def done(_: object) -> None:
                threads.add(threading.current_thread())
                if turn < 40:
                    play(turn + 1)
                else:
                    over.set()

            lanes[turn % 2].ask(ticket._replace(done=done))

        play(0)
        assert over.wait(10)

    assert len(threads) == 1


def test_hanging_bots_do_not_hold_up_the_others() -> None:
    """B016: each open lane keeps a thread to itself, however many calls hang elsewhere."""
    crew = Crew(6)
    hanging = [FaultyBot(Behaviour.SILENT, max_concurrency=16) for _ in range(3)]
    with FaultyBot() as good, hanging[0], hanging[1], hanging[2]:
        lanes = [lane_to(bot, crew) for bot in hanging]
        well = lane_to(good, crew)
        for lane in lanes:
            for outcome in outcomes(10, 5000):
                lane.ask(outcome.ticket())
        for turn in range(20):
            assert ask(well, f"m_1-1-1-{turn}", 1000).took_ms < MARGIN_MS
        crew.close()


def test_many_matches_at_once_lose_no_time(crew: Crew) -> None:
    """B015: 16 matches, bots that need 20 ms, limit 200 ms: no time-out by the arena's own load."""
    with (
        FaultyBot(Behaviour.SLOW, delay_s=0.02, max_concurrency=8) as one,
        FaultyBot(Behaviour.SLOW, delay_s=0.02, max_concurrency=8) as two,
    ):
        lanes = [lane_to(one, crew), lane_to(two, crew)]
        replies: list[object] = []
        over = threading.Semaphore(0)

        def play(match: int, turn: int) -> None:
            outcome = Outcome(f"m_{match}-1-1-{turn}", 200)

            def done(reply: object) -> None:
                replies.append(reply)
                if turn < 12:
                    play(match, turn + 1)
                else:
                    over.release()

            lanes[(match + turn) % 2].ask(outcome.ticket()._replace(done=done))

        for match in range(16):
            play(match, 0)
        for _ in range(16):
            assert over.acquire(timeout=20)

    assert len(replies) == 16 * 13
    assert [reply for reply in replies if not isinstance(reply, Answer)] == []


def test_a_callback_that_fails_is_reported_and_costs_nobody_else() -> None:
    """The bug of one match; the other tickets of the batch are done."""
    errors: list[BaseException] = []
    crew = Crew(on_error=errors.append)
    with FaultyBot(max_batch=3) as bot:
        lane = lane_to(bot, crew)
        waiting = outcomes(3)

        def broken(_: object) -> None:
            raise KeyError("a bug")

        first, *others = [outcome.ticket() for outcome in waiting]
        together(lane, [first._replace(done=broken), *others])
        assert isinstance(waiting[1].reply(), Answer)
        assert isinstance(waiting[2].reply(), Answer)
        assert isinstance(ask(lane).reply(), Answer)
        crew.close()

    assert [type(error) for error in errors] == [KeyError]
