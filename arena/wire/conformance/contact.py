"""Checks: can the bot be reached, and what does it say of itself at ``GET /``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from arena.errors import ArenaError
from arena.referee.decision import PROTOCOL
from arena.referee.verdicts import BotFault, FaultCode
from arena.rules.games import all_variants, claims_of, families
from arena.wire import messages, schemas
from arena.wire.conformance.steps import StepFailed, StepSkipped, StepWarning, plural
from arena.wire.conformance.visit import Check, Visit
from arena.wire.strict_json import loads

CONTACT = "Contact"
INFORMATION = "Information"

FIELDS = {
    "protocols": f'list the protocol versions it speaks; "{PROTOCOL}" must be one of them',
    "name": "one line of 1 to 64 characters that names the bot",
    "author": "one line of 1 to 64 characters that says who wrote it",
    "version": "one line of 1 to 64 characters; change it when the bot plays differently",
    "games": 'list games, or families such as gin_family, or ["*"] for all',
    "max_batch": "a whole number from 1 to 64",
    "max_concurrency": "a whole number from 1 to 16",
    "color": "leave it out, or write #rrggbb",
    "homepage": "leave it out, or write an http(s) address",
}


def checks() -> Iterator[Check]:
    """The checks in their order."""
    yield Check(
        CONTACT,
        "answers GET / with status 200",
        "start the bot, let it listen at this address, and answer GET / with its information",
        _reach,
    )
    yield Check(
        CONTACT,
        "keeps the connection open between requests",
        "speak HTTP/1.1 with Content-Length and do not close; a new connection for each decision "
        "costs time that counts",
        _keeps_alive,
    )
    yield Check(
        CONTACT,
        "accepts a second connection beside the first",
        "serve several connections at once: with a threading server (ThreadingHTTPServer in "
        "Python) or an asynchronous one",
        _second_connection,
    )
    yield Check(
        INFORMATION,
        "is one strict JSON object",
        "answer GET / with a JSON object: UTF-8, no NaN, each key once",
        _is_json,
    )
    for field, fix in FIELDS.items():
        yield Check(INFORMATION, f"field {field} is in order", fix, _field(field))
    yield Check(
        INFORMATION,
        "has no unknown fields",
        "remove them; a later protocol may give them a meaning",
        _no_unknown,
    )
    yield Check(
        INFORMATION,
        "names games that exist",
        "use names of the arena's games, or of families of games: " + ", ".join(families()),
        _games_exist,
    )
    yield Check(
        INFORMATION,
        "is sent as application/json",
        "set the header Content-Type: application/json",
        _content_type,
    )
    yield Check(
        INFORMATION,
        "is the same when asked again",
        "let GET / depend on nothing that changes while the bot runs",
        _same_again,
    )


def _reach(visit: Visit) -> str:
    try:
        received = visit.get()
    except BotFault as fault:
        visit.blocked = "the bot did not answer GET /"
        raise StepFailed(str(fault), fault) from None
    try:
        value = loads(received.body)
    except ArenaError:
        value = None
    if isinstance(value, dict):
        visit.raw_info, visit.is_informed = value, True
    try:
        visit.info = messages.parse_info(received.body)
    except BotFault:
        pass  # the steps on the fields say what is wrong
    return f"{received.elapsed_ms:.1f} ms"


def _keeps_alive(visit: Visit) -> str:
    before = visit.client.line.connects
    for _ in range(3):
        visit.get()
    made = visit.client.line.connects - before
    if made > 1 or (made and before):
        raise StepWarning(f"{plural(made, 'new connection')} for 3 requests")
    return "3 requests on one connection"


def _second_connection(visit: Visit) -> str:
    with visit.connect() as first, visit.connect() as second:
        try:
            answers = [second.call("GET", "/"), first.call("GET", "/")]
        except TimeoutError:
            raise StepFailed("no answer on one connection while another is open") from None
        except BotFault as fault:
            if fault.code is not FaultCode.TIMEOUT:
                raise
            raise StepFailed("no answer on one connection while another is open") from None
    if any(answer.status != 200 for answer in answers):
        raise StepFailed(f"statuses {[answer.status for answer in answers]}")
    return ""


def _is_json(visit: Visit) -> str:
    value = loads(visit.get().body)
    if not isinstance(value, dict):
        raise StepFailed("it is JSON, but no object")
    return ""


def _with_only(info: dict[str, Any], field: str) -> dict[str, Any]:
    """A faultless information but for this field of the bot's."""
    good: dict[str, Any] = {
        "protocols": [PROTOCOL],
        "name": "x",
        "author": "x",
        "version": "1",
        "games": ["*"],
        "max_batch": 1,
        "max_concurrency": 1,
    }
    good.pop(field, None)
    if field in info:
        good[field] = info[field]
    return good


def _field(field: str) -> Any:
    def run(visit: Visit) -> str:
        if not visit.is_informed:
            raise StepSkipped("GET / answers no JSON object")
        problems = schemas.problems("info", _with_only(visit.raw_info, field))
        if problems:
            raise StepFailed(str(problems[0]))
        return str(visit.raw_info.get(field, "left out"))[:80]

    return run


def _no_unknown(visit: Visit) -> str:
    unknown = sorted(set(visit.raw_info) - set(FIELDS))
    if unknown:
        raise StepFailed(f"unknown: {', '.join(unknown)[:200]}")
    return ""


def _games_exist(visit: Visit) -> str:
    known = {"*"}
    for variant in all_variants():
        known |= set(claims_of(variant))
    claimed = visit.info.games if visit.info is not None else ()
    unknown = [name for name in claimed if name not in known]
    if unknown and len(unknown) == len(claimed):
        raise StepFailed(f"none of them is known here: {', '.join(unknown)[:200]}")
    if unknown:
        raise StepWarning(f"not known here: {', '.join(unknown)[:200]}")
    return plural(len(visit.variants), "variant")


def _content_type(visit: Visit) -> str:
    answer = visit.raw("GET", "/")
    kind = answer.headers.get("content-type", "")
    if kind.partition(";")[0].strip().lower() != "application/json":
        raise StepWarning(f"Content-Type is {kind[:80]!r}")
    return kind[:80]


def _same_again(visit: Visit) -> str:
    again = loads(visit.get().body)
    if again != visit.raw_info:
        raise StepWarning("two calls gave different information")
    return ""
