"""The way to a bot that passed: secrets that come first, slips that cost nothing, what to mend."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest
from flask import Flask

from arena.site.auth import NO_TOKEN, OUT_OF_DATE
from arena.store import Store
from arena.store.rows import BotState
from arena.wire.conformance import Options, Status, Step
from tests.site.accounts import ENDPOINT, bot_named, submit, use_checker, wait_for_check
from tests.site.conftest import ORGANISER, Browser


@pytest.mark.parametrize("public", [False, True])
def test_check_waits_until_the_bot_can_have_its_secret(
    make_app: Callable[..., Flask], database: Path, public: bool
) -> None:
    """Nobody is called before the author says so; then the check admits as any first one does."""
    app = make_app(public=public)
    use_checker(app, [Status.PASSED])
    organiser, browser = Browser(app), Browser(app)
    organiser.sign_in(ORGANISER)
    _, desk = organiser.send("/organise/invites", "/organise", note="for Ada")
    invite = re.search(r'data-copy="(inv_[^"]+)"', desk)
    assert invite is not None

    status, html = browser.send(
        "/submit", name="newcomer", endpoint=ENDPOINT, new_secret="on", invite=invite[1]
    )
    wait_for_check(app)
    address = re.search(r'action="(/bots/[0-9]+-newcomer/check)"', html)

    assert status == 201
    assert "whsec_" in html
    assert address is not None
    assert bot_named(database, "newcomer").report is None
    assert browser.send(address[1])[0] == 200
    wait_for_check(app)
    assert bot_named(database, "newcomer").state == "accepted"


def test_programs_are_told_that_the_check_waits(app: Flask, database: Path) -> None:
    """``checking`` is false when the arena made the secret, and true otherwise."""
    use_checker(app, [Status.PASSED])

    answers: list[Mapping[str, object]] = [submit(app, "one", new_secret=True), submit(app, "two")]

    assert [answer["checking"] for answer in answers] == [False, True]
    wait_for_check(app)
    assert bot_named(database, "one").report is None


def test_new_secret_is_tested_when_the_bot_has_it(app: Flask, database: Path) -> None:
    """The page that shows it has the button."""
    use_checker(app, [Status.PASSED])
    token = submit(app)["owner_token"]
    wait_for_check(app)
    bot = bot_named(database, "newcomer")
    browser = Browser(app)
    browser.sign_in(token)
    page = f"/bots/{bot.id}-newcomer"
    _, html = browser.send(f"{page}/secret", f"{page}/edit", new_secret="on")

    assert "Start your bot with it" in html
    assert f'action="{page}/check"' in html


def test_slips_cost_no_registration(make_app: Callable[..., Flask]) -> None:
    """Typing errors and names that are taken leave all registrations to the one that is right."""
    app = make_app(public=True)
    use_checker(app, [Status.PASSED])
    client = app.test_client()
    wrong = [{"name": "x", "endpoint": "nonsense"}, {"name": "keen", "endpoint": ENDPOINT}]
    slips = [client.post("/submit", json=wrong[n % 2]).status_code for n in range(12)]
    right = [
        client.post("/submit", json={"name": f"b{n}x", "endpoint": ENDPOINT}).status_code
        for n in range(6)
    ]

    assert slips == [422] * 12
    assert right == [201] * 6


def test_owners_do_not_use_up_each_others_tests(make_app: Callable[..., Flask]) -> None:
    """Behind one address each has an allowance, not endless, nor larger with another token."""
    app = make_app(public=True)
    use_checker(app, [Status.PASSED])
    first, second = submit(app, "one"), submit(app, "two")
    client = app.test_client()

    def test_again(bot: dict[str, str]) -> int:
        bearer = {"Authorization": f"Bearer {bot['owner_token']}"}
        return client.post(bot["check"].removesuffix(".json"), headers=bearer).status_code

    assert [test_again(first) for _ in range(7)] == [200] * 6 + [429]
    bearer = {"Authorization": f"Bearer {first['owner_token']}"}
    renewed = client.post(f"{first['url']}/token", headers=bearer).get_json()
    assert test_again({**first, "owner_token": renewed["owner_token"]}) == 429
    assert test_again(second) == 200


def test_local_arena_is_patient(app: Flask) -> None:
    """On one's own machine a dozen bots are registered one after the other."""
    use_checker(app, [Status.PASSED])

    for number in range(12):
        submit(app, f"b{number}x")


