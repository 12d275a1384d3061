"""Everybody against everybody: points, what a cell says, and where it leads."""

from __future__ import annotations

import re
from typing import Any

import pytest
from flask.testing import FlaskClient

from arena.site import create_app
from arena.store import Store
from arena.tournament.model import FormatOptions
from tests.site.factories import add_tournament

TWIN = re.compile(r"(\?|$)")


@pytest.fixture(scope="module")
def once(tmp_path_factory: pytest.TempPathFactory) -> FlaskClient:
    """A site with a league in which every pair meets once."""
    path = tmp_path_factory.mktemp("once") / "arena.db"
    options = FormatOptions(games=1, duplicate=False)
    with Store(path) as store:
        add_tournament(store, "Short league", names=("a", "b", "c", "d"), options=options)
    return create_app(path).test_client()


def matches_at(client: FlaskClient, address: str) -> list[dict[str, Any]]:
    """The matches that a schedule lists."""
    page = client.get(TWIN.sub(r".json\1", address, count=1)).get_json()
    return [match for round_ in page["rounds"] for match in round_["matches"]]


def test_points_are_those_of_the_table(client: FlaskClient) -> None:
    """A row begins with the points that the table has, which are the sum of its cells."""
    rows = client.get("/t/autumn-league/crosstable.json").get_json()["cross"]
    table = client.get("/t/autumn-league.json").get_json()["standings"]

    assert [(row["bot"]["name"], row["match_points"]) for row in rows] == [
        (line["bot"]["name"], line["match_points"]) for line in table
    ]
    for row in rows:
        assert row["match_points"] == sum(c["match_points"] for c in row["cells"] if c)


def test_cell_leads_to_the_matches_of_the_pair(client: FlaskClient) -> None:
    """Where two met more often, a cell tells how often each won, and leads to these matches."""
    rows = client.get("/t/autumn-league/crosstable.json").get_json()["cross"]
    html = client.get("/t/autumn-league/crosstable").get_data(as_text=True)
    cell = rows[0]["cells"][1]
    pair = {rows[0]["bot"]["name"], rows[1]["bot"]["name"]}
    found = matches_at(client, cell["url"])

    assert len(found) == cell["meetings"] == 2
    assert all({seat["name"] for seat in match["seats"]} == pair for match in found)
    assert rows[1]["cells"][0]["url"] == cell["url"]
    assert f"<small>{cell['won']}–{cell['drawn']}–{cell['lost']}</small>" in html


def test_cell_of_a_single_meeting_is_its_match(once: FlaskClient) -> None:
    """Where every pair met once, a cell is the result and leads to the match itself."""
    rows = once.get("/t/short-league/crosstable.json").get_json()["cross"]
    html = once.get("/t/short-league/crosstable").get_data(as_text=True)
    cell = rows[0]["cells"][3]
    match = once.get(f"{cell['url']}.json").get_json()["match"]

    assert {seat["name"] for seat in match["seats"]} == {
        rows[0]["bot"]["name"], rows[3]["bot"]["name"],
    }  # fmt: skip
    assert "<small>" not in html
    assert re.search(r'<td class="num c win"><a href="[^"]+">1</a></td>', html)


def test_schedule_of_one_bot(client: FlaskClient) -> None:
    """All its matches; a number that nobody has asks for nothing."""
    found = matches_at(client, "/t/autumn-league/schedule?bot=3")
    everything = matches_at(client, "/t/autumn-league/schedule?bot=99")
    names = {seat["name"] for match in found for seat in match["seats"]}

    assert len(found) == 14
    assert len(names) == 8
    assert len(everything) == 56


def test_states_and_pages_keep_the_pair(client: FlaskClient) -> None:
    """Choosing a state does not lose whose matches are looked at."""
    page = client.get("/t/autumn-league/schedule.json?bot=0&against=3").get_json()

    assert [bot["name"] for bot in page["bots"]] == ["keen", "random_bot"]
    assert all("bot=0&against=3" in address for _, address, _ in page["filters"])


def test_net_points_need_no_pointer(client: FlaskClient) -> None:
    """The page has the net hand points of every pair as text, the same as its CSV."""
    rows = client.get("/t/autumn-league/crosstable.json").get_json()["cross"]
    html = client.get("/t/autumn-league/crosstable").get_data(as_text=True)
    csv = client.get("/t/autumn-league/crosstable.csv").get_data(as_text=True).splitlines()
    shown = re.findall(r">([+−]\d+)</a>", html)

    assert len(shown) == 56
    for row, line in zip(rows, csv[1:], strict=True):
        values = [str(cell["net_points"]) if cell else "" for cell in row["cells"]]
        assert line.split(",")[1:] == values
