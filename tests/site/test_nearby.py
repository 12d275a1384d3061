"""Bots from other machines, where bots may have addresses that only this machine can reach."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import requests
from flask import Flask
from flask.testing import FlaskClient

from arena.site.http.nearby import is_exposed, is_loopback
from arena.site.serve import SiteServer
from arena.store import Store
from tests.site.conftest import ORGANISER, Browser

INSIDE = {"name": "probe", "endpoint": "http://127.0.0.1:1/"}
BEARER = {"Authorization": f"Bearer {ORGANISER}"}


def names(database: Path) -> set[str]:
    """The bots there are."""
    with Store(database, read_only=True) as store:
        return {bot.name for bot in store.bots.all()}


def from_afar(app: Flask) -> FlaskClient:
    """A reader at another machine."""
    app.config["CHECKS"]._checker = lambda endpoint, options: iter(())
    client = app.test_client()
    client.environ_base["REMOTE_ADDR"] = "192.168.1.7"
    return client


def test_stranger_cannot_have_this_machine_call_what_only_it_can_reach(
    app: Flask, database: Path
) -> None:
    """Without an invitation nothing is stored or called, and the text says what to do."""
    before = names(database)
    for more in ({}, {"invite": ""}, {"invite": "inv_made-up"}):
        answer = from_afar(app).post("/submit", json={**INSIDE, **more})
        assert answer.status_code == (422 if more.get("invite") else 403)
        assert "invit" in answer.get_json()["error"]

    assert names(database) == before


def test_invitation_and_organiser_open_the_door(app: Flask, database: Path) -> None:
    """Both from another machine; the invitation is good for one bot."""
    client = from_afar(app)
    made = client.post("/organise/invites", json={"note": "Ada"}, headers=BEARER).get_json()
    invited = client.post("/submit", json={**INSIDE, "invite": made["invite"]})
    again = client.post("/submit", json={**INSIDE, "name": "second", "invite": made["invite"]})
    own = client.post("/submit", json={**INSIDE, "name": "third"}, headers=BEARER)

    assert [invited.status_code, again.status_code, own.status_code] == [201, 422, 201]
    assert {"probe", "third"} <= names(database)


def test_form_asks_strangers_for_an_invitation(app: Flask) -> None:
    """Who sits at the machine is not bothered."""
    afar = from_afar(app).get("/submit").get_data(as_text=True)
    here = app.test_client().get("/submit").get_data(as_text=True)
    browser = Browser(app)
    browser.client.environ_base["REMOTE_ADDR"] = "192.168.1.7"
    status, html = browser.send("/submit", **INSIDE)

    assert 'name="invite"' in afar
    assert 'name="invite"' not in here
    assert status == 403
    assert "invitation" in html


def test_public_site_takes_strangers_as_before(make_app: Callable[..., Flask]) -> None:
    """There bots have public addresses only, and the organiser decides."""
    answer = from_afar(make_app(public=True)).post(
        "/submit", json={"name": "probe", "endpoint": "http://example.org/"}
    )

    assert answer.status_code == 201


@pytest.mark.parametrize(
    ("base", "headers", "status"),
    [
        (None, {}, 201),
        (None, {"Host": "rebound.example"}, 403),
        ("https://arena.example.org", {"Host": "arena.example.org"}, 403),
        ("https://arena.example.org", {"X-Forwarded-For": "127.0.0.1"}, 403),
        ("http://localhost/arena", {"X-Forwarded-For": "198.51.100.7"}, 403),
        ("http://localhost/arena", {"X-Forwarded-For": "127.0.0.1"}, 201),
    ],
)
def test_only_who_is_here_under_its_own_name_needs_no_invitation(
    make_app: Callable[..., Flask], base: str | None, headers: dict[str, str], status: int
) -> None:
    """Over real sockets: neither a proxy that tells nothing nor a borrowed name lets others in."""
    app = make_app(base_url=base)
    app.config["CHECKS"]._checker = lambda endpoint, options: iter(())
    with SiteServer(app) as server:
        server.start()
        answer = requests.post(f"{server.address}/submit", json=INSIDE, headers=headers, timeout=10)

    assert answer.status_code == status, answer.text


@pytest.mark.parametrize(
    ("host", "base", "exposed"),
    [
        ("127.0.0.1", None, False),
        ("localhost", None, False),
        ("::1", None, False),
        ("127.0.0.1", "http://localhost:8080/arena", False),
        ("127.0.0.1", "https://arena.example.org", True),
        ("0.0.0.0", None, True),
        ("::", None, True),
        ("192.168.1.5", None, True),
        ("my-machine", None, True),
    ],
)
def test_what_others_can_reach(host: str, base: str | None, exposed: bool) -> None:
    """Anything but the loopback addresses, and whatever has a public name."""
    assert is_exposed(host, base) is exposed


def test_disguised_loopback_is_loopback() -> None:
    """As a mapped address of version 6, and in brackets."""
    assert is_loopback("::ffff:127.0.0.1")
    assert is_loopback("[::1]")
    assert not is_loopback("localhost.example.org")
    assert not is_loopback("")
