"""JSON as the protocol allows it, and one error for everything else.

UTF-8 only, no NaN or Infinity, no duplicate keys, bounded size, depth and numbers. Whatever the
bytes are, `loads` returns a value or raises `StrictJsonError`. It knows nothing of schemas.
"""

from __future__ import annotations

import json
import re
from typing import NoReturn

import orjson

from arena.errors import ArenaError

MAX_BYTES = 1 << 20
MAX_DEPTH = 32
_DEEP = re.compile(rb"\s*(?:\[\s*){%d}" % (MAX_DEPTH + 1))
MAX_NUMBER = 2**53
"""Beyond it two parsers may read two different numbers from the same digits."""


class StrictJsonError(ArenaError, ValueError):
    """The bytes are no strict JSON; the text says why and, where it helps, shows their start.

    ``not_utf8``: they are not even text.
    """

    def __init__(self, message: str, *, not_utf8: bool = False) -> None:
        super().__init__(message)
        self.not_utf8 = not_utf8


def loads(data: bytes, *, max_bytes: int = MAX_BYTES, max_depth: int = MAX_DEPTH) -> object:
    """The value that the bytes spell; ``max_depth`` counts nested arrays and objects.

    :raises StrictJsonError: they are no JSON, or JSON that the protocol does not allow.
    """
    if len(data) > max_bytes:
        raise StrictJsonError(f"{len(data)} bytes of JSON; send at most {max_bytes}")
    try:
        value: object = orjson.loads(data)
    except orjson.JSONDecodeError as error:
        raise _refusal(data, error) from None
    colons = _checked(value, max_depth)
    # An escape may hide a colon, so texts with escapes are looked at pair by pair.
    if _has_duplicates(data) if b"\\" in data else data.count(b":") != colons:
        raise StrictJsonError("an object holds the same key twice; send each key once")
    return value


def nests_too_deep(start: bytes) -> bool:
    """Whether no continuation of these bytes can be within the depth limit."""
    return _DEEP.match(start) is not None


def excerpt(data: bytes, limit: int = 120) -> str:
    """The start of the bytes as printable ASCII of at most ``limit`` characters, for a message."""
    text = data[:limit].decode("utf-8", "backslashreplace")
    shown = "".join(mark if " " <= mark <= "~" else ascii(mark)[1:-1] for mark in text)
    return shown if len(shown) <= limit and len(data) <= limit else shown[: limit - 3] + "..."


def _refusal(data: bytes, error: orjson.JSONDecodeError) -> StrictJsonError:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as wrong:
        return StrictJsonError(f"byte {wrong.start} is not UTF-8; send UTF-8", not_utf8=True)
    if not data.strip():
        return StrictJsonError("the body is empty; send a JSON object")
    return StrictJsonError(f"no JSON: {error.msg} at byte {error.pos}: {excerpt(data, 60)}")


def _checked(value: object, max_depth: int) -> int:
    """Check depth and numbers; return how many colons an encoding without escapes has.

    The parser keeps one of two equal keys, so text with duplicates has more colons than that.
    Counting them is several times cheaper than looking at every pair in a hook.
    """
    colons = 0
    depth = 0
    level: list[object] = [value]
    while level:
        depth += 1
        below: list[object] = []
        for item in level:
            kind = type(item)
            if kind is str:
                colons += item.count(":")  # type: ignore[attr-defined]
            elif kind is dict or kind is list:
                if depth > max_depth:
                    raise StrictJsonError(f"nested more than {max_depth} deep; send less depth")
                if kind is dict:
                    colons += len(item)  # type: ignore[arg-type]
                    below.extend(item.values())  # type: ignore[attr-defined]
                below.extend(item)  # type: ignore[arg-type]
            elif (kind is int or kind is float) and not -MAX_NUMBER <= item <= MAX_NUMBER:  # type: ignore[operator]
                raise StrictJsonError("a number beyond 2^53; send smaller numbers")
        level = below
    return colons


def _has_duplicates(data: bytes) -> bool:
    """Whether any object repeats a key. The data has passed the parser and the depth limit."""
    try:
        json.loads(data, object_pairs_hook=_unique)
    except StrictJsonError:
        return True
    return False


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        _raise_duplicate()
    return found


def _raise_duplicate() -> NoReturn:
    raise StrictJsonError("duplicate")
