"""Whoever holds many connections does not keep everybody else out."""

from __future__ import annotations

import http.client
import socket
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress
from pathlib import Path

import pytest

from arena.site.app import create_app
from arena.site.serve import CONNECTIONS, SiteServer

pytestmark = pytest.mark.skipif(
    sys.platform == "darwin", reason="has one loopback address unless it is given others"
)


@pytest.fixture
def server(database: Path) -> Iterator[SiteServer]:
    """The site, in a thread of its own."""
    with SiteServer(create_app(database)) as running:
        running.start()
        yield running


def asked(
    server: SiteServer, path: str, sender: str = "127.0.0.1", **headers: str
) -> http.client.HTTPResponse:
    """The answer, its body read, to a request that comes from this address."""
    connection = http.client.HTTPConnection(
        "127.0.0.1", server.port, timeout=10, source_address=(sender, 0)
    )
    with closing(connection):
        connection.request("GET", path, headers=headers)
        answer = connection.getresponse()
        answer.read()
    return answer


def test_one_address_cannot_hold_all_connections(server: SiteServer) -> None:
    """It opens more than there are, and never finishes a request; its surplus is closed."""
    with ExitStack() as stack:
        held = []
        for _ in range(CONNECTIONS + 20):
            sock = socket.create_connection(("127.0.0.1", server.port), timeout=10)
            stack.callback(sock.close)
            sock.sendall(b"GET / HTTP/1.1\r\nX: ")
            held.append(sock)

        assert asked(server, "/health", "127.0.0.2").status == 200
        with suppress(ConnectionResetError):
            assert held[-1].recv(1) == b""


def test_address_with_two_slashes_leads_nowhere_else(server: SiteServer) -> None:
    """A redirect would name whatever host the reader named."""
    answer = asked(server, "/static//x", Host="evil.example")

    assert answer.status == 404
    assert answer.getheader("Location") is None
