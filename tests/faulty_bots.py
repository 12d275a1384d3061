"""Bots that misbehave on demand, over raw sockets, so that nothing tidies their faults away.

``with FaultyBot(Behaviour.DRIP_BODY) as bot:`` gives ``bot.url``. By default only ``POST /act`` is
treated to the behaviour; ``GET /``, ``/start`` and ``/end`` are answered as a good bot would.
`EXPECTED` names the fault code that the arena has to give for each behaviour.
"""

from __future__ import annotations

import gzip
import json
import socket
import ssl
import struct
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum, auto
from types import TracebackType
from typing import Any, Self

from arena.referee.verdicts import FaultCode


class Behaviour(StrEnum):
    """What a faulty bot does with a request."""

    GOOD = auto()
    """Answers every decision with its first legal action."""
    SLOW = auto()
    """As good, after ``delay_s``."""
    EARLY_HINTS = auto()
    """As good, after interim answers 100 and 103."""
    NO_LENGTH_CLOSE = auto()
    """As good, without a length; the end of the connection ends the body."""
    CHUNKED = auto()
    """As good, in chunks of seven bytes, with an extension and a trailer."""
    ANSWER_THEN_CLOSE = auto()
    """As good, promising to keep the connection and closing it."""
    STALE_SECOND = auto()
    """As good, followed by a second answer that nobody asked for."""
    SILENT = auto()
    """Never answers."""
    DEAF = auto()
    """Neither reads the request nor answers."""
    DRIP_HEADERS = auto()
    DRIP_BODY = auto()
    DRIP_CHUNKS = auto()
    DRIP_INTERIM = auto()
    DRIP_TRAILERS = auto()
    HALF_BODY = auto()
    """Stops half way and keeps the connection open."""
    NO_LENGTH_OPEN = auto()
    """A whole body without a length, and the connection stays open."""
    ENDLESS_HEADERS = auto()
    ENDLESS_HEADER_LINE = auto()
    MANY_HEADERS = auto()
    ENDLESS_CHUNKS = auto()
    ENDLESS_TRAILERS = auto()
    ENDLESS_BODY = auto()
    HUGE_CHUNK = auto()
    HUGE_LENGTH = auto()
    HUGE_NOTE = auto()
    INTERIM_FLOOD = auto()
    CLOSE = auto()
    """Reads the request and closes."""
    RESET = auto()
    CLOSE_IN_HEADERS = auto()
    RESET_IN_BODY = auto()
    SHORT_BODY = auto()
    """A whole JSON value, then the end, long before Content-Length."""
    CUT_CHUNKS = auto()
    BAD_CHUNK = auto()
    TWO_LENGTHS = auto()
    BAD_LENGTH = auto()
    NEGATIVE_LENGTH = auto()
    LENGTH_AND_CHUNKED = auto()
    BAD_HEADER = auto()
    NOT_HTTP = auto()
    TLS_GARBAGE = auto()
    """Answers plain HTTP with the start of a TLS handshake."""
    LENGTH_TOO_SHORT = auto()
    """Content-Length cuts the body off."""
    REDIRECT_302 = auto()
    REDIRECT_307 = auto()
    STATUS_503 = auto()
    STATUS_204 = auto()
    HTML = auto()
    GZIP_BOMB = auto()
    BROTLI = auto()
    DEEP = auto()
    NAN = auto()
    OVERFLOW = auto()
    HUGE_INTEGER = auto()
    DUPLICATE_KEYS = auto()
    LATIN_1 = auto()
    LONE_SURROGATE = auto()
    EMPTY = auto()
    CUT_JSON = auto()
    JSON_LIST = auto()
    WRONG_ID = auto()
    NO_ID = auto()
    HUGE_ACTION = auto()
    NUMBER_ACTION = auto()
    NULL_ACTION = auto()
    UNKNOWN_ACTION = auto()
    """A well-formed answer with an action that was not legal; for the referee to judge."""


