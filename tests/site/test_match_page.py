"""What the page of a match says: scores by seat, how it was won, what failed and where."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from dataclasses import replace
from html import unescape
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from arena.referee.verdicts import FaultCode
from arena.site import create_app
from arena.site.views.faults import ANCHOR, meanings
from arena.store import Store
from arena.store.lock import sole_referee
from arena.store.pages import Pages
from arena.store.rows import BotRow, FaultRow, FixtureStatus, GameRow
from arena.store.tournaments import slug_of
from tests.site.accounts import tournament
from tests.site.conftest import Browser
from tests.site.crawling import match_of
from tests.site.playing import play


def test_every_reason_code_has_a_meaning_and_the_protocol_its_table(client: FlaskClient) -> None:
    """Pages explain each code in a line; the link leads to the table."""
    html = client.get("/protocol").get_data(as_text=True)

    assert set(meanings()) == set(FaultCode)
    assert all(meanings().values())
    assert f'id="{ANCHOR}"' in html


def test_fault_says_what_it_means_and_leads_to_its_move(client: FlaskClient, played: Path) -> None:
    """The move of the table is the frame of the replay that the referee played for the bot."""
    with Store(played, read_only=True) as store:
        row = tournament(played, "autumn-league")
        faults = [fault for f in store.fixtures.of(row.id) for fault in store.hands.faults(f.id)]
    assert faults
    for fault in faults:
        page = f"/t/autumn-league/m/{fault.fixture_id}"
        line = client.get(f"{page}.json").get_json()["faults"][0]
        html = client.get(page).get_data(as_text=True)
        hand, move = line["url"].split("?move=")
        frames = client.get(f"{hand}.json").get_json()["frames"]

        assert f'href="{line["url"]}"' in html
        assert meanings()[fault.code] in html
        assert f"/protocol#{ANCHOR}" in html
        assert int(move) == line["move"]
        assert frames[int(move)]["fault"] == fault.code


def last_fault(store: Store) -> FaultRow:
    """The newest of the autumn league."""
    row = store.tournaments.find("autumn-league")
    entrants = store.tournaments.entrants(row.id)
    bots = [store.bots.by_version(entrant.bot_version_id) for entrant in entrants]
    pages = Pages(store)
    found = [fault for bot in bots for id, fault in pages.faults_of(bot.id, 1) if id == row.id]
    return found[0]


def bot_of(store: Store, fault: FaultRow) -> BotRow:
    """Whose fault it was."""
    row = store.tournaments.find("autumn-league")
    (one,) = [each for each in store.tournaments.entrants(row.id) if each.number == fault.entrant]
    return store.bots.by_version(one.bot_version_id)


def test_owner_is_led_from_each_fault_to_its_move(organiser: Browser, database: Path) -> None:
    """Twenty faults of one tournament are told apart, and lead to where they happened."""
    with Store(database, read_only=True) as store:
        fault = last_fault(store)
        bot = bot_of(store, fault)
    address = f"/bots/{bot.id}-{slug_of(bot.name, 'bot')}"
    one = organiser.client.get(f"{address}.json").get_json()["excerpts"][0]
    html = organiser.client.get(address).get_data(as_text=True)
    hand, move = one["move_url"].split("?move=")
    frames = organiser.client.get(f"{hand}.json").get_json()["frames"]

    assert (one["match"], one["game"], one["hand"]) == (fault.fixture_id, fault.game, fault.hand)
    assert frames[int(move)]["fault"] == one["code"] == fault.code
    assert f'href="{one["move_url"]}" aria-label="Move {move} of game {fault.game}' in html


def test_fault_of_a_hand_that_may_not_be_seen_leads_to_the_match_only(
    organiser: Browser, database: Path
) -> None:
    """As on the page of the match: its deals may still be played by others."""
    with Store(database) as store:
        row = tournament(database, "autumn-league")
        fault = last_fault(store)
        bot = bot_of(store, fault)
        match = store.fixtures.get(fault.fixture_id)
        assert match is not None
        others = [m.id for m in store.fixtures.sharing_deals(match) if m.id != match.id]
        with store.transaction() as conn:
            conn.execute("UPDATE tournaments SET state = 'running' WHERE id = ?", [row.id])
            for other in others:
                conn.execute("UPDATE fixtures SET status = 'playing' WHERE id = ?", [other])
    assert others
    found = organiser.client.get(f"/bots/{bot.id}-{slug_of(bot.name, 'bot')}.json").get_json()
    one = next(e for e in found["excerpts"] if e["match"] == fault.fixture_id)

    assert one["move_url"] is None
    assert one["url"] == f"/t/autumn-league/m/{fault.fixture_id}"


def test_scores_stand_under_the_names(client: FlaskClient) -> None:
    """Hands, points and bonuses are by seat, whoever won."""
    rounds = client.get("/t/sunday-table/schedule.json?only=finished").get_json()["rounds"]
    match = next(m for one in rounds for m in one["matches"] if m["seats"][1]["won"])
    found = client.get(f"{match['url']}.json").get_json()
    html = client.get(match["url"]).get_data(as_text=True)
    game = found["games"][0]
    table = html.split('<table class="hands">')[1].split("</table>")[0]
    heads = re.findall(r'seat-name"><bdi title="[^"]*">(.*?)</bdi>', table)
    feet = [
        [int(cell.replace("−", "-").replace("\N{NARROW NO-BREAK SPACE}", "")) for cell in cells]
        for row in table.split("<tfoot>")[1].split("<tr>")[1:]
        if (cells := re.findall(r'<td class="num r">(.*?)</td>', row))
    ]

    assert [unescape(name) for name in heads] == [seat["name"] for seat in match["seats"]]
    assert feet[0] == game["points"]
    assert feet[1:] == ([game["totals"]] if game["totals"] != game["points"] else [])
    for seat in (0, 1):
        assert sum(hand["result"][seat] for hand in game["hands"]) == game["points"][seat]


@pytest.mark.parametrize(("totals", "is_said"), [((597, 748), True), ((748, 597), False)])
def test_target_and_not_the_bonuses_decide(
    database: Path, totals: tuple[int, int], is_said: bool
) -> None:
    """A winner with less, bonuses counted, is no contradiction, and the page says why."""
    row = tournament(database, "sunday-table")
    with Store(database) as store:
        fixture = next(f for f in store.fixtures.of(row.id) if f.status is FixtureStatus.PENDING)
        store.fixtures.start(fixture.id)
        store.fixtures.add_game(
            GameRow(fixture.id, 1, 0, (272, 248), totals, 9, "normal", "A wins the game, 272–248.")
        )
    html = create_app(database).test_client().get(f"/t/{row.slug}/m/{fixture.id}")

    assert ("The target decides; bonuses are extra." in html.get_data(as_text=True)) is is_said


@pytest.mark.parametrize(
    ("points", "totals", "is_said"),
    [
        ((236, 278), (586, 726), True),
        ((278, 236), (586, 726), True),
        ((278, 236), (726, 586), False),
    ],
)
def test_columns_and_not_the_totals_decide_a_hollywood_game(
    tmp_path: Path, points: tuple[int, int], totals: tuple[int, int], is_said: bool
) -> None:
    """Two columns of three win, whatever they add up to; the page says so where it surprises."""
    path = tmp_path / "arena.db"
    with Store(path) as store:
        id = play(store, "columns", ("ann", "bob", "cy"), rules="hollywood", matches=1)
        fixture = next(f for f in store.fixtures.of(id) if f.status is FixtureStatus.PENDING)
        store.fixtures.start(fixture.id)
        store.fixtures.add_game(
            GameRow(fixture.id, 1, 0, points, totals, 9, "normal", "A wins the game.")
        )
    html = create_app(path).test_client().get(f"/t/columns/m/{fixture.id}").get_data(as_text=True)

    assert ("Who closed more columns wins; points and totals do not decide." in html) is is_said


def test_result_by_strikes_is_marked_in_lists(database: Path) -> None:
    """Whoever reads only the latest results sees that a match was not won by playing."""
    row = tournament(database, "autumn-league")
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute(
            "UPDATE fixtures SET termination = 'strikes' WHERE tournament_id = ?", [row.id]
        )
    connection.close()
    html = create_app(database).test_client().get("/t/autumn-league").get_data(as_text=True)

    assert html.count("by strikes</span>") == 8


@pytest.mark.parametrize("is_played", [True, False])
def test_organiser_sees_whether_a_match_can_be_void(
    organiser: Browser, database: Path, is_played: bool
) -> None:
    """While it is played the button is there with the reason why not; else it is a link."""
    row = tournament(database, "sunday-table")
    with Store(database) as store:
        fixture = next(f for f in store.fixtures.of(row.id) if f.status is FixtureStatus.FINISHED)
    page, void = f"/t/{row.slug}/m/{fixture.id}", f"/organise/t/{row.slug}/void/{fixture.id}"
    if is_played:
        organiser.client.application.config["WATCH"]._until = 0.0
        with sole_referee(database, row.id):
            html = organiser.client.get(page).get_data(as_text=True)
            status = organiser.client.get(void).status_code
        assert "Pause the tournament first." in html
        assert (status, void in html) == (409, False)
    else:
        html = organiser.client.get(page).get_data(as_text=True)
        assert (organiser.client.get(void).status_code, void in html) == (200, True)


def test_points_of_a_game_are_explained_where_its_hands_do_not_add_up(
    client: FlaskClient,
) -> None:
    """In points rummy the winner of a hand gains what the others count; gin just adds up."""
    address = match_of(client, "bazaar")
    (game,) = client.get(f"{address}.json").get_json()["games"]
    (counted,) = [hand["result"] for hand in game["hands"] if hand["winner"]]
    html = client.get(address).get_data(as_text=True)

    assert game["points"] == [sum(counted) if count == 0 else -count for count in counted]
    assert "its winner gains that of all others" in html
    gin = match_of(client, "autumn-league")
    assert client.get(f"{gin}.json").get_json()["points_note"] is None


def test_net_points_are_leads_over_each_opponent(client: FlaskClient) -> None:
    """The row of the crosstable adds up to them, at tables of four too, and the legend says it."""
    page = client.get("/t/bazaar.json").get_json()
    net = {line["bot"]["name"]: line["net_points"] for line in page["standings"]}
    leads = {
        line["bot"]["name"]: sum(cell["net_points"] for cell in line["cells"] if cell)
        for line in page["cross"]
    }

    assert any(net.values())
    assert net == leads
    html = client.get("/t/bazaar").get_data(as_text=True)

    assert "lead in hand points over each opponent" in html


def test_score_runs_beside_the_hands(client: FlaskClient) -> None:
    """After the last hand it is the points of the game; it never falls at plain gin."""
    rounds = client.get("/t/sunday-table/schedule.json?only=finished").get_json()["rounds"]
    match = next(m for one in rounds for m in one["matches"])
    found = client.get(f"{match['url']}.json").get_json()
    html = client.get(match["url"]).get_data(as_text=True)
    for game in found["games"]:
        scores = [[columns[0] for columns in hand["score"]] for hand in game["hands"]]

        assert scores[-1] == game["points"]
        assert scores == sorted(scores)
    assert found["unit"] == "points"
    assert '<th scope="col" class="r">Score</th>' in html


def test_penalties_are_called_so_beside_the_result(database: Path) -> None:
    """Else the winner would seem to have lost."""
    with closing(sqlite3.connect(database)) as conn, conn:
        conn.execute(
            "UPDATE tournaments SET config = json_set(config, '$.options.fewer_points_win', true)"
            " WHERE slug = 'bazaar'"
        )
    client = create_app(database).test_client()
    match = client.get("/t/bazaar.json").get_json()["latest"][0]
    html = client.get(match["url"]).text

    assert "penalty points" in html
    assert "fewer is better" in html


def test_dead_hands_in_a_row_are_one_line(database: Path) -> None:
    """They are opened by a click, and each still leads to its replay."""
    row = tournament(database, "sunday-table")
    with Store(database) as store:
        rows = store.fixtures.of(row.id)
        done = max(rows, key=lambda f: (f.status is FixtureStatus.FINISHED) * f.hands)
    with closing(sqlite3.connect(database)) as conn, conn:
        conn.execute("UPDATE hands SET winner = NULL, points = '[0,0]', ending = 'dead_stock'")
    client = create_app(database).test_client()
    html = client.get(f"/t/sunday-table/m/{done.id}").get_data(as_text=True)
    hands = client.get(f"/t/sunday-table/m/{done.id}.json").get_json()["games"][0]["hands"]

    assert len(hands) >= 3
    assert f"Hands 1–{len(hands)}: {len(hands)} dead hands" in html
    assert all(hand["url"] is None or f'href="{hand["url"]}"' in html for hand in hands)


def test_game_in_play_comes_first_with_its_newest_hand(database: Path) -> None:
    """What happens now is not at the bottom of a long page."""
    row = tournament(database, "sunday-table")
    with Store(database) as store:
        rows = store.fixtures.of(row.id)
        done = max(rows, key=lambda f: (f.status is FixtureStatus.FINISHED) * f.hands)
        fresh = next(f for f in rows if f.status is FixtureStatus.PENDING)
        store.fixtures.start(fresh.id)
        store.fixtures.add_game(
            GameRow(fresh.id, 1, 1, (40, 100), (65, 225), 4, "normal", "reaches the target")
        )
        for hand in store.hands.of(done.id)[:2]:
            store.hands.add(replace(hand, fixture_id=fresh.id, game=2))
    with sole_referee(database, row.id):
        html = create_app(database).test_client().get(f"/t/sunday-table/m/{fresh.id}").text

    assert html.index('<h2 id="game-2"') < html.index('<h2 id="game-1"')
    assert html.index(">Hand 2<") < html.index(">Hand 1<")
