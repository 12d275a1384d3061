"""A bot as a process: real sockets, real signals."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest

from arena.bot import BotServer, BotView, FunctionBot
from arena.errors import UsageError
from arena.wire.signing import Signer, new_secret

Requests = Callable[..., dict[str, Any]]

SAFE = "from arena.bot import run\n\ndef safe(view):\n    return view.safe\n\nrun(safe)\n"


def body_of(request: dict[str, Any]) -> bytes:
    """The body of an /act with one decision."""
    return orjson.dumps({"protocol": "1.0", "requests": [request]})


@pytest.fixture
def server() -> Iterator[BotServer]:
    """A listening bot that always plays safe."""
    with BotServer(FunctionBot(lambda view: view.safe, name="safe")) as server:
        yield server


class Process:
    """A bot's file that was started, with the address it printed."""

    def __init__(self, file: Path, code: str, *options: str, **environment: str) -> None:
        file.write_text(code)
        self.popen = subprocess.Popen(
            [sys.executable, str(file), *options],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, **environment},
        )
        assert self.popen.stdout is not None
        self.first_line = self.popen.stdout.readline().strip()
        self.port = int(self.first_line.rpartition(":")[2] or 0)

    def close(self) -> tuple[str, str]:
        """End it if it still runs; what it wrote."""
        self.popen.kill()
        return self.popen.communicate()


def test_many_requests_share_one_connection(server: BotServer, make_request: Requests) -> None:
    """Keep-alive holds over good requests, refused ones and oversize ones."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port)
    connection.connect()
    first = connection.sock
    statuses = []
    for method, path, body in (
        ("GET", "/", None),
        ("POST", "/start", b"{}"),
        ("POST", "/act", body_of(make_request())),
        ("POST", "/act", b"garbage"),
        ("POST", "/nowhere", b"x" * 1000),
        ("POST", "/act", b"x" * (server.app.max_body + 1)),
        ("POST", "/act", body_of(make_request())),
    ):
        connection.request(method, path, body)
        reply = connection.getresponse()
        statuses.append(reply.status)
        json.loads(reply.read())
        assert connection.sock is first
    connection.close()

    assert statuses == [200, 200, 200, 400, 404, 413, 200]


def test_a_chunked_request_is_read_whole(server: BotServer, make_request: Requests) -> None:
    """Transfer-Encoding: chunked is HTTP like any other."""
    body = body_of(make_request())
    connection = http.client.HTTPConnection("127.0.0.1", server.port)
    connection.request("POST", "/act", iter([body[:100], body[100:]]), encode_chunked=True)

    assert json.loads(connection.getresponse().read())["answers"][0]["action"] == "discard:AC"
    connection.close()


def test_garbage_does_not_stop_the_server(server: BotServer) -> None:
    """Bytes that are no HTTP, and a client that goes away, leave the next one unharmed."""
    for garbage in (
        b"\x00\x01\x02\r\n\r\n",
        b"GET",
        b"POST /act HTTP/1.1\r\nContent-Length: x\r\n\r\n",
    ):
        with socket.create_connection(("127.0.0.1", server.port)) as client:
            client.sendall(garbage)
    connection = http.client.HTTPConnection("127.0.0.1", server.port)
    connection.request("GET", "/")

    assert connection.getresponse().status == 200
    connection.close()


def test_answers_are_computed_side_by_side(make_request: Requests) -> None:
    """As many decisions at once as the bot's max_concurrency says."""
    barrier = threading.Barrier(3, timeout=10)

    def waits_for_the_others(view: BotView) -> str:
        barrier.wait()
        return view.safe

    bot = FunctionBot(waits_for_the_others, max_concurrency=3)
    with BotServer(bot) as server:
        connections = [http.client.HTTPConnection("127.0.0.1", server.port) for _ in range(3)]
        for connection in connections:
            connection.request("POST", "/act", body_of(make_request()))
        statuses = [connection.getresponse().status for connection in connections]
        for connection in connections:
            connection.close()

    assert statuses == [200, 200, 200]


def test_stopping_lets_an_answer_under_way_finish(make_request: Requests) -> None:
    """A request that is being answered when the bot is stopped still gets its answer."""
    begun, go_on = threading.Event(), threading.Event()

    def slow(view: BotView) -> str:
        begun.set()
        go_on.wait(10)
        return view.safe

    server = BotServer(FunctionBot(slow))
    runner = threading.Thread(target=server.run)
    runner.start()
    connection = http.client.HTTPConnection("127.0.0.1", server.port)
    connection.request("POST", "/act", body_of(make_request()))
    begun.wait(10)
    server.stop()
    go_on.set()

    assert connection.getresponse().status == 200
    runner.join(10)
    assert not runner.is_alive()
    connection.close()