_TIMEOUT = (
    "SILENT DEAF DRIP_HEADERS DRIP_BODY DRIP_CHUNKS DRIP_INTERIM DRIP_TRAILERS HALF_BODY"
    " NO_LENGTH_OPEN"
)
_CODES = {
    FaultCode.OK: "GOOD SLOW EARLY_HINTS NO_LENGTH_CLOSE CHUNKED ANSWER_THEN_CLOSE STALE_SECOND",
    FaultCode.TIMEOUT: _TIMEOUT,
    FaultCode.TOO_LARGE: (
        "ENDLESS_HEADERS ENDLESS_HEADER_LINE MANY_HEADERS ENDLESS_CHUNKS ENDLESS_TRAILERS"
        " ENDLESS_BODY HUGE_CHUNK HUGE_LENGTH HUGE_NOTE"
    ),
    FaultCode.RESET: "CLOSE RESET CLOSE_IN_HEADERS RESET_IN_BODY",
    FaultCode.BAD_HTTP: (
        "INTERIM_FLOOD SHORT_BODY CUT_CHUNKS BAD_CHUNK TWO_LENGTHS BAD_LENGTH NEGATIVE_LENGTH"
        " LENGTH_AND_CHUNKED BAD_HEADER NOT_HTTP TLS_GARBAGE"
    ),
    FaultCode.REDIRECT: "REDIRECT_302 REDIRECT_307",
    FaultCode.BAD_STATUS: "STATUS_503 STATUS_204",
    FaultCode.BAD_ENCODING: "GZIP_BOMB BROTLI LATIN_1",
    FaultCode.BAD_JSON: (
        "LENGTH_TOO_SHORT HTML DEEP NAN OVERFLOW HUGE_INTEGER DUPLICATE_KEYS"
        " LONE_SURROGATE EMPTY CUT_JSON"
    ),
    FaultCode.SCHEMA: "JSON_LIST NO_ID HUGE_ACTION NUMBER_ACTION NULL_ACTION",
    FaultCode.UNKNOWN_ID: "WRONG_ID",
    FaultCode.ILLEGAL: "UNKNOWN_ACTION",
}
EXPECTED = {Behaviour[name]: code for code, names in _CODES.items() for name in names.split()}
"""The fault code for each behaviour, `OK` where the answer counts."""

FOREVER = 10_000_000


@dataclass(slots=True)
class Request:
    """A request as it arrived. ``connection`` numbers the connections of the bot from 0."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes
    connection: int

    @property
    def json(self) -> Any:
        """The body's JSON."""
        return json.loads(self.body)


class Gone(Exception):
    """The client has closed, or the bot is stopped."""


@dataclass(slots=True)
class Talk:
    """One request being answered."""

    bot: FaultyBot
    sock: socket.socket
    request: Request
    keep: bool = True

    def send(self, data: bytes) -> None:
        """Send all of it.

        :raises Gone: the other side is not there any more.
        """
        if self.bot.stopping.is_set():
            raise Gone
        try:
            self.sock.sendall(data)
        except OSError:
            raise Gone from None

    def pause(self, seconds: float) -> None:
        """Wait, but not longer than the bot lives."""
        if self.bot.stopping.wait(seconds):
            raise Gone

    def drip(self, data: bytes) -> None:
        """Send a byte at a time, for ever when the data are used up."""
        for byte in data:
            self.send(bytes([byte]))
            self.pause(self.bot.drip_s)
        self.stall()

    def stall(self) -> None:
        """Do nothing until the bot is stopped."""
        self.pause(FOREVER)

    def flood(self, piece: bytes) -> None:
        """Send the same bytes for ever."""
        for _ in range(FOREVER):
            self.send(piece)

    def good(self) -> bytes:
        """The body of a good answer."""
        if self.request.path == "/" or self.request.method == "GET":
            return json.dumps(self.bot.info).encode()
        if self.request.path.endswith("/act"):
            answers = [self.bot.choose(one) for one in self.request.json["requests"]]
            return json.dumps({"answers": answers}).encode()
        return b"{}"

    def changed(self, **fields: object) -> bytes:
        """A good answer of which every item has other fields."""
        value = json.loads(self.good())
        for item in value["answers"]:
            item.update(fields)
        return json.dumps(value).encode()


Headers = tuple[tuple[str, str], ...]


def http(body: bytes, status: str = "200 OK", headers: Headers = ()) -> bytes:
    """A whole HTTP answer."""
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers)
    head = f"HTTP/1.1 {status}\r\nContent-Length: {len(body)}\r\n{lines}\r\n"
    return head.encode("latin-1") + body


def first_legal(request: dict[str, Any]) -> dict[str, object]:
    """The answer of the simplest good bot."""
    legal = request.get("legal") or [{"id": "pass"}]
    return {"id": request["request_id"], "action": legal[0]["id"]}


Act = Callable[[Talk], None]


