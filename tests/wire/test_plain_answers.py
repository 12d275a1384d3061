"""Usual answers are read by one pattern, all others by the parser: both must read the same."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from http.client import HTTPConnection

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.bot import Bot
from arena.bot.server import BotServer
from arena.referee.verdicts import BotFault
from arena.wire import transport
from arena.wire.client import Received
from tests.faulty_bots import Talk
from tests.wire.parrot import CHUNKED, GOOD, Parrot

HEADS = {
    "flask on waitress": b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Type: application/json"
    b"\r\nDate: Sun, 01 Nov 2026 10:00:00 GMT\r\nServer: waitress\r\n\r\n",
    "gunicorn": b"HTTP/1.1 200 OK\r\nServer: gunicorn\r\nDate: Sun, 01 Nov 2026 10:00:00 GMT\r\n"
    b"Connection: keep-alive\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n",
    "aiohttp": b"HTTP/1.1 200 OK\r\nContent-Type: application/json; charset=utf-8\r\n"
    b"Content-Length: 2\r\nDate: Sun, 01 Nov 2026 10:00:00 GMT\r\nServer: Python/3.11 aiohttp/3.9"
    b"\r\n\r\n",
    "node": b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n"
    b"Date: Sun, 01 Nov 2026 10:00:00 GMT\r\nConnection: keep-alive\r\nKeep-Alive: timeout=5"
    b"\r\n\r\n",
    "go": b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
    b"Date: Sun, 01 Nov 2026 10:00:00 GMT\r\nContent-Length: 2\r\n\r\n",
}
OTHERS = {
    "closing": GOOD.replace(b"Content-Type", b"Connection: close\r\nContent-Type"),
    "two lengths": GOOD.replace(b"Content-Type", b"content-length: 2\r\nContent-Type"),
    "encoded": GOOD.replace(b"Content-Type", b"Content-Encoding: identity\r\nContent-Type"),
    "length and chunks": CHUNKED.replace(b"\r\nTransfer", b"\r\nContent-Length: 2\r\nTransfer"),
    "folded": GOOD.replace(b"application", b"\r\n application"),
    "failed": GOOD.replace(b"200", b"500"),
    "old": GOOD.replace(b"1.1", b"1.0"),
}


class Stutterer(Parrot):
    """A bot that sends what it is told to in two pieces."""

    first = 0

    def _act(self, talk: Talk) -> None:
        talk.keep = False
        talk.send(self.says[: self.first])
        time.sleep(0.002)  # so that the pieces are likely to arrive one by one
        talk.send(self.says[self.first :])


@pytest.fixture(scope="module")
def parrot() -> Iterator[Parrot]:
    """One bot for all bytes of this module."""
    one = Parrot()
    with one.bot:
        yield one


@pytest.fixture(scope="module")
def stutterer() -> Iterator[Stutterer]:
    """One bot that sends in pieces."""
    one = Stutterer()
    with one.bot:
        yield one


def essence(outcome: Received | BotFault) -> object:
    """What an outcome means to a match."""
    return (outcome.code, outcome.detail) if isinstance(outcome, BotFault) else outcome.body


def by_the_parser(parrot: Parrot, data: bytes) -> object:
    """The outcome if nothing were usual."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(transport, "_PLAIN", re.compile(b"(?!)"))
        return essence(parrot.answer(data))


@pytest.mark.parametrize("head", HEADS.values(), ids=HEADS.keys())
def test_what_servers_send_is_usual(head: bytes) -> None:
    """The heads of common servers are read the fast way."""
    assert transport._PLAIN.fullmatch(head)


def test_what_the_sdk_sends_is_usual() -> None:
    """So are those of the SDK."""
    with BotServer(Bot()) as server:
        connection = HTTPConnection("127.0.0.1", server.port)
        connection.connect()
        connection.sock.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        head, _, _ = connection.sock.recv(4096).partition(b"\r\n\r\n")
        connection.close()

    assert transport._PLAIN.fullmatch(head + b"\r\n\r\n")


@pytest.mark.parametrize("data", OTHERS.values(), ids=OTHERS.keys())
def test_what_bears_on_reading_is_left_to_the_parser(data: bytes) -> None:
    """Anything that could make two programs read two answers is not usual."""
    assert not transport._PLAIN.match(data)


@given(st.sampled_from([*HEADS.values(), *OTHERS.values()]), st.data())
@settings(max_examples=150, deadline=None)
def test_both_ways_read_the_same(parrot: Parrot, head: bytes, draw: st.DataObject) -> None:
    """Bytes changed, inserted or cut out anywhere have the same verdict and the same body."""
    data = head + b"{}"
    at = draw.draw(st.integers(0, len(data)))
    cut = draw.draw(st.integers(0, 3))
    put = draw.draw(
        st.binary(max_size=2)
        | st.sampled_from([b"", b"\r\n", b"\n", b" ", b"\t", b"0", b"A: b\r\n"])
    )
    damaged = data[:at] + put + data[at + cut :]

    assert essence(parrot.answer(damaged)) == by_the_parser(parrot, damaged)


@given(st.sampled_from([*HEADS.values(), *OTHERS.values()]), st.binary(max_size=4), st.data())
@settings(max_examples=60, deadline=None)
def test_pieces_read_the_same(
    stutterer: Stutterer, head: bytes, body: bytes, draw: st.DataObject
) -> None:
    """However an answer is cut into pieces, whole, too short or too long."""
    data = head + body
    stutterer.first = draw.draw(st.integers(len(head) - 2, len(data)))

    assert essence(stutterer.answer(data)) == by_the_parser(stutterer, data)
