"""How the bots of a tournament answered, on its page."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from arena.site import create_app
from arena.store import Store
from arena.tournament.conduct import conduct_rows
from arena.tournament.dossier import StoredDossier

SAME = (
    "decisions", "faults", "fault_share", "faults_by_code", "late", "late_share",
    "latency_p50_ms", "latency_p95_ms",
)  # fmt: skip


def test_page_says_what_the_terminal_says(
    client: FlaskClient, played: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same numbers for every bot, those with the most faults first."""
    monkeypatch.setattr("arena.site.pages.conduct.TIMED_HANDS", 2000)
    with Store(played, read_only=True) as store:
        row = store.tournaments.by_slug("autumn-league")
        assert row is not None
        right = {line["name"]: line for line in conduct_rows(StoredDossier(store, row.id))}
    lines = client.get("/t/autumn-league/conduct.json").get_json()["lines"]

    assert {line["bot"]["name"] for line in lines} == set(right)
    for line in lines:
        assert {key: line[key] for key in SAME} == {
            key: right[line["bot"]["name"]][key] for key in SAME
        }
    shares = [line["fault_share"] for line in lines]
    assert shares[0] > 0
    assert shares == sorted(shares, reverse=True)


def test_tournament_leads_to_it(client: FlaskClient) -> None:
    """A tab once it is played, and every fault by its code; before the start there is none."""
    overview = client.get("/t/autumn-league").get_data(as_text=True)
    html = client.get("/t/autumn-league/conduct").get_data(as_text=True)
    (most, *_) = client.get("/t/autumn-league/conduct.json").get_json()["lines"]

    assert 'href="/t/autumn-league/conduct">Conduct</a>' in overview
    assert re.search(rf"<code>timeout</code></a> {most['faults']}<", html)
    assert "deadline of 1.0 s" in html
    assert "/conduct" not in client.get("/t/spring-league").get_data(as_text=True)
    assert "Nobody has finished a hand yet." in client.get("/t/spring-league/conduct").get_data(
        as_text=True
    )


def test_of_a_large_tournament_the_newest_matches_count(
    played: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And the page says so."""
    monkeypatch.setattr("arena.site.pages.conduct.MOST", 8)
    client = create_app(played).test_client()
    found = client.get("/t/autumn-league/conduct.json").get_json()
    whole = client.get("/t/winter-cup/conduct.json").get_json()

    assert found["last"] == 8
    assert "last 8 matches" in client.get("/t/autumn-league/conduct").get_data(as_text=True)
    assert whole["last"] is None
    with Store(played, read_only=True) as store:
        row = store.tournaments.by_slug("autumn-league")
        assert row is not None
        last = [store.hands.of(fixture.id)[-1] for fixture in store.fixtures.of(row.id)[-8:]]
    asked = sum(book[1] for hand in last for book in hand.books)
    assert sum(line["decisions"] for line in found["lines"]) == asked
