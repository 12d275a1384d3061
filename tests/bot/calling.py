"""Calls of a bot's application without a socket."""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import Any, NamedTuple

import orjson

from arena.bot.app import BotApp


class Reply(NamedTuple):
    """What came back."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        """The body, parsed."""
        return orjson.loads(self.body)


def call(app: BotApp, path: str, body: bytes | None = None, **environ: Any) -> Reply:
    """One request; a body makes it a POST."""
    seen: list[Any] = []
    full = {
        "REQUEST_METHOD": "GET" if body is None else "POST",
        "PATH_INFO": path,
        "CONTENT_LENGTH": str(len(body)) if body is not None else "",
        "wsgi.input": io.BytesIO(body or b""),
        **environ,
    }
    parts = app(full, lambda status, headers: seen.extend([status, dict(headers)]))
    return Reply(int(seen[0][:3]), seen[1], b"".join(parts))


def act(app: BotApp, *requests: dict[str, Any]) -> Reply:
    """Ask for decisions."""
    return call(app, "/act", orjson.dumps({"protocol": "1.0", "requests": list(requests)}))
