"""The schemas themselves: nothing misspelt, nothing open by accident, no unsafe pattern.

A misspelt keyword is valid JSON Schema and checks nothing, so no validator would tell us.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Iterator
from enum import StrEnum
from typing import Any

import jsonschema
import jsonschema_rs
import pytest

from arena.referee.verdicts import FaultCode, Termination
from arena.rules.base import ActionKind, Ending, GameEnding, Phase
from arena.wire import schemas

ANNOTATIONS = {"$schema", "$id", "$ref", "$defs", "title", "description"}
STRUCTURE = {"if", "then", "else", "allOf", "anyOf", "not", "items", "contains"}
STRUCTURE |= {"properties", "additionalProperties", "unevaluatedProperties", "propertyNames"}
ASSERTIONS = {"type", "enum", "const", "required", "uniqueItems", "pattern"}
ASSERTIONS |= {"minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems"}
ASSERTIONS |= {"maxProperties"}
KNOWN = ANNOTATIONS | STRUCTURE | ASSERTIONS
"""`format` is not among them: validators need not check it, so we say it with patterns."""

OPEN = {("defs", "$defs", "rules")}
"""Objects that may hold names we do not know, each on purpose."""

GAME_VERDICTS = [Termination.STRIKES, Termination.DOUBLE_FORFEIT]
"""What ends a game against its rules."""

MATCH_ENDINGS = [end for end in Termination if end not in (Termination.WITHDRAWN, Termination.BYE)]
"""What bots are told of a match; the other two stand for matches that end without a message."""

NO_BREAK = {"type": "string", "pattern": "\\n"}
"""What must not be, beside every pattern: some engines let ``$`` match before a last line break.
(A look-ahead would say it too, but engines after RE2, such as Go's, know none.)"""

Path = tuple[str, ...]
Schema = dict[str, Any]


def lint(documents: dict[str, Schema]) -> list[str]:
    """Everything that is wrong with these schemas, one sentence each."""
    wrong = []
    for name, document in documents.items():
        for path, schema, is_part in _walk((name,), document, False):
            place = "/".join(path)
            wrong += [f"{place}: {text}" for text in _faults(path, schema, is_part)]
    return wrong


def _walk(path: Path, schema: Any, is_part: bool) -> Iterator[tuple[Path, Schema, bool]]:
    """Every schema with its place, and whether it only adds to a schema around it."""
    if not isinstance(schema, dict):
        return
    yield path, schema, is_part
    for word in ("properties", "$defs"):
        for name, part in schema.get(word, {}).items():
            yield from _walk((*path, word, name), part, is_part)
    for word in ("items", "contains", "propertyNames", "additionalProperties"):
        yield from _walk((*path, word), schema.get(word), is_part)
    for word in ("if", "then", "else"):
        yield from _walk((*path, word), schema.get(word), True)
    for number, part in enumerate(schema.get("allOf", [])):
        yield from _walk((*path, "allOf", str(number)), part, True)
    for number, part in enumerate(schema.get("anyOf", [])):
        yield from _walk((*path, "anyOf", str(number)), part, is_part)


def _faults(path: Path, schema: Schema, is_part: bool) -> Iterator[str]:
    for word in schema:
        if word not in KNOWN:
            yield f"unknown keyword {word!r}"
    yield from _description_faults(path, schema, is_part)
    types = schema.get("type", [])
    types = [types] if isinstance(types, str) else types
    if "object" in types and path not in OPEN and not is_part:
        if False not in (schema.get("additionalProperties"), schema.get("unevaluatedProperties")):
            yield "open object"
    unknown = set(schema.get("required", [])) - set(schema.get("properties", {}))
    if unknown and not is_part:
        yield f"requires what it does not define: {unknown}"
    if is_part:
        return
    if "string" in types and path[-1] != "additionalProperties" and "maxLength" not in schema:
        yield "string without maxLength"
    if "array" in types and not {"minItems", "maxItems", "items"} <= set(schema):
        yield "array without items, minItems and maxItems"
    if "integer" in types and not {"minimum", "maximum"} <= set(schema):
        yield "integer without bounds"
    if schema.get("not", NO_BREAK) != NO_BREAK:
        yield "not is only for line breaks beside a pattern"
    if "pattern" in schema:
        if "not" not in schema:
            yield "pattern that may let a line break through"
        yield from _pattern_faults(schema["pattern"])


def _description_faults(path: Path, schema: Schema, is_part: bool) -> Iterator[str]:
    if is_part or path[-2:-1] not in (("properties",), ("$defs",)):
        return
    text = schema.get("description", "")
    if not re.fullmatch(r"[^\n]{4,200}\.", text):
        yield f"description must be one line that ends with a full stop, not {text!r}"


def _pattern_faults(pattern: str) -> Iterator[str]:
    if not pattern.startswith("^") or not pattern.endswith("$"):
        yield "pattern must start with ^ and end with $"
    body = pattern.removeprefix("^").removesuffix("$")
    if re.search(r"\\[^x]", body):
        yield "pattern with an escape whose meaning depends on the engine"
    if re.search(r"\(\?[^:]", body):
        yield "pattern with a group that not all engines know"
    bare = re.sub(r"\[[^\]]*\]", "", body)
    if "$" in bare or "^" in bare:
        yield "pattern with an anchor inside"
    if "." in bare:
        yield "pattern with a dot that matches anything"
    while "(" in bare:
        smaller = re.sub(r"\([^()]*\)", "", bare)
        if smaller == bare:
            break
        bare = smaller
    if "|" in bare:
        yield "pattern with alternatives outside a group"


def test_the_schemas_are_clean() -> None:
    """No finding in any schema of the protocol."""
    assert lint(dict(schemas.documents())) == []


def _set(path: Path, value: object) -> Callable[[dict[str, Any]], None]:
    def change(documents: dict[str, Any]) -> None:
        place: Any = documents
        for part in path[:-1]:
            place = place[int(part)] if isinstance(place, list) else place[part]
        place[path[-1]] = value

    return change


def _drop(path: Path) -> Callable[[dict[str, Any]], None]:
    def change(documents: dict[str, Any]) -> None:
        place: Any = documents
        for part in path[:-1]:
            place = place[part]
        del place[path[-1]]

    return change


@pytest.mark.parametrize(
    ("change", "finding"),
    [
        (_set(("info", "requried"), ["name"]), "unknown keyword"),
        (_set(("info", "properties", "homepage", "format"), "uri"), "unknown keyword"),
        (_drop(("end", "additionalProperties")), "open object"),
        (_drop(("act_reply", "unevaluatedProperties")), "open object"),
        (_drop(("end", "properties", "result", "additionalProperties")), "open object"),
        (_set(("start", "additionalProperties"), True), "open object"),
        (_set(("start", "additionalProperties"), {}), "open object"),
        (_set(("defs", "$defs", "variant", "pattern"), "^[a-z]+"), "must start with"),
        (_set(("defs", "$defs", "variant", "pattern"), "^\\d$"), "depends on the engine"),
        (_set(("defs", "$defs", "variant", "pattern"), "^\\u0041$"), "depends on the engine"),
        (_set(("defs", "$defs", "variant", "pattern"), "^a(?!b)$"), "not all engines know"),
        (_set(("defs", "$defs", "variant", "pattern"), "^.$"), "a dot"),
        (_set(("defs", "$defs", "variant", "pattern"), "^a|b$"), "outside a group"),
        (_set(("defs", "$defs", "variant", "pattern"), "^(?:a$|b)$"), "anchor inside"),
        (_drop(("defs", "$defs", "variant", "not")), "let a line break through"),
        (_set(("defs", "$defs", "variant", "not"), {"const": "x"}), "only for line breaks"),
        (_drop(("defs", "$defs", "variant", "maxLength")), "without maxLength"),
        (_drop(("defs", "$defs", "seat", "maximum")), "without bounds"),
        (_drop(("decision", "properties", "log", "maxItems")), "array without"),
        (_drop(("decision", "properties", "log", "description")), "description must"),
        (_set(("decision", "properties", "log", "description"), "Two\nlines."), "description must"),
        (_set(("info", "required"), ["nmae"]), "requires what it does not define"),
    ],
)
def test_the_lint_finds(change: Callable[[dict[str, Any]], None], finding: str) -> None:
    """Each slip that the lint is for is found when made on purpose."""
    documents = copy.deepcopy(dict(schemas.documents()))
    change(documents)

    found = lint(documents)

    assert any(finding in text for text in found)


@pytest.mark.parametrize("name", schemas.documents())
def test_both_validators_accept_the_schema(name: str) -> None:
    """Every schema is itself valid by Draft 2020-12, for both validators."""
    document = schemas.documents()[name]

    assert document["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert document["$id"] == f"{schemas.BASE}{name}.json"
    jsonschema.Draft202012Validator.check_schema(document)
    jsonschema_rs.meta.validate(document)


def _references(schema: object) -> Iterator[str]:
    if isinstance(schema, dict):
        if isinstance(schema.get("$ref"), str):
            yield schema["$ref"]
        for part in schema.values():
            yield from _references(part)
    elif isinstance(schema, list):
        for part in schema:
            yield from _references(part)


def test_every_definition_is_used() -> None:
    """No definition is dead, and every reference has a target."""
    used = {
        reference.rpartition("/")[2]
        for document in schemas.documents().values()
        for reference in _references(document)
        if "#" in reference
    }

    assert used == set(schemas.documents()["defs"]["$defs"])


@pytest.mark.parametrize(
    ("definition", "expected"),
    [
        ("status", [*FaultCode]),
        ("fault", [code for code in FaultCode if code not in (FaultCode.OK, FaultCode.LATE)]),
        ("phase", [phase for phase in Phase if phase is not Phase.OVER]),
        ("hand_ending", [*Ending]),
        ("match_ending", MATCH_ENDINGS),
        ("game_ending", [*GAME_VERDICTS, *GameEnding]),
    ],
)
def test_enumerations_are_those_of_the_code(definition: str, expected: list[StrEnum]) -> None:
    """A code that the arena can send is in the schema, and the other way round."""
    listed = schemas.documents()["defs"]["$defs"][definition]["enum"]

    assert set(listed) == {member.value for member in expected}
    assert len(set(listed)) == len(listed)


def test_every_action_kind_has_its_legal_action() -> None:
    """One branch a kind, but for the missed turn, which nobody is ever offered."""
    branches = schemas.documents()["defs"]["$defs"]["legal_action"]["anyOf"]
    kinds = [branch["properties"]["kind"]["const"] for branch in branches]

    assert set(kinds) == {kind.value for kind in ActionKind} - {ActionKind.MISS}
    assert len(set(kinds)) == len(kinds)
