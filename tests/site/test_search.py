"""Finding bots, tournaments and games by their names."""

from __future__ import annotations

from pathlib import Path

from arena.config import TournamentConfig
from arena.site import create_app
from arena.store import Store
from arena.store.rows import TournamentState
from arena.tournament.create import create_tournament


def test_what_is_called_exactly_so_comes_first(tmp_path: Path) -> None:
    """However many begin with the same word; ``arena owner`` finds a bot so."""
    path = tmp_path / "arena.db"
    with Store(path) as store:
        for number in range(55):
            config = TournamentConfig(name=f"Keen cup {number}")
            create_tournament(store, config, state=TournamentState.REGISTRATION)
        store.bots.add("very keen", "http://127.0.0.1:9")
        store.bots.add("keen", "http://127.0.0.1:9")
    found = create_app(path).test_client().get("/search.json?q=keen").get_json()

    first, *others = [(one["kind"], one["link"]["name"]) for one in found["found"]]
    assert first == ("bot", "keen")
    assert ("tournament", "Keen cup 54") in others
    assert ("bot", "very keen") not in others
    assert found["more"] == 57 - 50
