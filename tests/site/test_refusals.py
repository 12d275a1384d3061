"""What is sent and cannot be used: 400 where it cannot be read, 422 where it is refused, 413."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import requests
from flask import Flask

from arena.site import create_app
from arena.site.serve import SiteServer
from arena.tokens import hash_token
from tests.site.conftest import ORGANISER

BEARER = {"Authorization": f"Bearer {ORGANISER}"}
ENTRY = {"name": "fresh", "endpoint": "http://127.0.0.1:9100"}
DRAFT = {"name": "Fresh", "bots": ["keen", "simple"]}
CONFIRM = {"bot": "keen", "confirm": "keen"}


@pytest.mark.parametrize(
    ("address", "body"),
    [
        ("/submit", {**ENTRY, "name": 7}),
        ("/submit", {**ENTRY, "homepage": ["x"]}),
        ("/submit", {**ENTRY, "new_secret": "certainly"}),
        ("/submit", {**ENTRY, "colour": "red"}),
        ("/submit", ["name"]),
        ("/organise/new", {**DRAFT, "games": "two"}),
        ("/organise/new", {**DRAFT, "games": True}),
        ("/organise/new", {**DRAFT, "duplicate": 1}),
        ("/organise/new", {**DRAFT, "set": []}),
        ("/organise/new", {**DRAFT, "bots": "keen"}),
        ("/organise/new", {**DRAFT, "bots": [1, 2]}),
        ("/organise/t/sunday-table/withdraw", {**CONFIRM, "disqualify": 2}),
        ("/organise/t/sunday-table/cancel", {"confirm": 1}),
        ("/bots/1-keen/edit", {"author": 5}),
        ("/bots/1-keen/secret", {"new_secret": 1}),
    ],
)
def test_wrong_types_are_a_bad_request(app: Flask, address: str, body: Any) -> None:
    """400 with the field's name: it cannot be read as what the API description says."""
    answer = app.test_client().post(address, json=body, headers=BEARER)

    assert answer.status_code == 400, answer.get_json()
    assert answer.get_json()["status"] == 400
    if isinstance(body, dict):
        assert any(name in answer.get_json()["error"] for name in body)


@pytest.mark.parametrize(
    ("address", "body"),
    [
        ("/submit", {**ENTRY, "name": "keen"}),
        ("/submit", {**ENTRY, "endpoint": "ftp://x"}),
        ("/submit", {**ENTRY, "homepage": "javascript:alert(1)"}),
        ("/submit", {**ENTRY, "author": "x" * 65}),
        ("/submit", {"name": "fresh"}),
        ("/organise/new", {**DRAFT, "best_of": 4}),
        ("/organise/new", {**DRAFT, "format": "lottery"}),
        ("/organise/new", {**DRAFT, "set": {"nonsense": 1}}),
        ("/organise/new", {**DRAFT, "bots": ["nobody"]}),
        ("/organise/t/sunday-table/cancel", {"confirm": "no"}),
        ("/bots/1-keen/edit", {"homepage": "nowhere"}),
        ("/bots/1-keen/retire", {"name": "another"}),
    ],
)
def test_what_can_be_read_and_is_refused_is_unprocessable(
    app: Flask, address: str, body: dict[str, Any]
) -> None:
    """422: every type is right, and the text says what to change."""
    answer = app.test_client().post(address, json=body, headers=BEARER)

    assert answer.status_code == 422, answer.get_json()
    assert answer.get_json()["error"].strip()


def test_description_says_which_is_which(app: Flask) -> None:
    """The API's document explains the statuses that every action names."""
    document = app.test_client().get("/api/openapi.json").get_json()

    assert all(status in document["info"]["description"] for status in ("400", "413", "422"))
    draft = document["paths"]["/organise/new"]["post"]["requestBody"]["content"]
    kinds = draft["application/json"]["schema"]["properties"]
    assert kinds["games"]["type"] == "integer"
    assert (kinds["bots"]["type"], kinds["bots"]["items"]) == ("array", {"type": "string"})


@pytest.fixture
def server(database: Path) -> Iterator[SiteServer]:
    """The site on a port, where the web server counts bytes before the application does."""
    with SiteServer(create_app(database, organiser_token_hash=hash_token(ORGANISER))) as running:
        running.start()
        yield running


def test_too_large_a_body_is_refused_as_everything_is(server: SiteServer) -> None:
    """JSON for programs, a page for people, on the last byte too many."""
    most = server.app.config["MAX_CONTENT_LENGTH"]
    for extra in (1, 2, 5_000):
        answer = requests.post(
            f"{server.address}/submit",
            data=b"x" * (most + extra),
            headers={"Content-Type": "application/json"},
            timeout=10,
        )
        assert answer.status_code == 413
        assert answer.json().keys() == {"ok", "status", "error"}
        assert answer.headers["Content-Security-Policy"]
    page = requests.post(
        f"{server.address}/submit",
        data={"name": "x" * (most + 1)},
        headers={"Accept": "text/html"},
        timeout=10,
    )
    assert page.status_code == 413
    assert page.headers["Content-Type"].startswith("text/html")
    assert "All tournaments" in page.text


def test_body_in_pieces_is_counted_too(server: SiteServer) -> None:
    """A body without a length is refused in the same shape as soon as it is too long."""
    most = server.app.config["MAX_CONTENT_LENGTH"]
    head = (
        b"POST /submit HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
        b"Transfer-Encoding: chunked\r\n\r\n"
    )
    with socket.create_connection(("127.0.0.1", server.port), timeout=10) as connection:
        connection.sendall(head + b"%x\r\n" % (most + 2) + b"x" * (most + 2) + b"\r\n0\r\n\r\n")
        answer = b""
        while piece := connection.recv(65536):
            answer += piece

    assert answer.startswith(b"HTTP/1.1 413 ")
    assert b"Connection: close" in answer
    assert answer.endswith(b'"status":413,"error":"That is more than this address accepts."}\n')


def test_body_at_the_limit_is_read(server: SiteServer) -> None:
    """The very last byte that is allowed is."""
    most = server.app.config["MAX_CONTENT_LENGTH"]
    answer = requests.post(
        f"{server.address}/submit",
        data=b'"' + b"x" * (most - 2) + b'"',
        headers={"Content-Type": "application/json"},
        timeout=10,
    )

    assert answer.status_code == 400
