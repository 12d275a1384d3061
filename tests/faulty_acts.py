"""What a faulty bot sends for each behaviour, to the byte."""

from __future__ import annotations

import gzip
import socket
import struct
from collections.abc import Callable
from functools import cache

from tests.faulty_behaviours import Behaviour
from tests.faulty_talk import Talk, http

Act = Callable[[Talk], None]


def good(talk: Talk) -> None:
    talk.send(http(talk.good()))


def _slow(talk: Talk) -> None:
    talk.pause(talk.bot.delay_s)
    good(talk)


def _then_close(data: Callable[[Talk], bytes]) -> Act:
    def act(talk: Talk) -> None:
        talk.keep = False
        talk.send(data(talk))

    return act


def _says(data: bytes | Callable[[Talk], bytes], status: str = "200 OK", *headers: str) -> Act:
    """Answers with a well-framed body."""
    pairs = tuple((name, value) for name, _, value in (one.partition(": ") for one in headers))

    def act(talk: Talk) -> None:
        talk.send(http(data if isinstance(data, bytes) else data(talk), status, pairs))

    return act


def _reset(talk: Talk) -> None:
    talk.keep = False
    # Lingering for no time makes closing send a reset.
    talk.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    talk.bot.forget(talk.sock)
    talk.sock.close()


def _reset_in_body(talk: Talk) -> None:
    talk.send(http(talk.good())[:-5])
    talk.pause(0.05)  # so that the bytes are read before the reset overtakes them
    _reset(talk)


def _starts(start: bytes, piece: bytes) -> Act:
    def act(talk: Talk) -> None:
        talk.send(start)
        talk.flood(piece)

    return act


def _drips(start: bytes, slow: Callable[[Talk], bytes]) -> Act:
    def act(talk: Talk) -> None:
        talk.send(start)
        talk.drip(slow(talk))

    return act


def _then_stall(data: Callable[[Talk], bytes]) -> Act:
    def act(talk: Talk) -> None:
        talk.send(data(talk))
        talk.stall()

    return act


def _stale_second(talk: Talk) -> None:
    talk.send(http(talk.good()) + http(talk.changed(note="stale")))


def _chunked(talk: Talk) -> None:
    body = talk.good()
    pieces = [body[at : at + 7] for at in range(0, len(body), 7)]
    chunks = b"".join(b"%x;x=y\r\n%s\r\n" % (len(piece), piece) for piece in pieces)
    talk.send(_CHUNKED_HEAD + chunks + b"0\r\nX-Trailer: yes\r\n\r\n")


_OK = b"HTTP/1.1 200 OK\r\n"
_CHUNKED_HEAD = _OK + b"Transfer-Encoding: chunked\r\n\r\n"
_HINTS = b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n"


