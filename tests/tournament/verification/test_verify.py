"""Verification accepts every tournament that the arena plays, now or long ago."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from arena.errors import StoreError
from arena.export import export
from arena.store import Store
from arena.store.digest import digest_of, seal_fixture, seal_tournament
from arena.store.rows import FixtureStatus, TournamentRow, TournamentState
from arena.tournament import lifecycle
from arena.tournament.dossier import ArchivedDossier, StoredDossier
from arena.tournament.formats.registry import FORMATS
from arena.tournament.verification.mismatch import Mismatch
from arena.tournament.verification.verify import verify
from tests.tournament.functions import After, enter, play
from tests.tournament.verifying import ENDLESS, PLAYERS, played, reread, whole_check


@pytest.mark.parametrize("format", sorted(set(FORMATS) - {"tables"}))
def test_every_format_verifies_in_the_database_and_from_its_archive(
    store: Store, tmp_path: Path, format: str
) -> None:
    """Played with faults, byes and forfeits; the archive needs no database."""
    row = played(store, format)
    found = verify(StoredDossier(store, row.id))
    export(store, row, tmp_path / "whole.zip")
    store.close()
    store.path.unlink()

    assert whole_check(tmp_path / "whole.zip") == found
    assert found.finished == (format != ENDLESS)
    assert found.hands > 10


def test_byes_are_no_matches(store: Store) -> None:
    """Five entrants: everybody meets four others twice, and is idle in two rounds."""
    row = played(store)

    assert verify(StoredDossier(store, row.id)).matches == 20


def test_archive_is_the_same_bytes_each_time_whatever_it_is_called(
    store: Store, tmp_path: Path
) -> None:
    """So that two people can compare theirs."""
    row = played(store)
    export(store, row, tmp_path / "one.zip")
    export(store, row, tmp_path / "another name.zip")

    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "another name.zip").read_bytes()


def test_running_tournament_keeps_its_secret(store: Store, tmp_path: Path) -> None:
    """Export refuses until it is over, and makes no file; verification says how far it is."""
    row = enter(store, len(PLAYERS))
    play(store, row, PLAYERS, reporter=After(3, lambda: lifecycle.pause(store, reread(store, row))))

    with pytest.raises(StoreError, match="paused; its secret is published"):
        export(store, store.tournaments.get(row.id), tmp_path / "early.zip")

    assert not list(tmp_path.glob("*.zip"))
    assert not verify(StoredDossier(store, row.id)).finished


def test_export_that_fails_leaves_no_file(store: Store, tmp_path: Path) -> None:
    """Neither half an archive nor a folder's permission error as a traceback; none is replaced."""
    row = played(store)
    export(store, row, tmp_path / "there.zip")
    before = (tmp_path / "there.zip").read_bytes()

    with pytest.raises(StoreError, match=r"there\.zip exists; choose another file"):
        export(store, row, tmp_path / "there.zip")
    with pytest.raises(StoreError, match=r"cannot write .*No such file or directory"):
        export(store, row, tmp_path / "no folder" / "a.zip")
    with store.transaction() as conn:
        conn.execute("UPDATE hands SET points = 'x' WHERE rowid = 5")
    with pytest.raises(StoreError, match="is damaged"):
        export(store, row, tmp_path / "half.zip")
    assert not list(tmp_path.glob(".half*"))

    assert (tmp_path / "there.zip").read_bytes() == before
    assert not (tmp_path / "half.zip").exists()


def as_written_before(store: Store, row: TournamentRow) -> None:
    """Make the database one of the first version: fewer columns, digests without faults, books
    that added up fractions."""
    with store.transaction() as conn:
        conn.execute("UPDATE fixtures SET faults = NULL")
        conn.execute("UPDATE overheads SET bot_ms = bot_ms + 0.25")
        for fixture in store.fixtures.of(row.id):
            seal_fixture(conn, fixture.id)
        seal_tournament(conn, row.id)
        conn.execute("ALTER TABLE fixtures DROP COLUMN faults")
        conn.execute("ALTER TABLE entrants DROP COLUMN left_round")
        conn.execute(
            "DELETE FROM _sqlite_migrations WHERE name IN ('counted_faults', 'rounds_of_leaving')"
        )
    store.close()


def test_tournament_of_the_first_version_still_verifies(store: Store, tmp_path: Path) -> None:
    """Brought up to date, in the database and in an archive from then, which has fewer parts."""
    row = played(store)
    as_written_before(store, row)

    with pytest.raises(StoreError, match="from an older version"):
        Store(store.path, read_only=True)
    with Store(store.path) as newer:
        assert verify(StoredDossier(newer, row.id)).finished
        export(newer, newer.tournaments.get(row.id), tmp_path / "new.zip")
        assert whole_check(tmp_path / "new.zip").finished
        with newer.transaction() as conn:
            conn.execute("DELETE FROM faults WHERE id = 1")
        with pytest.raises(Mismatch, match="the fault"):
            verify(StoredDossier(newer, row.id))
    with zipfile.ZipFile(tmp_path / "new.zip") as new:
        with zipfile.ZipFile(tmp_path / "old.zip", "w") as old:
            for name in new.namelist():
                if name not in ("faults.jsonl", "times.jsonl"):
                    old.writestr(name, new.read(name))
    assert verify(ArchivedDossier(tmp_path / "old.zip")).finished


def test_cancelled_tournament_is_sealed_as_it_stood(store: Store) -> None:
    """What was in play when it was cancelled is void, and all the rest is covered."""
    row = enter(store, len(PLAYERS), legs=2)
    play(
        store, row, PLAYERS, reporter=After(4, lambda: lifecycle.cancel(store, reread(store, row)))
    )
    row = reread(store, row)
    assert row.state is TournamentState.CANCELLED
    statuses = [f.status for f in store.fixtures.of(row.id, void=True)]
    assert statuses.count(FixtureStatus.FINISHED) >= 4
    assert FixtureStatus.PLAYING not in statuses
    assert not verify(StoredDossier(store, row.id)).finished

    with store.transaction() as conn:
        conn.execute("UPDATE tournaments SET name = 'Other'")

    with pytest.raises(Mismatch, match="tournament: its digest"):
        verify(StoredDossier(store, row.id))


def test_column_that_a_later_version_adds_changes_no_digest() -> None:
    """Columns without a value are left out."""
    assert digest_of("games", {"number": 1}) == digest_of("games", {"number": 1, "later": None})
    assert digest_of("games", {"number": 1}) != digest_of("games", {"number": 1, "later": 0})
