"""The protocol for bot authors: its text, schemas, examples and OpenAPI document, as shipped."""

from __future__ import annotations

import importlib.resources
import re
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from flask import Blueprint, Response, abort, current_app
from markupsafe import Markup

from arena.site.http.respond import page, route, urls, validated
from arena.site.markdown import Heading, Rendered, render
from arena.site.views.parts import Named

blueprint = Blueprint("protocol", __name__)

TYPES = {".json": "application/json", ".yaml": "text/plain", ".md": "text/markdown"}
PART = re.compile(r"[a-z0-9_][a-z0-9_.-]*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class TextPage:
    """A page of text with its table of contents; ``files`` are what belongs to it."""

    template: ClassVar[str] = "text.html"
    title: str
    about: str
    html: str
    headings: tuple[Heading, ...]
    files: tuple[Named, ...]


def folder() -> Path:
    """Where the protocol's files are."""
    return Path(str(importlib.resources.files("arena.protocol")))


def _text(name: str) -> Rendered:
    cache: dict[str, Rendered] = current_app.config.setdefault("TEXTS", {})
    if name not in cache:
        file = folder() / name
        if not file.is_file():
            abort(404, "This text is not part of this version.")
        cache[name] = render(file.read_text("utf-8"), urls().path("/protocol/"))
    return cache[name]


def _files() -> tuple[Named, ...]:
    found = [
        *sorted((folder() / "schemas").glob("*.json")),
        *sorted(folder().glob("*.yaml")),
        *sorted((folder() / "vectors").glob("*.json")),
    ]
    return tuple(
        Named(name, urls().path(f"/protocol/{name}"))
        for name in (file.relative_to(folder()).as_posix() for file in found)
    )


@route(blueprint, "/protocol")
def protocol() -> Response:
    """How a bot talks to the arena."""
    text = _text("README.md")
    return page(
        TextPage(
            text.title or "The protocol",
            "How a bot talks to the arena: four HTTP calls, JSON, and a schema for each message.",
            Markup(text.html),
            text.headings,
            (*_files(), Named("Changes", urls().path("/protocol/CHANGELOG.md"))),
        )
    )


@blueprint.get("/protocol/<path:name>")
def file(name: str) -> Response:
    """A file of the protocol: texts as pages, everything else as it is."""
    name = name.removesuffix(".json") if name.endswith(".md.json") else name
    parts = name.split("/")
    if not all(PART.fullmatch(part) for part in parts):
        abort(404)
    path = folder().joinpath(*parts)
    if path.suffix not in TYPES or not path.is_file():
        abort(404, "The protocol has no such file.")
    if path.suffix == ".md":
        text = _text(name)
        return page(
            TextPage(text.title or name, "Part of the protocol.", Markup(text.html),
                     text.headings, ())
        )  # fmt: skip
    return validated(Response(path.read_bytes(), mimetype=TYPES[path.suffix]))
