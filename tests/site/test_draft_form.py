"""The form of a new tournament: what it asks for, and in whose words it refuses."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.config import TournamentConfig
from arena.site.work.drafts import NUMBERS, SWITCHES
from arena.store import Store
from arena.tournament.formats.registry import FORMATS
from tests.site.conftest import ORGANISER, Browser


def test_every_option_has_its_place() -> None:
    """No option is left out of the form, and none belongs nowhere."""
    assert {option for format in FORMATS.values() for option in format.uses} == {
        *NUMBERS,
        *SWITCHES,
    }


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({}, "tick more of them below"),
        ({"bots": "1", "games": "two"}, "Games of a match = &#39;two&#39;: give a whole number"),
        ({"bots": "1", "best_of": "4"}, "Best of = 4: give an odd number"),
        ({"bots": "1", "rounds": "4"}, "Rounds = 4: the format round-robin does not use it; use"),
        ({"bots": "1", "patience_s": "-1"}, "Patience, seconds = -1: "),
    ],
)
def test_page_refuses_in_its_own_words(
    organiser: Browser, fields: dict[str, str], said: str
) -> None:
    """Nobody at a page is told what to type into a terminal; fields are called as they are."""
    status, html = organiser.send(
        "/organise/new", name="New one", format="round_robin", rules="gin", do="create", **fields
    )
    alert = html.split('role="alert">')[1].split("</div>")[0]

    assert status == 422
    assert said in alert
    assert "--" not in alert


def test_bots_that_do_not_answer_are_waited_for_as_long_as_was_typed(
    organiser: Browser, database: Path
) -> None:
    """And with the tick nothing begins without all of them."""
    page = "/organise/new"
    form = {"name": "Patient", "format": "round_robin", "rules": "gin", "bots": ["1", "2"],
            "patience_s": "300", "has_all_present": "1", "all_present": "on", "do": "create",
            "csrf": organiser.csrf(page)}  # fmt: skip
    assert organiser.client.post(page, data=form).status_code == 303

    with Store(database, read_only=True) as store:
        config = TournamentConfig.from_json(store.tournaments.find("Patient").config)
    assert (config.patience_s, config.all_present) == (300, True)


@pytest.mark.parametrize(("ticked", "matches"), [(False, 4), (True, 24)])
def test_tables_may_be_played_in_all_seat_orders(
    organiser: Browser, ticked: bool, matches: int
) -> None:
    """Of a page and of a program; the tick stays for the next look, and is off at first."""
    page = "/organise/new"
    data = {"name": "Four", "format": "tables", "rules": "teams", "do": "plan", "table_size": "4",
            "bots": ["1", "2", "3", "4"], "csrf": organiser.csrf(page), "has_duplicate": "1",
            "duplicate": "on", "has_all_orders": "1"}  # fmt: skip
    html = organiser.client.post(
        page, data=data | ({"all_orders": "on"} if ticked else {})
    ).get_data(as_text=True)
    names = [bot["name"] for bot in organiser.client.get("/bots.json").get_json()["bots"]][:4]
    planned = organiser.client.post(
        page,
        json={"name": "Four", "format": "tables", "rules": "teams", "table_size": 4, "bots": names,
              "all_orders": ticked, "plan": True},
        headers={"Authorization": f"Bearer {ORGANISER}"},
    ).get_json()  # fmt: skip

    assert f"about {matches} matches" in html
    assert planned["forecast"]["matches"] == matches
    assert ('name="all_orders" checked' in html) is ticked
    assert 'name="all_orders" checked' not in organiser.client.get(page).get_data(as_text=True)


def test_name_that_is_taken_asks_for_another(organiser: Browser) -> None:
    """It says nothing of commands."""
    page = "/organise/new"
    data = {"name": "Autumn league", "format": "round_robin", "rules": "gin", "do": "create",
            "bots": ["1", "2"], "csrf": organiser.csrf(page)}  # fmt: skip
    html = organiser.client.post(page, data=data).get_data(as_text=True)

    assert "choose another name" in html
    assert "arena resume" not in html
