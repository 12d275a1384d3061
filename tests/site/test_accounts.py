"""Signing in, what an owner's token opens, and how often anything may be tried."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from flask import Flask

from arena.site.http.limits import Limiter
from arena.tokens import hash_token
from arena.wire.conformance import Status
from tests.site.accounts import ENDPOINT, bot_named, submit, use_checker, wait_for_check
from tests.site.conftest import ORGANISER, Browser


def test_owner_changes_renews_and_retires(app: Flask, database: Path) -> None:
    """Another address is a new version; a new token ends the old one; retiring asks first."""
    use_checker(app, [Status.PASSED])
    answer = submit(app)
    client = app.test_client()
    url = answer["url"]
    bearer = {"Authorization": f"Bearer {answer['owner_token']}"}

    page = client.get(f"{url}/edit", headers={**bearer, "Accept": "text/html"})
    assert "SECRETPATH" in page.get_data(as_text=True)
    changed = client.post(
        f"{url}/edit", json={"endpoint": "http://127.0.0.1:2/", "author": "Ada"}, headers=bearer
    )
    assert changed.status_code == 200
    assert bot_named(database, "newcomer").version == 2
    rotated = client.post(f"{url}/secret", json={"new_secret": True}, headers=bearer).get_json()
    assert rotated["secret"] == bot_named(database, "newcomer").secret
    renewed = client.post(f"{url}/token", json={}, headers=bearer).get_json()["owner_token"]
    assert client.post(f"{url}/token", json={}, headers=bearer).status_code == 403
    bearer = {"Authorization": f"Bearer {renewed}"}
    assert client.post(f"{url}/retire", json={"name": "no"}, headers=bearer).status_code == 422
    assert (
        client.post(f"{url}/retire", json={"name": "newcomer"}, headers=bearer).status_code == 200
    )
    assert bot_named(database, "newcomer").state == "retired"


def test_owner_sees_and_changes_only_the_own_bot(app: Flask) -> None:
    """Another bot's check, form and actions are closed, also its address to the organiser."""
    use_checker(app, [Status.PASSED])
    mine, other = submit(app), submit(app, "somebody else")
    client = app.test_client()
    bearer = {"Authorization": f"Bearer {mine['owner_token']}"}
    for section in ("check", "edit"):
        assert client.get(f"{other['url']}/{section}", headers=bearer).status_code == 403
    for section in ("check", "edit", "secret", "token", "retire"):
        answer = client.post(f"{other['url']}/{section}", json={}, headers=bearer)
        assert answer.status_code == 403, section
    organiser = {"Authorization": f"Bearer {ORGANISER}", "Accept": "text/html"}
    page = client.get(f"{other['url']}/edit", headers=organiser)
    assert page.status_code == 200
    assert "SECRETPATH" not in page.get_data(as_text=True)


def test_wrong_tokens_open_nothing(app: Flask) -> None:
    """A wrong token does not sign in, and says only that."""
    browser = Browser(app)
    status, html = browser.send("/account", token="own_wrong")

    assert status == 403
    assert "not known" in html
    assert browser.client.get("/organise").status_code == 401


def test_signing_out_forgets_the_token(organiser: Browser) -> None:
    """After signing out the desk is closed."""
    assert organiser.client.get("/organise").status_code == 200
    organiser.send("/account/leave", "/account")

    assert organiser.client.get("/organise").status_code == 401


def test_guessing_tokens_is_slowed_down(app: Flask) -> None:
    """After some attempts there is a wait, and the answer says how long."""
    browser = Browser(app)
    token = browser.csrf("/account")
    codes = [
        browser.client.post("/account", data={"token": f"org_{n}", "csrf": token}).status_code
        for n in range(12)
    ]

    assert codes[:10] == [403] * 10
    assert codes[-1] == 429
    answer = browser.client.post("/account", data={"token": "x", "csrf": token})
    assert int(answer.headers["Retry-After"]) >= 1


def test_submissions_are_limited(make_app: Callable[..., Flask]) -> None:
    """A flood of registrations is stopped."""
    app = make_app(public=True)
    use_checker(app, [Status.PASSED])
    codes = [
        app.test_client().post("/submit", json={"name": f"b{n}x", "endpoint": ENDPOINT}).status_code
        for n in range(8)
    ]

    assert codes.count(201) == 6
    assert codes[-1] == 429


def test_limiter_refills_with_time() -> None:
    """One more attempt every so often."""
    now = [0.0]
    limiter = Limiter(burst=2, every_s=10, clock=lambda: now[0])

    assert [limiter.take("a") for _ in range(3)] == [0.0, 0.0, 10.0]
    assert limiter.take("b") == 0.0
    now[0] = 10.0
    assert limiter.take("a") == 0.0
    assert limiter.take("a") > 0


def test_log_holds_no_secret(app: Flask, database: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Neither addresses nor tokens get into the log, whatever goes wrong."""
    caplog.set_level(0)
    use_checker(app, [Status.FAILED])
    answer = submit(app)
    wait_for_check(app)
    client = app.test_client()
    client.get("/account", headers={"Authorization": f"Bearer {answer['owner_token']}"})
    client.post("/submit", json={"name": "x", "endpoint": ENDPOINT + "\n"})

    assert "SECRETPATH" not in caplog.text
    assert answer["owner_token"] not in caplog.text
    assert hash_token(answer["owner_token"]) not in caplog.text
