"""One connection to one bot: connect, send, and read one strict HTTP/1.1 answer.

`Line` does what an HTTP connection pool does elsewhere, for a single connection, with the total
deadline of `Budget`. The standard library's parser reads the answer; what it would let pass is
checked here. Redirects, cookies, content encodings and interim answers without end have no place.
Whatever goes wrong leaves as a `BotFault`, and the connection is closed then.
"""

from __future__ import annotations

import http.client
import logging
import re
import socket
import ssl
from contextlib import closing
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple, cast

from arena.errors import ShortageError
from arena.referee.verdicts import BotFault, FaultCode
from arena.shortage import as_shortage, is_shortage
from arena.wire.addresses import RESOLVER, Address, Network, Resolver, require_allowed
from arena.wire.answers import Response, check_framing, check_status, tls_reason, verdict
from arena.wire.budget import HEADER_CAP, REPLY_CAP, Budget, Cancelled
from arena.wire.deadline import PIECE, DeadlineSocket
from arena.wire.dialling import first_that_answers
from arena.wire.endpoint import Endpoint
from arena.wire.strict_json import nests_too_deep

log = logging.getLogger(__name__)

MOST_INTERIM = 16
START = 2048
"""How much of a body is read first: most answers are shorter."""

_FIELD = (
    rb"(?!(?i:Content-(?!Type:)|Transfer-Encoding|Connection:(?! keep-alive\r)))"
    rb"[A-Za-z-]+:[\t -~]*\r\n"
)
_PLAIN = re.compile(
    rb"HTTP/1\.1 200 [ -~]*\r\n(?:%b){0,40}(?i:Content-Length): ?([0-9]{1,4})\r\n(?:%b){0,40}\r\n"
    % (_FIELD, _FIELD)
)
"""The head of an answer of the usual kind: nothing in it bears on how it is to be read, but one
length, so that any other parser reads the same."""


@dataclass(frozen=True, slots=True)
class WireOptions:
    """How bots are called.

    ``network``: which addresses may be called. ``reply_cap`` and ``header_cap``: bytes of an
    answer on the wire. ``tls``: the context for ``https``, the system's trusted roots if None.
    """

    network: Network = Network.LOCAL
    reply_cap: int = REPLY_CAP
    header_cap: int = HEADER_CAP
    tls: ssl.SSLContext | None = None
    resolver: Resolver = RESOLVER


class RawReply(NamedTuple):
    """An answer that was read to its end."""

    status: int
    body: bytes


