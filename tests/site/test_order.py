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
from arena.export_tables import tables
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


def test_partners_are_no_opponents(path: Path, site: FlaskClient) -> None:
    """In the crosstable, its CSV, the archive, head to head, and in the points of the table."""
    rows = site.get("/t/teams/crosstable.json").get_json()["cross"]
    sheet = list(
        csv.reader(io.StringIO(site.get("/t/teams/crosstable.csv").get_data(as_text=True)))
    )
    with Store(path) as store:
        row = store.tournaments.by_slug("teams")
        assert row is not None
        archive = b"".join(tables(store, row, StoredDossier(store, row.id))["crosstable.jsonl"]())

    assert [line["bot"]["name"] for line in rows] == ["bot 0", "bot 2", "bot 1", "bot 3"]
    for line in rows:
        met = [cell is not None for cell in line["cells"]]
        assert met == ([False] * 2 + [True] * 2 if line["number"] < 3 else [True] * 2 + [False] * 2)
        assert line["match_points"] == sum(cell["match_points"] for cell in line["cells"] if cell)
    assert sheet[1][1:3] == ["", ""]
    assert "" not in sheet[1][3:]
    teams = ({"bot 0", "bot 2"}, {"bot 1", "bot 3"})
    pairs = [(one["name"], one["opponent"]) for one in map(json.loads, archive.splitlines())]
    assert len(pairs) == 8
    assert not [pair for pair in pairs if set(pair) in teams]


def test_pair_that_changes_sides_is_counted_where_it_was_opposed(store: Store) -> None:
    """All 24 orders: each pair sits together in 8, and meets in the other 16; so its list says."""
    row = enter(store, 4, "tables", name="All orders", rules="teams", target=None, table_size=4,
                all_orders=True)  # fmt: skip
    play(store, row, [knocker(), knocker(15), knocker(30), knocker(60)])
    site = create_app(store.path).test_client()
    rows = site.get("/t/all-orders/crosstable.json").get_json()["cross"]

    assert {cell["meetings"] for line in rows for cell in line["cells"] if cell} == {16}
    assert sum(line["match_points"] for line in rows) == 24 * 4
    listed = site.get(rows[0]["cells"][1]["url"].replace("?", ".json?")).get_json()["rounds"]
    assert sum(len(round_["matches"]) for round_ in listed) == 16
    versus = site.get(f"{rows[0]['bot']['url']}.json").get_json()["versus"]
    assert [one["won"] + one["drawn"] + one["lost"] for one in versus] == [16] * 3


def test_rating_of_the_unbeaten_is_a_bound_everywhere(path: Path, site: FlaskClient) -> None:
    """Who won or lost everything: a sign on the pages, a field of its own for programs, a column
    in CSV; and the table says what the sign means."""
    text, twin = printed(path, "Teams")
    page = site.get("/t/teams.json").get_json()
    html = site.get("/t/teams").get_data(as_text=True)
    export = site.get("/t/teams/standings.csv").get_data(as_text=True)
    sheet = list(csv.DictReader(io.StringIO(export)))
    bot = site.get(page["standings"][0]["bot"]["url"]).get_data(as_text=True)
    bounds = ["at_least"] * 2 + ["at_most"] * 2

    assert [line["bound"] for line in page["standings"]] == bounds
    assert [row["rating_bound"] for row in twin["standings"]] == bounds
    assert [row["rating_bound"] for row in sheet] == bounds
    assert html.count('<span class="sr">at least</span>') == 2
    assert html.count('<span class="sr">at most</span>') == 2
    assert '<span class="sr">at least</span>' in bot
    assert "nobody can say how much stronger" in html
    assert "≥, ≤: the rating is" in " ".join(text.split())


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
