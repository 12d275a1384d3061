"""No page shows cards that somebody may still be dealt."""

from __future__ import annotations

from pathlib import Path

from arena.config import BotSpec, TournamentConfig
from arena.site.app import create_app
from arena.store import Store
from arena.store.rows import FixtureStatus
from arena.tournament import lifecycle
from arena.tournament.create import create_tournament
from arena.tournament.model import FormatOptions
from arena.tournament.playing.runner import Runner
from tests.tournament.lives import InProcess, StopAfter


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
