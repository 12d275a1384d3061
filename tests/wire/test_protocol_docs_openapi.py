"""The OpenAPI document is what the schemas say today, and valid by its own standard."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
import yaml
from openapi_spec_validator import OpenAPIV31SpecValidator

from arena.wire import openapi, schemas
from tests.wire.protocol_examples import Example, examples


def committed() -> str:
    """The file as it is shipped."""
    return files("arena.protocol").joinpath("openapi.yaml").read_text(encoding="utf-8")


def test_the_committed_document_is_current() -> None:
    """After a change of a schema, run `python -m arena.wire.openapi`."""
    assert committed() == openapi.text()


def test_the_document_is_valid_openapi() -> None:
    """By the validator of the standard."""
    assert [error.message for error in OpenAPIV31SpecValidator(_document()).iter_errors()] == []


def test_the_command_writes_the_document(tmp_path: Path) -> None:
    """What it writes is what is committed."""
    openapi.main(tmp_path)

    assert (tmp_path / "openapi.yaml").read_text(encoding="utf-8") == committed()


def test_every_call_and_schema_is_in_it() -> None:
    """Four paths, and a component for each message and definition."""
    document = _document()
    messages = set(schemas.documents()) - {"defs"}

    assert list(document["paths"]) == ["/", "/act", "/start", "/end"]
    assert set(document["components"]["schemas"]) == messages | set(
        schemas.documents()["defs"]["$defs"]
    )


@pytest.mark.parametrize("kind", ["valid", "invalid"])
def test_its_schemas_judge_as_ours_do(kind: str) -> None:
    """Bending the references changed no verdict on any example."""
    components = _document()["components"]
    wrong: list[Example] = []
    for name in schemas.NAMES:
        judge = jsonschema_rs.Draft202012Validator(
            {"$ref": f"#/components/schemas/{name}", "components": components}
        )
        for example in examples(kind):
            if example.message == name and judge.is_valid(example.value) is not (kind == "valid"):
                wrong.append(example)

    assert wrong == []


def _document() -> dict[str, Any]:
    document: dict[str, Any] = yaml.safe_load(committed())
    return document
