"""JSON as the protocol allows it: UTF-8, no NaN, no duplicate keys, bounded depth and numbers."""

from __future__ import annotations

import json
from typing import NoReturn


class StrictJsonError(ValueError):
    """The bytes are no strict JSON; the text says why."""


def loads(data: bytes) -> object:
    """The value that the bytes spell.

    :raises StrictJsonError: they spell none.
    """
    try:
        return json.loads(data.decode("utf-8"), object_pairs_hook=_pairs, parse_constant=_constant)
    except (ValueError, RecursionError) as error:
        raise StrictJsonError(str(error)[:200]) from None


def _pairs(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise StrictJsonError("a key occurs twice")
    return found


def _constant(name: str) -> NoReturn:
    raise StrictJsonError(f"{name} is no JSON")
