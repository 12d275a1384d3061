"""One HTTP exchange written by hand, for questions that the referee's client never asks.

Everything goes through the same deadline socket and the same rules about addresses as real calls.
Answers are shown as they are: any status, any body, headers included.
"""

from __future__ import annotations

import http.client
import socket
from collections.abc import Mapping
from contextlib import closing
from typing import NamedTuple, Self, cast

from arena.wire.addresses import require_allowed
from arena.wire.budget import Budget
from arena.wire.dialling import first_that_answers
from arena.wire.endpoint import Endpoint
from arena.wire.signing import Signer
from arena.wire.transport import WireOptions, default_tls

MOST_BODY = 64 * 1024
MOST_INTERIM = 16


class RawAnswer(NamedTuple):
    """An answer, whatever its status. ``kept``: the bot leaves the connection open."""

    status: int
    reason: str
    headers: Mapping[str, str]
    body: bytes
    kept: bool


class RawConnection:
    """A connection to the bot for one exchange after the other; a context manager.

    :raises BotFault, OSError, http.client.HTTPException: from all methods, when it fails.
    """

    def __init__(
        self, endpoint: Endpoint, options: WireOptions, timeout_ms: float, signer: Signer | None
    ) -> None:
        self._endpoint = endpoint
        self._signer = signer
        self._timeout_ms = timeout_ms
        self._budget = budget = Budget(2 * MOST_BODY, MOST_BODY)
        budget.begin((timeout_ms,))
        addresses = options.resolver.addresses(endpoint.host, endpoint.port, budget.left_s)
        require_allowed(addresses, options.network)
        self._sock = first_that_answers(addresses, budget)
        try:
            if endpoint.scheme == "https":
                self._sock.handshake(options.tls or default_tls(), endpoint.host)
        except BaseException:
            self._sock.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._sock.close()

    def head(self, method: str, path: str, body: bytes, **headers: str) -> bytes:
        """Request line and headers as the referee sends them; ``headers`` replace or add."""
        endpoint = self._endpoint
        named = endpoint.headers(method, "gin-arena-check")
        if method == "POST":
            named["Content-Length"] = str(len(body))
        if self._signer is not None:
            named |= self._signer.headers(body)
        named |= {name.replace("_", "-"): text for name, text in headers.items()}
        lines = "".join(f"{name}: {text}\r\n" for name, text in named.items())
        return f"{method} {endpoint.target(path)} HTTP/1.1\r\n{lines}\r\n".encode("latin-1")

    def call(self, method: str, path: str, body: bytes = b"", **headers: str) -> RawAnswer:
        """Send a whole request and read the answer."""
        self.send(self.head(method, path, body, **headers) + body)
        return self.receive(method)

    def send(self, data: bytes) -> None:
        """Send bytes as they are."""
        self._begin()
        self._sock.sendall(data)

    def receive(self, method: str = "POST") -> RawAnswer:
        """Read one answer to a request of this method."""
        self._budget.phase = "waiting for the answer"
        with closing(self._head(method)) as response:
            self._budget.in_head = False
            body = response.read(MOST_BODY)
            kept = not response.will_close
        headers = {name.lower(): text for name, text in response.headers.items()}
        return RawAnswer(response.status, response.reason, headers, body, kept)

    def _head(self, method: str) -> http.client.HTTPResponse:
        """Read status line and headers, skipping interim answers."""
        for _ in range(MOST_INTERIM):
            response = http.client.HTTPResponse(cast(socket.socket, self._sock), method=method)
            try:
                response.begin()
            except BaseException:
                response.close()
                raise
            if not 102 <= response.status <= 199:
                break
            response.fp = None  # type: ignore[assignment]  # the reader goes on to the next head
        return response

    def is_open(self) -> bool:
        """Whether the bot has left the connection open and silent."""
        return not self._sock.is_stale()

    def _begin(self) -> None:
        self._budget.begin((self._timeout_ms,))
