"""Seeding as the organiser chooses it, on the page and by program."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from arena.store import Store
from tests.site.conftest import ORGANISER, Browser

BEARER = {"Authorization": f"Bearer {ORGANISER}"}
CUP = {"name": "Seeded", "format": "single_elimination", "rules": "gin"}


def made(database: Path) -> tuple[list[str], dict[str, Any]]:
    """The names in the order of the seeding, and the configuration."""
    with Store(database, read_only=True) as store:
        row = store.tournaments.by_slug("seeded")
        assert row is not None
        entrants = sorted(store.tournaments.entrants(row.id), key=lambda one: one.seeding)
        return [one.name for one in entrants], dict(row.config)


def test_places_typed_beside_the_bots_are_the_seeding(organiser: Browser, database: Path) -> None:
    """Those without a place follow in the order of the list."""
    with Store(database, read_only=True) as store:
        bots = {bot.name: str(bot.id) for bot in store.bots.all()}
    names = sorted(bots)[:4]
    data = {
        **CUP, "do": "create", "csrf": organiser.csrf("/organise/new"), "seeding": "given",
        "bots": [bots[name] for name in names],
        f"place_{bots[names[2]]}": "1", f"place_{bots[names[3]]}": "2",
    }  # fmt: skip
    answer = organiser.client.post("/organise/new", data=data)

    assert answer.status_code == 303
    assert made(database)[0] == [names[2], names[3], names[0], names[1]]


@pytest.mark.parametrize(
    ("seeding", "expected"),
    [("ratings", ("ratings", None)), ("from:Autumn league", ("given", "Autumn league"))],
)
def test_form_offers_ratings_and_earlier_tables(
    organiser: Browser, database: Path, seeding: str, expected: tuple[str, str | None]
) -> None:
    """The tables are those of the tournaments there are."""
    page = organiser.client.get("/organise/new").get_data(as_text=True)
    data = {**CUP, "do": "create", "csrf": organiser.csrf("/organise/new"), "seeding": seeding,
            "bots": ["1", "2", "3"]}  # fmt: skip
    organiser.client.post("/organise/new", data=data)

    assert f'<option value="{seeding}"' in page
    config = made(database)[1]
    assert (config["seeding"], config["seeded_from"]) == expected


def test_programs_seed_by_the_order_of_bots(app: Flask, database: Path) -> None:
    """Or choose as in a tournament file; what makes no sense is refused in words."""
    client = app.test_client()
    data = {**CUP, "bots": ["simple", "keen", "greedy"]}
    bad = client.post("/organise/new", json={**data, "seeding": "lots"}, headers=BEARER)
    good = client.post("/organise/new", json=data, headers=BEARER)

    assert bad.status_code == 422
    assert "choose given or ratings" in bad.get_data(as_text=True)
    assert good.status_code == 201
    assert made(database)[0] == ["simple", "keen", "greedy"]


def test_cup_does_not_start_before_its_league_is_over(app: Flask) -> None:
    """The refusal says what to do, and the draft stays one."""
    client = app.test_client()
    data = {**CUP, "bots": ["simple", "keen"], "seeded_from": "Sunday table"}
    client.post("/organise/new", json=data, headers=BEARER)
    answer = client.post("/organise/t/seeded/start", json={}, headers=BEARER)

    assert answer.status_code == 422
    assert "play that to its end first" in answer.get_data(as_text=True)
    assert client.get("/t/seeded.json").get_json()["head"]["state"] == "draft"
