"""The four calls of the protocol as a plain WSGI application.

It never lets an exception out: a broken request gets a 4xx, a bot that raises gets a 500 and a
line on stderr, both with a JSON body. It opens no socket; see `server`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from http import HTTPStatus
from typing import Any, NamedTuple

import orjson

from arena.bot.base import Bot, answer
from arena.bot.mistakes import Mistakes
from arena.bot.recorder import Recorder
from arena.wire.signing import BadSignature, Signed, Verifier

MAX_BODY = 4 * 1024 * 1024
"""Largest request body in bytes: 64 decisions at the end of the longest hands fit easily."""

Environ = Mapping[str, Any]
StartResponse = Callable[[str, list[tuple[str, str]]], object]


class HttpError(Exception):
    """A request that cannot be served: status and a sentence that says why."""

    def __init__(self, status: HTTPStatus, message: str) -> None:
        super().__init__(message)
        self.status = status


class _Route(NamedTuple):
    methods: tuple[str, ...]
    handler: Callable[[BotApp, bytes], object]


class BotApp:
    """A WSGI application that plays for one bot.

    ``verifier``: checks signatures; None accepts everybody. ``max_body``: bytes. ``recorder``:
    keeps every decision. Safe to call from several threads at once as long as the bot's own methods
    are.
    """

    def __init__(
        self,
        bot: Bot,
        *,
        verifier: Verifier | None = None,
        max_body: int = MAX_BODY,
        recorder: Recorder | None = None,
    ) -> None:
        self.bot = bot
        self._recorder = recorder
        self._verifier = verifier
        self.max_body = max_body
        self._mistakes = Mistakes(bot.name)

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        """Serve one request."""
        method = environ["REQUEST_METHOD"]
        status, reply, headers = HTTPStatus.OK, b"", [("Content-Type", "application/json")]
        signed: Signed | None = None
        try:
            # The body is read whatever happens: bytes left over would be taken for a request.
            body = self._read(environ)
            route = _ROUTES.get(environ.get("PATH_INFO", "/") or "/")
            if route is None:
                raise HttpError(
                    HTTPStatus.NOT_FOUND, "no such path; there are /, /start, /act and /end"
                )
            if method not in route.methods:
                headers.append(("Allow", ", ".join(route.methods)))
                raise HttpError(
                    HTTPStatus.METHOD_NOT_ALLOWED,
                    f"use {route.methods[0]} for this path",
                )
            if self._verifier is not None and method == "POST":
                signed = self._verifier.check(_webhook_headers(environ), body)
            reply = orjson.dumps(route.handler(self, body))
        except HttpError as error:
            status = error.status
            reply = _error(status, str(error))
        except BadSignature as error:
            status = HTTPStatus.UNAUTHORIZED
            reply = _error(status, str(error))
        except BaseException as error:  # even SystemExit: a worker thread must never die of a bot
            status = HTTPStatus.INTERNAL_SERVER_ERROR
            self._mistakes.raised(error)
            reply = _error(status, f"the bot raised {type(error).__name__}; see its stderr")
        headers.append(("Content-Length", str(len(reply))))
        start_response(_STATUS_LINES[status], headers)
        if signed is not None:
            return self._delivered(reply, signed)
        return [] if method == "HEAD" else [reply]

    def _delivered(self, reply: bytes, signed: Signed) -> Iterator[bytes]:
        """The reply to a request that is not answered a second time, unless this breaks off.

        A server stops asking when the connection is gone, and then the arena comes again with the
        same request.
        """
        assert self._verifier is not None
        self._verifier.remember(signed)
        is_sent = False
        try:
            yield reply
            is_sent = True
        finally:
            if not is_sent:
                self._verifier.forget(signed)

    def _read(self, environ: Environ) -> bytes:
        text = environ.get("CONTENT_LENGTH") or "0"
        if not (text.isascii() and text.isdigit()):
            raise HttpError(HTTPStatus.BAD_REQUEST, "Content-Length is no number")
        length = int(text)
        stream = environ["wsgi.input"]
        if length > self.max_body:
            while length > 0 and (part := stream.read(min(length, 65536))):
                length -= len(part)
            raise HttpError(
                HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
                f"the body is larger than {self.max_body} bytes",
            )
        body: bytes = stream.read(length) if length else b""
        if len(body) != length:
            raise HttpError(HTTPStatus.BAD_REQUEST, "the body is shorter than Content-Length")
        return body

    def info(self, body: bytes) -> object:
        """``GET /``"""
        return self.bot.info()

    def start(self, body: bytes) -> object:
        """``POST /start``"""
        self.bot.started(_object(body))
        return {"ok": True}

    def end(self, body: bytes) -> object:
        """``POST /end``"""
        self.bot.ended(_object(body))
        return {"ok": True}

    def act(self, body: bytes) -> object:
        """``POST /act``. One failing decision of a batch is left out, the others are answered;
        when none is left, the failure is the answer."""
        answers: list[dict[str, object]] = []
        failure: BaseException | None = None
        for request in _requests(_object(body)):
            try:
                one = answer(self.bot, request)
                action = str(one["action"])
                if len(action) not in ACTION_LENGTHS or not any(
                    legal["id"] == action for legal in request["legal"]
                ):
                    _require_allowed(request)
                    self._mistakes.chose(action, request["phase"], request["request_id"])
                answers.append(one)
                if self._recorder is not None:
                    self._recorder.keep(request, one)
            except BaseException as error:  # see __call__
                # The first failure is told where it is the answer, and a refusal is no mistake.
                if (failure is not None or answers) and not isinstance(error, HttpError):
                    self._mistakes.raised(error)
                failure = failure or _at_fault(error, request)
                if self._recorder is not None:
                    self._recorder.keep(request, None, f"{type(error).__name__}: {error}")
        if not answers and failure is not None:
            raise failure
        return {"answers": answers}


_ROUTES = {
    "/": _Route(("GET", "HEAD"), BotApp.info),
    "/start": _Route(("POST",), BotApp.start),
    "/act": _Route(("POST",), BotApp.act),
    "/end": _Route(("POST",), BotApp.end),
}

_REQUEST_ID = re.compile(r"[0-9A-Za-z_.:-]{1,100}")
"""As the schema has it; an answer repeats it."""

ACTION_LENGTHS = range(1, 65)
MOST_REQUESTS = 64
"""As the schema has them."""

_STATUS_LINES = {status: f"{status.value} {status.phrase}" for status in HTTPStatus}


def _webhook_headers(environ: Environ) -> dict[str, str]:
    return {
        name: environ.get("HTTP_" + name.upper().replace("-", "_"), "")
        for name in ("webhook-id", "webhook-timestamp", "webhook-signature")
    }


def _error(status: HTTPStatus, message: str) -> bytes:
    return orjson.dumps({"ok": False, "status": status.value, "error": message})


def _object(body: bytes) -> dict[str, Any]:
    try:
        document = orjson.loads(body)
    except orjson.JSONDecodeError as error:
        raise HttpError(HTTPStatus.BAD_REQUEST, f"the body is not JSON: {error}") from None
    if not isinstance(document, dict):
        raise HttpError(HTTPStatus.BAD_REQUEST, "the body must be a JSON object")
    protocol = document.get("protocol", "1.0")
    if not (isinstance(protocol, str) and protocol.partition(".")[0] == "1"):
        raise HttpError(
            HTTPStatus.BAD_REQUEST, f"protocol {protocol!r} is unknown; this bot speaks 1.0"
        )
    return document


def _at_fault(error: BaseException, request: dict[str, Any]) -> BaseException:
    """The bot's own error, or a refusal if it was asked something that the protocol rules out."""
    try:
        _require_allowed(request)
    except HttpError as refusal:
        return refusal
    return error


