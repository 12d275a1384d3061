"""The OpenAPI 3.1 document of the site, made from the routes' own contexts.

Every page's JSON twin is its context, so the schemas are read off the dataclasses and cannot
drift from what is sent.
"""

from __future__ import annotations

import dataclasses
import inspect
import re
import types
import typing
from collections.abc import Mapping
from enum import Enum
from typing import Any

from arena import __version__
from arena.site.api.openapi_texts import FIELD_TEXTS, PATH_TEXTS, QUERY_TEXTS, WHO_MAY

JSON = "application/json"
REF = "#/components/schemas/"
JSON_WORDS = {"None": "null", "True": "true", "False": "false"}


class Schemas:
    """Collects the schemas of dataclasses by name."""

    def __init__(self) -> None:
        self.found: dict[str, Any] = {}
        self._kinds: dict[str, type] = {}

    def of(self, kind: Any) -> dict[str, Any]:
        """The schema of a type."""
        origin, args = typing.get_origin(kind), typing.get_args(kind)
        if origin in (typing.Union, types.UnionType):
            return {"anyOf": [self.of(one) for one in args]}
        if origin is tuple:
            if len(args) == 2 and args[1] is Ellipsis:
                return {"type": "array", "items": self.of(args[0])}
            return {
                "type": "array",
                "prefixItems": [self.of(one) for one in args],
                "minItems": len(args),
                "maxItems": len(args),
            }
        if origin is not None and issubclass(origin, Mapping):
            return {"type": "object", "additionalProperties": self.of(args[1])}
        return self._plain(kind)

    def _plain(self, kind: Any) -> dict[str, Any]:
        if dataclasses.is_dataclass(kind) and isinstance(kind, type):
            return self._record(kind)
        if kind is types.NoneType:
            return {"type": "null"}
        if isinstance(kind, type) and issubclass(kind, Enum):
            return {"type": "string"}
        names = {str: "string", bool: "boolean", int: "integer", float: "number"}
        return {"type": names[kind]} if kind in names else {}

    def _record(self, kind: type) -> dict[str, Any]:
        name = kind.__name__
        if self._kinds.setdefault(name, kind) is not kind:
            raise TypeError(f"two contexts are called {name}; rename one")
        if name not in self.found:
            self.found[name] = {}
            hints = typing.get_type_hints(kind)
            fields = [field.name for field in dataclasses.fields(kind)]
            self.found[name] = {
                "type": "object",
                "description": _told(kind),
                "properties": {field: self.of(hints[field]) for field in fields},
                "required": fields,
                "additionalProperties": False,
            }
        return {"$ref": REF + name}

    def page(self, kind: type) -> dict[str, Any]:
        """The schema of a page's JSON twin: its context, with ``ok`` before it."""
        self.of(kind)
        name = f"{kind.__name__}Answer"
        record = self.found[kind.__name__]
        self.found[name] = {
            **record,
            "properties": {"ok": {"const": True}, **record["properties"]},
            "required": ["ok", *record["required"]],
        }
        return {"$ref": REF + name}


def _told(kind: type) -> str:
    """The docstring of ``kind`` as CommonMark, which descriptions are, with JSON's words."""
    text = inspect.cleandoc(kind.__doc__ or "").replace("``", "`")
    return re.sub(r"\b(None|True|False)\b", lambda word: JSON_WORDS[word[1]], text)


