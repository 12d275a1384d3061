"""Finished tournaments to verify, and archives of them."""

from __future__ import annotations

import zipfile
from pathlib import Path

from arena.export import verify_tables
from arena.store import Store
from arena.store.rows import TournamentRow
from arena.tournament import lifecycle
from arena.tournament.dossier import ArchivedDossier
from arena.tournament.playing.reporter import Silent
from arena.tournament.verification.verify import Verified, verify
from tests.tournament.functions import After, enter, failing, knocker, play

PLAYERS = [knocker(), knocker(10), knocker(25), failing(11), knocker(50)]
OPTIONS = {"single_elimination": {"best_of": 3}, "swiss": {"rounds": 3}}
ENDLESS = "ladder"


def played(store: Store, format: str = "round_robin", **options: object) -> TournamentRow:
    """A finished tournament; a ladder is cancelled after a while."""
    row = enter(store, len(PLAYERS), format, **(options or OPTIONS.get(format, {})))
    stop = After(12, lambda: lifecycle.cancel(store, row)) if format == ENDLESS else Silent()
    play(store, row, PLAYERS, reporter=stop)
    return store.tournaments.get(row.id)


def whole_check(path: Path) -> Verified:
    """All that ``arena verify`` checks of an archive."""
    archive = ArchivedDossier(path)
    found = verify(archive)
    verify_tables(archive)
    return found


def reread(store: Store, row: TournamentRow) -> TournamentRow:
    """The row as it is now."""
    return store.tournaments.get(row.id)


def part_of(path: Path, name: str) -> bytes:
    """One file of an archive."""
    with zipfile.ZipFile(path) as archive:
        return archive.read(name)
