"""Compares what is stored with what is right, and names the first difference. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields
from typing import Any

from arena.errors import ArenaError

UNREADABLE = (
    ArenaError, ValueError, TypeError, LookupError, AttributeError, AssertionError,
    ArithmeticError, RecursionError,
)  # fmt: skip
"""What rules and decoders raise for values that the arena never writes."""


class Mismatch(ArenaError):
    """The first difference found. Its text says where, what is stored, and what is right."""


@contextmanager
def within(where: str) -> Iterator[None]:
    """Say where a difference was found; what cannot be read is a difference too."""
    try:
        yield
    except Mismatch as error:
        raise Mismatch(f"{where}: {error}") from error
    except UNREADABLE as error:
        detail = str(error) or "impossible values"
        if isinstance(error, KeyError):
            detail = f"{error} is missing or unknown"
        raise Mismatch(f"{where}: it cannot be read: {detail}") from error


def same_values(stored: Any, right: Any) -> None:
    """Compare two dataclass values of one type field by field."""
    for field in fields(right):
        name = field.name
        same(f"the {name.replace('_', ' ')}", getattr(stored, name), getattr(right, name))


def same(what: str, stored: object, right: object) -> None:
    if stored != right:
        raise Mismatch(f"{what} is stored as {short(stored)}, but {short(right)} is right")


def short(value: object) -> str:
    if isinstance(value, tuple) and value and all(isinstance(part, str) for part in value):
        value = "".join(value)
    text = repr(value) if isinstance(value, str) else str(value)
    return text if len(text) <= 200 else text[:200] + "…"
