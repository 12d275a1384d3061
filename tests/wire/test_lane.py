"""Lanes: batches, allowances, concurrency, advisory messages, and closing."""

from __future__ import annotations

import socket
import threading
import time

import pytest

from arena.referee.asks import Answer
from arena.referee.verdicts import BotFault, FaultCode
from arena.wire import tells
from arena.wire.crew import Crew
from arena.wire.endpoint import Endpoint
from arena.wire.lane import Lane
from tests.faulty_bots import Behaviour, FaultyBot, Talk
from tests.wire.lanes import (
    MARGIN_MS,
    Outcome,
    ask,
    decision,
    end_payload,
    first_action,
    info,
    lane_to,
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


def outcomes(count: int, timeout_ms: float = 1000) -> list[Outcome]:
    """Outcomes for tickets with different ids."""
    return [Outcome(f"m_{number}-1-1-1", timeout_ms) for number in range(count)]


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
        while len(bot.requests) < 2:
            time.sleep(0.002)
        began = time.monotonic()
        lane.close()
        assert time.monotonic() - began < 0.5
        assert lane.in_flight == 0
        lane.ask(waiting[0].ticket())
        lane.tell("/end", {})
        assert not any(outcome.is_over for outcome in waiting)


def test_closing_ends_a_hanging_connection_attempt(crew: Crew) -> None:
    """A bot whose backlog is full."""
    with socket.socket() as listener, socket.socket() as first, socket.socket() as second:
        listener.bind(("127.0.0.1", 0))
        listener.listen(0)
        for sock in (first, second):
            sock.setblocking(False)
            sock.connect_ex(listener.getsockname())
        port = listener.getsockname()[1]
        lane = Lane(Endpoint.parse(f"http://127.0.0.1:{port}"), info(), crew=crew)
        lane.ask(Outcome("m_1-1-1-1", 60_000).ticket())
        while not lane._busy or next(iter(lane._busy))._budget.phase != "connecting":
            time.sleep(0.002)
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
