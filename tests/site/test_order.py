"""What tables are ordered by, who won, who are partners: pages, twins, CSV and terminal agree."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from flask.testing import FlaskClient

from arena.cli import cli
from arena.referee.verdicts import BotFault, FaultCode
from arena.site import create_app
from arena.store import Store
from arena.tournament import lifecycle
from arena.tournament.dossier import StoredDossier
from arena.tournament.results import standings_of
from arena.tournament.verification.verify import verify
from tests.tournament.functions import After, enter, knocker, play


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Teams, a ladder with one bot that is much worse, and a tournament in which nobody answers."""
    path = tmp_path_factory.mktemp("order") / "arena.db"
    with Store(path) as store:
        teams = enter(store, 4, "tables", name="Teams", rules="teams", target=None, table_size=4)
        play(store, teams, [knocker(), knocker(30), knocker(), knocker(30)])
        ladder = enter(store, 5, "ladder", name="Ladder")
        stop = After(60, lambda: lifecycle.cancel(store, ladder))
        play(store, ladder, [knocker(2), knocker(4), knocker(6), knocker(8), knocker(60)],
             reporter=stop)  # fmt: skip
        dead = enter(store, 2, name="Dead")
        play(store, dead, [lambda ask: BotFault(FaultCode.TIMEOUT, "no answer", 1.0)] * 2)
        for row in (teams, ladder, dead):
            verify(StoredDossier(store, row.id))
    return path


@pytest.fixture(scope="module")
def site(path: Path) -> FlaskClient:
    """A spectator."""
    return create_app(path).test_client()


def printed(path: Path, name: str) -> tuple[str, dict[str, Any]]:
    """What the terminal shows of a tournament, and the same for programs."""
    text = CliRunner().invoke(cli, ["standings", name, "--db", str(path)])
    twin = CliRunner().invoke(cli, ["standings", name, "--json", "--db", str(path)])
    assert (text.exit_code, twin.exit_code) == (0, 0)
    return text.output, json.loads(twin.output)


def test_ladder_is_in_the_order_of_its_ratings_everywhere(path: Path, site: FlaskClient) -> None:
    """And says so; who only has easy wins does not lead by points."""
    text, twin = printed(path, "Ladder")
    page = site.get("/t/ladder.json").get_json()
    export = site.get("/t/ladder/standings.csv").get_data(as_text=True)
    sheet = list(csv.reader(io.StringIO(export)))
    ranked = [row for row in twin["standings"] if row["rank"] is not None]
    names = [row["name"] for row in twin["standings"]]

    assert twin["ranked_by"] == page["ranked_by"] == "rating"
    assert len(ranked) >= 4
    assert [row["rating"] for row in ranked] == sorted((r["rating"] for r in ranked), reverse=True)
    assert [line["bot"]["name"] for line in page["standings"]] == names
    assert [row[1] for row in sheet[1:]] == names
    assert "In order of rating, not of points" in text
    assert "In order of rating, not of points" in site.get("/t/ladder").get_data(as_text=True)
    assert twin["winners"] == []
    assert twin["no_winner"] is None


def test_partners_win_and_are_shown_together(path: Path, site: FlaskClient) -> None:
    """One place for both, their names with a plus, on the page of each match too."""
    text, twin = printed(path, "Teams")
    html = site.get("/t/teams").get_data(as_text=True)
    page = site.get("/t/teams.json").get_json()
    (match, *_) = page["latest"]
    title = site.get(match["url"]).get_data(as_text=True).split("<title>")[1]
    (done,) = [d for d in site.get("/index.json").get_json()["finished"]
               if d["head"]["name"] == "Teams"]  # fmt: skip

    assert [row["rank"] for row in twin["standings"]] == [1, 1, 3, 3]
    assert [row["partners"] for row in twin["standings"][:2]] == [["bot 2"], ["bot 0"]]
    assert twin["winners"] == ["bot 0", "bot 2"]
    assert "winner: bot 0 + bot 2" in text
    assert "drawn lot" not in text.split("In order of")[0]
    assert "partner of bot 2" in text
    assert match["sides"] == [[0, 2], [1, 3]]
    assert {seat["name"] for seat in match["seats"] if seat["won"]} == {"bot 0", "bot 2"}
    assert title.startswith(("bot 0 + bot 2 v ", "bot 1 + bot 3 v ", "bot 2 + bot 0 v ",
                             "bot 3 + bot 1 v "))  # fmt: skip
    assert "with <bdi>bot 2</bdi>" in html
    assert [one["name"] for one in done["winners"]] == ["bot 0", "bot 2"]


def test_tournament_that_nobody_played_has_no_winner(path: Path, site: FlaskClient) -> None:
    """No rank and no lot; a dash with the reason, on the front page as well."""
    text, twin = printed(path, "Dead")
    html = site.get("/t/dead").get_data(as_text=True)
    home = site.get("/").get_data(as_text=True)
    (done,) = [d for d in site.get("/index.json").get_json()["finished"]
               if d["head"]["name"] == "Dead"]  # fmt: skip

    assert [(row["rank"], row["decided_by"]) for row in twin["standings"]] == [(None, None)] * 2
    assert (twin["winners"], twin["no_winner"]) == ([], "no hand was played")
    assert "winner: – (no hand was played)" in text
    assert "(no hand was played)" in html
    assert "no hand was played" in home
    assert (done["winner"], done["no_winner"]) == (None, "no hand was played")


def test_chouette_game_is_won_by_each_partner_and_lost_once(store: Store) -> None:
    """Won, drawn and lost games of a bot are together the games that it played."""
    row = enter(store, 3, "tables", rules="chouette", table_size=3, games=3)
    play(store, row, [knocker(), knocker(30), knocker(10)])
    fixtures = store.fixtures.of(row.id)
    rows = standings_of(store, store.tournaments.get(row.id))
    games = sum(len(store.fixtures.games(fixture.id)) for fixture in fixtures)

    assert sum(map(sum, (fixture.games_won for fixture in fixtures))) > games
    for line in rows:
        assert line.games == games
        assert line.games_won + line.games_drawn + line.games_lost == games
        assert line.games_lost >= 0


def test_partners_that_change_in_all_orders_are_ranked_each_for_itself(store: Store) -> None:
    """Four bots, all 24 orders of the table: three partnerships, and nobody shares a place."""
    row = enter(store, 4, "tables", name="All orders", rules="teams", target=None, table_size=4,
                all_orders=True)  # fmt: skip
    play(store, row, [knocker(), knocker(15), knocker(30), knocker(60)])

    table = standings_of(store, store.tournaments.get(row.id))

    assert [(one.rank, one.partners) for one in table] == [(n, ()) for n in (1, 2, 3, 4)]
