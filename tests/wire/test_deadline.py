"""One deadline for everything a call does, whatever the bot or the resolver drags out."""

from __future__ import annotations

import logging
import socket
import threading
import time
from collections.abc import Callable

import pytest

from arena.referee.asks import Answer
from arena.referee.verdicts import BotFault, FaultCode
from arena.wire.addresses import Network, Resolver
from arena.wire.budget import Budget, Cancelled
from arena.wire.client import BotClient
from arena.wire.crew import Crew
from arena.wire.endpoint import Endpoint
from arena.wire.lane import Lane
from arena.wire.transport import WireOptions
from tests.faulty_bots import Behaviour, FaultyBot, Talk
from tests.wire.lanes import MARGIN_MS, Outcome, ask, full_backlog, info, lane_to

Closing = Callable[[BotClient], BotClient]


def test_a_dripped_body_is_cut_off_at_the_limit(crew: Crew) -> None:
    """B001: a byte each 0.3 s does not stretch a limit of 0.5 s."""
    with FaultyBot(Behaviour.DRIP_BODY, drip_s=0.3) as bot:
        outcome = ask(lane_to(bot, crew), timeout_ms=500)
        fault = outcome.reply()

    assert isinstance(fault, BotFault)
    assert fault.code is FaultCode.TIMEOUT
    assert fault.elapsed_ms == 500
    assert 500 <= outcome.took_ms < 500 + MARGIN_MS


def test_a_stalled_body_releases_thread_and_socket(crew: Crew) -> None:
    """B002: the bot sees its connection closed and the next decision is answered."""
    with FaultyBot(Behaviour.HALF_BODY, times=1) as bot:
        lane = lane_to(bot, crew)
        assert isinstance(ask(lane, "m_1-1-1-1", timeout_ms=200).reply(), BotFault)
        assert isinstance(ask(lane, "m_1-1-1-2").reply(), Answer)
        assert bot.requests[0].connection != bot.requests[1].connection


def test_a_stuck_name_lookup_costs_its_own_call_only(
    crew: Crew, monkeypatch: pytest.MonkeyPatch
) -> None:
    """B005: the verdict comes in time, the look-up is charged, other bots are not held up."""
    over = threading.Event()
    real = socket.getaddrinfo

    def slow(host: str, *args: int, **kwargs: int) -> object:
        if host == "stuck.example":
            over.wait(30)
            raise socket.gaierror(socket.EAI_AGAIN, "try again")
        return real(host, *args, **kwargs)

    monkeypatch.setattr(socket, "getaddrinfo", slow)
    options = WireOptions(resolver=Resolver())
    with FaultyBot() as bot:
        stuck = Lane(Endpoint.parse("http://stuck.example:1"), info(), crew=crew, options=options)
        well = lane_to(bot, crew, options=options)
        outcome = Outcome(timeout_ms=400)
        stuck.ask(outcome.ticket())
        for turn in range(5):
            answer = ask(well, f"m_2-1-1-{turn}")
            assert isinstance(answer.reply(), Answer)
            assert answer.took_ms < MARGIN_MS
        fault = outcome.reply()
        over.set()

    assert isinstance(fault, BotFault)
    assert (fault.code, fault.elapsed_ms) == (FaultCode.TIMEOUT, 400)
    assert "looking up the name" in fault.detail
    assert outcome.took_ms < 400 + MARGIN_MS


def test_an_unknown_name_is_a_dns_fault(closing: Closing, monkeypatch: pytest.MonkeyPatch) -> None:
    """The detail names the host and nothing else of the URL."""

    def unknown(*_: object, **__: object) -> object:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    client = closing(BotClient(Endpoint.parse("http://u:pw@nowhere.example/hook/TOKEN?key=SECRET")))
    with pytest.raises(BotFault) as caught:
        client.post("/act", b"{}", (500,))

    assert caught.value.code is FaultCode.DNS
    assert caught.value.detail == "nowhere.example has no address (Name or service not known)"


