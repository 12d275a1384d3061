"""Calls to a bot through `requests`: one prepared request, one connection, one deadline.

The only module that imports `requests`. A prepared request goes straight to a transport adapter
whose connection is a `Line`, so nothing of the environment (proxies, .netrc, certificates), no
cookies and no redirects can come in between.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import requests
from requests.adapters import BaseAdapter

from arena import __version__
from arena.errors import ShortageError
from arena.referee.verdicts import BotFault, FaultCode
from arena.wire.budget import Budget, Cancelled, Piece
from arena.wire.endpoint import Endpoint
from arena.wire.signing import Signer
from arena.wire.transport import Line, RawReply, WireOptions

if TYPE_CHECKING:
    from requests.structures import CaseInsensitiveDict

DEFAULT_OPTIONS = WireOptions()


class Received(NamedTuple):
    """An answer's body, and when the call began and ended on the client's clock, in seconds."""

    body: bytes
    started: float
    ended: float

    @property
    def elapsed_ms(self) -> float:
        """Wall time from the first thing done on the network to the last byte read."""
        return max(0.0, (self.ended - self.started) * 1000)


class BotClient:
    """One connection to one bot. For one thread at a time, but for `abort`.

    ``now``: the clock that calls are timed by, in seconds.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        options: WireOptions = DEFAULT_OPTIONS,
        signer: Signer | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._endpoint = endpoint
        self._signer = signer
        self._budget = Budget(options.reply_cap, options.header_cap, now)
        self.line = Line(endpoint, options, self._budget)
        self._adapter = _LineAdapter(self.line)
        self._prepared: dict[tuple[str, str], requests.PreparedRequest] = {}

    def get(self, path: str, timeout_ms: float) -> Received:
        """Call ``GET path``.

        :raises BotFault: no complete answer with status 200 in time.
        :raises Cancelled: `abort` was called.
        """
        self._start("GET", path, b"", (timeout_ms,), None, any_success=False)
        return self.finish()

    def post(
        self,
        path: str,
        body: bytes,
        allowances_ms: Sequence[float],
        expired: Callable[[float], None] | None = None,
        *,
        any_success: bool = False,
    ) -> Received:
        """Call ``POST path``. For the ascending ``allowances_ms`` and ``expired`` see `Budget`.

        ``any_success``: accept every 2xx status instead of 200 only.

        :raises BotFault: no complete answer with such a status within the last allowance.
        :raises Cancelled: `abort` was called.
        """
        self.start(path, body, allowances_ms, expired, any_success=any_success)
        return self.finish()

    def start(
        self,
        path: str,
        body: bytes,
        allowances_ms: Sequence[float],
        expired: Callable[[float], None] | None = None,
        *,
        any_success: bool = False,
    ) -> bool:
        """Send ``POST path`` as far as that needs no waiting; `finish` does the rest.

        True if there is nothing to do until bytes arrive, see `Line.begin`.
        """
        return self._start("POST", path, body, allowances_ms, expired, any_success=any_success)

    def finish(self) -> Received:
        """The answer to what was started.

        :raises ShortageError: this machine is at its limits; else as `post` does.
        """
        budget = self._budget
        try:
            response = self._adapter.finish()
        except (BotFault, Cancelled, ShortageError):
            raise
        except Exception as error:
            # Whatever a hostile answer provokes in the library is the bot's fault, not a crash.
            self.line.drop()
            detail = f"an answer that cannot be read ({type(error).__name__})"
            raise BotFault(FaultCode.BAD_HTTP, detail, budget.elapsed_ms()) from None
        raw = cast(RawReply, response.raw)
        return Received(raw.body, budget.started, budget.last_read)

    def keep_bytes(self) -> None:
        """From now on keep what comes, for `came`."""
        self._budget.tape = []

    @property
    def came(self) -> list[Piece]:
        """All that was read of the answer to the last call, headers included, if it is kept."""
        return self._budget.tape or []

    @property
    def ends(self) -> float:
        """When the running allowance of the call is used up, on the client's clock."""
        return self._budget.ends

    def abort(self) -> None:
        """End a call that is under way at once, and all later ones. From any thread."""
        self.line.abort()

    def close(self) -> None:
        """Close the connection."""
        self._adapter.close()

    def _start(
        self,
        method: str,
        path: str,
        body: bytes,
        allowances_ms: Sequence[float],
        expired: Callable[[float], None] | None,
        *,
        any_success: bool,
    ) -> bool:
        self._budget.begin(allowances_ms, expired)
        self.line.any_success = any_success
        return self._adapter.begin(self._request(method, path, body))

    def _request(self, method: str, path: str, body: bytes) -> requests.PreparedRequest:
        """The prepared request for a path, filled with this body. Requests are used again."""
        request = self._prepared.get((method, path))
        if request is None:
            request = self._prepared[method, path] = self._prepare(method, path)
        if method == "POST":
            request.body = body
            request.headers["Content-Length"] = str(len(body))
        if self._signer is not None:
            request.headers.update(self._signer.headers(body))
        return request

    def _prepare(self, method: str, path: str) -> requests.PreparedRequest:
        endpoint = self._endpoint
        headers = endpoint.headers(method, f"gin-arena/{__version__}")
        # Filled by hand: preparing would parse the URL anew, by another grammar.
        request = requests.PreparedRequest()
        request.method = method
        request.url = f"{endpoint.scheme}://{endpoint.label}{endpoint.target(path)}"
        # A plain dictionary: nobody looks names up in another case, and every call walks over it.
        request.headers = cast("CaseInsensitiveDict[str]", headers)
        return request


class _LineAdapter(BaseAdapter):
    """The transport adapter whose only connection is a `Line`.

    The endpoint has decided where to connect, and the line keeps the time and verifies
    certificates, so what a session would pass on about these is ignored.
    """

    def __init__(self, line: Line) -> None:
        super().__init__()
        self._line = line
        # One for all calls: the line has one call at a time, and whoever called takes the answer
        # out at once.
        self._response = requests.Response()

    def send(self, request: requests.PreparedRequest, *_: Any, **__: Any) -> requests.Response:
        """Send the request and wait for its answer."""
        self.begin(request)
        return self.finish()

    def begin(self, request: requests.PreparedRequest) -> bool:
        """Send the request as one piece, so that it usually is one packet. See `Line.begin`."""
        lines = "".join([f"{name}: {value}\r\n" for name, value in request.headers.items()])
        head = f"{request.method} {request.path_url} HTTP/1.1\r\n{lines}\r\n".encode("latin-1")
        body = request.body or b""
        assert isinstance(body, bytes)
        self._response.request = request
        return self._line.begin(head + body)

    def finish(self) -> requests.Response:
        """The answer to the request that was begun."""
        reply = self._line.finish()
        response = self._response
        response.status_code = reply.status
        response.raw = reply
        return response

    def close(self) -> None:
        """Close the connection."""
        self._line.drop()
