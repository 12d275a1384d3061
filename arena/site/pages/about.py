"""What is protected from whom, and the description of the API."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from flask import Blueprint, Response

from arena.site.api.openapi import JSON, document
from arena.site.http.respond import json_answer, page, route, urls

blueprint = Blueprint("about", __name__)


@dataclass(frozen=True, slots=True)
class Shown:
    """A row of the table: a thing, and what each kind of reader sees of it."""

    thing: str
    everybody: str
    owner: str
    organiser: str


@dataclass(frozen=True, slots=True)
class AboutPage:
    """Who sees what."""

    template: ClassVar[str] = "about.html"
    shown: tuple[Shown, ...]


@dataclass(frozen=True, slots=True)
class BodyField:
    """A field of the JSON object that a call takes. ``kind``: its JSON type."""

    name: str
    kind: str
    needed: bool
    text: str


@dataclass(frozen=True, slots=True)
class Call:
    """A call of the API for people. ``who``: whose token it takes, empty for nobody's."""

    method: str
    path: str
    summary: str
    who: str
    fields: tuple[BodyField, ...]


@dataclass(frozen=True, slots=True)
class ApiPage:
    """Every call of the API."""

    template: ClassVar[str] = "api.html"
    calls: tuple[Call, ...]
    document_url: str


TABLE = (
    Shown("Standings, results, schedules, brackets", "yes", "yes", "yes"),
    Shown("Hands that are over: endings and points", "yes", "yes", "yes"),
    Shown("Their cards, actions and times", *["when nobody can be dealt them again"] * 3),
    Shown("A hand in play: cards, deals, stock", "no", "no", "no"),
    Shown("Commitment to a tournament's secret", "from the start", "from the start",
          "from the start"),
    Shown("The secret of a tournament", "when it is over", "when it is over", "when it is over"),
    Shown("A bot's address", "no", "its own", "no"),
    Shown("A bot's signing secret", "no", "once, when it is made", "no"),
    Shown("Owner's and organiser's tokens", "no", "once, when they are made", "no"),
    Shown("Report of a bot's check", "no", "its own", "yes"),
    Shown("Reason codes of faults", "yes", "yes", "yes"),
    Shown("Details of faults", "no", "its own", "yes"),
    Shown("The database file, with secrets, addresses and deals to come", "no", "no",
          "who may read the file"),
)  # fmt: skip


@route(blueprint, "/about")
def about() -> Response:
    """Who sees what."""
    return page(AboutPage(TABLE))


@blueprint.get("/api/openapi.json")
def openapi() -> Response:
    """The OpenAPI document."""
    return json_answer(document(urls().base + urls().root))


@route(blueprint, "/api")
def api() -> Response:
    """The API for people."""
    calls = tuple(
        Call(
            method.upper(),
            path,
            str(call["summary"]),
            " or ".join(name for one in call.get("security", ()) for name in one),
            _fields(call),
        )
        for path, methods in document("")["paths"].items()
        for method, call in methods.items()
    )
    return page(ApiPage(calls, urls().path("/api/openapi.json")))


def _fields(call: Mapping[str, Any]) -> tuple[BodyField, ...]:
    """What its body may hold, needed fields first."""
    if "requestBody" not in call:
        return ()
    schema = call["requestBody"]["content"][JSON]["schema"]
    needed = schema.get("required", ())
    made = [
        BodyField(name, str(one.get("type", "")), name in needed, str(one.get("description", "")))
        for name, one in schema["properties"].items()
    ]
    return tuple(sorted(made, key=lambda field: not field.needed))
