"""What people and programs send: a form or a JSON object, with the same fields and checks.

400 is for what cannot be read: no JSON, no object, a field that is unknown or of a wrong type. What
can be read and is refused, by a `ConfigError` that names the field and the fix, is 422.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any
from urllib.parse import urlsplit

from flask import abort, request

from arena.errors import ConfigError
from arena.wire.strict_json import StrictJsonError, loads

MAX_TEXT = 2048


def sent(known: Collection[str]) -> Mapping[str, Any]:
    """The fields of the form or JSON object that was sent.

    Aborts with 400 when the JSON is none, is no object, or names an unknown field.
    """
    if not request.is_json:
        return {name: request.form[name] for name in known if name in request.form}
    try:
        value = loads(request.get_data())
    except StrictJsonError as error:
        abort(400, f"The body cannot be read: {error}")
    if not isinstance(value, dict):
        abort(400, "Send a JSON object.")
    for name in value:
        if name not in known:
            abort(400, f"Unknown field {name[:60]!r}; known are: {', '.join(sorted(known))}")
    return value


KINDS: Mapping[str, type | tuple[type, ...]] = {
    "string": str,
    "boolean": bool,
    "integer": int,
    "array": list,
    "object": dict,
}
"""What JSON calls a type."""


def require_kinds(values: Mapping[str, Any], kinds: Mapping[str, str]) -> None:
    """Abort with 400 where a value is of another JSON type than its field's; null is none."""
    for name, kind in kinds.items():
        value = values.get(name)
        fits = isinstance(value, KINDS[kind]) and (kind != "integer" or not isinstance(value, bool))
        if value is not None and not fits:
            abort(400, f"{name}: give a JSON {kind}.")


def text(values: Mapping[str, Any], name: str, most: int = MAX_TEXT) -> str:
    """A field as a text without surrounding spaces, empty if it was left out.

    Aborts with 400 when it is no text.

    :raises ConfigError: it is too long.
    """
    value = values.get(name)
    if value is None:
        return ""
    if not isinstance(value, str):
        abort(400, f"{name} must be a text")
    if len(value) > most:
        raise ConfigError(f"{name} has {len(value)} characters; at most {most} are allowed")
    return value.strip()


def whole_number(values: Mapping[str, Any], name: str) -> int:
    """A field that is a whole number: digits in a form, a JSON integer.

    Aborts with 400 when it is something else.

    :raises ConfigError: it was left out.
    """
    value = values.get(name)
    if value is None or value == "":
        raise ConfigError(f"{name}: give a whole number")
    if request.is_json:
        require_kinds(values, {name: "integer"})
        return int(value)
    if not (value.isascii() and value.isdigit() and len(value) < 10):
        abort(400, f"{name}: give a whole number")
    return int(value)


def flag(values: Mapping[str, Any], name: str) -> bool:
    """A field that is yes or no: a ticked box, or a JSON boolean.

    Aborts with 400 when it is something else.
    """
    value = values.get(name, False)
    if isinstance(value, bool):
        return value
    if value in ("", "on", "yes", "no"):
        return value in ("on", "yes")
    abort(400, f"{name} must be true or false")


def web_address(value: str, name: str) -> str | None:
    """An address that a page may link to, None for an empty text.

    :raises ConfigError: it is no plain ``http`` or ``https`` address.
    """
    if not value:
        return None
    try:
        parts = urlsplit(value)
        fine = parts.scheme in ("http", "https") and bool(parts.hostname) and not parts.username
    except ValueError:
        fine = False
    if not fine or any(mark.isspace() or ord(mark) < 33 or mark in "\\<>\"'" for mark in value):
        raise ConfigError(f"{name} must be an address such as https://example.org/bot")
    return value