def test_lookups_are_bounded_and_shared(monkeypatch: pytest.MonkeyPatch) -> None:
    """Many callers of one stuck name take one helper thread; a full resolver waits in time."""
    over = threading.Event()
    entered: list[str] = []

    def stuck(host: str, *_: object, **__: object) -> object:
        entered.append(host)
        over.wait(30)
        raise socket.gaierror(socket.EAI_AGAIN, "try again")

    monkeypatch.setattr(socket, "getaddrinfo", stuck)
    resolver = Resolver(most=1)
    verdicts: list[FaultCode] = []

    def call(host: str) -> None:
        budget = Budget()
        budget.begin((200,))
        try:
            resolver.addresses(host, 80, budget.left_s)
        except BotFault as fault:
            verdicts.append(fault.code)

    threads = [
        threading.Thread(target=call, args=(host,)) for host in ("a.example",) * 5 + ("b.example",)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(5)
    over.set()

    assert verdicts == [FaultCode.TIMEOUT] * 6
    assert len(entered) == 1


def test_a_connection_that_is_never_accepted_times_out(crew: Crew) -> None:
    """A full backlog swallows the connection attempt; the deadline covers that too."""
    with full_backlog() as endpoint:
        lane = Lane(endpoint, info(), crew=crew)
        outcome = ask(lane, timeout_ms=300)

    fault = outcome.reply()
    assert isinstance(fault, BotFault)
    assert fault.code is FaultCode.TIMEOUT
    assert outcome.took_ms < outcome.timeout_ms + MARGIN_MS


def test_stepping_the_wall_clock_changes_nothing(
    crew: Crew, monkeypatch: pytest.MonkeyPatch
) -> None:
    """B006: an hour forth and back in the middle of a call."""
    steps = iter([3600.0, -3600.0] * 1000)
    real = time.time
    monkeypatch.setattr(time, "time", lambda: real() + next(steps))
    with FaultyBot(Behaviour.SLOW, delay_s=0.05) as bot:
        lane = lane_to(bot, crew, secrets=["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"])
        for turn in range(3):
            answer = ask(lane, f"m_1-1-1-{turn}").reply()
            assert isinstance(answer, Answer)
            assert 50 <= answer.elapsed_ms < 50 + MARGIN_MS
            assert 0 <= answer.overhead_ms < MARGIN_MS


def test_a_late_answer_is_never_taken_for_the_next_one(crew: Crew) -> None:
    """B009: the bot answers at three times the limit; the next call starts clean."""
    with FaultyBot(Behaviour.SLOW, delay_s=0.3, times=1) as bot:
        lane = lane_to(bot, crew)
        fault = ask(lane, "m_1-1-1-1", timeout_ms=100).reply()
        assert isinstance(fault, BotFault)
        assert fault.code is FaultCode.TIMEOUT
        for turn in range(2, 6):
            outcome = ask(lane, f"m_1-1-1-{turn}")
            assert isinstance(outcome.reply(), Answer)
            assert len(outcome.replies) == 1


def test_a_second_answer_is_never_taken_for_the_next_one(crew: Crew) -> None:
    """It comes whenever it likes: before the next request, with it, or after it."""
    delays = iter((0.0, 0.001, 0.005, 0.02))

    def twice(talk: Talk) -> None:
        for body in (talk.good(), talk.changed(note="stale")):
            talk.send(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
            talk.pause(next(delays, 0))

    with FaultyBot(twice) as bot:
        lane = lane_to(bot, crew)
        for turn in range(30):
            reply = ask(lane, f"m_1-1-1-{turn}").reply()
            if isinstance(reply, BotFault):
                assert reply.code is FaultCode.UNKNOWN_ID
            else:
                assert reply.note is None


def test_a_kept_connection_that_breaks_is_tried_once_more_in_the_same_deadline(
    crew: Crew, caplog: pytest.LogCaptureFixture
) -> None:
    """B012: same bytes on a new connection, logged with the host only."""
    caplog.set_level(logging.DEBUG)
    with FaultyBot(Behaviour.CLOSE, after=1, times=1) as bot:
        lane = lane_to(bot, crew, path="/hook/TOKEN")
        bot.on = ("/hook/TOKEN/act",)
        assert isinstance(ask(lane, "m_1-1-1-1").reply(), Answer)
        assert isinstance(ask(lane, "m_1-1-1-2").reply(), Answer)
        first, second, again = bot.requests

    assert (second.body, second.headers) == (again.body, again.headers)
    assert first.connection == second.connection < again.connection
    assert lane.stats.retries == 1
    assert "sent again" in caplog.text
    assert "TOKEN" not in caplog.text


def test_a_second_break_is_a_reset(crew: Crew) -> None:
    """B012: one retry, not more."""
    with FaultyBot(Behaviour.CLOSE, after=1, times=2) as bot:
        lane = lane_to(bot, crew)
        assert isinstance(ask(lane, "m_1-1-1-1").reply(), Answer)
        fault = ask(lane, "m_1-1-1-2").reply()
        assert isinstance(fault, BotFault)
        assert fault.code is FaultCode.RESET
        assert len(bot.requests) == 3


def test_a_retry_has_no_fresh_clock(crew: Crew) -> None:
    """B013: closing at 0.95 of the limit leaves 0.05 for the second attempt."""

    def late_close(talk: Talk) -> None:
        talk.pause(0.38)
        talk.keep = False

    with FaultyBot(late_close, after=1) as bot:
        lane = lane_to(bot, crew)
        assert isinstance(ask(lane, "m_1-1-1-1").reply(), Answer)
        outcome = ask(lane, "m_1-1-1-2", timeout_ms=400)
        fault = outcome.reply()

    assert isinstance(fault, BotFault)
    assert fault.code is FaultCode.TIMEOUT
    assert outcome.took_ms < 400 + MARGIN_MS


@pytest.mark.parametrize(
    "behaviour", [Behaviour.CLOSE, Behaviour.RESET, Behaviour.CLOSE_IN_HEADERS]
)
def test_a_fresh_connection_is_never_retried(behaviour: Behaviour, crew: Crew) -> None:
    """The request may have been handled; only kept-alive connections break innocently."""
    with FaultyBot(behaviour) as bot:
        assert isinstance(ask(lane_to(bot, crew)).reply(), BotFault)
        assert len(bot.requests) == 1


def test_a_timeout_is_never_retried(crew: Crew) -> None:
    """A kept-alive connection on which nothing comes is slow, not broken."""
    with FaultyBot(Behaviour.SILENT, after=1) as bot:
        lane = lane_to(bot, crew)
        assert isinstance(ask(lane, "m_1-1-1-1").reply(), Answer)
        assert isinstance(ask(lane, "m_1-1-1-2", timeout_ms=200).reply(), BotFault)
        assert len(bot.requests) == 2


def test_nobody_listening_is_refused_and_shows_the_host_only(crew: Crew) -> None:
    """B160: the stored reason holds no part of the URL."""
    with FaultyBot(listens=False) as bot:
        endpoint = Endpoint.parse(f"http://u:pw@127.0.0.1:{bot.port}/hook/TOKEN?key=SECRET")
        lane = Lane(endpoint, info(), crew=crew)
        fault = ask(lane).reply()

    assert isinstance(fault, BotFault)
    assert fault.code is FaultCode.REFUSED
    assert not any(secret in str(fault) for secret in ("u:pw", "hook", "TOKEN", "key", "SECRET"))


def test_a_bot_that_starts_late_is_reached_on_the_same_lane(crew: Crew) -> None:
    """B174: refused first, answered once it listens."""
    with FaultyBot(listens=False) as bot:
        lane = lane_to(bot, crew)
        assert isinstance(ask(lane, "m_1-1-1-1").reply(), BotFault)
        bot.listen()
        assert isinstance(ask(lane, "m_1-1-1-2").reply(), Answer)


def test_the_clock_starts_with_the_first_thing_done_on_the_network() -> None:
    """Preparing a call is not charged to the bot."""
    budget = Budget()
    budget.begin((50,))
    time.sleep(0.06)  # stands for the arena's own work

    assert budget.elapsed_ms() == 0
    assert budget.left_s() > 0.04


def test_each_allowance_of_a_call_expires_on_its_own() -> None:
    """Two of three allowances pass in silence; the last one is the fault."""
    expired: list[float] = []
    budget = Budget()
    budget.begin((5, 10, 15), expired.append)
    ended = threading.Event()

    def use_up() -> BotFault:
        while not ended.is_set():
            try:
                ended.wait(min(budget.left_s(), 0.001))
            except BotFault as fault:
                return fault
        raise AssertionError

    fault = use_up()
    assert expired == [5, 10]
    assert (fault.code, fault.elapsed_ms) == (FaultCode.TIMEOUT, 15)


def test_an_aborted_call_blames_nobody(closing: Closing) -> None:
    """Whoever ends a call from another thread gets `Cancelled`, at once."""
    with FaultyBot(Behaviour.SILENT) as bot:
        client = closing(BotClient(Endpoint.parse(bot.url)))
        timer = threading.Timer(0.05, client.abort)
        timer.start()
        began = time.monotonic()
        with pytest.raises(Cancelled):
            client.post("/act", b'{"requests": []}', (10_000,))
        timer.join()

    assert time.monotonic() - began < 1


def test_public_mode_refuses_before_any_packet(closing: Closing) -> None:
    """No connection arrives at the address that may not be called."""
    with FaultyBot() as bot:
        options = WireOptions(network=Network.PUBLIC)
        client = closing(BotClient(Endpoint.parse(bot.url), options))
        with pytest.raises(BotFault) as caught:
            client.post("/act", b"{}", (500,))
        assert bot.connections == 0

    assert caught.value.code is FaultCode.BLOCKED_ADDRESS
