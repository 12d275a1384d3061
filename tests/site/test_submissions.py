"""How bots come in: registered, checked, and admitted or turned away."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from threading import Event

import pytest
from flask import Flask

from arena.store import Store
from arena.store.rows import BotRow, BotState
from arena.tokens import is_same
from arena.wire.conformance import Status
from tests.site.accounts import ENDPOINT, bot_named, submit, use_checker, wait_for_check
from tests.site.conftest import ORGANISER, Browser


def test_bot_is_registered_checked_and_admitted(app: Flask, database: Path) -> None:
    """The form leads to a token shown once, steps as they finish, and admission."""
    go = Event()
    use_checker(app, [Status.PASSED, Status.WARNING, Status.PASSED], go)
    browser = Browser(app)
    secret = "whsec_" + "QUJD" * 11
    status, html = browser.send("/submit", name="newcomer", endpoint=ENDPOINT, secret=secret)
    found = re.search(r'data-copy="(own_[^"]+)"', html)
    address = re.search(r'href="(/bots/[0-9]+-newcomer/check)"', html)

    assert status == 201
    assert found is not None
    assert address is not None
    assert "whsec_" not in html
    running = browser.client.get(f"{address[1]}.json").get_json()
    assert running["running"] is True
    assert bot_named(database, "newcomer").state == "pending"
    go.set()
    wait_for_check(app)
    done = browser.client.get(f"{address[1]}.json").get_json()
    assert done["passed"] is True
    assert [step["status"] for step in done["steps"]] == ["passed", "warning", "passed"]
    assert bot_named(database, "newcomer").state == "accepted"
    assert is_same(bot_named(database, "newcomer").owner_hash, found[1])
    assert found[1] not in browser.client.get(address[1]).get_data(as_text=True)


def test_bot_that_fails_is_told_what_to_mend(app: Flask, database: Path) -> None:
    """It stays outside, and its owner sees the step, what was seen and what to do."""
    use_checker(app, [Status.PASSED, Status.FAILED])
    answer = submit(app)
    wait_for_check(app)
    bearer = {"Authorization": f"Bearer {answer['owner_token']}"}
    html = app.test_client().get(answer["check"].removesuffix(".json"), headers=bearer)

    assert bot_named(database, "newcomer").state == "pending"
    assert "mend it" in html.get_data(as_text=True)
    assert "een &lt;b&gt;" in html.get_data(as_text=True)


def test_public_site_needs_an_invitation_or_the_organiser(
    make_app: Callable[..., Flask], database: Path
) -> None:
    """Passing the check alone admits nobody; an invitation is good for one bot."""
    app = make_app(public=True)
    use_checker(app, [Status.PASSED])
    organiser = Browser(app)
    organiser.sign_in(ORGANISER)
    _, html = organiser.send("/organise/invites", "/organise", note="for Ada")
    found = re.search(r'data-copy="(inv_[^"]+)"', html)
    assert found is not None

    submit(app, "without")
    submit(app, "invited", invite=found[1])
    again = app.test_client().post(
        "/submit", json={"name": "twice", "endpoint": ENDPOINT, "invite": found[1]}
    )
    wait_for_check(app)

    assert bot_named(database, "without").state == "pending"
    assert bot_named(database, "invited").state == "accepted"
    assert again.status_code == 422
    bot = bot_named(database, "without")
    status, _ = organiser.send(f"/organise/bots/{bot.id}/accept", "/organise", version="1")
    assert status == 200
    assert bot_named(database, "without").state == "accepted"


def test_organiser_decides_about_what_was_looked_at(
    make_app: Callable[..., Flask], database: Path
) -> None:
    """A form that is out of date admits no other version, turns none away, and revives nothing."""
    app = make_app(public=True)
    with Store(database) as store:
        bot = store.bots.add("zed", "http://example.org/1", state=BotState.PENDING)
        store.bots.new_version(bot.id, "http://example.org/2")
        retired = store.bots.add("old", "http://example.org/", state=BotState.RETIRED)
    organiser = Browser(app)
    organiser.sign_in(ORGANISER)
    desk = organiser.client.get("/organise").get_data(as_text=True)
    assert 'name="version" value="2"' in desk

    def decide(bot: BotRow, verdict: str, version: str) -> int:
        address = f"/organise/bots/{bot.id}/{verdict}"
        return organiser.send(address, "/organise", version=version)[0]

    assert decide(bot, "accept", "1") == 409
    assert decide(bot, "refuse", "1") == 409
    assert decide(bot, "accept", "two") == 400
    assert decide(bot, "accept", "") == 422
    assert decide(retired, "accept", "1") == 409
    assert bot_named(database, "zed").state == "pending"
    assert bot_named(database, "old").state == "retired"
    assert decide(bot, "accept", "2") == 200
    assert decide(bot, "refuse", "2") == 409
    assert bot_named(database, "zed").state == "accepted"


def test_program_names_the_version_it_decides_about(app: Flask, database: Path) -> None:
    """The same by the API, where a version is a number."""
    with Store(database) as store:
        bot = store.bots.add("zed", "http://example.org/1", state=BotState.PENDING)
    bearer = {"Authorization": f"Bearer {ORGANISER}"}

    def decide(body: object) -> int:
        address = f"/organise/bots/{bot.id}/refuse"
        return app.test_client().post(address, json=body, headers=bearer).status_code

    assert [decide({}), decide({"version": "1"}), decide({"version": 2})] == [422, 400, 409]
    assert decide({"version": 1}) == 200
    assert bot_named(database, "zed").state == "retired"


@pytest.mark.parametrize(
    ("fields", "word"),
    [
        ({"name": "KEEN", "endpoint": ENDPOINT}, "looks the same"),
        ({"name": "keen ", "endpoint": ENDPOINT}, "keen"),
        ({"name": "kееn", "endpoint": ENDPOINT}, "looks the same"),
        ({"name": "a\u202eb", "endpoint": ENDPOINT}, "U+202E"),
        ({"name": "a\u200bb", "endpoint": ENDPOINT}, "U+200B"),
        ({"name": "", "endpoint": ENDPOINT}, "empty"),
        ({"name": "x" * 65, "endpoint": ENDPOINT}, "64"),
        ({"name": "fine", "endpoint": "not a url"}, "URL"),
        ({"name": "fine", "endpoint": "ftp://x/"}, "http"),
        ({"name": "fine", "endpoint": "python:evil.py"}, "URL"),
        ({"name": "fine", "endpoint": "cmd:rm -rf"}, "URL"),
        ({"name": "fine", "endpoint": ENDPOINT, "homepage": "javascript:alert(1)"}, "homepage"),
        ({"name": "fine", "endpoint": ENDPOINT, "homepage": "https://a b"}, "homepage"),
        ({"name": "fine", "endpoint": ENDPOINT, "secret": "short"}, "secret"),
    ],
)
def test_bad_registration_is_refused_with_the_reason(
    app: Flask, database: Path, fields: dict[str, object], word: str
) -> None:
    """One sentence names the field and the fix; the address is not repeated; nothing is stored."""
    answer = app.test_client().post("/submit", json=fields)

    assert answer.status_code == 422
    assert word in answer.get_json()["error"]
    assert "SECRETPATH" not in answer.get_data(as_text=True)
    with Store(database, read_only=True) as store:
        assert len(store.bots.all()) == 8


def test_form_keeps_what_was_typed(app: Flask) -> None:
    """After a mistake one need not type it all again."""
    status, html = Browser(app).send("/submit", name="keen", endpoint="http://127.0.0.1:5/x")

    assert status == 422
    assert 'value="http://127.0.0.1:5/x"' in html
    assert 'role="alert"' in html
