"""Every single rule of the schemas is held by an example.

Mutation testing of the schemas: take one rule out, and the verdict on some example must change.
So whoever implements the protocol against `protocol/examples` has met every rule.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from typing import Any

import jsonschema
import jsonschema_rs
import pytest
import referencing

from arena.wire import schemas
from tests.wire.protocol_examples import Path, examples, places

FOLLOWS = {"event", "phase"}
"""Required fields that other rules turn on, so that those fail too when the field is missing."""

BIG = 300
"""Longer texts and lists are no examples for people; such limits have no file."""

SAID_TWICE = {("info", ("properties", "color", "not"))}
"""A colour has exactly as many characters as it may have, so a line break is one too many."""

ASSERTIONS = {"type", "enum", "const", "pattern", "required", "uniqueItems", "contains"}
ASSERTIONS |= {"minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems"}
ASSERTIONS |= {"additionalProperties", "unevaluatedProperties", "propertyNames", "maxProperties"}
ASSERTIONS |= {"then", "else", "not"}


def rules_stated() -> Iterator[tuple[str, Path]]:
    """Every single rule of the schemas: the document and the place of its keyword."""
    for name, document in schemas.documents().items():
        for path, part in places(document):
            if not isinstance(part, dict) or path[-1:] in (("properties",), ("$defs",)):
                continue
            for word in ASSERTIONS & set(part):
                if word in ("maxLength", "maxItems") and part[word] > BIG:
                    continue
                if word == "required":
                    names = [i for i, field in enumerate(part[word]) if field not in FOLLOWS]
                    yield from ((name, (*path, word, i)) for i in names)
                elif (name, (*path, word)) not in SAID_TWICE and not _is_said_twice(part, word):
                    yield name, (*path, word)


def _is_said_twice(part: dict[str, Any], word: str) -> bool:
    """Whether the rule only backs up another one in the same place."""
    if word == "type" and {"enum", "const", "pattern"} & set(part):
        return True
    if word == "maxLength" and "pattern" in part:
        return not {"+", "*"} & set(part["pattern"].replace("[*]", ""))
    return word == "minItems" and (part["minItems"] == 0 or "contains" in part)


def without(name: str, path: Path) -> list[tuple[str, dict[str, Any]]]:
    """The schemas by their ids, but for one rule."""
    documents = {key: document for key, document in schemas.documents().items() if key != name}
    weaker = copy.deepcopy(schemas.documents()[name])
    place: Any = weaker
    for step in path[:-1]:
        place = place[step]
    del place[path[-1]]
    documents[name] = weaker
    return [(str(document["$id"]), document) for document in documents.values()]


Judges = dict[str, Callable[[object], bool]]


def fast_judges(documents: list[tuple[str, dict[str, Any]]]) -> Judges:
    """What the compiled validator says of each message by these schemas."""
    registry = jsonschema_rs.Registry(documents)
    return {
        name: jsonschema_rs.Draft202012Validator(
            {"$ref": f"{schemas.BASE}{name}.json"}, registry=registry
        ).is_valid
        for name in schemas.NAMES
    }


def slow_judges(documents: list[tuple[str, dict[str, Any]]]) -> Judges:
    """What the readable validator says, whose patterns are those of Python."""
    empty: referencing.Registry[Any] = referencing.Registry()
    registry = empty.with_contents(documents)
    return {
        name: jsonschema.Draft202012Validator(
            {"$ref": f"{schemas.BASE}{name}.json"}, registry=registry
        ).is_valid
        for name in schemas.NAMES
    }


BROKEN_LINES = [one for one in examples("invalid") if '\\n"' in json.dumps(one.value)]


def is_missed(name: str, path: Path) -> bool:
    """Whether the verdict on some example depends on this rule."""
    documents = without(name, path)
    if path[-1] == "not":
        # Only engines like Python's let a pattern end before a last line break.
        says = slow_judges(documents)
        return any(says[one.message](one.value) for one in BROKEN_LINES)
    says = fast_judges(documents)
    return any(
        says[one.message](one.value) is not (kind == "valid")
        for kind in ("invalid", "valid")
        for one in examples(kind)
    )


def test_every_rule_has_an_example() -> None:
    """Take any one rule out of the schemas, and the verdict on some example changes."""
    assert [rule for rule in rules_stated() if not is_missed(*rule)] == []


@pytest.mark.parametrize("kind", ["valid", "invalid"])
def test_engines_without_look_around_agree(kind: str) -> None:
    """The patterns are in the common core of regular expressions, RE2's included."""
    documents = without("info", ("title",))
    registry = jsonschema_rs.Registry(documents)
    for name in schemas.NAMES:
        judge = jsonschema_rs.Draft202012Validator(
            {"$ref": f"{schemas.BASE}{name}.json"},
            registry=registry,
            pattern_options=jsonschema_rs.RegexOptions(),
        )
        for example in examples(kind):
            if example.message == name:
                assert judge.is_valid(example.value) is (kind == "valid"), example
