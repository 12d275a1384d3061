"""The messages of the protocol as Python values: what is sent as bytes, what came back as values.

Everything that leaves is checked against its schema first, everything that arrives is parsed
strictly and then checked. Whatever a bot sends, the worst that comes out is a `BotFault`. Nothing
here opens a connection or knows the rules of a game.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, cast

import orjson

from arena.nearest import did_you_mean
from arena.referee.decision import PROTOCOL
from arena.referee.verdicts import BotFault, FaultCode
from arena.rules.base import Melds
from arena.wire import schemas
from arena.wire.strict_json import StrictJsonError, loads

MOST_ANSWERS = 64
"""As the schema of the reply has it."""

MOST_KNOWN_RULES = 64

_known_rules: dict[int, object] = {}
"""Rules that were found valid, by identity; kept, so that nothing else can take their place."""


@dataclass(frozen=True, slots=True)
class BotInfo:
    """What a bot says of itself at ``GET /``.

    ``games``: variants, families such as ``gin_family``, ``"*"`` for all. ``max_batch``: most
    decisions in a request. ``max_concurrency``: most requests at a time. ``color``: ``#rrggbb`` in
    lower case.
    """

    name: str
    author: str
    version: str
    games: tuple[str, ...]
    max_batch: int
    max_concurrency: int
    protocols: tuple[str, ...] = (PROTOCOL,)
    color: str | None = None
    homepage: str | None = None

    def plays(self, *names: str) -> bool:
        """Whether the bot plays a game that goes by any of these names, see `games.claims_of`."""
        return "*" in self.games or any(name in self.games for name in names)


class ReplyItem(NamedTuple):
    """The answer to one decision, in order by its schema; whether it is legal is not known yet.

    The fields are those of `arena.referee.asks.Answer`, in its order.
    """

    action: str
    melds: Melds | None
    note: str | None


def act_body(requests: Sequence[dict[str, object]]) -> bytes:
    """The body of ``POST /act`` for these decision requests.

    :raises schemas.InvalidMessage: the arena's own bug; nothing may be sent then.
    """
    checked = [_without_known_rules(request) for request in requests]
    schemas.require("act_request", {"protocol": PROTOCOL, "requests": checked})
    for request in requests:
        rules = request["rules"]
        if id(rules) not in _known_rules:
            if len(_known_rules) >= MOST_KNOWN_RULES:
                _known_rules.clear()
            _known_rules[id(rules)] = rules
    return orjson.dumps({"protocol": PROTOCOL, "requests": requests})


def _without_known_rules(request: dict[str, object]) -> dict[str, object]:
    """What is left to check of a request: its rules are the same object hand after hand."""
    if id(request.get("rules")) not in _known_rules:
        return request
    return {**request, "rules": {}}


def start_body(payload: Mapping[str, object]) -> bytes:
    """The body of ``POST /start``.

    :raises schemas.InvalidMessage: the arena's own bug; nothing may be sent then.
    """
    return _body("start", dict(payload))


def end_body(payload: Mapping[str, object]) -> bytes:
    """The body of ``POST /end``.

    :raises schemas.InvalidMessage: the arena's own bug; nothing may be sent then.
    """
    return _body("end", dict(payload))


def parse_info(body: bytes) -> BotInfo:
    """The bot behind a reply to ``GET /``.

    :raises BotFault: `BAD_ENCODING`, `BAD_JSON` or `SCHEMA`, with a sentence for its author.
    """
    value = _parse(body)
    wrong = schemas.explain("info", value)
    if wrong:
        raise BotFault(FaultCode.SCHEMA, wrong)
    info = cast(dict[str, Any], value)
    color = info.get("color")
    return BotInfo(
        name=info["name"],
        author=info["author"],
        version=info["version"],
        games=tuple(info["games"]),
        # JSON Schema counts 8.0 as an integer; what is used as one is one.
        max_batch=int(info["max_batch"]),
        max_concurrency=int(info["max_concurrency"]),
        protocols=tuple(info["protocols"]),
        color=color.lower() if color else None,
        homepage=info.get("homepage"),
    )


def parse_act_reply(
    body: bytes,
    request_ids: Sequence[str],
    legal_by_id: Mapping[str, Collection[str]] | None = None,
    strays: list[str] | None = None,
) -> dict[str, ReplyItem | BotFault]:
    """What the reply says about each request, in the order of ``request_ids``.

    Answers are judged one by one: a malformed one costs only its own request. A reply that is no
    JSON, or has no readable list of answers, costs all of them. Of two answers to one request
    neither counts. Answers that nobody asked for are appended to ``strays`` and change nothing.
    With ``legal_by_id`` an action outside its request's legal ones is `ILLEGAL`.
    """
    try:
        value = _parse(body)
    except BotFault as fault:
        return {id: BotFault(fault.code, fault.detail) for id in request_ids}
    is_valid = schemas.is_valid("act_reply", value)
    if is_valid:
        reply = cast(dict[str, Any], value)
        items: list[Any] | None = reply.get("answers", [reply])
    else:
        items = _salvaged(value)
    if items is None:
        detail = schemas.explain("act_reply", value)
        return {id: BotFault(FaultCode.SCHEMA, detail) for id in request_ids}
    # The items of a valid reply need not be checked again.
    return _judged(
        items, request_ids, legal_by_id or {}, [] if strays is None else strays, check=not is_valid
    )


def _body(name: str, message: dict[str, object]) -> bytes:
    schemas.require(name, message)
    return orjson.dumps(message)


def _parse(body: bytes) -> object:
    try:
        return loads(body)
    except StrictJsonError as error:
        code = FaultCode.BAD_ENCODING if error.not_utf8 else FaultCode.BAD_JSON
        raise BotFault(code, str(error)) from None


def _salvaged(value: object) -> list[Any] | None:
    """The items of an invalid reply whose envelope holds, None if it does not."""
    if not isinstance(value, dict):
        return None
    if "answers" not in value:
        return [value]
    items = value["answers"]
    if set(value) == {"answers"} and isinstance(items, list) and 1 <= len(items) <= MOST_ANSWERS:
        return items
    return None


def _judged(
    items: list[Any],
    request_ids: Sequence[str],
    legal_by_id: Mapping[str, Collection[str]],
    strays: list[str],
    *,
    check: bool,
) -> dict[str, ReplyItem | BotFault]:
    asked = dict.fromkeys(request_ids)
    found: dict[str, ReplyItem | BotFault] = {}
    nameless: list[str] = []
    for place, item in enumerate(items):
        id = item.get("id") if isinstance(item, dict) else None
        if not isinstance(id, str):
            nameless.append(f"answers/{place}: {schemas.explain('defs#answer', item)}")
        elif id not in asked:
            strays.append(id[:100])
        elif id in found:
            found[id] = BotFault(FaultCode.SCHEMA, f"two answers for {id}; send one")
        elif check and (wrong := schemas.explain("defs#answer", item)):
            found[id] = BotFault(FaultCode.SCHEMA, wrong)
        else:
            found[id] = _item(item, legal_by_id.get(id))
    return {id: found.get(id) or _missing(id, nameless, strays) for id in request_ids}


def _item(item: dict[str, Any], legal: Collection[str] | None) -> ReplyItem | BotFault:
    action, melds, note = item["action"], item.get("melds"), item.get("note")
    if legal is not None and action not in legal:
        hint = did_you_mean(action, legal)
        detail = f"{action!r} is not among the {len(legal)} legal actions{hint}"
        return BotFault(FaultCode.ILLEGAL, detail)
    return ReplyItem(
        action,
        None if melds is None else tuple(tuple(meld) for meld in melds),
        None if note is None else _one_line(note),
    )


def _one_line(note: str) -> str:
    """A note that cannot break a record's line or a page: invisible characters become spaces."""
    if note.isprintable():
        return note
    return "".join(mark if mark.isprintable() else " " for mark in note)


def _missing(id: str, nameless: list[str], strays: list[str]) -> BotFault:
    """The fault of a request that no answer names."""
    if nameless:
        return BotFault(FaultCode.SCHEMA, f"no answer names {id}; {nameless[0]}")
    if strays:
        return BotFault(
            FaultCode.UNKNOWN_ID, f"no answer names {id}; {strays[0]!r} was not asked; echo the id"
        )
    return BotFault(FaultCode.UNKNOWN_ID, f"no answer names {id}; answer every request of a batch")
