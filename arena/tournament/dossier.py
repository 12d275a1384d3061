"""Everything about one tournament as rows, from a database or from an exported archive.

`verify` and `export` work on this, so that an archive can be checked without the database, on
another machine. Rows are dicts of plain values with the names of the store's columns.
"""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any, Protocol

import orjson

from arena.errors import StoreError
from arena.store import Store
from arena.store.digest import rows
from arena.store.hands import HANDS_OF

Row = Mapping[str, Any]

HIDDEN = ("bot_version_id", "serial")
"""Columns that stay behind: they mean something in one database only."""


class Dossier(Protocol):
    """One tournament's rows. ``hands`` and ``games`` come fixture by fixture, in order of play."""

    @property
    def tournament(self) -> Row: ...

    @property
    def entrants(self) -> Sequence[Row]: ...

    @property
    def fixtures(self) -> Sequence[Row]: ...

    def played(self) -> Iterator[tuple[Row, Sequence[Row], Sequence[Row]]]:
        """Each fixture with its games and hands, in order of play."""
        ...


class StoredDossier:
    """A tournament in a database."""

    def __init__(self, store: Store, tournament_id: str) -> None:
        self._conn = store.db.conn
        (self.tournament,) = rows(
            self._conn, "SELECT * FROM tournaments WHERE id = ?", tournament_id
        )
        self.entrants: Sequence[Row] = rows(
            self._conn,
            "SELECT * FROM entrants WHERE tournament_id = ? ORDER BY number",
            tournament_id,
        )
        self.fixtures: Sequence[Row] = rows(
            self._conn,
            "SELECT * FROM fixtures WHERE tournament_id = ? ORDER BY position, replay",
            tournament_id,
        )

    def played(self) -> Iterator[tuple[Row, Sequence[Row], Sequence[Row]]]:
        """Each fixture with its games and hands, in order of play."""
        games = "SELECT * FROM games WHERE fixture_id = ? ORDER BY number"
        for fixture in self.fixtures:
            id = fixture["id"]
            yield fixture, rows(self._conn, games, id), rows(self._conn, HANDS_OF, id)


class ArchivedDossier:
    """A tournament in an archive that `export` wrote.

    :raises StoreError: the file is no such archive, or a part of it is missing or damaged.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            with zipfile.ZipFile(path) as archive:
                self._parts = {
                    name: archive.read(name) for name in PARTS if name in archive.namelist()
                }
        except (OSError, zipfile.BadZipFile, zlib.error) as error:
            raise StoreError(f"cannot read the archive {path}: {error}") from error
        (self.tournament,) = self._rows("tournament.jsonl")
        self.entrants: Sequence[Row] = list(self._rows("entrants.jsonl"))
        self.fixtures: Sequence[Row] = list(self._rows("fixtures.jsonl"))

    def played(self) -> Iterator[tuple[Row, Sequence[Row], Sequence[Row]]]:
        """Each fixture with its games and hands, in order of play."""
        games = _by_fixture(self._rows("games.jsonl"))
        hands = _by_fixture(self._rows("hands.jsonl"))
        for fixture in self.fixtures:
            yield fixture, games.get(fixture["id"], []), hands.get(fixture["id"], [])

    def _rows(self, name: str) -> Iterator[Row]:
        if name not in self._parts:
            raise StoreError(f"{self._path} has no {name}; it is no archive of a tournament")
        for number, line in enumerate(io.BytesIO(self._parts[name]), 1):
            try:
                row = orjson.loads(line)
            except orjson.JSONDecodeError as error:
                raise StoreError(f"{self._path}: {name}, line {number}: {error}") from error
            if not isinstance(row, dict):
                raise StoreError(f"{self._path}: {name}, line {number} is no JSON object")
            yield row


PARTS = ("tournament.jsonl", "entrants.jsonl", "fixtures.jsonl", "games.jsonl", "hands.jsonl")
"""The files of an archive that hold rows, one JSON object a line."""


def _by_fixture(found: Iterator[Row]) -> dict[str, list[Row]]:
    return {key: list(group) for key, group in groupby(found, lambda row: str(row["fixture_id"]))}
