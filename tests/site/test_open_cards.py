"""No page shows cards that somebody may still be dealt."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from flask import Flask

from arena.config import BotSpec, TournamentConfig
from arena.referee.verdicts import FaultCode
from arena.site.app import create_app
from arena.store import Store
from arena.store.rows import FaultRow, FixtureStatus
from arena.tournament import lifecycle
from arena.tournament.create import create_tournament
from arena.tournament.model import FormatOptions
from arena.tournament.playing.runner import Runner
from tests.site.accounts import tournament
from tests.site.crawling import crawl
from tests.tournament.lives import InProcess, StopAfter

TWIN = re.compile(r"(\?|$)")


def test_hands_stay_closed_until_the_mirrored_match_is_over(store: Store, tmp_path: Path) -> None:
    """Neither the hand's page nor a link to it or to its twin, in HTML or JSON."""
    row = create_tournament(
        store,
        TournamentConfig(
            name="Twins",
            settings={"target": 20},
            options=FormatOptions(games=1),
            bots=tuple(BotSpec(f"bot {n}", "http://127.0.0.1:9") for n in range(3)),
        ),
        bytes(range(32)),
    )
    contact = InProcess()
    contacts = {n: contact for n in range(3)}

    def pause() -> None:
        lifecycle.pause(store, store.tournaments.get(row.id))

    Runner(store, row, contacts, reporter=StopAfter(2, pause), in_flight=1).run()
    client = create_app(store.path).test_client()
    finished = [f for f in store.fixtures.of(row.id) if f.status is FixtureStatus.FINISHED]
    assert len(finished) == 2
    for fixture in finished:
        for ending in ("", ".json"):
            place = f"/t/twins/m/{fixture.id}"
            assert client.get(f"{place}/1-1{ending}").status_code == 404
            page = client.get(f"{place}{ending}").get_data(as_text=True)
            assert f"{fixture.id}/1-1" not in page
            for other in store.fixtures.of(row.id):
                if other.deal_key == fixture.deal_key and other.id != fixture.id:
                    assert other.id not in page

    reopened = lifecycle.reopen(store, store.tournaments.get(row.id))
    Runner(store, reopened, contacts, in_flight=1).run()

    for fixture in finished:
        assert client.get(f"/t/twins/m/{fixture.id}/1-1").status_code == 200
        assert client.get(f"/t/twins/m/{fixture.id}/1-1.json").status_code == 200


def test_no_page_of_what_is_played_tells_why_an_action_was_illegal(
    make_app: Callable[..., Flask], database: Path
) -> None:
    """Its text names cards; of a match in play spectators are told the code, wherever they look."""
    with Store(database) as store:
        row = tournament(database, "sunday-table")
        fixtures = store.fixtures.of(row.id)
        begun = next(f for f in fixtures if f.status is FixtureStatus.PENDING)
        played = next(f for f in fixtures if f.status is FixtureStatus.FINISHED)
        store.fixtures.start(begun.id)
        hand = replace(store.hands.of(played.id)[0], fixture_id=begun.id, game=1, number=1)
        text = "knock:7H leaves deadwood 41 in 2C 9C JD, more than 10"
        fault = FaultRow(begun.id, 1, 1, 2, begun.seats[0], FaultCode.ILLEGAL, text, 3.0)
        store.hands.add(hand, [fault])
    client = make_app().test_client()
    match = f"/t/sunday-table/m/{begun.id}"
    bodies = crawl(client, starts=(match, "/t/sunday-table", "/"))
    twins = {one: client.get(TWIN.sub(r".json\1", one, count=1)) for one in bodies if "/t/" in one}
    live = {one: client.get(f"{one}{'&' if '?' in one else '?'}live=1") for one in bodies}

    assert FaultCode.ILLEGAL in bodies[match]
    assert client.get(f"{match}.json").get_json()["faults"][0]["code"] == FaultCode.ILLEGAL
    for body in (*bodies.values(), *(one.get_data(as_text=True) for one in twins.values()),
                 *(one.get_data(as_text=True) for one in live.values())):  # fmt: skip
        assert text not in body
