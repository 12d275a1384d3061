"""Owners enter and leave their bots until a tournament starts, on the page and by program."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from arena.store import Store
from arena.tokens import hash_token
from tests.site.conftest import ORGANISER, Browser

BEARER = {"Authorization": f"Bearer {ORGANISER}"}
OWNER = "own_of-keen"
OWNED = {"Authorization": f"Bearer {OWNER}"}


@pytest.fixture
def owned(database: Path) -> Path:
    """The bot keen has an owner and has said what it plays."""
    with Store(database) as store:
        for bot in store.bots.all():
            store.bots.set_info(bot.version_id, {"games": ["gin"]})
        keen = store.bots.by_name("keen")
        assert keen is not None
        store.bots.set_owner(keen.id, hash_token(OWNER))
    return database


@pytest.fixture
def site(owned: Path, make_app: Callable[..., Flask]) -> FlaskClient:
    """A program's client of a site with an open tournament for two bots."""
    client = make_app().test_client()
    data = {"name": "Open", "bots": [], "open": True, "most_entrants": 2}
    answer = client.post("/organise/new", json=data, headers=BEARER)
    assert answer.status_code == 201, answer.get_json()
    return client


def names(client: FlaskClient) -> list[str]:
    """Who is in it, the strongest seeding first."""
    return [one["name"] for one in client.get("/t/open/entries.json").get_json()["entrants"]]


def test_owner_enters_and_leaves_by_token(site: FlaskClient) -> None:
    """Each answer says what happened; the list follows at once."""
    assert site.get("/t/open.json").get_json()["head"]["state"] == "registration"
    entered = site.post("/t/open/enter", json={"bot": "keen"}, headers=OWNED)
    assert (entered.status_code, names(site)) == (200, ["keen"])
    again = site.post("/t/open/enter", json={"bot": "keen"}, headers=OWNED)
    assert (again.status_code, again.get_json()["error"]) == (409, "'keen' is in 'Open' already")
    left = site.post("/t/open/leave", json={"bot": "keen"}, headers=OWNED)
    assert (left.status_code, names(site)) == (200, [])


def test_nobody_enters_a_stranger(site: FlaskClient) -> None:
    """Another's bot, no token, no such bot."""
    answers = [
        site.post("/t/open/enter", json={"bot": "greedy"}, headers=OWNED),
        site.post("/t/open/enter", json={"bot": "keen"}),
        site.post("/t/open/enter", json={"bot": "ghost"}, headers=OWNED),
        site.post("/t/nowhere/enter", json={"bot": "keen"}, headers=OWNED),
    ]
    assert [answer.status_code for answer in answers] == [403, 401, 422, 404]


def test_closed_full_and_started_are_refused(site: FlaskClient) -> None:
    """With the reason; the organiser may still enter one while entries are closed."""
    for name in ("greedy", "simple"):
        assert site.post("/t/open/enter", json={"bot": name}, headers=BEARER).status_code == 200
    full = site.post("/t/open/enter", json={"bot": "keen"}, headers=OWNED)
    assert (full.status_code, full.get_json()["error"]) == (409, "'Open' is full: 2 bots are in it")
    site.post("/organise/t/open/close", json={}, headers=BEARER)
    shut = site.post("/t/open/leave", json={"bot": "keen"}, headers=OWNED)
    assert (shut.status_code, "the organiser opens it" in shut.get_json()["error"]) == (409, True)
    site.post("/t/open/leave", json={"bot": "simple"}, headers=BEARER)
    too_few = site.post("/organise/t/open/start", json={}, headers=BEARER)
    assert too_few.status_code == 422
    assert "needs at least 2" in too_few.get_json()["error"]
    opened = site.post("/organise/t/open/open", json={"most_entrants": 3}, headers=BEARER)
    assert (opened.status_code, opened.get_json()["state"]) == (200, "registration")
    site.post("/t/open/enter", json={"bot": "keen"}, headers=OWNED)
    assert site.post("/organise/t/open/start", json={}, headers=BEARER).status_code == 200
    late = site.post("/t/open/leave", json={"bot": "keen"}, headers=OWNED)
    assert (late.status_code, "before it starts" in late.get_json()["error"]) == (409, True)


def test_organiser_seeds_by_hand_until_the_start(site: FlaskClient) -> None:
    """By names for programs."""
    for name in ("greedy", "keen"):
        site.post("/t/open/enter", json={"bot": name}, headers=BEARER)
    address = "/organise/t/open/seeding"
    answer = site.post(address, json={"order": ["keen", "greedy"]}, headers=BEARER)
    assert (answer.status_code, names(site)) == (200, ["keen", "greedy"])
    wrong = site.post(address, json={"order": ["ghost"]}, headers=BEARER)
    assert (wrong.status_code, "'ghost' is not in 'Open'" in wrong.get_json()["error"]) == (
        422, True,
    )  # fmt: skip


def test_owner_at_a_browser(owned: Path, make_app: Callable[..., Flask], site: FlaskClient) -> None:
    """Signs in, enters on the page, leaves on the page; a spectator sees no form."""
    owner = Browser(make_app())
    assert owner.sign_in(OWNER) == 200
    status, text = owner.send("/t/open/enter", "/t/open/entries", bot="keen")
    assert (status, "keen is in Open." in text) == (200, True)
    status, text = owner.send("/t/open/leave", "/t/open/entries", bot="keen")
    assert (status, "keen is not in Open any more." in text) == (200, True)
    spectator = site.get("/t/open/entries").get_data(as_text=True)
    assert 'name="bot"' not in spectator
    assert "Sign in" in spectator


def test_organiser_at_a_browser(owned: Path, make_app: Callable[..., Flask]) -> None:
    """Creates it open, closes it, seeds by typed places, and opens it again."""
    organiser = Browser(make_app())
    organiser.sign_in(ORGANISER)
    status, text = organiser.send(
        "/organise/new", name="Open", format="swiss", rules="gin", bots="1", do="open"
    )
    assert (status, "open for entries" in text) == (200, True)
    organiser.send("/t/open/enter", "/t/open/entries", bot="greedy")
    status, text = organiser.send(
        "/organise/t/open/seeding", "/organise/t/open/entrants", seeding="given", place_1="1"
    )
    assert status == 200
    first = names(organiser.client)[0]
    assert first == "greedy"
    assert "closed for entries" in organiser.send("/organise/t/open/close", "/t/open")[1]
    assert "is open for entries" in organiser.send("/organise/t/open/open", "/t/open")[1]


@pytest.mark.parametrize("entered", [0, 1, 2])
@pytest.mark.parametrize(
    "format", ["round_robin", "single_elimination", "double_elimination", "swiss", "groups",
               "gauntlet", "ladder"]
)  # fmt: skip
def test_every_page_shows_a_field_that_is_not_full(
    owned: Path, make_app: Callable[..., Flask], format: str, entered: int
) -> None:
    """With no bot, one or two, whatever the format."""
    client = make_app().test_client()
    data = {"name": "Open", "format": format, "bots": [], "open": True}
    assert client.post("/organise/new", json=data, headers=BEARER).status_code == 201
    for name in ("keen", "greedy")[:entered]:
        client.post("/t/open/enter", json={"bot": name}, headers=BEARER)
    tabs = [tab[1]["url"] for tab in client.get("/t/open.json").get_json()["head"]["tabs"]]
    for address in ("/", *tabs):
        assert client.get(address).status_code == 200, address
        assert client.get("/index.json" if address == "/" else f"{address}.json").status_code == 200
