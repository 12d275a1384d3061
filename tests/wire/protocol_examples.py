"""The protocol's example messages and the code blocks of its README, for tests."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

Path = tuple[str | int, ...]
"""A place in a message: keys and list indexes from the outside in."""

REASONS = "_why.json"
"""Beside invalid examples: file name to the reason why the message is not allowed."""

README = files("arena.protocol").joinpath("README.md").read_text(encoding="utf-8")


class Example(NamedTuple):
    """One example message. ``why``: empty for a valid one."""

    message: str
    name: str
    value: object
    why: str

    def __repr__(self) -> str:
        return f"{self.message}/{self.name}"


@cache
def examples(kind: str) -> tuple[Example, ...]:
    """All ``valid`` or ``invalid`` examples, in a fixed order."""
    return tuple(_read(kind))


def _read(kind: str) -> Iterator[Example]:
    root = files("arena.protocol").joinpath("examples", kind)
    for folder in sorted(root.iterdir(), key=lambda entry: entry.name):
        reasons = {}
        if kind == "invalid":
            reasons = json.loads(folder.joinpath(REASONS).read_text(encoding="utf-8"))
        for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
            if entry.name != REASONS:
                value = json.loads(entry.read_text(encoding="utf-8"))
                yield Example(folder.name, entry.name, value, reasons.get(entry.name, ""))


def places(value: object, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Every part of a message with its place, the message itself first."""
    yield path, value
    if isinstance(value, dict):
        for key, part in value.items():
            yield from places(part, (*path, key))
    elif isinstance(value, list):
        for number, part in enumerate(value):
            yield from places(part, (*path, number))


def changed(value: object, path: Path, part: object) -> Any:
    """A copy of the message with this part in this place."""
    if not path:
        return part
    copied = copy.deepcopy(value)
    place: Any = copied
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = part
    return copied


def blocks(language: str) -> list[str]:
    """The code blocks in this language, in order."""
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
