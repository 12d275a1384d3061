"""The OpenAPI document: valid, complete, and what is really answered."""

from __future__ import annotations

import re
from typing import Any

import jsonschema_rs
import pytest
from flask import Flask
from flask.testing import FlaskClient
from openapi_spec_validator import validate

from tests.site.conftest import Browser
from tests.site.crawling import crawl

NOT_IN_THE_API = {"/api.json", "/about.json", "/protocol.json", "/protocol/CHANGELOG.md.json",
                  "/protocol/README.md.json", "/api/openapi.json"}  # fmt: skip


@pytest.fixture(scope="module")
def document(reading_app: Flask) -> dict[str, object]:
    """The document as it is served."""
    answer = reading_app.test_client().get("/api/openapi.json")
    found: dict[str, object] = answer.get_json()
    return found


def pattern_of(path: str) -> re.Pattern[str]:
    """What addresses a path of the document stands for."""
    return re.compile(re.sub(r"\\{[a-z_]+\\}", "[^/]+", re.escape(path)) + r"(\?.*)?")


def test_document_is_valid(document: dict[str, object]) -> None:
    """It is OpenAPI 3.1, with an id for every call."""
    validate(document)
    ids = re.findall(r"'operationId': '([^']+)'", str(document))

    assert len(ids) == len(set(ids)) > 25


def test_every_twin_is_in_the_document_and_answers_as_it_says(
    client: FlaskClient, document: dict[str, object]
) -> None:
    """Each JSON page that can be reached fits the schema of its path."""
    paths: dict[str, dict[str, dict[str, object]]] = document["paths"]  # type: ignore[assignment]
    components = {"components": document["components"]}
    seen: set[str] = set()
    validators: dict[str, jsonschema_rs.Draft202012Validator] = {}
    bodies = crawl(client, starts=("/", "/search?q=gin"))
    twins = [address for address in bodies if ".json" in address and "/schemas/" not in address]
    for address in twins:
        bare = address.split("?")[0]
        if bare in NOT_IN_THE_API or bare.startswith(("/protocol/", "/submit", "/account")):
            continue
        matching = [path for path in paths if pattern_of(path).fullmatch(address)]
        assert len(matching) == 1, (address, matching)
        answer = paths[matching[0]]["get"]["responses"]["200"]  # type: ignore[index]
        schema = answer["content"]["application/json"]["schema"]
        validator = validators.get(matching[0])
        if validator is None:
            validator = jsonschema_rs.Draft202012Validator({**schema, **components})
            validators[matching[0]] = validator
        validator.validate(client.get(address).get_json())
        seen.add(matching[0])

    missing = {path for path in paths if path.endswith(".json")} - seen
    assert missing <= {"/bots/{bot}/check.json"}


def test_actions_of_the_document_exist(app: Flask, document: dict[str, object]) -> None:
    """Every action has a route that takes it; who may not is told so."""
    values = {"slug": "sunday-table", "bot": "1-keen", "bot_id": "1", "match": "m_x"}
    paths: dict[str, dict[str, dict[str, object]]] = document["paths"]  # type: ignore[assignment]
    client = app.test_client()
    count = 0
    for path, methods in paths.items():
        if "post" not in methods:
            continue
        address = re.sub(r"\{([a-z_]+)\}", lambda found: values[found[1]], path)
        answer = client.post(address, json={})
        expected = (401,) if methods["post"]["security"] else (422,)
        assert answer.status_code in expected, (path, answer.status_code)
        count += 1

    assert count >= 15


def test_posts_of_pages_are_in_the_document(app: Flask, document: dict[str, object]) -> None:
    """No action is there that the document does not name, but for signing in and out."""
    paths: dict[str, dict[str, object]] = document["paths"]  # type: ignore[assignment]
    known = [pattern_of(path) for path, methods in paths.items() if "post" in methods]
    values = {"slug": "a-b", "bot_id": "1", "fixture_id": "m_x", "move": "start",
              "verdict": "accept"}  # fmt: skip
    for rule in app.url_map.iter_rules():
        if "POST" not in (rule.methods or ()) or rule.rule.startswith("/account"):
            continue
        if rule.endpoint in ("organise.move", "organise.admit"):
            continue  # named one by one
        address = re.sub(r"<(?:[^:<>]+:)?([a-z_]+)>", lambda found: values[found[1]], rule.rule)
        assert any(pattern.fullmatch(address) for pattern in known), rule.rule


def test_unknown_fields_are_refused_by_name(organiser: Browser, app: Flask) -> None:
    """A slip in a field's name is an error that names the field."""
    answer = app.test_client().post("/submit", json={"nmae": "x"})

    assert answer.status_code == 400
    assert "nmae" in answer.get_json()["error"]


def test_every_call_field_and_parameter_is_described(client: FlaskClient) -> None:
    """Nobody has to guess what to send: lists say of what, texts say what for."""
    found = client.get("/api/openapi.json").get_json()
    for path, calls in found["paths"].items():
        for method, call in calls.items():
            where = f"{method} {path}"
            assert len(call["description"]) > len(call["summary"]), where
            assert all(one["description"] for one in call["parameters"]), where
            body = call.get("requestBody", {}).get("content", {}).get("application/json", {})
            for name, field in body.get("schema", {}).get("properties", {}).items():
                assert field["description"], f"{where}: {name}"
                assert field["type"] != "array" or field["items"] == {"type": "string"}, name


def test_descriptions_of_records_are_text_in_words_of_json(document: dict[str, Any]) -> None:
    """CommonMark shows indented paragraphs as code, and JSON has no None."""
    described = [kind.get("description", "") for kind in document["components"]["schemas"].values()]

    assert sum("null" in text for text in described) > 5
    for text in described:
        assert not re.search(r"\b(None|True|False)\b|``|\n ", text), text


def test_page_of_the_api_names_every_field_that_a_body_may_hold(
    client: FlaskClient, document: dict[str, Any]
) -> None:
    """Whoever reads it can make the first call without the document."""
    html = client.get("/api").get_data(as_text=True)
    calls = {
        (call["method"].lower(), call["path"]): call
        for call in client.get("/api.json").get_json()["calls"]
    }

    for (method, path), call in calls.items():
        said = document["paths"][path][method]
        if "requestBody" not in said:
            assert call["fields"] == []
            continue
        schema = said["requestBody"]["content"]["application/json"]["schema"]
        assert {one["name"] for one in call["fields"]} == set(schema["properties"])
        assert {one["name"] for one in call["fields"] if one["needed"]} == set(schema["required"])
    submit = calls["post", "/submit"]["fields"]
    assert [one["name"] for one in submit if one["needed"]] == ["name", "endpoint"]
    assert '<code>endpoint</code> <span class="muted">string, needed</span>' in html
    assert calls["post", "/bots/{bot}/edit"]["who"] == "owner"
