"""The schemas of the protocol, compiled: is a message valid, and if not, why not.

`is_valid` is for the hot path (compiled code); `problems` asks a second, slower validator for
sentences that a bot's author can act on. Tests prove that the two agree. Nothing here knows what
a message is for.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

import jsonschema
import jsonschema_rs
import referencing
import referencing.jsonschema

from arena.errors import ArenaError
from arena.nearest import did_you_mean

NAMES = ("info", "act_request", "act_reply", "start", "end", "decision")
"""Messages, and the decision that requests are made of."""

BASE = "https://protocol.gin-arena.example/1.0/"
"""What every ``$id`` starts with. A name, not an address: nothing is ever fetched."""

MOST_PROBLEMS = 3
MOST_NAMES = 5
MOST_CHOICES = 20


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
    except (ValueError, OverflowError, RecursionError, SystemError):
        # Older releases of the compiled validator report a lone surrogate by SystemError.
        return False


def problems(name: str, message: object) -> tuple[Problem, ...]:
    """Why the message is not allowed: the most telling reasons first, a few at most."""
    if is_valid(name, message):
        return ()
    found: list[Problem] = []
    try:
        for error in _leaves(readable(name).iter_errors(message)):
            problem = _problem(error)
            if not any(_alike(problem, other) for other in found):
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


def _leaves(errors: Iterable[jsonschema.ValidationError]) -> Iterator[jsonschema.ValidationError]:
    """Errors without the ones that only say that a part of them failed."""
    for error in errors:
        nearest = _nearest_branch(error) if error.validator == "anyOf" else []
        if nearest:
            yield from _leaves(nearest)
        else:
            yield error


def _nearest_branch(error: jsonschema.ValidationError) -> list[jsonschema.ValidationError]:
    """What is wrong by the alternative that was most likely meant; nothing if none fits at all."""
    branches: dict[object, list[jsonschema.ValidationError]] = {}
    for part in error.context or ():
        branches.setdefault(part.schema_path[0], []).append(part)
    meant = [
        branch
        for branch in branches.values()
        if not any(part.validator == "type" and not part.path for part in branch)
    ]
    # A wrong constant says that another alternative was meant.
    return min(
        meant,
        key=lambda branch: (any(part.validator == "const" for part in branch), len(branch)),
        default=[],
    )


def _alike(one: Problem, other: Problem) -> bool:
    """Whether two problems are one, or the same slip in two items of one list."""
    if one == other:
        return True
    folder, _, item = one.path.rpartition("/")
    return one.fix == other.fix and item.isdigit() and folder == other.path.rpartition("/")[0]


def _short(value: object, limit: int = 60) -> str:
    try:
        text = json.dumps(value, ensure_ascii=True)
    except (ValueError, TypeError, RecursionError):
        text = type(value).__name__
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _problem(error: jsonschema.ValidationError) -> Problem:
    path = "/".join(str(part)[:40] for part in error.absolute_path)
    wanted: Any = error.validator_value
    got: Any = error.instance
    schema = error.schema if isinstance(error.schema, dict) else {}
    match error.validator:
        case "required":
            missing = [name for name in wanted if name not in got]
            verb = "is" if len(missing) == 1 else "are"
            return Problem(path, f"{_listed(missing)} {verb} missing", "add it")
        case "additionalProperties" | "unevaluatedProperties":
            return Problem(path, *_unknown_fields(got, schema))
        case "type" | "anyOf":
            kinds = _kinds(wanted)
            return Problem(path, f"{_short(got)} is of another type", f"send {kinds}")
        case "enum" | "const" | "pattern" | "not":
            return Problem(path, f"{_short(got)} is not allowed", _expected(schema))
        case "maxLength" | "maxItems" | "maxProperties":
            return Problem(path, f"it has {_size(got)}", f"send at most {wanted}")
        case "minLength" | "minItems":
            return Problem(path, f"it has {_size(got)}", f"send at least {wanted}")
        case "minimum":
            return Problem(path, f"{_short(got)} is too small", f"send {wanted} or more")
        case "maximum":
            return Problem(path, f"{_short(got)} is too big", f"send {wanted} or less")
        case "contains":
            return Problem(path, f"{_short(got)} lacks {_short(wanted['const'])}", "add it")
        case "uniqueItems":
            return Problem(path, "an item occurs twice", "send each once")
    return Problem(path, error.message[:200], "see the schema")


def _unknown_fields(got: dict[str, Any], schema: dict[str, Any]) -> tuple[str, str]:
    known = schema.get("properties") or schema.get("then", {}).get("properties", {})
    extra = [name for name in got if name not in known]
    hint = did_you_mean(extra[0], known) if extra else ""
    return f"unknown field {_listed(extra)}", f"leave it out{hint}"


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
    return ", ".join(repr(name[:40]) for name in names[:MOST_NAMES]) + more


def _size(got: Any) -> str:
    unit = "character" if isinstance(got, str) else "field" if isinstance(got, dict) else "item"
    return f"{len(got)} {unit}{'' if len(got) == 1 else 's'}"


def _kinds(wanted: Any) -> str:
    """The types that a `type` or the alternatives of an `anyOf` allow."""
    if isinstance(wanted, str):
        return wanted
    if wanted and isinstance(wanted[0], dict):
        wanted = [_type_of(branch) for branch in wanted]
    return " or ".join(dict.fromkeys(wanted))


def _type_of(schema: dict[str, Any]) -> str:
    if "$ref" in schema:
        schema = documents()["defs"]["$defs"][schema["$ref"].rpartition("/")[2]]
    return str(schema.get("type", "string"))


def _expected(schema: dict[str, Any]) -> str:
    """What the schema wants, in words where a list or a pattern would not help."""
    choices = [schema["const"]] if "const" in schema else schema.get("enum", ())
    if choices and len(choices) <= MOST_CHOICES:
        listed = ", ".join(_short(choice) for choice in choices)
        return f"send {listed}" if len(choices) == 1 else f"send one of {listed}"
    return f"expected: {schema.get('description', schema.get('pattern', ''))}"
