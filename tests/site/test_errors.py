"""Every failure has one shape."""

from __future__ import annotations

import pytest
from flask import Flask
from flask.testing import FlaskClient

from arena.site import create_app


@pytest.mark.parametrize(
    ("method", "address", "status"),
    [
        ("GET", "/no/such/page.json", 404),
        ("GET", "/t/none.json", 404),
        ("GET", "/t/autumn-league/m/m_none.json", 404),
        ("GET", "/bots/999-x.json", 404),
        ("GET", "/games/none.json", 404),
        ("POST", "/t/autumn-league.json", 405),
        ("GET", "/bots/1-keen/check.json", 401),
    ],
)
def test_error_shape(client: FlaskClient, method: str, address: str, status: int) -> None:
    """``ok``, ``status`` and ``error``, nothing else, and the status of the answer agrees."""
    answer = client.open(address, method=method, json={} if method == "POST" else None)
    found = answer.get_json()

    assert answer.status_code == status
    assert found.keys() == {"ok", "status", "error"}
    assert found["ok"] is False
    assert found["status"] == status
    assert found["error"].strip()


def test_error_page_for_people(client: FlaskClient) -> None:
    """A browser gets a page with a way back."""
    answer = client.get("/no/such/page", headers={"Accept": "text/html"})

    assert answer.status_code == 404
    assert answer.mimetype == "text/html"
    assert "All tournaments" in answer.get_data(as_text=True)


def test_method_that_is_not_taken_says_which_are(client: FlaskClient) -> None:
    """405 comes with Allow."""
    assert "GET" in client.delete("/bots", json={}).headers["Allow"]


def test_fault_of_ours_says_nothing_of_the_inside(
    reading_app: Flask, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The reader gets a reference, the log the cause."""
    app = create_app(reading_app.config["DATABASE"])

    def broken(*_: object) -> None:
        raise RuntimeError("inner secret")

    monkeypatch.setattr(app.config["SNAPSHOTS"], "get", broken)
    answer = app.test_client().get("/t/autumn-league.json")

    assert answer.status_code == 500
    assert "inner secret" not in answer.get_data(as_text=True)
    reference = answer.get_json()["error"].split("reference ")[1][:8]
    assert reference in caplog.text
    assert "inner secret" in caplog.text
