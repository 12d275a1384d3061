"""Signing in, owning a bot, organising."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event

import pytest
from flask import Flask

from arena.site.auth import hash_token, is_same
from arena.site.limits import Limiter
from arena.store import Store
from arena.store.rows import BotRow, BotState, FixtureStatus, TournamentRow, TournamentState
from arena.wire.conformance import Options, Status, Step
from tests.site.conftest import ORGANISER, Browser

ENDPOINT = "http://u:pw@127.0.0.1:1/hook/SECRETPATH"


def use_checker(app: Flask, statuses: list[Status], go: Event | None = None) -> None:
    """Let checks of this site end so, after ``go`` is set."""

    def checker(endpoint: str, options: Options) -> Iterator[Step]:
        for number, status in enumerate(statuses, 1):
            if go is not None and number == len(statuses):
                assert go.wait(5)
            yield Step(number, "Info", f"step {number}", status, "seen <b>", "mend it", "GET /")

    app.config["CHECKS"]._checker = checker


def wait_for_check(app: Flask) -> None:
    """Until no check runs."""
    assert app.config["CHECKS"].wait_until_idle(10)


def bot_named(database: Path, name: str) -> BotRow:
    """A bot from the database."""
    with Store(database, read_only=True) as store:
        bot = store.bots.by_name(name)
        assert bot is not None
        return bot


def tournament(database: Path, slug: str) -> TournamentRow:
    """A tournament from the database."""
    with Store(database, read_only=True) as store:
        row = store.tournaments.by_slug(slug)
        assert row is not None
        return row


def submit(app: Flask, name: str = "newcomer", **more: object) -> dict[str, str]:
    """Register a bot by the API; the answer."""
    answer = app.test_client().post("/submit", json={"name": name, "endpoint": ENDPOINT, **more})
    assert answer.status_code == 201, answer.get_json()
    found: dict[str, str] = answer.get_json()
    return found


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


def test_organiser_makes_a_tournament(organiser: Browser, database: Path) -> None:
    """Plan first, with figures; then create, with changed settings."""
    with Store(database, read_only=True) as store:
        ids = [str(bot.id) for bot in store.bots.all()[:4]]
    fields = {
        "name": "From the page", "format": "round_robin", "rules": "gin", "games": "4",
        "set_gin_bonus": "20", "deadline_ms": "500", "has_duplicate": "1", "duplicate": "on",
    }  # fmt: skip
    data = {**fields, "csrf": organiser.csrf("/organise/new"), "bots": ids}
    planned = organiser.client.post("/organise/new", data={**data, "do": "plan"})
    made = organiser.client.post("/organise/new", data={**data, "do": "create"})

    assert "about 12 matches" in planned.get_data(as_text=True)
    assert made.status_code == 303
    row = tournament(database, "from-the-page")
    assert row.config["settings"] == {"gin_bonus": 20}
    assert row.config["options"]["games"] == 4
    assert row.config["clock"]["deadline_ms"] == 500
    assert row.state is TournamentState.DRAFT


@pytest.mark.parametrize(
    ("fields", "word"),
    [
        ({"name": ""}, "name"),
        ({"games": "many"}, "games"),
        ({"rules": "chess"}, "chess"),
        ({"set_gin_bonus": "lots"}, "gin_bonus"),
        ({"set_nonsense": "1"}, "nonsense"),
        ({"format": "lottery"}, "lottery"),
        ({"deadline_ms": "1"}, "deadline_ms"),
        ({"best_of": "4"}, "best_of"),
    ],
)
def test_bad_tournament_is_refused_with_the_reason(
    organiser: Browser, fields: dict[str, str], word: str
) -> None:
    """The text names the field; what was typed is kept."""
    base = {"name": "Fine", "format": "round_robin", "rules": "gin"}
    data = {**base, **fields, "csrf": organiser.csrf("/organise/new"), "bots": ["1", "2"]}
    answer = organiser.client.post("/organise/new", data={**data, "do": "create"})

    assert answer.status_code == 422
    assert word in answer.get_data(as_text=True)


def test_tournament_is_made_by_the_api(app: Flask, database: Path) -> None:
    """The same with JSON and a bearer token; ``plan`` only plans."""
    client = app.test_client()
    bearer = {"Authorization": f"Bearer {ORGANISER}"}
    draft = {"name": "By program", "format": "bracket", "best_of": 1, "bots": ["keen", "simple"]}
    planned = client.post("/organise/new", json={**draft, "plan": True}, headers=bearer)
    made = client.post("/organise/new", json=draft, headers=bearer)

    assert planned.get_json()["forecast"]["matches"] == 1
    assert made.status_code == 201
    assert tournament(database, "by-program").format == "single_elimination"
    unknown = client.post("/organise/new", json={**draft, "bots": ["nobody"]}, headers=bearer)
    assert unknown.status_code == 422


def test_tournament_is_paused_started_and_cancelled(
    make_app: Callable[..., Flask], database: Path
) -> None:
    """Each move in its states only; cancelling wants the name."""
    asked: list[str] = []

    class Spy:
        def play(self, row: TournamentRow) -> str:
            asked.append(row.name)
            return "Play begins."

        def awaits(self, tournament_id: str) -> bool:
            return False

    organiser = Browser(make_app(control=Spy()))
    organiser.sign_in(ORGANISER)
    desk = "/organise"
    assert organiser.send("/organise/t/sunday-table/pause", desk)[0] == 200
    assert tournament(database, "sunday-table").state is TournamentState.PAUSED
    assert organiser.send("/organise/t/sunday-table/pause", desk)[0] == 409
    assert organiser.send("/organise/t/sunday-table/resume", desk)[0] == 200
    assert organiser.send("/organise/t/spring-league/start", desk)[0] == 200
    assert asked == ["Sunday table", "Spring league"]
    cancel = "/organise/t/sunday-table/cancel"
    assert organiser.send(cancel, confirm="yes")[0] == 422
    assert tournament(database, "sunday-table").state is TournamentState.RUNNING
    assert organiser.send(cancel, confirm="Sunday table")[0] == 200
    assert tournament(database, "sunday-table").state is TournamentState.CANCELLED
    assert organiser.client.get(cancel).status_code == 409


def test_match_is_voided_and_played_again(organiser: Browser, database: Path) -> None:
    """It asks first, keeps the match visible as void, and schedules it with other deals."""
    organiser.send("/organise/t/sunday-table/pause", "/organise")
    row = tournament(database, "sunday-table")
    with Store(database, read_only=True) as store:
        done = next(f for f in store.fixtures.of(row.id) if f.status is FixtureStatus.FINISHED)
    address = f"/organise/t/sunday-table/void/{done.id}"

    assert organiser.send(address, confirm="no")[0] == 422
    assert organiser.send(address, confirm="void")[0] == 200
    with Store(database, read_only=True) as store:
        again = [f for f in store.fixtures.of(row.id, void=True) if f.key == done.key]
    assert sorted(f.status for f in again) == ["pending", "void"]
    page = organiser.client.get(f"/t/sunday-table/m/{done.id}.json").get_json()
    assert page["match"]["status"] == "void"


def test_finished_tournament_cannot_be_replayed(organiser: Browser, database: Path) -> None:
    """Its secret is public, so everybody would know the cards."""
    row = tournament(database, "autumn-league")
    with Store(database, read_only=True) as store:
        done = store.fixtures.of(row.id)[0]

    assert organiser.client.get(f"/organise/t/autumn-league/void/{done.id}").status_code == 409


def test_bot_is_taken_out(organiser: Browser, database: Path) -> None:
    """A disqualified bot is marked on the page; its name must be typed."""
    page = "/organise/t/sunday-table/entrants"
    address = "/organise/t/sunday-table/withdraw"

    assert organiser.send(address, page, bot="keen", confirm="x")[0] == 422
    assert organiser.send(address, page, bot="keen", confirm="keen", disqualify="on")[0] == 200
    table = organiser.client.get("/t/sunday-table.json").get_json()["standings"]
    assert {"keen": "disqualified"} == {
        line["bot"]["name"]: line["presence"] for line in table if line["presence"] != "playing"
    }


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
