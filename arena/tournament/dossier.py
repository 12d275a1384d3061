"""Everything about one tournament as rows, from a database or from an exported archive.

`verify` and `export` work on this, so that an archive can be checked without the database, on
another machine. Rows are dicts of plain values with the names of the store's columns. What is read
here may have been changed by anybody: nothing of it is trusted, and every failure to read it is a
`StoreError` that names the place.
"""

from __future__ import annotations

import struct
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, NamedTuple, Protocol

import orjson

from arena.errors import StoreError
from arena.store import Store
from arena.store.raw import Raw
from arena.store.rows import RawRow

LINE_BYTES = 16 * 1024 * 1024
"""No row is as long as this; whoever unpacks a stranger's archive must not fill the memory."""


class PlayedRows(NamedTuple):
    """A fixture with what belongs to it. ``faults``: as `store.digest.sealed_faults` makes them;
    None in archives from before they were in them."""

    fixture: RawRow
    games: Sequence[RawRow]
    hands: Sequence[RawRow]
    faults: Sequence[RawRow] | None


class Dossier(Protocol):
    """One tournament's rows.

    ``times``: time books by entrant; None in archives from before they were in them. ``bots``: the
    names of the bots that the entrants are; None in archives, which know no bots.
    """

    @property
    def tournament(self) -> RawRow: ...

    @property
    def entrants(self) -> Sequence[RawRow]: ...

    @property
    def fixtures(self) -> Sequence[RawRow]: ...

    @property
    def times(self) -> Sequence[RawRow] | None: ...

    @property
    def bots(self) -> Sequence[str | None] | None: ...

    def played(self) -> Iterator[PlayedRows]:
        """Each fixture with its games, hands and faults, in order of play."""
        ...


class StoredDossier:
    """A tournament in a database.

    :raises StoreError: the database is damaged.
    """

    def __init__(self, store: Store, tournament_id: str) -> None:
        self._raw = Raw(store)
        self.tournament: RawRow = self._raw.tournament(tournament_id)
        self.entrants: Sequence[RawRow] = self._raw.entrants(tournament_id)
        self.fixtures: Sequence[RawRow] = self._raw.fixtures(tournament_id)
        self.times: Sequence[RawRow] | None = self._raw.times(tournament_id)
        self.bots: Sequence[str | None] | None = self._raw.bots(tournament_id)

    def played(self) -> Iterator[PlayedRows]:
        """Each fixture with its games, hands and faults, in order of play."""
        for fixture in self.fixtures:
            id = str(fixture["id"])
            try:
                yield PlayedRows(
                    fixture, self._raw.games(id), self._raw.hands(id), self._raw.faults(id)
                )
            except StoreError as error:
                raise StoreError(f"fixture {id}: {error}") from error


class ArchivedDossier:
    """A tournament in an archive that `export` wrote.

    :raises StoreError: the file is no such archive, or a part of it is missing or damaged.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        tournaments = list(self._rows("tournament.jsonl"))
        if len(tournaments) != 1:
            raise StoreError(f"{path}: tournament.jsonl has {len(tournaments)} lines instead of 1")
        self.tournament: RawRow = tournaments[0]
        self.entrants: Sequence[RawRow] = list(self._rows("entrants.jsonl"))
        self.fixtures: Sequence[RawRow] = list(self._rows("fixtures.jsonl"))
        self.times: Sequence[RawRow] | None = (
            list(self._rows("times.jsonl")) if self._has("times.jsonl") else None
        )
        self.bots: Sequence[str | None] | None = None

    def played(self) -> Iterator[PlayedRows]:
        """Each fixture with its games, hands and faults, in order of play."""
        games = _Groups("games.jsonl", self._rows("games.jsonl"))
        hands = _Groups("hands.jsonl", self._rows("hands.jsonl"))
        known = self._has("faults.jsonl")
        faults = _Groups("faults.jsonl", self._rows("faults.jsonl") if known else iter(()))
        for fixture in self.fixtures:
            id = fixture.get("id")
            own = faults.of(id) if known else None
            yield PlayedRows(fixture, games.of(id), hands.of(id), own)
        for groups in (games, hands, faults):
            groups.end()

    def names(self) -> list[str]:
        """The files of the archive as its directory lists them, twins included.

        :raises StoreError: the archive is damaged.
        """
        try:
            with zipfile.ZipFile(self.path) as archive:
                return archive.namelist()
        except (OSError, ValueError, struct.error, zipfile.BadZipFile) as error:
            raise StoreError(f"{self.path} is damaged: {error}") from error

    def _has(self, name: str) -> bool:
        """Whether the archive has this part: the first versions of the arena wrote fewer."""
        return name in self.names()

    @contextmanager
    def part(self, name: str) -> Iterator[IO[bytes]]:
        """One file of the archive, open for reading.

        :raises StoreError: it is missing or damaged, also while it is being read.
        """
        try:
            with zipfile.ZipFile(self.path) as archive, archive.open(name) as file:
                yield file
        except KeyError as error:
            raise StoreError(
                f"{self.path} has no {name}; it is no archive of a tournament"
            ) from error
        except StoreError:
            raise
        except (
            OSError, EOFError, ValueError, RuntimeError, struct.error,
            zipfile.BadZipFile, zlib.error,
        ) as error:  # fmt: skip
            raise StoreError(f"{self.path}: {name} is damaged: {error}") from error

    def _rows(self, name: str) -> Iterator[RawRow]:
        with self.part(name) as file:
            number = 0
            while line := file.readline(LINE_BYTES):
                number += 1
                yield _row(line, f"{self.path}: {name}, line {number}")


def _row(line: bytes, where: str) -> RawRow:
    if len(line) == LINE_BYTES:
        raise StoreError(f"{where} is longer than any row")
    try:
        row = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        raise StoreError(f"{where} is no JSON: {error}") from error
    if not isinstance(row, dict):
        raise StoreError(f"{where} is no JSON object")
    return row


class _Groups:
    """Rows that come fixture by fixture, in the order of the fixtures; one group in memory."""

    def __init__(self, name: str, rows: Iterator[RawRow]) -> None:
        self._name = name
        self._rows = rows
        self._next: RawRow | None = next(rows, None)

    def of(self, id: object) -> list[RawRow]:
        """The rows of the fixture that comes next."""
        found: list[RawRow] = []
        while self._next is not None and self._next.get("fixture_id") == id:
            found.append(self._next)
            self._next = next(self._rows, None)
        return found

    def end(self) -> None:
        """Nothing may be left.

        :raises StoreError: there are rows of other fixtures, or out of order.
        """
        if self._next is not None:
            raise StoreError(
                f"{self._name}: a row of {self._next.get('fixture_id')!r} belongs to no fixture, "
                "or stands in the wrong place"
            )
