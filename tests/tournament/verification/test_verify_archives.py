"""Archives that lack a part or hold nonsense are refused with a sentence."""

from __future__ import annotations

import json
import random
import zipfile
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import orjson
import pytest

from arena.errors import StoreError
from arena.export import CONTENTS, export
from arena.store import Store
from arena.store.digest import tournament_digest
from arena.tournament.dossier import ArchivedDossier
from arena.tournament.verification.mismatch import Mismatch
from arena.tournament.verification.verify import verify
from tests.tournament.verifying import part_of, played, whole_check


@pytest.mark.parametrize("part", ["hands.jsonl", "standings.csv", "times.jsonl", CONTENTS])
def test_archive_without_one_of_its_files_is_named(store: Store, tmp_path: Path, part: str) -> None:
    """Rows, tables and the list of contents are all needed."""
    export(store, played(store), tmp_path / "whole.zip")
    with zipfile.ZipFile(tmp_path / "whole.zip") as whole:
        with zipfile.ZipFile(tmp_path / "less.zip", "w") as less:
            for name in whole.namelist():
                if name != part:
                    less.writestr(name, whole.read(name))

    with pytest.raises(StoreError, match=f"has no {part}"):
        whole_check(tmp_path / "less.zip")


def rewritten(path: Path, part: str, change: Callable[[list[dict[str, object]]], object]) -> Path:
    """A copy of an archive with the rows of one part changed."""
    copy = path.with_name("changed.zip")
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(copy, "w") as new:
        for name in old.namelist():
            text = old.read(name)
            if name == part:
                rows = [json.loads(line) for line in text.splitlines()]
                change(rows)
                text = "".join(json.dumps(row) + "\n" for row in rows).encode()
            new.writestr(name, text)
    return copy


@pytest.mark.parametrize("part", ["tournament.jsonl", "entrants.jsonl", "fixtures.jsonl",
                                  "games.jsonl", "hands.jsonl", "faults.jsonl",
                                  "times.jsonl"])  # fmt: skip
def test_archive_of_nonsense_is_a_difference_and_no_traceback(
    store: Store, tmp_path: Path, part: str
) -> None:
    """Values of every wrong type in every column, and columns that are missing."""
    export(store, played(store), tmp_path / "whole.zip")
    chance = random.Random(part)
    wrong: list[object] = [None, True, -1, 10**30, 1.5, "", "\x00", "[", [], {}, "[[1]]", "9" * 400]

    def spoil(rows: list[dict[str, object]]) -> None:
        row = chance.choice(rows)
        column = chance.choice([key for key in row if row[key] is not None])
        if chance.random() < 0.2:
            del row[column]
        else:
            row[column] = chance.choice(wrong)

    for _ in range(40):
        path = rewritten(tmp_path / "whole.zip", part, spoil)
        with pytest.raises((Mismatch, StoreError)) as found:
            whole_check(path)
        assert len(str(found.value)) > 20


def test_archive_of_impossible_values_under_right_digests_is_a_difference(
    store: Store, tmp_path: Path
) -> None:
    """A number where a time should stand follows from nothing; the tables cannot hold it."""
    export(store, played(store), tmp_path / "whole.zip")
    dossier = ArchivedDossier(tmp_path / "whole.zip")
    row = {**dossier.tournament, "created_at": [1]}
    digests = [str(fixture["digest"]) for fixture in dossier.fixtures]
    row["digest"] = tournament_digest(row, dossier.entrants, digests)
    path = rewritten(tmp_path / "whole.zip", "tournament.jsonl", lambda rows: rows[0].update(row))
    contents = json.loads(part_of(path, CONTENTS))
    contents["sha256"]["tournament.jsonl"] = sha256(part_of(path, "tournament.jsonl")).hexdigest()
    body = {name: contents[name] for name in ("arena", "sha256")}
    body["seal"] = sha256(orjson.dumps(body, option=orjson.OPT_SORT_KEYS)).hexdigest()
    text = orjson.dumps(body, option=orjson.OPT_INDENT_2)
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(tmp_path / "forged.zip", "w") as new:
        for name in old.namelist():
            new.writestr(name, text if name == CONTENTS else old.read(name))

    assert verify(ArchivedDossier(tmp_path / "forged.zip")).finished
    with pytest.raises(Mismatch, match="the rows have values of wrong types"):
        whole_check(tmp_path / "forged.zip")


def test_rows_that_belong_nowhere_are_named(store: Store, tmp_path: Path) -> None:
    """A hand of another tournament cannot be hidden in an archive."""
    export(store, played(store), tmp_path / "whole.zip")
    path = rewritten(
        tmp_path / "whole.zip",
        "hands.jsonl",
        lambda rows: rows.append({**rows[-1], "fixture_id": "m_elsewhere"}),
    )

    with pytest.raises(StoreError, match="'m_elsewhere' belongs to no fixture"):
        verify(ArchivedDossier(path))