@cache
def _bomb() -> bytes:
    """As many gzip members of a megabyte each as fit under the cap: 60 kB that become 60 MB."""
    member = gzip.compress(bytes(1024 * 1024))
    return member * (60_000 // len(member))


ACTS: dict[Behaviour, Act] = {
    Behaviour.GOOD: good,
    Behaviour.SLOW: _slow,
    Behaviour.EARLY_HINTS: lambda talk: talk.send(_HINTS + http(talk.good())),
    Behaviour.NO_LENGTH_CLOSE: _then_close(lambda talk: _OK + b"\r\n" + talk.good()),
    Behaviour.CHUNKED: _chunked,
    Behaviour.ANSWER_THEN_CLOSE: _then_close(lambda talk: http(talk.good())),
    Behaviour.STALE_SECOND: _stale_second,
    Behaviour.SILENT: Talk.stall,
    Behaviour.DEAF: Talk.stall,
    Behaviour.DRIP_HEADERS: _drips(b"", lambda talk: http(talk.good())),
    Behaviour.DRIP_BODY: _drips(_OK + b"Content-Length: 40\r\n\r\n", lambda talk: talk.good()),
    Behaviour.DRIP_CHUNKS: _drips(_CHUNKED_HEAD, lambda _: b"1\r\n{\r\n" * 1000),
    Behaviour.DRIP_INTERIM: _drips(b"", lambda _: _HINTS * 1000),
    Behaviour.DRIP_TRAILERS: _drips(
        _CHUNKED_HEAD + b"2\r\n{}\r\n0\r\n", lambda _: b"X: y\r\n" * 99
    ),
    Behaviour.HALF_BODY: _then_stall(lambda talk: http(talk.good())[:-12]),
    Behaviour.NO_LENGTH_OPEN: _then_stall(lambda talk: _OK + b"\r\n" + talk.good()),
    Behaviour.ENDLESS_HEADERS: _starts(_OK, b"X-Padding: %s\r\n" % (b"x" * 1000)),
    Behaviour.ENDLESS_HEADER_LINE: _starts(_OK + b"X-Padding: ", b"x" * 1000),
    Behaviour.MANY_HEADERS: _starts(_OK, b"X: y\r\n"),
    Behaviour.ENDLESS_CHUNKS: _starts(_CHUNKED_HEAD, b"4\r\n    \r\n" * 100),
    Behaviour.ENDLESS_TRAILERS: _starts(_CHUNKED_HEAD + b"2\r\n{}\r\n0\r\n", b"X: y\r\n" * 100),
    Behaviour.ENDLESS_BODY: _starts(_OK + b"\r\n", b" " * 1000),
    Behaviour.HUGE_CHUNK: _starts(_CHUNKED_HEAD + b"ffffffffff\r\n", b" " * 1000),
    Behaviour.HUGE_LENGTH: _starts(_OK + b"Content-Length: 99999999999\r\n\r\n", b" " * 1000),
    Behaviour.HUGE_NOTE: _says(lambda talk: talk.changed(note="x" * 70_000)),
    Behaviour.INTERIM_FLOOD: _starts(b"", b"HTTP/1.1 102 Processing\r\n\r\n"),
    Behaviour.CLOSE: _then_close(lambda _: b""),
    Behaviour.RESET: _reset,
    Behaviour.CLOSE_IN_HEADERS: _then_close(lambda _: _OK + b"Content-"),
    Behaviour.RESET_IN_BODY: _reset_in_body,
    Behaviour.SHORT_BODY: _then_close(
        lambda talk: _OK + b"Content-Length: 1000\r\n\r\n" + talk.good()
    ),
    Behaviour.CUT_CHUNKS: _then_close(
        lambda talk: _CHUNKED_HEAD + b"%x\r\n%s\r\n" % (len(talk.good()), talk.good())
    ),
    Behaviour.BAD_CHUNK: lambda talk: talk.send(_CHUNKED_HEAD + b"many\r\n{}\r\n0\r\n\r\n"),
    Behaviour.TWO_LENGTHS: _says(lambda talk: talk.good(), "200 OK", "Content-Length: 5"),
    Behaviour.BAD_LENGTH: _then_close(lambda _: _OK + b"Content-Length: two\r\n\r\n{}"),
    Behaviour.NEGATIVE_LENGTH: _then_close(lambda _: _OK + b"Content-Length: -2\r\n\r\n{}"),
    Behaviour.LENGTH_AND_CHUNKED: lambda talk: talk.send(
        _OK + b"Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"
    ),
    Behaviour.BAD_HEADER: lambda talk: talk.send(_OK + b"no colon here\r\n\r\n"),
    Behaviour.NOT_HTTP: _then_close(lambda _: b"220 mail.example ESMTP\r\n"),
    Behaviour.TLS_GARBAGE: _then_close(lambda _: b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc" * 9),
    Behaviour.LENGTH_TOO_SHORT: lambda talk: talk.send(
        _OK + b"Content-Length: 7\r\n\r\n" + talk.good()
    ),
    Behaviour.REDIRECT_302: _says(b"", "302 Found", "Location: /elsewhere"),
    Behaviour.REDIRECT_307: _says(b"", "307 Temporary Redirect", "Location: /elsewhere"),
    Behaviour.STATUS_503: _says(b"overloaded", "503 Service Unavailable"),
    Behaviour.STATUS_204: lambda talk: talk.send(b"HTTP/1.1 204 No Content\r\n\r\n"),
    Behaviour.HTML: _says(b"<h1>It works", "200 OK", "Content-Type: text/html"),
    Behaviour.GZIP_BOMB: _says(lambda _: _bomb(), "200 OK", "Content-Encoding: gzip"),
    Behaviour.BROTLI: _says(b"\x0b\x02\x80{}\x03", "200 OK", "Content-Encoding: br"),
    Behaviour.DEEP: _says(b"[" * 100_000),
    Behaviour.NAN: _says(lambda talk: talk.good().replace(b'"action"', b'"x": NaN, "action"')),
    Behaviour.OVERFLOW: _says(lambda talk: talk.good().replace(b'"action"', b'"x":1e999,"action"')),
    Behaviour.HUGE_INTEGER: _says(b'{"answers": %s}' % (b"9" * 5000)),
    Behaviour.DUPLICATE_KEYS: _says(
        lambda talk: talk.good().replace(b'"action"', b'"action": "pass", "action"')
    ),
    Behaviour.LATIN_1: _says(lambda talk: talk.good().replace(b'"action"', b'"\xe9": 1, "action"')),
    Behaviour.LONE_SURROGATE: _says(lambda talk: talk.changed(note="\ud800")),
    Behaviour.EMPTY: _says(b""),
    Behaviour.CUT_JSON: _says(lambda talk: talk.good()[:-3]),
    Behaviour.JSON_LIST: _says(b"[]"),
    Behaviour.WRONG_ID: _says(lambda talk: talk.changed(id="m_other-1-1-1")),
    Behaviour.NO_ID: _says(b'{"answers": [{"action": "pass"}]}'),
    Behaviour.HUGE_ACTION: _says(lambda talk: talk.changed(action="x" * 10_000)),
    Behaviour.NUMBER_ACTION: _says(lambda talk: talk.changed(action=7)),
    Behaviour.NULL_ACTION: _says(lambda talk: talk.changed(action=None)),
    Behaviour.UNKNOWN_ACTION: _says(lambda talk: talk.changed(action="sideways")),
}
