"""What an organiser does with tournaments: makes, starts, ends and mends them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from flask import Flask

from arena.store import Store
from arena.store.rows import FixtureStatus, TournamentRow, TournamentState
from tests.site.accounts import tournament
from tests.site.conftest import ORGANISER, Browser
from tests.site.playing import play


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


def test_ladder_is_ended_with_its_round_in_play(organiser: Browser, database: Path) -> None:
    """Only a ladder offers it; it wants the name, and the round is the last from then on."""
    with Store(database) as store:
        play(store, "Long ladder", ["a", "b", "c", "d"], format="ladder", matches=6)
    finish = "/organise/t/long-ladder/finish"
    desk = organiser.client.get("/organise").get_data(as_text=True)

    assert finish in desk
    assert finish in organiser.client.get("/t/long-ladder").get_data(as_text=True)
    assert "/organise/t/sunday-table/finish" not in desk
    assert organiser.send("/organise/t/sunday-table/finish", confirm="Sunday table")[0] == 409
    assert organiser.send(finish, confirm="yes")[0] == 422
    assert organiser.send(finish, confirm="Long ladder")[0] == 200
    row = tournament(database, "long-ladder")
    assert row.config["options"]["rounds"] == 2
    rounds = organiser.client.get("/t/long-ladder.json").get_json()["head"]["total"]
    assert rounds == 8


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
