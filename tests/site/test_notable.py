"""Notable hands: the right ones, and none whose cards somebody may still be dealt."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from arena.rules.base import Ending
from arena.site import create_app
from arena.site.hands.notable import notable
from arena.store import Store
from arena.store.pages import HandFacts
from arena.store.rows import FixtureStatus
from arena.tournament.model import FormatOptions
from tests.site.playing import play


def facts(number: int, winner: int | None, points: tuple[int, ...], **more: object) -> HandFacts:
    """A hand of a game that seat 1 wins."""
    usual = HandFacts("m_1", 1, number, Ending.KNOCK, winner, points, 20, 1)
    return usual._replace(**more)  # type: ignore[arg-type]


def test_each_title_goes_to_the_hand_that_has_most_of_it() -> None:
    """Score, speed, length, deficit and undercut are each found, with the numbers said."""
    hands = [
        facts(1, 0, (40, 0)),
        facts(2, 0, (0, 30), ending=Ending.UNDERCUT),
        facts(3, None, (0, 0), ending=Ending.DEAD_STOCK, decisions=90),
        facts(4, 1, (0, 90), ending=Ending.GIN, decisions=12),
        facts(5, 1, (30, 0), ending=Ending.GIN, decisions=8),
    ]
    found = {one.title: (one.hand.number, one.winner, one.what) for one in notable(hands)}

    assert found == {
        "Biggest score": (4, 1, "90 points"),
        "Quickest gin": (5, 1, "8 decisions"),
        "Longest hand": (3, None, "90 decisions"),
        "Biggest comeback": (3, 1, "70 points behind before this hand, and won the game"),
        "Biggest undercut": (2, 0, "30 points"),
    }


def test_points_that_losers_count_are_the_winners_score() -> None:
    """In Indian rummy the winner counts nothing, and the fewest points are no feat of a loser."""
    hands = [
        facts(1, 0, (0, 40, 80), ending=Ending.WRONG_DECLARATION, decisions=30),
        facts(2, 1, (60, 0, 70), ending=Ending.DECLARED, decisions=24),
        facts(3, 1, (2, 0, 9), ending=Ending.DECLARED, decisions=10),
        facts(4, 2, (20, 20, 0), ending=Ending.LAST_PLAYER, decisions=2),
    ]
    two = [
        facts(1, 0, (0, 80), ending=Ending.DECLARED),
        facts(2, 1, (25, 0), ending=Ending.DECLARED),
    ]
    found = {one.title: (one.hand.number, one.winner, one.what) for one in notable(hands)}

    assert found == {
        "Biggest score": (2, 1, "the others count 130 points"),
        "Quickest declaration": (3, 1, "10 decisions"),
        "Longest hand": (1, 0, "30 decisions"),
    }
    assert {one.title: one.what for one in notable(two)} == {
        "Biggest score": "the other counts 80 points",
        "Quickest declaration": "20 decisions",
        "Longest hand": "20 decisions",
        "Biggest comeback": "80 points behind before this hand, and won the game",
    }


def test_pools_have_notable_hands_too(store: Store) -> None:
    """Where fewer points win, the page leads to the hands in which others counted most."""
    play(store, "Pool", ["a", "b"], rules="indian_pool_101", options=FormatOptions(games=1))
    client = create_app(store.path).test_client()
    hands = client.get("/t/pool/notable.json").get_json()["hands"]
    found = {one["title"]: one for one in hands}
    best = client.get(f"{found['Biggest score']['url']}.json").get_json()

    assert {"Biggest score", "Quickest declaration", "Longest hand"} <= set(found)
    assert best["ending"]["points"][best["ending"]["winner"]] == 0
    assert found["Biggest score"]["what"] == (
        f"the other counts {sum(best['ending']['points'])} points"
    )


def test_nothing_is_made_up() -> None:
    """Without hands, gins or comebacks there is no line for them."""
    assert notable([]) == ()
    assert [one.title for one in notable([facts(1, 1, (0, 9))])] == [
        "Biggest score",
        "Longest hand",
    ]


def test_lines_agree_with_the_hands_that_they_lead_to(client: FlaskClient) -> None:
    """Every replay opens, and has the score, the ending and the winner that the list says."""
    found = {
        one["title"]: one for one in client.get("/t/autumn-league/notable.json").get_json()["hands"]
    }
    html = client.get("/t/autumn-league/notable").get_data(as_text=True)
    hands = {title: client.get(f"{one['url']}.json").get_json() for title, one in found.items()}

    assert {"Biggest score", "Longest hand"} <= set(found)
    for title, one in found.items():
        assert f'href="{one["url"]}"' in html
        assert {player["name"] for player in hands[title]["players"]} == set(one["players"])
    ending = hands["Biggest score"]["ending"]
    assert found["Biggest score"]["what"] == f"{max(ending['points'])} points"
    assert (
        found["Biggest score"]["of"]["name"]
        == (hands["Biggest score"]["players"][ending["winner"]]["name"])
    )
    decisions = sum(frame["action"] is not None for frame in hands["Longest hand"]["frames"])
    assert found["Longest hand"]["what"] == f"{decisions} decisions"


def test_only_so_many_matches_are_looked_at(
    client: FlaskClient, played: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a large tournament the newest, and the page says so."""
    assert client.get("/t/autumn-league/notable.json").get_json()["last"] is None
    monkeypatch.setattr("arena.site.pages.notable.MOST", 2)
    fresh = create_app(played).test_client()
    html = fresh.get("/t/autumn-league/notable").get_data(as_text=True)
    found = fresh.get("/t/autumn-league/notable.json").get_json()
    with Store(played, read_only=True) as store:
        row = store.tournaments.by_slug("autumn-league")
        assert row is not None
        newest = [fixture.id for fixture in store.fixtures.of(row.id)][-2:]

    assert "Of the last 2 matches" in html
    assert found["hands"]
    assert all(any(id in one["url"] for id in newest) for one in found["hands"])


def test_hands_that_may_be_dealt_again_are_not_there(client: FlaskClient, played: Path) -> None:
    """Of a league in the middle only matches both halves of which are over are looked at."""
    with Store(played, read_only=True) as store:
        row = store.tournaments.by_slug("sunday-table")
        assert row is not None
        closed = {
            f.id
            for f in store.fixtures.of(row.id)
            if f.status is FixtureStatus.FINISHED and not store.fixtures.deals_are_open(f)
        }
    lines = client.get("/t/sunday-table/notable.json").get_json()["hands"]
    linked = {re.findall(r"/m/([^/]+)/", one["url"])[0] for one in lines}

    assert closed
    assert linked
    assert not linked & closed
    assert all(client.get(one["url"]).status_code == 200 for one in lines)