def document(server: str) -> dict[str, Any]:
    """The whole document; ``server`` is the address of the site."""
    from arena.site.api.openapi_calls import ACTIONS, PAGES

    schemas = Schemas()
    schemas.found["Error"] = ERROR
    paths: dict[str, Any] = {}
    for path, kind, summary, query in PAGES:
        paths[path] = {
            "get": {
                "operationId": _id("get", path),
                "summary": summary,
                "description": f"{summary}. What the page at this address without .json shows.",
                "parameters": [*_path_parameters(path), *map(_query_parameter, query)],
                "responses": {
                    "200": _answer("The page's context", schemas.page(kind)),
                    "301": {"description": "The right address of the same thing"},
                    "304": {"description": "Not changed since the entity tag that was sent"},
                    **_errors("401", "403", "404"),
                },
            }
        }
    for method, path, summary, security, fields, status in ACTIONS:
        paths.setdefault(path, {})[method] = {
            "operationId": _id(method, path),
            "summary": summary,
            "description": f"{summary}. {WHO_MAY[security]}",
            "security": [{security: []}] if security else [],
            "parameters": _path_parameters(path),
            "requestBody": {"content": {JSON: {"schema": _body(fields)}}},
            "responses": {
                status: _answer("Done", {"type": "object", "properties": {"ok": {"const": True}}}),
                **_errors("400", "401", "403", "404", "409", "413", "422", "429", "503"),
            },
        }
    bearer = {"type": "http", "scheme": "bearer"}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Gin arena",
            "version": __version__,
            "description": "Every page has a JSON twin at its address with `.json`. Entity tags "
            "make asking again cheap. Whatever changes something takes a JSON object and a token. "
            "Every failure is `{ok, status, error}`: 400 for what cannot be read (no JSON, no "
            "object, an unknown field, a wrong type), 413 for more than 128 KiB, 422 for what can "
            "be read and is refused; the text names the field and the fix.",
        },
        "servers": [{"url": server or "/"}],
        "paths": paths,
        "components": {
            "schemas": schemas.found,
            "securitySchemes": {"owner": bearer, "organiser": bearer},
        },
    }


NUMBER = {"type": "integer", "minimum": 0, "maximum": 999_999_999}
ERROR = {
    "type": "object",
    "properties": {
        "ok": {"const": False},
        "status": {"type": "integer"},
        "error": {"type": "string"},
    },
    "required": ["ok", "status", "error"],
    "additionalProperties": False,
}


def _id(method: str, path: str) -> str:
    words = "".join(mark if mark.isalnum() else " " for mark in path).split()
    return "_".join([method, *words])


def _answer(text: str, schema: Mapping[str, Any]) -> dict[str, Any]:
    return {"description": text, "content": {JSON: {"schema": schema}}}


def _errors(*statuses: str) -> dict[str, Any]:
    return {status: _answer("See the text", {"$ref": REF + "Error"}) for status in statuses}


def _path_parameters(path: str) -> list[dict[str, Any]]:
    kinds: dict[str, dict[str, Any]] = {
        "game": NUMBER,
        "number": NUMBER,
        "bot_id": NUMBER,
        "bot": {"type": "string", "pattern": "^[0-9]{1,9}-[a-z0-9]+(-[a-z0-9]+)*$"},
        "slug": {"type": "string", "pattern": "^[a-z0-9]+(-[a-z0-9]+)*$"},
        "match": {"type": "string", "pattern": "^[A-Za-z0-9_-]{1,64}$"},
    }
    names = [part.split("}")[0] for part in path.split("{")[1:]]
    return [
        {"name": name, "in": "path", "required": True, "description": PATH_TEXTS[name],
         "schema": kinds.get(name, {"type": "string", "minLength": 1})}
        for name in names
    ]  # fmt: skip


def _query_parameter(name: str) -> dict[str, Any]:
    return {"name": name, "in": "query", "required": False, "description": QUERY_TEXTS[name],
            "schema": {"type": "string"}}  # fmt: skip


def _body(fields: Mapping[str, str]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {
            name.removesuffix("*"): _field(name.removesuffix("*"), kind)
            for name, kind in fields.items()
        },
        "required": [name.removesuffix("*") for name in fields if name.endswith("*")],
        "additionalProperties": False,
    }


def _field(name: str, kind: str) -> dict[str, Any]:
    items = {"items": {"type": "string"}} if kind == "array" else {}
    return {"type": kind, **items, "description": FIELD_TEXTS[name]}