def test_one_reason_is_told_once_failures_first(app: Flask, database: Path) -> None:
    """A warning before the failures stands after them; ten failures of one cause are one box."""

    def checker(endpoint: str, options: Options) -> Iterator[Step]:
        yield Step(1, "Info", "a warning", Status.WARNING, "w", "mend w")
        for number in range(2, 12):
            yield Step(number, "Act", f"step {number}", Status.FAILED, "same", "do", cause="same")
        yield Step(12, "Act", "another", Status.FAILED, "other", "do")

    app.config["CHECKS"]._checker = checker
    token = submit(app)["owner_token"]
    wait_for_check(app)
    bot = bot_named(database, "newcomer")
    bearer = {"Authorization": f"Bearer {token}"}
    page = f"/bots/{bot.id}-newcomer/check"
    html = app.test_client().get(page, headers=bearer).get_data(as_text=True)
    found = app.test_client().get(f"{page}.json", headers=bearer).get_json()["troubles"]

    assert [(one["count"], one["numbers"], one["first"]["status"]) for one in found] == [
        (10, "2-11", "failed"), (1, "12", "failed"), (1, "1", "warning"),
    ]  # fmt: skip
    assert html.count('<article class="panel trouble') == 3
    assert "10 steps for this one reason" in html


def test_report_from_before_causes_is_shown(app: Flask, database: Path) -> None:
    """What an older version stored has no causes, and is told step by step."""
    bot = bot_named(database, "keen")
    step = {"number": 1, "section": "Info", "title": "t", "status": "failed", "detail": "d",
            "fix": "f", "exchange": ""}  # fmt: skip
    with Store(database) as store:
        store.bots.set_report(bot.version_id, {"passed": False, "steps": [step]})
    organiser = {"Authorization": f"Bearer {ORGANISER}"}
    found = app.test_client().get(f"/bots/{bot.id}-keen/check.json", headers=organiser).get_json()

    assert [one["numbers"] for one in found["troubles"]] == ["1"]


def test_a_check_that_is_not_finished_admits_nobody(app: Flask, database: Path) -> None:
    """The bot stays pending, and its page says that nobody knows yet."""

    def half(endpoint: str, options: Options) -> Iterator[Step]:
        yield Step(1, "Info", "t", Status.PASSED)
        yield Step(2, "Hands", "u", Status.UNFINISHED, "the time was up")

    app.config["CHECKS"]._checker = half
    with Store(database) as store:
        bot = store.bots.add("tardy", "http://127.0.0.1:1/", state=BotState.PENDING)
    app.config["CHECKS"].start(bot, accept=True)
    assert app.config["CHECKS"].wait_until_idle(5)
    organiser = {"Authorization": f"Bearer {ORGANISER}"}
    page = app.test_client().get(f"/bots/{bot.id}-tardy/check", headers=organiser)

    assert "Not finished." in page.get_data(as_text=True)
    assert "Ready to play" not in page.get_data(as_text=True)
    with Store(database, read_only=True) as store:
        found = store.bots.by_id(bot.id)
    assert found is not None
    assert found.state is BotState.PENDING


@pytest.mark.parametrize(
    ("headers", "data", "text"),
    [
        ({}, {"name": "x"}, NO_TOKEN),
        ({"Accept": "*/*", "User-Agent": "curl/8"}, {"name": "x"}, NO_TOKEN),
        ({"Accept": "text/html"}, {"name": "x", "csrf": "old"}, OUT_OF_DATE),
        ({"Sec-Fetch-Site": "same-origin"}, {"name": "x"}, OUT_OF_DATE),
    ],
)
def test_programs_are_told_what_to_send_and_people_to_load_again(
    app: Flask, headers: dict[str, str], data: dict[str, str], text: str
) -> None:
    """A call without a form's token comes from a program that does not know how, or is late."""
    answer = app.test_client().post("/submit", data=data, headers=headers)

    assert answer.status_code == 403
    assert text in answer.get_data(as_text=True)
