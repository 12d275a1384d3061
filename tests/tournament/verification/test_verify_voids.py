"""What was void can neither vanish nor count, even if all digests are made anew."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from arena.rules.record import parse, write
from arena.store import Store
from arena.store.digest import seal_fixture, seal_tournament
from arena.store.rows import TournamentRow
from arena.tournament import lifecycle
from arena.tournament.dossier import StoredDossier
from arena.tournament.verification.mismatch import Mismatch
from arena.tournament.verification.verify import verify
from tests.tournament.lives import StopAfter, make, pause, run


def with_void_matches(store: Store) -> TournamentRow:
    """A finished tournament of which a pair was played twice."""
    row = make(store)
    run(store, row, StopAfter(11, lambda: pause(store, row)))
    lifecycle.void(store, store.fixtures.of(row.id)[0].id)
    run(store, row)
    return store.tournaments.get(row.id)


def erase(store: Store) -> None:
    """Delete all that is left of the void matches."""
    with store.transaction() as conn:
        void = "FROM fixtures WHERE status = 'void'"
        conn.execute(f"DELETE FROM hands WHERE fixture IN (SELECT serial {void})")
        for table in ("games", "faults"):
            conn.execute(f"DELETE FROM {table} WHERE fixture_id IN (SELECT id {void})")
        conn.execute(f"DELETE {void}")


def swap(store: Store) -> None:
    """Let the first playing count instead of the second."""
    with store.transaction() as conn:
        conn.execute("UPDATE fixtures SET status = 'void' WHERE replay = 1")
        conn.execute(
            "UPDATE fixtures SET status = 'finished' WHERE replay = 0 AND position IN"
            " (SELECT position FROM fixtures WHERE replay = 1)"
        )


def count_both(store: Store) -> None:
    """Let both playings count."""
    with store.transaction() as conn:
        conn.execute("UPDATE fixtures SET status = 'finished' WHERE status = 'void'")


def mark_late(store: Store) -> None:
    """Say of an answer that it came too late, and counted."""
    (row,) = store.query("SELECT fixture, game, number, record FROM hands LIMIT 1")
    record = parse(row["record"])
    plays = (replace(record.plays[0], late=True), *record.plays[1:])
    with store.transaction() as conn:
        conn.execute(
            "UPDATE hands SET record = ? WHERE fixture = ? AND game = ? AND number = ?",
            [write(replace(record, plays=plays)), row["fixture"], row["game"], row["number"]],
        )


def test_matches_that_were_played_twice_are_verified(store: Store) -> None:
    """With both playings there, of which one counts."""
    row = with_void_matches(store)

    assert verify(StoredDossier(store, row.id)).matches == 14


@pytest.mark.parametrize(
    ("forge", "message"),
    [
        (erase, r"it is playing number 2 of .*, but number 1 is missing"),
        (swap, r"what was played again is stored as 'finished', but 'void' is right"),
        (count_both, r"what was played again is stored as 'finished', but 'void' is right"),
        (mark_late, r"turn 0 is marked as late, but took \d+ of \d+ ms"),
    ],
)
@pytest.mark.parametrize("anew", [False, True])
def test_forged_playings_are_found(
    store: Store, forge: Callable[[Store], None], message: str, anew: bool
) -> None:
    """Whether or not the forger made all digests anew."""
    row = with_void_matches(store)
    forge(store)
    if anew:
        with store.transaction() as conn:
            for fixture in store.fixtures.of(row.id, void=True):
                if fixture.digest is not None:
                    seal_fixture(conn, fixture.id)
            seal_tournament(conn, row.id)

    with pytest.raises(Mismatch, match=message):
        verify(StoredDossier(store, row.id))
