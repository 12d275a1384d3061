"""Bots that answer advisory messages without reading them, as small servers easily do."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from arena.referee.asks import Answer
from arena.wire.crew import Crew
from arena.wire.endpoint import Endpoint
from arena.wire.lane import Lane
from tests.wire.lanes import Outcome, end_payload, info, start_payload

INFO = {
    "protocols": ["1.0"], "name": "Hasty", "author": "tests", "version": "1", "games": ["*"],
    "max_batch": 1, "max_concurrency": 1,
}  # fmt: skip


class Hasty(BaseHTTPRequestHandler):
    """Keeps its connections and reads only the bodies that it needs."""

    protocol_version = "HTTP/1.1"
    reads_all = False

    def do_GET(self) -> None:
        """Say who this is."""
        self._answer(INFO)

    def do_POST(self) -> None:
        """Decide, or say yes to anything else."""
        body: dict[str, Any] = {}
        if self.reads_all or self.path == "/act":
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.path != "/act":
            return self._answer({})
        first = body["requests"][0]
        self._answer({"id": first["request_id"], "action": first["legal"][0]["id"]})

    def _answer(self, value: object) -> None:
        body = json.dumps(value).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Quiet."""


class Server(ThreadingHTTPServer):
    """Counts its connections; a client that left is not worth a traceback."""

    connections = 0

    def get_request(self) -> tuple[socket.socket, Any]:
        """Count it."""
        self.connections += 1
        return super().get_request()

    def handle_error(self, request: object, client_address: object) -> None:
        """Quiet."""


@pytest.fixture
def server() -> Iterator[Server]:
    """A bot made with the standard library's server."""
    with Server(("127.0.0.1", 0), Hasty) as made:
        thread = threading.Thread(target=made.serve_forever, args=(0.02,))
        thread.start()
        yield made
        made.shutdown()
        thread.join()


@pytest.fixture
def lane(server: Server, crew: Crew) -> Iterator[Lane]:
    """A lane with one connection."""
    made = Lane(Endpoint.parse(f"http://127.0.0.1:{server.server_port}"), info(), crew=crew)
    yield made
    made.close()


def ask(lane: Lane, turn: int) -> None:
    """A decision that must be answered well."""
    outcome = Outcome(f"m_1-1-1-{turn}", 5000)
    lane.ask(outcome.ticket())
    reply = outcome.reply()
    assert isinstance(reply, Answer), reply


@pytest.mark.parametrize("path", ["/start", "/end"])
def test_body_left_unread_costs_no_decision(lane: Lane, path: str) -> None:
    """B022: after every advisory message the next decision is asked on a clean connection."""
    for turn in range(4):
        lane.tell(path, start_payload() if path == "/start" else end_payload())
        assert lane.drain()
        ask(lane, turn)
        ask(lane, 100 + turn)

    assert lane.stats.faults == {}
    assert (lane.stats.tells, lane.stats.retries) == (4, 0)


def test_bot_that_reads_all_keeps_its_connection(
    server: Server, lane: Lane, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One connection for everything."""
    monkeypatch.setattr(Hasty, "reads_all", True)
    for turn in range(4):
        lane.tell("/end", end_payload())
        assert lane.drain()
        ask(lane, turn)

    assert server.connections == 1
