"""What ``arena run`` says in the end about calls that went wrong."""

from __future__ import annotations

import pytest

from arena.cli.playing import fault_lines
from arena.store import Store
from arena.tournament.results import entrant_names
from tests.tournament.functions import enter, failing, knocker, play


def test_faults_are_counted_once_for_all_bots(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A line for each bot with faults; the records are looked through once, not once a bot."""
    row = enter(store, 3)
    play(store, row, [knocker(), failing(3), failing(5)])
    counted = store.hands.fault_counts(row.id)
    looks = []

    def fault_counts(_: object, tournament_id: str) -> dict[tuple[int, str], int]:
        looks.append(tournament_id)
        return counted

    monkeypatch.setattr(type(store.hands), "fault_counts", fault_counts)
    lines = fault_lines(store, row, entrant_names(store, row.id))

    assert [line.split(" (")[0] for line in lines[:-1]] == [
        f"faults of bot {entrant}: timeout ×{counted[entrant, 'timeout']}" for entrant in (1, 2)
    ]
    assert lines[-1].startswith("what each code means")
    assert looks == [row.id]
