"""An archive holds what the arena wrote, all of it once, and nothing else."""

from __future__ import annotations

import shutil
import warnings
import zipfile
from pathlib import Path

import pytest

import arena
from arena.export import CONTENTS, export, verify_tables
from arena.store import Store
from arena.tournament.dossier import ArchivedDossier
from arena.tournament.verification.mismatch import Mismatch
from tests.tournament.verifying import played, whole_check


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("winner.txt", f"winner.txt is not in {CONTENTS}"),
        ("../../evil", "evil is not in"),
        ("standings.csv", "standings.csv is in the archive twice"),
        ("hands.jsonl", "hands.jsonl is in the archive twice"),
    ],
)
def test_file_that_the_arena_did_not_write_is_a_difference(
    store: Store, tmp_path: Path, name: str, message: str
) -> None:
    """Another program could take it for part of the record."""
    path = tmp_path / "whole.zip"
    export(store, played(store), path)
    more = tmp_path / "more.zip"
    with warnings.catch_warnings(), zipfile.ZipFile(path) as old, zipfile.ZipFile(more, "w") as new:
        warnings.simplefilter("ignore", UserWarning)  # of twins
        new.writestr(name, "1,somebody")
        for each in old.namelist():
            new.writestr(each, old.read(each))

    with pytest.raises(Mismatch, match=message):
        whole_check(more)


def test_tables_of_another_version_are_not_made_again_and_that_is_told(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They may show more than this version knows."""
    path = tmp_path / "now.zip"
    export(store, played(store), path)
    assert verify_tables(ArchivedDossier(path)) is None

    monkeypatch.setattr(arena, "__version__", "0.0.9")
    shutil.copy(path, tmp_path / "then.zip")
    wrote = verify_tables(ArchivedDossier(tmp_path / "then.zip"))

    assert wrote is not None
    assert wrote != "0.0.9"