def test_a_signed_call_that_broke_off_may_come_again(make_request: Requests) -> None:
    """The arena's one retry has the id of the first call, which the bot had seen already."""
    begun, go_on = threading.Event(), threading.Event()

    def slow(view: BotView) -> str:
        begun.set()
        go_on.wait(10)
        return view.safe

    secret = new_secret()
    body = body_of(make_request())
    headers = Signer(secret).headers(body)

    def ask(port: int) -> http.client.HTTPConnection:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
        connection.request("POST", "/act", body, headers)
        return connection

    with BotServer(FunctionBot(slow), secrets=[secret]) as server:
        broken = ask(server.port)
        assert begun.wait(10)
        broken.close()
        deadline = time.monotonic() + 10
        while server.clients:
            assert time.monotonic() < deadline
            time.sleep(0.001)
        again = ask(server.port)
        go_on.set()
        statuses = [again.getresponse().status]
        again.close()
        copy = ask(server.port)
        statuses.append(copy.getresponse().status)
        copy.close()

    assert statuses == [200, 401]


def test_a_misspelt_method_is_warned_of_at_the_start(tmp_path: Path) -> None:
    """Before the first request comes."""
    code = (
        "from arena.bot import Bot, run\n\n"
        "class Typo(Bot):\n"
        "    def dicard(self, view):\n"
        "        return view.safe\n\n"
        "run(Typo())\n"
    )
    process = Process(tmp_path / "bot.py", code)
    _, errors = process.close()

    assert process.first_line.startswith("listening on ")
    assert errors == (
        "warning: Typo.dicard is no method that the arena calls; did you mean 'discard'?\n"
    )


def test_an_address_in_use_is_explained(server: BotServer) -> None:
    """The message names the address and what to do."""
    with pytest.raises(UsageError, match=f"port {server.port}.*choose another"):
        BotServer(FunctionBot(lambda view: view.safe), port=server.port)
    with pytest.raises(UsageError, match=r"cannot listen on 192\.0\.2\.1"):
        BotServer(FunctionBot(lambda view: view.safe), "192.0.2.1")


def test_ipv6_addresses_are_written_in_brackets() -> None:
    """The printed address can be used as it is."""
    try:
        server = BotServer(FunctionBot(lambda view: view.safe), "::1")
    except UsageError:
        pytest.skip("this machine has no IPv6 loopback")
    with server:
        assert server.url == f"http://[::1]:{server.port}"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_stops_the_bot_within_a_second(tmp_path: Path, number: int) -> None:
    """Exit code 0, quickly, even with an idle connection open; nothing on stderr."""
    process = Process(tmp_path / "bot.py", SAFE)
    try:
        assert process.first_line == f"listening on http://127.0.0.1:{process.port}"
        with socket.create_connection(("127.0.0.1", process.port)):
            begin = time.monotonic()
            process.popen.send_signal(number)
            code = process.popen.wait(10)
            took = time.monotonic() - begin
    finally:
        _, errors = process.close()

    assert (code, errors) == (0, "")
    assert took < 1.0


def test_a_stuck_decision_does_not_keep_the_bot_alive(
    tmp_path: Path, make_request: Requests
) -> None:
    """A bot that thinks for ever is stopped all the same."""
    stuck = (
        "import threading\nfrom arena.bot import run\n\n"
        "def stuck(view):\n"
        "    print('thinking', flush=True)\n"
        "    threading.Event().wait()\n\n"
        "run(stuck)\n"
    )
    process = Process(tmp_path / "bot.py", stuck)
    try:
        connection = http.client.HTTPConnection("127.0.0.1", process.port)
        connection.request("POST", "/act", body_of(make_request()))
        assert process.popen.stdout is not None
        assert process.popen.stdout.readline() == "thinking\n"
        begin = time.monotonic()
        process.popen.terminate()
        code = process.popen.wait(10)
        took = time.monotonic() - begin
        connection.close()
    finally:
        process.close()

    assert code == 0
    assert took < 2.0


def test_a_secret_in_the_environment_is_used(tmp_path: Path) -> None:
    """With a secret set, an unsigned decision is refused; the information stays open."""
    process = Process(tmp_path / "bot.py", SAFE, ARENA_BOT_SECRET="whsec_" + "a" * 32)
    try:
        connection = http.client.HTTPConnection("127.0.0.1", process.port)
        connection.request("POST", "/act", b"{}")
        refused = connection.getresponse()
        reason = json.loads(refused.read())["error"]
        connection.request("GET", "/")
        status = connection.getresponse().status
        connection.close()
    finally:
        process.close()

    assert (refused.status, status) == (401, 200)
    assert "webhook-signature" in reason


@pytest.mark.parametrize(
    ("options", "environment", "message"),
    [
        (["--port", "70000"], {}, "70000 is no port"),
        (["--host", "192.0.2.1"], {}, "cannot listen on 192.0.2.1"),
        ([], {"ARENA_BOT_SECRET": "hunter2"}, "a signing secret is whsec_"),
    ],
)
def test_a_wrong_option_is_exit_code_2(
    tmp_path: Path, options: list[str], environment: dict[str, str], message: str
) -> None:
    """The author reads one line that names the option, and no trace."""
    process = Process(tmp_path / "bot.py", SAFE, *options, **environment)
    code = process.popen.wait(10)
    _, errors = process.close()

    assert code == 2
    assert message in errors
    assert "Traceback" not in errors
    assert "hunter2" not in errors