@dataclass
class FaultyBot:
    """A bot on a free loopback port, as a context manager.

    ``on``: the paths it misbehaves on. ``after``: so many requests on those paths are answered
    well before. ``times``: so often it misbehaves, then it is good again. ``delay_s`` and
    ``drip_s``: for the slow behaviours. ``listens``: False binds the port without listening, so
    that connections are refused until `listen` is called.
    """

    behaviour: Behaviour | Act = Behaviour.GOOD
    on: tuple[str, ...] = ("/act",)
    after: int = 0
    times: int = FOREVER
    delay_s: float = 0.02
    drip_s: float = 0.05
    max_batch: int = 1
    max_concurrency: int = 1
    name: str = "Faulty"
    choose: Callable[[dict[str, Any]], dict[str, object]] = first_legal
    tls: ssl.SSLContext | None = None
    listens: bool = True
    requests: list[Request] = field(default_factory=list)
    connections: int = 0
    stopping: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        self._lock = threading.Lock()
        self._open: set[socket.socket] = set()
        self._threads: list[threading.Thread] = []
        self._count = 0
        self._listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)

    def __enter__(self) -> Self:
        self._listener.bind(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        if self.listens:
            self.listen()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"{'https' if self.tls else 'http'}://127.0.0.1:{self.port}"

    @property
    def info(self) -> dict[str, object]:
        """What it says of itself."""
        return {
            "protocols": ["1.0"],
            "name": self.name,
            "author": "tests",
            "version": "1",
            "games": ["*"],
            "max_batch": self.max_batch,
            "max_concurrency": self.max_concurrency,
        }

    def hits(self, path: str) -> int:
        """How many requests came to the path."""
        return sum(request.path == path for request in self.requests)

    def open_connections(self) -> int:
        """How many connections the bot holds open."""
        with self._lock:
            return len(self._open)

    def listen(self) -> None:
        """Start to listen, if it does not yet."""
        self._listener.listen(64)
        self._start(self._accept)

    def stop(self) -> None:
        """Close everything and wait for the threads."""
        self.stopping.set()
        # Closing alone does not wake a thread that waits in accept.
        for sock in (self._listener, *self._open):
            _shut(sock)
        self._listener.close()
        for thread in self._threads:
            thread.join(5)
            assert not thread.is_alive(), "a thread of a faulty bot hangs"

    def _start(self, target: Callable[..., None], *args: object) -> None:
        thread = threading.Thread(target=target, args=args, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        while not self.stopping.is_set():
            try:
                sock, _ = self._listener.accept()
            except OSError:
                return
            with self._lock:
                number = self.connections
                self.connections += 1
                self._open.add(sock)
            self._start(self._serve, sock, number)

    def _serve(self, sock: socket.socket, number: int) -> None:
        try:
            if self.behaviour is Behaviour.DEAF:
                self.stopping.wait()
                return
            talk_sock = self.tls.wrap_socket(sock, server_side=True) if self.tls else sock
            talk_sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            with talk_sock.makefile("rb") as stream:
                while (request := _read(stream, number)) is not None:
                    self.requests.append(request)
                    talk = Talk(self, talk_sock, request)
                    self._act(request)(talk)
                    if not talk.keep:
                        return
        except (Gone, OSError, ValueError):
            pass  # the other side is gone, or was never there
        finally:
            with self._lock:
                self._open.discard(sock)
            _shut(sock)
            sock.close()

    def _act(self, request: Request) -> Act:
        if request.path not in self.on:
            return _good
        with self._lock:
            turn = self._count
            self._count += 1
        if not self.after <= turn < self.after + self.times:
            return _good
        return _ACTS[self.behaviour] if isinstance(self.behaviour, Behaviour) else self.behaviour


def _shut(sock: socket.socket) -> None:
    try:
        sock.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass  # never connected, or gone


def _read(stream: Any, connection: int) -> Request | None:
    line = stream.readline()
    if not line:
        return None
    method, path, _ = line.decode("latin-1").split(" ", 2)
    headers: dict[str, str] = {}
    while (header := stream.readline().strip()) != b"":
        name, _, value = header.decode("latin-1").partition(":")
        headers[name.lower()] = value.strip()
    body = stream.read(int(headers.get("content-length", 0)))
    return Request(method, path, headers, body, connection)


def _good(talk: Talk) -> None:
    talk.send(http(talk.good()))


def _slow(talk: Talk) -> None:
    talk.pause(talk.bot.delay_s)
    _good(talk)


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
    with talk.bot._lock:
        talk.bot._open.discard(talk.sock)
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
    talk.send(http(talk.good()))
    talk.send(http(talk.changed(action="draw:stock", note="stale")))


def _chunked(talk: Talk) -> None:
    body = talk.good()
    pieces = [body[at : at + 7] for at in range(0, len(body), 7)]
    chunks = b"".join(b"%x;x=y\r\n%s\r\n" % (len(piece), piece) for piece in pieces)
    talk.send(_CHUNKED_HEAD + chunks + b"0\r\nX-Trailer: yes\r\n\r\n")


_OK = b"HTTP/1.1 200 OK\r\n"
_CHUNKED_HEAD = _OK + b"Transfer-Encoding: chunked\r\n\r\n"
_HINTS = b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n"


def _bomb(_: Talk) -> bytes:
    return gzip.compress(bytes(64 * 1024 * 1024), compresslevel=9)[:60_000]


_ACTS: dict[Behaviour, Act] = {
    Behaviour.GOOD: _good,
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
    Behaviour.GZIP_BOMB: _says(_bomb, "200 OK", "Content-Encoding: gzip"),
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