class Line:
    """One kept-alive connection. For one thread at a time, but for `abort`."""

    def __init__(self, endpoint: Endpoint, options: WireOptions, budget: Budget) -> None:
        self._endpoint = endpoint
        self._options = options
        self._budget = budget
        # Loaded before any call: reading the roots takes time that no bot should be charged.
        self._tls = (options.tls or default_tls()) if endpoint.scheme == "https" else None
        self._sock: DeadlineSocket | None = None
        self._peer: Address | None = None
        self._request = b""
        self._unsent = b""
        self._reused = False
        self._failure: Exception | None = None
        self._come = b""
        self._body_at = 0
        self.any_success = False
        """Accept every 2xx status instead of 200 only."""
        self.retries = 0
        """How often a request was sent a second time."""
        self.connects = 0
        """How often a connection was made."""

    @property
    def peer(self) -> Address | None:
        """The address that the last connection was made to."""
        return self._peer

    def exchange(self, request: bytes) -> RawReply:
        """Send the bytes of a request and read the answer, all within the budget.

        :raises BotFault: anything went wrong.
        :raises ShortageError: with this machine, that is.
        :raises Cancelled: the arena gave up.
        """
        self.begin(request)
        return self.finish()

    def begin(self, request: bytes) -> bool:
        """Send a request as far as that needs no waiting. Never raises: `finish` tells.

        True if all of it is sent and there is nothing to do until bytes arrive; then `look` may be
        asked before `finish`. Encrypted connections may want to read and write at any time, so
        for them it is never true.
        """
        self._request = self._unsent = request
        self._failure = None
        self._come = b""
        self._body_at = 0
        try:
            self._reused = self._keep_if_fresh()
            if self._sock is None or self._tls is not None:
                return False
            self._budget.phase = "sending"
            self._unsent = self._sock.send_at_once(request)
        except Exception as error:
            self._failure = error
            return False
        self._budget.phase = "waiting for the answer"
        return not self._unsent

    def look(self, *, is_readable: bool) -> bool | None:
        """Read what has come, without waiting. Never raises: `finish` tells.

        True if `finish` will not wait, False if it may, None if more has to come first.
        """
        try:
            self._budget.left_s()
            if not is_readable:
                return None
            assert self._sock is not None
            data = self._sock.recv_at_once()
        except Exception as error:
            self._failure = error
            return not isinstance(error, OSError)  # a broken connection may be made anew
        if data is None:
            return None
        self._come += data
        head = _PLAIN.match(self._come)
        if head is None:
            is_over = not data or b"\r\n\r\n" in self._come or len(self._come) >= PIECE
            return False if is_over else None
        missing = head.end() + int(head[1]) - len(self._come)
        if missing == 0:
            self._body_at = head.end()
            return True
        self._budget.in_head = False
        self._budget.phase = "reading the answer"
        return None if missing > 0 and data else False

    def finish(self) -> RawReply:
        """Send what is not sent yet, and read the answer.

        A connection that was kept alive may have been closed by the bot at the very moment of
        sending. If it breaks before any byte of an answer, the same bytes are sent once more on a
        new connection, inside the same budget.

        :raises BotFault: anything went wrong.
        :raises ShortageError: with this machine, that is.
        :raises Cancelled: the arena gave up.
        """
        try:
            try:
                if self._failure is not None:
                    raise self._failure
                return self._attempt()
            except (ConnectionError, ssl.SSLEOFError):
                if not self._reused or self._budget.received:
                    raise
            self.drop()
            self.retries += 1
            log.debug("%s closed a kept-alive connection; sent again", self._endpoint.label)
            self._unsent = self._request
            return self._attempt()
        except BaseException as error:
            self.drop()
            if self._budget.cancelled:
                raise Cancelled from None
            if isinstance(error, Exception):
                raise self._as_fault(error) from None
            raise

    @property
    def descriptor(self) -> int:
        """Of the connection's socket, -1 if there is none."""
        return -1 if self._sock is None else self._sock.fileno()

    def drop(self) -> None:
        """Close the connection; the next call makes a new one."""
        if self._sock is not None:
            self._sock.close()
            self._sock = None

    def abort(self) -> None:
        """Make a call that is under way end at once with `Cancelled`. From any thread."""
        self._budget.cancelled = True
        sock = self._sock
        if sock is not None:
            sock.abort()

    def _keep_if_fresh(self) -> bool:
        """Whether the connection of the last call can be used again."""
        if self._sock is None:
            return False
        # Bytes that nobody asked for would be taken for the next answer.
        if self._sock.is_stale():
            self.drop()
            return False
        return True

    def _attempt(self) -> RawReply:
        budget = self._budget
        if self._body_at:
            budget.check_in_time()
            return RawReply(200, self._come[self._body_at :])
        sock = self._sock or self._connect()
        sock.put_back, self._come = self._come, b""
        if self._unsent:
            budget.phase = "sending"
            try:
                sock.sendall(self._unsent)
            except BrokenPipeError:
                pass  # an answer may have come before the bot closed
            budget.phase = "waiting for the answer"
        return self._plain(sock) or self._parsed(sock)

    def _plain(self, sock: DeadlineSocket) -> RawReply | None:
        """An answer of the usual kind, whose head has come in one piece; else None, and nothing
        is lost.

        Nearly every answer is one. Parsing it as any other takes three times as long.
        """
        budget = self._budget
        reader = sock.makefile("rb")
        data = reader.peek()
        head = _PLAIN.match(data)
        size = head.end() + int(head[1]) if head else 0
        if head is None or len(data) > size:
            return None
        budget.in_head = False
        budget.phase = "reading the answer"
        whole = reader.read(size)
        budget.check_in_time()
        if len(whole) < size:
            raise _cut_short(size - len(whole))
        if len(data) < size:
            reader.close()  # notes whether more than the answer was read
            if sock.left_over or sock.eof:
                self.drop()
        return RawReply(200, whole[head.end() :])

    def _parsed(self, sock: DeadlineSocket) -> RawReply:
        """Any answer that HTTP/1.1 allows."""
        budget = self._budget
        with closing(self._head(sock)) as response:
            check_status(response, self.any_success)
            check_framing(response)
            budget.in_head = False
            budget.phase = "reading the answer"
            body = self._body(response)
        budget.check_in_time()
        if response.will_close or sock.left_over or sock.eof:
            self.drop()
        return RawReply(response.status, body)

    def _head(self, sock: DeadlineSocket) -> http.client.HTTPResponse:
        """Read status line and headers, skipping interim answers."""
        for _ in range(MOST_INTERIM):
            response = Response(cast(socket.socket, sock), method="POST")
            try:
                response.begin()
                # The parser takes an end inside the headers for the end of the headers.
                if sock.eof:
                    raise ConnectionResetError
            except BaseException:
                response.close()
                raise
            if not 102 <= response.status <= 199:
                return response
            response.fp = None  # type: ignore[assignment]  # the reader goes on to the next head
        raise BotFault(FaultCode.BAD_HTTP, f"more than {MOST_INTERIM} interim (1xx) answers")

    def _body(self, response: http.client.HTTPResponse) -> bytes:
        cap = self._options.reply_cap
        # Noted before memory for such a length is asked for.
        is_too_long = (response.length or 0) > cap
        body = response.read(START)
        try:
            if is_too_long:
                raise BotFault(FaultCode.TOO_LARGE, f"more than {cap} bytes; send a shorter answer")
            # A read of a given size comes back short only at the end.
            if len(body) == START:
                body += response.read(cap)
        except BotFault as fault:
            if fault.code is FaultCode.TOO_LARGE and nests_too_deep(body):
                raise BotFault(FaultCode.BAD_JSON, "nested far too deep; send less depth") from None
            raise
        if response.length:
            raise _cut_short(response.length)
        return body

    def _connect(self) -> DeadlineSocket:
        budget, endpoint, options = self._budget, self._endpoint, self._options
        budget.phase = "looking up the name"
        budget.left_s()
        addresses = options.resolver.addresses(endpoint.host, endpoint.port, budget.left_s)
        require_allowed(addresses, options.network)
        budget.phase = "connecting"
        sock = first_that_answers(addresses, budget, self._trying)
        self.connects += 1
        if self._tls is not None:
            budget.phase = "setting up TLS"
            try:
                sock.handshake(self._tls, endpoint.host)
            except ssl.SSLError as error:
                raise BotFault(FaultCode.TLS, tls_reason(error)) from None
        return sock

    def _trying(self, address: Address, sock: DeadlineSocket) -> None:
        """Remember what is being connected, so that `abort` finds it."""
        self._peer, self._sock = address, sock

    def _as_fault(self, error: Exception) -> BotFault | ShortageError:
        if isinstance(error, OSError) and is_shortage(error):
            return as_shortage(error)
        if isinstance(error, BotFault):
            if not error.elapsed_ms:
                error.elapsed_ms = self._budget.elapsed_ms()
            return error
        code, detail = verdict(error)
        return BotFault(code, detail, self._budget.elapsed_ms())


@cache
def default_tls() -> ssl.SSLContext:
    """Certificates are checked against the system's roots and those of Mozilla."""
    # Imported here because it is wanted for https only.
    import certifi

    context = ssl.create_default_context(cafile=certifi.where())
    context.load_default_certs()
    context.set_alpn_protocols(["http/1.1"])
    return context


def _cut_short(missing: int) -> BotFault:
    return BotFault(FaultCode.BAD_HTTP, f"the body ended {missing} bytes before its Content-Length")
