"""What readers look for first is there, and what would mislead them is not."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from arena.site import create_app
from arena.site.views.charts import whisker, whisker_scale
from arena.store import Store
from arena.store.rows import TournamentState
from arena.tournament.formats.ladder import Ladder
from arena.tournament.model import FormatOptions
from arena.tournament.registration import open_entries
from tests.site.crawling import match_of
from tests.site.factories import NAMES, add_tournament


def card_of(client: FlaskClient, slug: str) -> dict[str, object]:
    """A running tournament as the home page shows it."""
    cards = client.get("/index.json").get_json()["running"]
    found: dict[str, object] = next(card for card in cards if card["head"]["slug"] == slug)
    return found


def test_bracket_in_play_names_who_may_still_win_it(client: FlaskClient) -> None:
    """Who has lost is not among them, be a match for the third place left; a league has leaders."""
    cup = card_of(client, "winter-cup")
    bracket = client.get("/t/winter-cup/bracket.json").get_json()["sections"]
    matches = [
        match for part in bracket for column in part["rounds"] for match in column["matches"]
    ]
    sides = [side for match in matches for side in match["sides"] if side["name"]]
    beaten = {side["name"] for side in sides if side["out"]}
    third = [match for match in matches if match["label"] == "Third place"]
    still_in = {one["name"] for one in cup["still_in"]}  # type: ignore[attr-defined]

    assert any(side["name"] for side in third[0]["sides"])
    assert still_in == {side["name"] for side in sides} - beaten
    assert still_in
    assert "Still in" in client.get("/").get_data(as_text=True)
    assert card_of(client, "sunday-table")["still_in"] == []


def test_tournament_before_its_start_shows_who_is_in(client: FlaskClient) -> None:
    """No places, no empty tables, no word about intervals; and no tabs that lead to such."""
    html = client.get("/t/spring-league").get_data(as_text=True)
    tabs = dict(client.get("/t/spring-league.json").get_json()["head"]["tabs"])

    assert "Entrants</h2>" in html
    assert html.count('<li><a class="bot"') == 4
    assert "<table" not in html
    assert "interval" not in html
    assert not {"crosstable", "strength"} & set(tabs)


@pytest.mark.parametrize("section", ["crosstable", "strength"])
def test_table_of_nothing_is_a_sentence(client: FlaskClient, section: str) -> None:
    """Who asks for it all the same is told that no match is over."""
    html = client.get(f"/t/spring-league/{section}").get_data(as_text=True)

    assert "No match is over yet." in html
    assert "<table" not in html


def test_open_tournament_says_how_to_enter(app: Flask, database: Path) -> None:
    """On its first page: how many are in, of how many, and where to enter."""
    with Store(database) as store:
        row = store.tournaments.by_slug("spring-league")
        assert row is not None
        open_entries(store, row, 32)
    html = app.test_client().get("/t/spring-league").get_data(as_text=True)

    assert "4 of 32 bots" in html
    assert 'href="/t/spring-league/entries">Enter a bot' in html


def test_tournament_without_a_result_ranks_nobody(app: Flask, database: Path) -> None:
    """No places and no empty crosstable before the first match is over."""
    with Store(database) as store:
        row = store.tournaments.by_slug("spring-league")
        assert row is not None
        store.tournaments.set_state(row.id, TournamentState.RUNNING)
    html = app.test_client().get("/t/spring-league").get_data(as_text=True)
    ranks = re.findall(r'<td class="num r rank">(.*?)</td>', html)

    assert set(ranks) == {"–"}
    assert "Crosstable</h2>" not in html


def test_games_of_a_match_are_links(client: FlaskClient) -> None:
    """A match of several games begins with a link to each, which says who won it."""
    address = match_of(client, "winter-cup")
    games = client.get(f"{address}.json").get_json()["games"]
    html = client.get(address).get_data(as_text=True)
    links = re.findall(r'<a href="#game-(\d+)">Game \1 .*?<bdi>(.*?)</bdi></a>', html)

    assert len(games) > 1
    assert [(int(number), name) for number, name in links] == [
        (game["number"], game["winner"]) for game in games
    ]
    assert all(f'id="game-{number}"' in html for number, _ in links)


def test_wild_cards_are_marked(client: FlaskClient) -> None:
    """In Indian rummy every card of the wild rank says so, and no other does; in gin none."""
    match = match_of(client, "bazaar")
    hand = client.get(f"{match}.json").get_json()["games"][0]["hands"][0]["url"]
    wild = client.get(f"{hand}.json").get_json()["wild"]
    html = client.get(f"{hand}?move=0").get_data(as_text=True)
    cards = re.findall(r'class="card ([^"]*)" role="img" data-card="(..)" aria-label="(.*?)"', html)

    assert wild
    assert cards
    assert any(name[0] == wild for _, name, _ in cards)
    for style, name, label in cards:
        assert ("wild" in style) == (name[0] == wild) == label.endswith(", wild")
    gin = match_of(client, "autumn-league")
    plain = client.get(f"{gin}.json").get_json()["games"][0]["hands"][0]["url"]
    assert client.get(f"{plain}.json").get_json()["wild"] is None


def test_groups_have_headings(client: FlaskClient) -> None:
    """Each table of a group stands under its name, the table of all under its own."""
    html = client.get("/t/groups").get_data(as_text=True)

    tables = html.split('data-live="standings"')[1].split('data-live="now"')[0]
    assert re.findall(r"<h3>(.*?)</h3>", tables) == [
        "Group A",
        "Group B",
        "All bots, groups and bracket together",
    ]


def test_games_of_a_bot_have_their_titles(client: FlaskClient) -> None:
    """Not the names that files use."""
    games = client.get("/bots/1-keen.json").get_json()["variants"]

    assert "Gin rummy" in {one["variant"]["name"] for one in games}


def test_schedule_says_why_a_round_stays_half_played(client: FlaskClient) -> None:
    """Where both halves of mirrored pairs are apart; a bracket goes round by round."""
    league, cup = (
        client.get(f"/t/{slug}/schedule").get_data(as_text=True)
        for slug in ("autumn-league", "winter-cup")
    )

    assert "may stay half played" in league
    assert "may stay half played" not in cup


def test_result_of_the_schedule_is_the_link(client: FlaskClient) -> None:
    """A row leads to its match by its result and says only what the heading does not."""
    html = client.get("/t/autumn-league/schedule").get_data(as_text=True)
    page = client.get("/t/autumn-league/schedule.json").get_json()
    matches = [match for round_ in page["rounds"] for match in round_["matches"]]
    shown = re.findall(r'<td class="r"><a class="to" href="([^"]+)"><span class="num score">', html)
    notes = re.findall(r'<small class="muted under">(.*?)</small>', html)

    assert shown == [match["url"] for match in matches]
    assert sum("seats swapped" in note for note in notes) == 28
    assert not any("Round" in note for note in notes)


def test_rounds_of_a_bracket_have_their_names(client: FlaskClient) -> None:
    """In the schedule as in the bracket."""
    cup = client.get("/t/double-trouble/schedule.json").get_json()
    groups = client.get("/t/groups/schedule.json").get_json()

    assert [round_["title"] for round_ in cup["rounds"]][-1].endswith("rand final")
    assert "Winners' final" in {round_["title"] for round_ in cup["rounds"]}
    assert {"Group A, round 1", "Semi-finals"} <= {part["title"] for part in groups["rounds"]}


def test_intervals_are_printed_beside_their_drawing(client: FlaskClient) -> None:
    """Nobody has to measure a whisker: half its width stands under it."""
    html = client.get("/t/autumn-league").get_data(as_text=True)
    lines = client.get("/t/autumn-league.json").get_json()["standings"]
    halves = [f"± {(line['high'] - line['low']) / 2:.1f}<" for line in lines if line["pairs"] > 1]

    assert halves
    assert all(half in html for half in halves)


def test_legend_explains_intervals_only_where_some_stand(client: FlaskClient) -> None:
    """A table without pairs of matches has none, and no column for them."""
    league, table = (
        client.get(f"/t/{slug}").get_data(as_text=True) for slug in ("autumn-league", "bazaar")
    )

    assert "95% interval of the points a hand" in league
    assert 'class="whisker"' in league
    assert 'class="whisker"' not in table
    assert "95% interval" not in table
    assert "Too few matches for intervals" in table


def test_one_weak_bot_does_not_squeeze_the_drawing_of_all_others() -> None:
    """It is off the drawing, marked by an arrow; where many are weak, they are drawn."""
    strong = [(12.5, 9.8, 15.2), (5.6, 4.2, 7.0), (3.2, 1.5, 4.9)]
    outlier = (-57.8, -62.3, -53.3)
    at = whisker_scale([*strong, outlier], 0, 100, include=0)
    first, *_, last = [whisker(at, *row, 0, "") for row in (*strong, outlier)]
    both = whisker_scale([*strong, outlier, outlier, outlier], 0, 100)

    assert first.x2 - first.x1 > 20
    assert first.beyond is None
    assert last.beyond == "low"
    assert both.low < -57.8


def test_the_page_says_why_the_table_is_in_this_order(client: FlaskClient) -> None:
    """In a league by points and tie-breaks, in a cup not by points; its twin says the same."""
    for slug, words in (("autumn-league", "In order of points; equal points by direct encounter"),
                        ("double-trouble", "In order of how far each got")):  # fmt: skip
        page = client.get(f"/t/{slug}").get_data(as_text=True)
        text = client.get(f"/t/{slug}.json").get_json()["text"]

        assert words in page
        assert text["order"].startswith(words)
        assert text["order"] in page
        assert {term["word"] for term in text["legend"]} >= {"Points", "Points a hand"}


def test_ratings_of_different_fields_are_not_drawn_together(client: FlaskClient) -> None:
    """They are not on one scale, so they stand in the table of its tournaments only."""
    bot = client.get("/t/autumn-league.json").get_json()["standings"][0]["bot"]["url"]
    html = client.get(bot).get_data(as_text=True)

    assert "Rating by tournament" not in html
    assert html.count('<th scope="row"><a href="/t/') > 1


def test_finished_cup_begins_with_its_champion(client: FlaskClient) -> None:
    """Above the bracket and once; a cup in play has none yet."""
    done = client.get("/t/double-trouble").get_data(as_text=True)
    (champion,) = client.get("/t/double-trouble.json").get_json()["winners"]

    assert f"<bdi>{champion['name']}</bdi>" in done.split('class="champion"')[1].split("</p>")[0]
    assert done.index('class="champion"') < done.index("Winners&#39; bracket")
    assert "Winner:" not in done
    assert 'class="champion"' not in client.get("/t/winter-cup").get_data(as_text=True)


@pytest.mark.parametrize(("name", "special"), [("gin", False), ("oklahoma", True)])
def test_marks_are_explained_where_there_are_some(
    client: FlaskClient, name: str, special: bool
) -> None:
    """The plain game of a family has no special setting, and no sentence about them."""
    html = client.get(f"/games/{name}").get_data(as_text=True)

    assert ("marks what differs" in html) == (">special<" in html) == special


def test_groups_that_are_over_come_after_their_bracket(client: FlaskClient) -> None:
    """Which decides now; a line under those who went on, and a sentence that says so."""
    html = client.get("/t/groups").get_data(as_text=True)
    tables = html.split("Group A</h3>")[1].split("All bots")[0].split("<tbody>")[1:]

    assert html.index('class="tree"') < html.index("Group A</h3>")
    assert "The first 2 go on to the bracket." in html
    for table in tables:
        rows = table.split("</tbody>")[0].split("<tr")[1:]
        assert ["last-on" in row for row in rows].index(True) == 1


def test_a_swiss_says_which_round_it_is_in(client: FlaskClient) -> None:
    """Of how many, at the head of each of its pages."""
    found = client.get("/t/swiss-roll.json").get_json()["head"]

    assert re.fullmatch(r"round [1-3] of 3", found["round_text"])
    assert f"Swiss, {found['round_text']}" in client.get("/t/swiss-roll").get_data(as_text=True)
    assert client.get("/t/autumn-league.json").get_json()["head"]["round_text"] is None


def test_faults_stand_beside_the_bot_and_lead_to_how_it_answered(
    client: FlaskClient, played: Path
) -> None:
    """In the table and its twin, as many as are stored; nothing where there are none."""
    html = client.get("/t/autumn-league").get_data(as_text=True)
    lines = client.get("/t/autumn-league.json").get_json()["standings"]
    with Store(played, read_only=True) as store:
        row = store.tournaments.by_slug("autumn-league")
        assert row is not None
        stored = sum(store.hands.fault_counts(row.id).values())
    faulty = [line["faults"] for line in lines if line["faults"]]

    assert stored == sum(faulty) > 0
    assert html.count('class="faults" href="/t/autumn-league/conduct"') == len(faulty)
    assert f"{faulty[0]} fault" in html


def test_byes_can_be_seen(tmp_path: Path) -> None:
    """In the table with the points that they gave, in CSV, and in the schedule."""
    path = tmp_path / "arena.db"
    with Store(path) as store:
        add_tournament(store, "Odd", format="swiss", names=NAMES[:5])
    client = create_app(path).test_client()
    lines = client.get("/t/odd.json").get_json()["standings"]
    html = client.get("/t/odd").get_data(as_text=True)
    sheet = client.get("/t/odd/standings.csv").get_data(as_text=True)
    schedule = client.get("/t/odd/schedule").get_data(as_text=True)
    had = {line["bot"]["name"]: line["byes"] for line in lines if line["byes"]}

    assert len(had) > 1
    assert html.count('title="Matches for which there was no opponent') == len(had)
    assert schedule.count('<td class="r">bye</td>') == sum(had.values())
    for row in csv.DictReader(io.StringIO(sheet)):
        assert int(row["byes"]) == had.get(row["name"], 0)


def test_what_is_finished_has_played_all_that_there_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A ladder leaves pairings whose outcome is clear: its bar is full all the same."""
    path = tmp_path / "arena.db"
    monkeypatch.setattr(Ladder, "total", lambda self, entrants, options: 99)
    with Store(path) as store:
        add_tournament(store, "Ladder", format="ladder", names=NAMES[:5],
                       options=FormatOptions(rounds=4))  # fmt: skip
    head = create_app(path).test_client().get("/t/ladder.json").get_json()["head"]

    assert head["state"] == "finished"
    assert head["total"] == head["finished"] > 4
