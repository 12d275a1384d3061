"""What pages say of matches in play, and of those that nobody plays any more."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from arena.rules.record import parse
from arena.site import create_app
from arena.site.views.options_text import options_text
from arena.site.work import watch
from arena.store import Store
from arena.store.lock import Played, holder, played, sole_referee, tell_awaited
from arena.store.rows import FixtureStatus, GameRow
from arena.tournament.formats.registry import FORMATS
from arena.tournament.model import FormatOptions
from tests.site.accounts import tournament
from tests.site.conftest import Browser


@pytest.fixture
def match(database: Path) -> str:
    """A match of the running league that has begun, with one game won by its second seat."""
    with Store(database) as store:
        row = store.tournaments.by_slug("sunday-table")
        assert row is not None
        fixture = next(f for f in store.fixtures.of(row.id) if f.status is FixtureStatus.PENDING)
        store.fixtures.start(fixture.id)
        store.fixtures.add_game(
            GameRow(fixture.id, 1, 1, (40, 100), (65, 225), 4, "normal", "reaches the target")
        )
    return f"/t/sunday-table/m/{fixture.id}"


def site(database: Path) -> FlaskClient:
    """A spectator of a site that has just been started."""
    return create_app(database).test_client()


@pytest.mark.parametrize("page", ["/", "/t/sunday-table", "/t/winter-cup/bracket"])
def test_what_nobody_plays_is_interrupted(database: Path, match: str, page: str) -> None:
    """No page says live or running, and each says how to go on."""
    html = site(database).get(page).get_data(as_text=True)

    assert "interrupted" in html
    assert "arena resume " in html
    assert 'class="live"' not in html
    assert "badge running" not in html
    assert "badge playing" not in html


def test_one_is_interrupted_while_another_is_played(database: Path, match: str) -> None:
    """A referee that says what it plays keeps nothing else alive, on any page."""
    cup = tournament(database, "winter-cup")
    with sole_referee(database, cup.id):
        client = site(database)
        html = client.get("/t/sunday-table").get_data(as_text=True)
        other = client.get("/t/winter-cup").get_data(as_text=True)
        home = client.get("/index.json").get_json()["running"]
        bot = client.get("/t/sunday-table.json").get_json()["standings"][0]["bot"]["url"]
        parts = client.get(f"{bot}.json").get_json()["parts"]

    assert "badge interrupted" in html
    assert 'class="live"' not in html
    assert "badge running" in other
    states = {card["head"]["slug"]: card["head"]["state_text"] for card in home}
    assert states["sunday-table"] == states["groups"] == "interrupted"
    assert states["winter-cup"] == "running"
    states = {part["head"]["slug"]: part["head"]["state_text"] for part in parts}
    assert states["sunday-table"] == "interrupted"


def test_what_waits_for_bots_says_for_which(database: Path, match: str) -> None:
    """Its badge, its matches and the front page; of one that has not started, too."""
    league, spring = tournament(database, "sunday-table"), tournament(database, "spring-league")
    with sole_referee(database, league.id):
        tell_awaited(database, ("keen", "Gin & Tonic"))
        client = site(database)
        found = client.get("/t/sunday-table.json").get_json()
        html = client.get("/t/sunday-table").get_data(as_text=True)
        home = client.get("/").get_data(as_text=True)
        begun = client.get(f"{match}.json").get_json()["match"]
        cup = client.get("/t/winter-cup.json").get_json()["head"]
        tell_awaited(database, ())
        now = site(database).get("/t/sunday-table.json").get_json()["head"]
    with sole_referee(database, spring.id):
        tell_awaited(database, ("keen", "greedy"))
        coming = site(database).get("/index.json").get_json()["coming"]

    waits = "Waits for <bdi>keen</bdi> and <bdi>Gin &amp; Tonic</bdi> to answer."
    assert waits in html
    assert waits in home
    assert 'class="live"' not in html
    assert (found["head"]["state"], found["head"]["state_text"]) == ("running", "waiting")
    assert found["head"]["awaited"] == ["keen", "Gin & Tonic"]
    assert begun["status_text"] == "waiting"
    assert cup["awaited"] == []
    assert (now["awaited"], now["state_text"]) == ([], "running")
    assert [(one["state_text"], one["awaited"]) for one in coming] == [
        ("waiting", ["keen", "greedy"])
    ]


def test_note_of_a_referee_that_was_killed_means_nothing(database: Path) -> None:
    """Neither while nobody plays, nor while somebody plays who does not say what."""
    row = tournament(database, "sunday-table")
    note = database.with_name(f"{database.name}-holder")
    note.write_text(f"process 1 on nowhere, since then\n{row.id}")

    assert played(database) is None
    with sole_referee(database):
        assert played(database) == Played(None)
    with sole_referee(database, row.id):
        assert played(database) == Played(row.id)
        assert "process " in holder(database)
        assert row.id not in holder(database)


def test_match_that_nobody_plays_is_interrupted(database: Path, match: str) -> None:
    """Its page says so, keeps the score that it has, and is not live."""
    client = site(database)
    html = client.get(match).get_data(as_text=True)
    found = client.get(f"{match}.json").get_json()["match"]

    assert found["status"] == found["status_text"] == "interrupted"
    assert [seat["score"] for seat in found["seats"]] == [0, 1]
    assert 'class="live"' not in html
    assert "arena resume " in html


def test_score_of_a_match_in_play_is_shown(database: Path, match: str) -> None:
    """While a referee is at work pages are live and have the games won so far."""
    with sole_referee(database):
        client = site(database)
        html = client.get("/t/sunday-table").get_data(as_text=True)
        found = client.get(f"{match}.json").get_json()["match"]

    assert found["status"] == "playing"
    assert [seat["score"] for seat in found["seats"]] == [0, 1]
    assert [seat["points"] for seat in found["seats"]] == [40, 100]
    assert 'class="live"' in html
    assert "arena resume" not in html


def test_points_of_the_game_in_play_are_shown(database: Path) -> None:
    """A match of one game has no other score; one that has just begun stands at nothing."""
    with Store(database) as store:
        row = tournament(database, "sunday-table")
        rows = store.fixtures.of(row.id)
        done = max(rows, key=lambda f: (f.status is FixtureStatus.FINISHED) * f.hands)
        begun, fresh = [f for f in rows if f.status is FixtureStatus.PENDING][:2]
        hands = store.hands.of(done.id)[:-1]
        for fixture in (begun, fresh):
            store.fixtures.start(fixture.id)
        for hand in hands:
            store.hands.add(replace(hand, fixture_id=begun.id))
    sums = [0, 0]
    for hand in hands:
        for position, seat in enumerate(parse(hand.record).plan.seats):
            sums[seat] += hand.points[position]
    with sole_referee(database, row.id):
        client = site(database)
        found = {m["id"]: m for m in client.get("/t/sunday-table.json").get_json()["playing"]}
        html = client.get("/t/sunday-table").get_data(as_text=True)

    assert [seat["in_game"] for seat in found[begun.id]["seats"]] == [[one] for one in sums]
    assert f'{sums[0]}<span class="colon">:</span>{sums[1]}</span> <span class="live">' in html
    assert '0<span class="colon">:</span>0</span> <span class="live">live' in html


def test_copy_of_a_page_is_out_of_date_when_the_referee_is_gone(database: Path) -> None:
    """Nothing in the database changes, and yet the old copy is no longer good."""
    client = site(database)
    with sole_referee(database):
        before = client.get("/t/sunday-table")
    client.application.config["WATCH"]._until = 0.0

    after = client.get("/t/sunday-table", headers={"If-None-Match": before.headers["ETag"]})

    assert b"interrupted" not in before.data
    assert b"interrupted" in after.data


def test_move_leads_to_the_tournament_and_says_once_what_was_done(organiser: Browser) -> None:
    """The page after it has the new state, the only move that makes sense, and a notice."""
    page = "/t/sunday-table"
    first = organiser.client.get(page).get_data(as_text=True)
    answer = organiser.client.post(
        f"/organise{page}/pause", data={"csrf": organiser.csrf("/organise")}
    )
    said, again = (organiser.client.get(page).get_data(as_text=True) for _ in range(2))

    assert f"/organise{page}/resume" in first
    assert f"/organise{page}/pause" not in first
    assert (answer.status_code, answer.headers["Location"]) == (303, page)
    assert "Sunday table is paused" in said
    assert "is paused; matches" not in again
    assert f"/organise{page}/resume" in again


def test_finished_tournament_has_no_desk(organiser: Browser) -> None:
    """There is nothing left to do."""
    assert 'class="desk"' not in organiser.client.get("/t/autumn-league").get_data(as_text=True)


@pytest.mark.parametrize("format", sorted(FORMATS))
def test_options_are_said_where_they_mean_something(format: str) -> None:
    """Rounds belong to Swiss and ladders, the champion to gauntlets, a third place to brackets."""
    said = dict(options_text(FORMATS[format], FormatOptions(rounds=5), {0: "Ada"}))

    assert ("Rounds" in said) == (format in ("swiss", "ladder"))
    assert ("Champion" in said) == (format == "gauntlet")
    assert ("Third place" in said) == (format in ("single_elimination", "groups"))
    assert all(" " in text or text.isalpha() for text in said.values())


def test_tournament_that_has_just_begun_is_not_called_interrupted(
    database: Path, match: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its referee may not have said yet that it is at work; some seconds later it is too late."""
    monkeypatch.setattr(watch, "BEGINNING_S", 3600.0)
    app = create_app(database)
    first = app.test_client().get("/t/sunday-table")
    stamp = app.config["WATCH"].stamp()
    app.config["WATCH"]._expected.clear()
    monkeypatch.setattr(watch, "BEGINNING_S", 0.0)
    later = app.test_client().get("/t/sunday-table")

    assert "interrupted" not in first.text
    assert "interrupted" in later.text
    assert app.config["WATCH"].stamp() != stamp
