"""All bots, ranked at a game: what is counted, what is said of it, and that nobody waits for it."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from arena.site import create_app
from arena.site.pages import bots
from arena.site.views import ranking
from arena.site.views.ranking import Rankings
from arena.store import Store
from tests.site.changing import begin_match
from tests.tournament.functions import enter, knocker, play
from tests.waiting import wait_until


def lines_at(client: FlaskClient, address: str = "/bots.json") -> list[dict[str, Any]]:
    """The bots of a ranking."""
    found: list[dict[str, Any]] = client.get(address).get_json()["bots"]
    return found


def test_order_is_that_of_the_ratings(client: FlaskClient) -> None:
    """Ranked are those with an interval; each has the record that its own page adds up."""
    page = client.get("/bots.json").get_json()
    html = client.get("/bots").get_data(as_text=True)
    ranked = [line for line in page["bots"] if line["rank"]]

    assert page["game"]["name"] == "Gin rummy"
    assert len(ranked) > 4
    assert [line["rank"] for line in ranked] == list(range(1, len(ranked) + 1))
    ratings = [line["rating"] for line in ranked]
    assert ratings == sorted(ratings, reverse=True)
    assert page["bots"][: len(ranked)] == ranked
    for line in page["bots"]:
        variants = client.get(f"{line['url']}.json").get_json()["variants"]
        (own,) = [one for one in variants if one["variant"]["name"] == "Gin rummy"]
        assert [line[key] for key in ("won", "drawn", "lost")] == [
            own[key] for key in ("won", "drawn", "lost")
        ]
        assert (own["rank"], own["rating"]) == (line["rank"], line["rating"])
    assert "in order of rating" in html
    assert re.search(r'<td class="num r rank">1</td>', html)


def test_last_result_is_the_newest_match(client: FlaskClient) -> None:
    """It is told from the bot's side, with a link to the match."""
    for line in lines_at(client):
        last = line["last"]
        match = client.get(f"{last['url']}.json").get_json()["match"]
        latest = client.get(f"{line['url']}.json").get_json()["latest"]
        gin = [one for one in latest if len(one["seats"]) == 2]
        (own,) = [seat for seat in match["seats"] if seat["name"] == line["name"]]
        (other,) = [seat for seat in match["seats"] if seat["name"] != line["name"]]

        assert last["at"] == match["finished_at"]
        assert last["at"] >= max(
            (one["finished_at"] for one in gin if one["url"].startswith("/t/autumn")), default=""
        )
        assert last["against"] == [other["name"]]
        assert last["score"] == [own["score"], other["score"]]
        assert last["outcome"] == ("won" if own["won"] else "lost" if other["won"] else "drawn")


def test_each_game_has_its_ranking(client: FlaskClient) -> None:
    """Those that did not play it follow and are said not to have; an alias leads to the name."""
    page = client.get("/games/indian_points/bots.json").get_json()
    html = client.get("/games/indian_points/bots").get_data(as_text=True)
    played = [line["won"] + line["drawn"] + line["lost"] > 0 for line in page["bots"]]

    assert played == sorted(played, reverse=True)
    assert sum(played) == 4
    assert html.count("has not played it") == len(played) - 4
    assert len(page["bots"][0]["last"]["against"]) == 3
    assert {link for _, link, _ in page["games"]} >= {"/games/gin/bots", "/games/mahjong/bots"}
    assert client.get("/games/no_such_game/bots").status_code == 404
    assert client.get("/games/team_gin/bots").headers["Location"].endswith("/games/teams/bots")


def test_partner_is_not_who_a_bot_played_against(store: Store) -> None:
    """In a team match the last result names the other team."""
    row = enter(store, 4, "tables", name="Teams", rules="teams", target=None, table_size=4)
    play(store, row, [knocker(), knocker(30), knocker(), knocker(30)])
    lines = lines_at(create_app(store.path).test_client())
    teams = ({"bot 0", "bot 2"}, {"bot 1", "bot 3"})

    assert {line["bound"] for line in lines if line["name"] in teams[0]} == {"at_least"}
    for line in lines:
        (other,) = [team for team in teams if line["name"] not in team]
        assert set(line["last"]["against"]) == other
        assert line["last"]["outcome"] == ("won" if line["name"] in teams[0] else "lost")


def test_long_list_is_paged(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page at a time, ranks going on."""
    whole = lines_at(client)
    monkeypatch.setattr(bots, "LINES", 3)
    second = client.get("/bots.json?page=2").get_json()

    assert second["bots"] == whole[3:6]
    assert second["pager"]["count"] == len(whole)


def test_nobody_waits_for_a_large_ranking(
    make_app: Callable[..., Flask], monkeypatch: pytest.MonkeyPatch, database: Path
) -> None:
    """The list is there at once, the ranking a moment later, and the old one while it is renewed;
    that of very many matches is made by another process."""
    monkeypatch.setattr(ranking, "SMALL", 0)
    monkeypatch.setattr(ranking, "LARGE", 0)
    monkeypatch.setattr(ranking, "BREATH", 0)
    app = make_app()
    client = app.test_client()
    kept: Rankings = app.config["RANKINGS"]
    first = client.get("/games/oklahoma/bots.json").get_json()
    wait_until(lambda: kept.is_settled, 30)
    second = client.get("/games/oklahoma/bots.json").get_json()
    begin_match(database)
    third = client.get("/games/oklahoma/bots.json").get_json()

    assert (first["is_ready"], len(first["bots"])) == (False, 8)
    assert (second["is_ready"], second["is_current"]) == (True, True)
    assert second["bots"][0]["rank"] == 1
    assert (third["is_ready"], third["is_current"]) == (True, False)
    assert third["bots"] == second["bots"]
    kept.close()