def _require_allowed(request: dict[str, Any]) -> None:
    """Refuse what the protocol rules out.

    Only asked when the bot has failed, so that good requests cost nothing. Fields that are not
    known are none of a bot's business.
    """
    from arena.wire import schemas

    known = schemas.documents()["decision"]["properties"]
    asked = {name: value for name, value in request.items() if name in known}
    if not schemas.is_valid("decision", asked):
        raise HttpError(HTTPStatus.BAD_REQUEST, schemas.explain("decision", asked)[:500])


def _requests(document: dict[str, Any]) -> Sequence[dict[str, Any]]:
    requests = document.get("requests")
    if not isinstance(requests, list) or not requests:
        raise HttpError(HTTPStatus.BAD_REQUEST, "requests must be a list of decision requests")
    if len(requests) > MOST_REQUESTS:
        raise HttpError(
            HTTPStatus.BAD_REQUEST,
            f"requests holds {len(requests)} decisions; send at most {MOST_REQUESTS} at a time",
        )
    for request in requests:
        if not isinstance(request, dict):
            raise HttpError(HTTPStatus.BAD_REQUEST, "each of requests must be an object")
        id = request.get("request_id")
        if not isinstance(id, str) or not _REQUEST_ID.fullmatch(id) or not request.get("legal"):
            raise HttpError(
                HTTPStatus.BAD_REQUEST, "each of requests needs a request_id and a list legal"
            )
    return requests
