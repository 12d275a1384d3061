"""A bracket that was tampered with is named on its own pages; all others are as they were."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.site import create_app
from arena.store import Store
from tests.site import factories


@pytest.mark.parametrize("format", ["single_elimination", "double_elimination", "groups"])
def test_bracket_played_by_the_wrong_entrants_says_so(tmp_path: Path, format: str) -> None:
    """The sentence where the bracket stands; the match itself, the schedule and the home page."""
    path = tmp_path / "arena.db"
    with Store(path) as store:
        id = factories.add_tournament(store, "Cup", format=format)
        last = store.fixtures.of(id)[-1]
        stranger = min(set(range(4)) - set(last.seats))
        with store.transaction() as conn:
            seats = f"[{last.seats[0]},{stranger}]"
            conn.execute("UPDATE fixtures SET seats = ? WHERE id = ?", [seats, last.id])
    client = create_app(path).test_client()

    for page in ("/t/cup", "/t/cup/bracket"):
        answer = client.get(page)
        assert answer.status_code == 500
        assert "the bracket is damaged" in answer.text
        assert "restore a backup" in answer.text
    for page in ("/", "/t/cup/schedule", f"/t/cup/m/{last.id}"):
        assert client.get(page).status_code == 200
