"""Writes ``protocol/openapi.yaml`` from the schemas: ``python -m arena.wire.openapi``.

A tool for the people who change the protocol; nothing else imports it. The schemas are the truth,
the OpenAPI document is a view of them for tools that want one, so never edit it by hand.
"""

from __future__ import annotations

import json
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

from arena.referee.decision import PROTOCOL
from arena.wire import schemas

JSON = "application/json"

HEADER = "# Written by `python -m arena.wire.openapi` from schemas/*.json. Edit those instead.\n"


def document() -> dict[str, Any]:
    """The OpenAPI 3.1 document of the four calls that a bot answers."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Gin arena bot protocol",
            "version": PROTOCOL,
            "summary": "What a bot's HTTP server answers.",
            "description": "The arena is the client, the bot is the server. README.md beside this "
            "file explains the calls, schemas/*.json are the contract.",
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "http://127.0.0.1:8000", "description": "Wherever the bot listens."}],
        "security": [],
        "tags": [
            {"name": "asked", "description": "Calls whose reply counts."},
            {"name": "told", "description": "Advisory calls; whether they arrive changes nothing."},
        ],
        "paths": {
            "/": {"get": _get_info()},
            "/act": {"post": _act()},
            "/start": {"post": _told("start", "A match begins")},
            "/end": {"post": _told("end", "A hand, a game or the match ended")},
        },
        "components": {"schemas": _components(), "parameters": _SIGNATURE},
    }


def text() -> str:
    """The document as YAML."""
    import yaml  # of the test extra: the arena itself neither reads nor writes YAML

    plain = json.loads(json.dumps(document()))
    body = yaml.safe_dump(plain, sort_keys=False, allow_unicode=True, width=100)
    return HEADER + body


def main(folder: Path | None = None) -> None:
    """Write the file into the protocol folder, or into another."""
    with as_file(files("arena.protocol")) as ours:
        (folder or ours).joinpath("openapi.yaml").write_text(text(), encoding="utf-8")


def _ref(name: str) -> dict[str, Any]:
    return {"$ref": f"#/components/schemas/{name}"}


def _signed() -> list[dict[str, Any]]:
    return [{"$ref": f"#/components/parameters/{name}"} for name in _SIGNATURE]


def _get_info() -> dict[str, Any]:
    return {
        "operationId": "info",
        "tags": ["asked"],
        "summary": "Say what the bot is and what it can do",
        "description": "Asked when the bot is registered and, to warm it up, before a match.",
        "parameters": _signed(),
        "responses": {
            "200": {
                "description": "What the bot is.",
                "content": {JSON: {"schema": _ref("info")}},
            },
            **_REFUSED,
        },
    }


def _act() -> dict[str, Any]:
    return {
        "operationId": "act",
        "tags": ["asked"],
        "summary": "Decide",
        "description": "The only call that can cost a game. Any status but 200 is a fault.",
        "parameters": _signed(),
        "requestBody": {"required": True, "content": {JSON: {"schema": _ref("act_request")}}},
        "responses": {
            "200": {
                "description": "An answer for each decision.",
                "content": {JSON: {"schema": _ref("act_reply")}},
            },
            **_REFUSED,
        },
    }


def _told(name: str, summary: str) -> dict[str, Any]:
    return {
        "operationId": name,
        "tags": ["told"],
        "summary": summary,
        "parameters": _signed(),
        "requestBody": {"required": True, "content": {JSON: {"schema": _ref(name)}}},
        "responses": {"2XX": {"description": "Anything; the body is not read."}, **_REFUSED},
    }


_REFUSED: dict[str, Any] = {
    "4XX": {
        "description": "Not a call of this protocol: no JSON, another shape, too large, or a "
        "signature that is missing, wrong, stale or repeated."
    }
}
_SIGNATURE: dict[str, Any] = {
    name: {
        "name": name,
        "in": "header",
        "required": False,
        "description": f"{meaning} Sent when the bot was registered with a secret.",
        "schema": {"type": "string"},
    }
    for name, meaning in (
        ("webhook-id", "Names this message."),
        ("webhook-timestamp", "Seconds since 1970."),
        ("webhook-signature", "v1, then the Base64 HMAC-SHA256; several separated by spaces."),
    )
}


def _components() -> dict[str, Any]:
    """Messages and definitions under one roof, their references bent to it."""
    found: dict[str, Any] = {}
    for name, schema in schemas.documents().items():
        if name != "defs":
            found[name] = _bent({k: v for k, v in schema.items() if k not in ("$id", "$schema")})
    for name, schema in schemas.documents()["defs"]["$defs"].items():
        found[name] = _bent(schema)
    return found


def _bent(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_bent(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    bent = {key: _bent(value) for key, value in schema.items()}
    if isinstance(schema.get("$ref"), str):
        target = schema["$ref"].rpartition("/")[2].removesuffix(".json")
        bent["$ref"] = f"#/components/schemas/{target}"
    return bent


if __name__ == "__main__":
    main()
