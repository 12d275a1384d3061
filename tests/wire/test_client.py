"""What a bot sees of a call, and what of the environment must not come in between."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.referee.verdicts import BotFault, FaultCode
from arena.wire.client import BotClient
from arena.wire.crew import Crew
from arena.wire.endpoint import Endpoint
from tests.faulty_bots import Behaviour, FaultyBot, Talk
from tests.wire.lanes import ask, decision, first_action, lane_to

Closing = Callable[[BotClient], BotClient]
EMPTY = b'{"requests": []}'


def client_to(bot: FaultyBot, closing: Closing, path: str = "") -> BotClient:
    """A client for the bot, closed after the test."""
    return closing(BotClient(Endpoint.parse(bot.url + path)))


def test_a_request_is_what_the_protocol_promises(closing: Closing) -> None:
    """Method, path, headers and body arrive as documented."""
    with FaultyBot() as bot:
        client_to(bot, closing, "/hook/TOKEN?key=SECRET").post("/act", EMPTY, (1000,))
        request = bot.requests[0]

    assert (request.method, request.path) == ("POST", "/hook/TOKEN/act?key=SECRET")
    assert request.body == EMPTY
    assert request.headers["host"] == f"127.0.0.1:{bot.port}"
    assert request.headers["accept-encoding"] == "identity"
    assert request.headers["content-type"] == "application/json"
    assert request.headers["content-length"] == str(len(EMPTY))
    assert request.headers["user-agent"].startswith("gin-arena/")
    assert "authorization" not in request.headers


def test_user_information_travels_as_basic_authentication(closing: Closing) -> None:
    """It is taken out of the URL and sent as a header."""
    with FaultyBot() as bot:
        url = bot.url.replace("http://", "http://name:p%40ss@")
        closing(BotClient(Endpoint.parse(url))).post("/act", EMPTY, (1000,))

    assert bot.requests[0].headers["authorization"] == "Basic bmFtZTpwQHNz"


def test_a_netrc_entry_changes_nothing(
    closing: Closing, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """B018: the bot sees the token of its URL, not the one in .netrc."""
    netrc = tmp_path / "netrc"
    netrc.write_text("machine 127.0.0.1 login stranger password stolen\n")
    monkeypatch.setenv("NETRC", str(netrc))
    with FaultyBot() as bot:
        url = bot.url.replace("http://", "http://name:own@")
        closing(BotClient(Endpoint.parse(url))).post("/act", EMPTY, (1000,))
        client_to(bot, closing).post("/act", EMPTY, (1000,))

    assert bot.requests[0].headers["authorization"] == "Basic bmFtZTpvd24="
    assert "authorization" not in bot.requests[1].headers


def test_proxy_variables_change_nothing(closing: Closing, monkeypatch: pytest.MonkeyPatch) -> None:
    """B019: a proxy at a dead port is not asked."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        dead = f"http://127.0.0.1:{taken.getsockname()[1]}"
    for name in ("HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, dead)
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.delenv("no_proxy", raising=False)
    with FaultyBot() as bot:
        assert client_to(bot, closing).post("/act", EMPTY, (1000,)).body


def test_cookies_are_not_kept(closing: Closing) -> None:
    """Every request is the first one."""

    def baker(talk: Talk) -> None:
        body = talk.good()
        talk.send(b"HTTP/1.1 200 OK\r\nSet-Cookie: a=b\r\nContent-Length: %d\r\n\r\n" % len(body))
        talk.send(body)

    with FaultyBot(baker) as bot:
        client = client_to(bot, closing)
        for _ in range(3):
            client.post("/act", EMPTY, (1000,))

    assert all("cookie" not in request.headers for request in bot.requests)


def test_one_connection_serves_many_calls(closing: Closing) -> None:
    """Kept alive, whatever the path."""
    with FaultyBot() as bot:
        client = client_to(bot, closing)
        client.get("/", 1000)
        for _ in range(5):
            client.post("/act", EMPTY, (1000,))
        assert bot.connections == 1


def test_a_request_is_sent_in_one_piece(closing: Closing) -> None:
    """Head and body in one packet, so that a bot reads once."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        pieces: list[bytes] = []

        def serve() -> None:
            sock, _ = listener.accept()
            with sock:
                pieces.append(sock.recv(65536))
                sock.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")
                sock.recv(1)

        thread = threading.Thread(target=serve)
        thread.start()
        port = listener.getsockname()[1]
        client = closing(BotClient(Endpoint.parse(f"http://127.0.0.1:{port}")))
        client.post("/act", b"x" * 2000, (1000,))
        client.close()
        thread.join(5)

    assert pieces[0].endswith(b"\r\n\r\n" + b"x" * 2000)


def test_redirects_are_not_followed_in_any_method(closing: Closing) -> None:
    """B021, B157: 302 and 307, for POST and GET; the other path gets no request."""
    for behaviour in (Behaviour.REDIRECT_302, Behaviour.REDIRECT_307):
        with FaultyBot(behaviour, on=("/act", "/")) as bot:
            client = client_to(bot, closing)
            with pytest.raises(BotFault) as caught:
                client.post("/act", EMPTY, (1000,))
            assert caught.value.code is FaultCode.REDIRECT
            with pytest.raises(BotFault) as caught:
                client.get("/", 1000)
            assert caught.value.code is FaultCode.REDIRECT
            assert [request.path for request in bot.requests] == ["/act", "/"]


def test_a_bot_that_leaves_the_body_unread_and_closes_costs_nothing(crew: Crew) -> None:
    """B022: with ``Connection: close`` the next request finds a new connection."""

    def closes(talk: Talk) -> None:
        body = talk.good()
        talk.keep = False
        head = b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: %d\r\n\r\n" % len(body)
        talk.send(head + body)

    with FaultyBot(closes) as bot:
        lane = lane_to(bot, crew)
        for turn in range(3):
            reply = ask(lane, f"m_1-1-1-{turn}").reply()
            assert not isinstance(reply, BotFault)
            assert reply.action == first_action(decision())
        assert lane.stats.retries == 0
        assert bot.connections == 3


def test_an_error_page_gives_a_short_readable_reason(crew: Crew) -> None:
    """B053: HTML with status 200 is "no JSON", with an excerpt in plain ASCII."""
    with FaultyBot(Behaviour.HTML) as bot:
        fault = ask(lane_to(bot, crew)).reply()

    assert isinstance(fault, BotFault)
    assert fault.code is FaultCode.BAD_JSON
    assert "<h1>It works" in fault.detail
    assert len(fault.detail) < 200


def test_a_reply_that_repeats_the_url_does_not_leak_it(crew: Crew) -> None:
    """B159: error pages like to quote the path; the detail holds none of it."""

    def page(talk: Talk) -> None:
        body = b"Cannot POST /hook/TOKEN/act?key=SECRET"
        talk.send(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(body) + body)

    with FaultyBot(page, on=("/hook/TOKEN/act?key=SECRET",)) as bot:
        fault = ask(lane_to(bot, crew, path="/hook/TOKEN?key=SECRET")).reply()

    assert isinstance(fault, BotFault)
    assert fault.code is FaultCode.BAD_JSON
    assert "Cannot POST" in fault.detail
    assert "TOKEN" not in fault.detail
    assert "SECRET" not in fault.detail


def test_eight_ways_to_fail_have_eight_codes(crew: Crew) -> None:
    """B051: an author can tell refused, reset, slow, 503, HTML, bad JSON, schema breach apart."""
    behaviours = (
        Behaviour.RESET,
        Behaviour.SILENT,
        Behaviour.STATUS_503,
        Behaviour.HTML,
        Behaviour.NUMBER_ACTION,
        Behaviour.WRONG_ID,
        Behaviour.REDIRECT_302,
    )
    codes = []
    for behaviour in behaviours:
        with FaultyBot(behaviour) as bot:
            fault = ask(lane_to(bot, crew), timeout_ms=500).reply()
            assert isinstance(fault, BotFault)
            codes.append(fault.code)
    with FaultyBot(listens=False) as bot:
        fault = ask(lane_to(bot, crew)).reply()
        assert isinstance(fault, BotFault)
        codes.append(fault.code)

    assert len(set(codes)) == 8


def test_failures_without_end_do_not_fill_a_log(
    crew: Crew, caplog: pytest.LogCaptureFixture
) -> None:
    """B039: a failing call logs nothing; it is counted."""
    with FaultyBot(listens=False) as bot:
        lane = lane_to(bot, crew)
        for turn in range(300):
            ask(lane, f"m_1-1-1-{turn}")

    assert caplog.text == ""
    assert lane.stats.faults == {FaultCode.REFUSED: 300}


def test_importing_the_lane_does_not_import_the_http_library() -> None:
    """Commands that call no bot start without it."""
    code = (
        "import sys, arena.wire.lane, arena.wire.endpoint, arena.wire.signing\n"
        "print(sorted({name.split('.')[0] for name in sys.modules} & {'requests', 'urllib3'}))"
    )
    found = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=os.environ
    )
    assert found.stdout.strip() == "[]"
