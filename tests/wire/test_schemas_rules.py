"""Every single rule of the schemas is held by an example.

Mutation testing of the schemas: take one rule out, and the verdict on some example must change.
So whoever implements the protocol against `protocol/examples` has met every rule.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from typing import Any

import jsonschema_rs

from arena.wire import schemas
from tests.wire.protocol_examples import Path, examples, places

FOLLOWS = {"event", "phase"}
"""Required fields that other rules turn on, so that those fail too when the field is missing."""

BIG = 300
"""Limits beyond this have no example file; `test_a_big_limit_holds` checks them."""

ASSERTIONS = {"type", "enum", "const", "pattern", "required", "uniqueItems", "contains"}
ASSERTIONS |= {"minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems"}
ASSERTIONS |= {"additionalProperties", "unevaluatedProperties", "propertyNames", "maxProperties"}
ASSERTIONS |= {"then", "else"}


def rules_stated() -> Iterator[tuple[str, Path]]:
    """Every single rule of the schemas: the document and the place of its keyword."""
    for name, document in schemas.documents().items():
        for path, part in places(document):
            if not isinstance(part, dict) or path[-1:] in (("properties",), ("$defs",)):
                continue
            for word in ASSERTIONS & set(part):
                if isinstance(part[word], int) and abs(part[word]) > BIG and "max" in word:
                    continue
                if word == "required":
                    names = [i for i, field in enumerate(part[word]) if field not in FOLLOWS]
                    yield from ((name, (*path, word, i)) for i in names)
                elif not _is_said_twice(part, word):
                    yield name, (*path, word)


def _is_said_twice(part: dict[str, Any], word: str) -> bool:
    """Whether the rule only backs up another one in the same place."""
    if word == "type" and {"enum", "const", "pattern"} & set(part):
        return True
    if word == "maxLength" and "pattern" in part:
        return not {"+", "*"} & set(part["pattern"].replace("[*]", ""))
    return word == "minItems" and (part["minItems"] == 0 or "contains" in part)


def without(name: str, path: Path) -> jsonschema_rs.Registry:
    """The schemas, but for one rule."""
    documents = {key: document for key, document in schemas.documents().items() if key != name}
    weaker = copy.deepcopy(schemas.documents()[name])
    place: Any = weaker
    for step in path[:-1]:
        place = place[step]
    del place[path[-1]]
    documents[name] = weaker
    return jsonschema_rs.Registry([(str(doc["$id"]), doc) for doc in documents.values()])


def judges(registry: jsonschema_rs.Registry) -> dict[str, Callable[[object], bool]]:
    """What these schemas say of each message."""
    return {
        name: jsonschema_rs.Draft202012Validator(
            {"$ref": f"{schemas.BASE}{name}.json"}, registry=registry
        ).is_valid
        for name in schemas.NAMES
    }


def test_every_rule_has_an_example() -> None:
    """Take any one rule out of the schemas, and the verdict on some example changes."""
    assert [rule for rule in rules_stated() if not _is_missed(judges(without(*rule)))] == []


def _is_missed(says: dict[str, Callable[[object], bool]]) -> bool:
    return any(
        says[example.message](example.value) is not (kind == "valid")
        for kind in ("invalid", "valid")
        for example in examples(kind)
    )
