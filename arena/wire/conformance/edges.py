"""Checks: HTTP as strangers speak it, which never happens in a match and always happens outside."""

from __future__ import annotations

import http.client
import threading
from collections.abc import Callable, Iterator

from arena.referee.verdicts import BotFault
from arena.wire import messages
from arena.wire.conformance.raw import RawAnswer
from arena.wire.conformance.steps import StepFailed, StepWarning, status_failure
from arena.wire.conformance.visit import Check, Visit

HTTP = "HTTP"

IDLE_S = 1.5
"""Between two decisions of a bot the opponent thinks: so long at least a connection should live."""
BIG_BODY = 1 << 20


def checks() -> Iterator[Check]:
    """The checks in their order."""
    for title, fix, run in EDGES:
        yield Check(HTTP, title, fix, run)


def _content_type(visit: Visit) -> str:
    body = messages.act_body([visit.some(1)[0].request])
    answer = visit.raw("POST", "/act", body)
    kind = answer.headers.get("content-type", "")
    if kind.partition(";")[0].strip().lower() != "application/json":
        raise StepWarning(f"Content-Type is {kind[:80]!r}")
    return kind[:80]


def _idle(visit: Visit) -> str:
    with visit.connect() as connection:
        if not connection.call("GET", "/").kept:
            raise StepWarning("the bot closes after every answer")
        threading.Event().wait(IDLE_S)
        if not connection.is_open():
            raise StepWarning(f"closed within {IDLE_S} s")
        connection.call("GET", "/")
    return ""


def _head(visit: Visit) -> str:
    try:
        with visit.connect() as connection:
            answer = connection.call("HEAD", "/")
            after = connection.call("GET", "/") if answer.kept and connection.is_open() else None
    except (BotFault, OSError, http.client.HTTPException) as error:
        raise StepWarning(f"no proper answer to HEAD: {error or type(error).__name__}") from None
    if answer.status >= 500:
        raise StepWarning(f"status {answer.status}")
    if after is not None and after.status != 200:
        raise StepWarning("a body was sent, and spoils the next answer on the connection")
    return f"status {answer.status}"


def _refused(method: str, path: str, body: bytes) -> Callable[[Visit], str]:
    """Something that must not be answered as if it were a decision."""

    def run(visit: Visit) -> str:
        answer = _answer_or_none(visit, method, path, body)
        _still_plays(visit)
        if answer is None:
            raise StepWarning("the connection was closed without an answer")
        if answer.status >= 500:
            raise StepWarning(f"status {answer.status}")
        if answer.status < 400:
            raise StepWarning(f"status {answer.status}, as if all were well")
        return f"status {answer.status}"

    return run


def _answer_or_none(visit: Visit, method: str, path: str, body: bytes) -> RawAnswer | None:
    try:
        return visit.raw(method, path, body)
    except StepFailed:
        return None


def _big_body(visit: Visit) -> str:
    body = b'{"protocol": "1.0", "filler": "' + b"x" * BIG_BODY + b'"}'
    answer = _answer_or_none(visit, "POST", "/act", body)
    _still_plays(visit)
    if answer is None:
        return "the connection was closed"  # while it is sent, that is a way to refuse it
    if answer.status < 400 or answer.status >= 500:
        raise StepWarning(f"status {answer.status}")
    return f"status {answer.status}"


def _pieces(visit: Visit) -> str:
    body = messages.act_body([visit.some(1)[0].request])
    with visit.connect() as connection:
        request = connection.head("POST", "/act", body) + body
        third = len(request) // 3
        for piece in (request[:third], request[third : 2 * third], request[2 * third :]):
            connection.send(piece)
            threading.Event().wait(0.05)
        answer = connection.receive()
    if answer.status != 200:
        raise status_failure(answer.status)
    return "3 pieces"


def _lower_case(visit: Visit) -> str:
    body = messages.act_body([visit.some(1)[0].request])
    with visit.connect() as connection:
        head = connection.head("POST", "/act", body)
        first, _, lines = head.partition(b"\r\n")
        lowered = b"\r\n".join(
            name.lower() + colon + text
            for name, colon, text in (line.partition(b":") for line in lines.split(b"\r\n"))
        )
        connection.send(first + b"\r\n" + lowered + body)
        answer = connection.receive()
    if answer.status != 200:
        raise status_failure(answer.status)
    return ""


def _goes_away(visit: Visit) -> str:
    body = messages.act_body([visit.some(1)[0].request])
    for _ in range(3):
        with visit.connect() as connection:
            connection.send(connection.head("POST", "/act", body) + body[: len(body) // 2])
    _still_plays(visit)
    return "3 broken requests"


def _garbage(visit: Visit) -> str:
    for garbage in (
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"\r\n\r\n",
        b"NONSENSE\r\n\r\n",
    ):
        with visit.connect() as connection:
            connection.send(garbage)
    _still_plays(visit)
    return "3 connections"


def _still_plays(visit: Visit) -> None:
    """The bot goes on as if nothing had happened."""
    try:
        visit.get()
    except BotFault as fault:
        raise StepFailed(f"afterwards the bot does not answer any more: {fault}") from None


EDGES: tuple[tuple[str, str, Callable[[Visit], str]], ...] = (
    (
        "answers to decisions are application/json",
        "set the header Content-Type: application/json",
        _content_type,
    ),
    (
        f"an idle connection lives for {IDLE_S} s",
        "raise the keep-alive timeout of the server, best to a minute or more",
        _idle,
    ),
    ("HEAD / is answered without a body", "send headers only, or refuse it with 405", _head),
    (
        "an unknown path is refused",
        "answer 404, after reading the request's body",
        _refused("POST", "/no/such/path", b'{"a":1}'),
    ),
    (
        "GET /act is refused",
        "answer 405: decisions are asked with POST",
        _refused("GET", "/act", b""),
    ),
    (
        "a body that is no JSON is refused",
        "answer 400; an exception that ends in 500 is no answer to garbage",
        _refused("POST", "/act", b'{"protocol": "1.0", "requests": [{'),
    ),
    ("an empty body is refused", "answer 400", _refused("POST", "/act", b"")),
    (
        "JSON of another shape is refused",
        "answer 400 unless there is a list of requests",
        _refused("POST", "/act", b'["not", "an", "object"]'),
    ),
    (
        "a body of a megabyte does no harm",
        "limit the size of bodies, and answer 413 to larger ones",
        _big_body,
    ),
    (
        "a request in pieces is put together",
        "read until Content-Length bytes are there; one read is not enough",
        _pieces,
    ),
    (
        "header names in lower case are understood",
        "compare header names without regard to case",
        _lower_case,
    ),
    (
        "a client that goes away in the middle does no harm",
        "let a broken connection end its own request only",
        _goes_away,
    ),
    (
        "bytes that are no HTTP do no harm",
        "let a broken request end its own connection only",
        _garbage,
    ),
)
"""The checks in their order: what is seen, what to do when it is not, how to look."""
