"""The schemas of the protocol, compiled: is a message valid, and if not, why not.

`is_valid` is for the hot path (compiled code); `problems` asks a second, slower validator for
sentences that a bot's author can act on. Tests prove that the two agree. Nothing here knows what
a message is for.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

import jsonschema
import jsonschema_rs
import referencing
import referencing.jsonschema

from arena.errors import ArenaError

NAMES = ("info", "act_request", "act_reply", "start", "end", "decision")
"""Messages, and the decision that requests are made of."""

BASE = "https://protocol.gin-arena.example/1.0/"
"""What every ``$id`` starts with. A name, not an address: nothing is ever fetched."""

MOST_PROBLEMS = 3


class InvalidMessage(ArenaError, ValueError):
    """The arena was about to send something that its own schema forbids: a bug of the arena."""


class Problem(NamedTuple):
    """One reason why a message is invalid.

    ``path``: where, as ``answers/0/action`` (empty for the whole message). ``sentence``: what is
    wrong there. ``fix``: what to do about it.
    """

    path: str
    sentence: str
    fix: str

    def __str__(self) -> str:
        place = self.path or "the message"
        return f"{place}: {self.sentence}; {self.fix}"


@cache
def documents() -> Mapping[str, dict[str, Any]]:
    """Every schema file by its name without ``.json``, `defs` included."""
    folder = files("arena.protocol").joinpath("schemas")
    found = sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(".json"))
    return {
        name.removesuffix(".json"): json.loads(folder.joinpath(name).read_text(encoding="utf-8"))
        for name in found
    }


def _schema(name: str) -> dict[str, Any]:
    """A document by its name, or a definition as ``defs#answer``."""
    document, _, definition = name.partition("#")
    if not definition:
        return documents()[document]
    return {
        "$schema": documents()[document]["$schema"],
        "$ref": f"{BASE}{document}.json#/$defs/{definition}",
    }


@cache
def compiled(name: str) -> jsonschema_rs.Draft202012Validator:
    """The fast validator of a message, or of a definition as ``defs#answer``."""
    resources = [(str(document["$id"]), document) for document in documents().values()]
    registry = jsonschema_rs.Registry(resources)
    return jsonschema_rs.Draft202012Validator(_schema(name), registry=registry)


@cache
def readable(name: str) -> jsonschema.Draft202012Validator:
    """The slow validator of a message, which can say what is wrong."""
    empty: referencing.Registry[bool | Mapping[str, Any]] = referencing.Registry()
    registry = empty.with_resources(
        (str(document["$id"]), referencing.jsonschema.DRAFT202012.create_resource(document))
        for document in documents().values()
    )
    return jsonschema.Draft202012Validator(_schema(name), registry=registry)


def is_valid(name: str, message: object) -> bool:
    """Whether the message is allowed. Never raises, whatever a parser could have produced."""
    try:
        return compiled(name).is_valid(message)
    except (ValueError, OverflowError, RecursionError):
        return False


def problems(name: str, message: object) -> tuple[Problem, ...]:
    """Why the message is not allowed: the most telling reasons first, a few at most."""
    if is_valid(name, message):
        return ()
    found: list[Problem] = []
    try:
        for error in _leaves(readable(name).iter_errors(message)):
            problem = _problem(error)
            if problem not in found:
                found.append(problem)
            if len(found) == MOST_PROBLEMS:
                break
    except (ValueError, OverflowError, RecursionError) as error:
        found.append(Problem("", f"it cannot be checked ({type(error).__name__})", "send less"))
    return tuple(found) or (Problem("", "it holds text that is not Unicode", "send valid UTF-8"),)


def explain(name: str, message: object) -> str:
    """The problems of a message in one line, empty when it is valid."""
    return " | ".join(str(problem) for problem in problems(name, message))


def require(name: str, message: object) -> None:
    """Check a message that the arena is about to send.

    :raises InvalidMessage: the schema forbids it.
    """
    if not is_valid(name, message):
        raise InvalidMessage(f"{name} message breaks its schema: {explain(name, message)}")


def _leaves(errors: Iterator[jsonschema.ValidationError]) -> Iterator[jsonschema.ValidationError]:
    """Errors without the ones that only say that a part of them failed."""
    for error in errors:
        context = error.context or []
        branches = [part for part in context if part.validator != "type"]
        if error.validator in ("anyOf", "oneOf") and branches:
            yield from _leaves(iter(branches))
        else:
            yield error


def _short(value: object, limit: int = 60) -> str:
    try:
        text = json.dumps(value, ensure_ascii=True)
    except (ValueError, TypeError, RecursionError):
        text = type(value).__name__
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _problem(error: jsonschema.ValidationError) -> Problem:
    path = "/".join(str(part)[:40] for part in error.absolute_path)
    rule = error.validator
    wanted: Any = error.validator_value
    got: Any = error.instance
    match rule:
        case "required":
            missing = [name for name in wanted if name not in got]
            return Problem(path, f"{missing[0]!r} is missing", f"add {missing[0]!r}")
        case "additionalProperties" | "unevaluatedProperties":
            known = error.schema.get("properties", {}) if isinstance(error.schema, dict) else {}
            extra = sorted(name for name in got if name not in known)
            names = ", ".join(repr(name[:40]) for name in extra[:3])
            allowed = f"; allowed: {', '.join(known)}" if known else ""
            return Problem(path, f"unknown field {names}", f"leave it out{allowed}")
        case "type":
            kinds = wanted if isinstance(wanted, str) else " or ".join(wanted)
            return Problem(path, f"{_short(got)} is not of type {kinds}", f"send {kinds}")
        case "enum":
            choices = ", ".join(_short(choice) for choice in wanted)
            return Problem(path, f"{_short(got)} is not allowed", f"send one of {choices[:200]}")
        case "const":
            return Problem(path, f"{_short(got)} is not allowed", f"send {_short(wanted)}")
        case "pattern":
            return Problem(path, f"{_short(got)} has the wrong form", f"match {wanted}")
        case "maxLength" | "maxItems" | "maxProperties":
            return Problem(path, f"{len(got)} is too long", f"send at most {wanted}")
        case "minLength" | "minItems":
            return Problem(path, f"{len(got)} is too short", f"send at least {wanted}")
        case "minimum" | "maximum":
            word = "least" if rule == "minimum" else "most"
            return Problem(path, f"{_short(got)} is out of range", f"send at {word} {wanted}")
        case "contains":
            return Problem(path, f"{_short(got)} lacks {_short(wanted)}", "add it")
        case "uniqueItems":
            return Problem(path, "an item occurs twice", "send each once")
    return Problem(path, error.message[:200], "see the schema")
