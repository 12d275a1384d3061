"""Writes a finished tournament as one archive, complete and checkable without the database.

The archive is a ZIP file: rows as JSON Lines (see ``tournament.dossier``; their columns are those
of the database, listed in ``store/migrations.py``), the hand records as plain text, and tables
(see `arena.export_tables`). ``contents.json`` names the version that wrote it and the SHA-256 of
every file. The same tournament always gives the same bytes.
"""

from __future__ import annotations

import hashlib
import re
import sqlite3
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from math import isclose
from pathlib import Path
from typing import Any

import orjson

import arena
from arena.errors import StoreError
from arena.export_tables import Text, tables
from arena.files import appearing
from arena.store import Store
from arena.store.raw import HIDDEN, Raw
from arena.store.rows import TournamentRow
from arena.tournament.dossier import ArchivedDossier, StoredDossier
from arena.tournament.verification.mismatch import UNREADABLE, Mismatch

_NUMBER = re.compile(rb"(-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)")
_EPOCH = (1980, 1, 1, 0, 0, 0)
CONTENTS = "contents.json"

README = """\
One tournament of a gin arena, complete. Check it with

  arena verify FILE

which deals every hand again from the secret, replays it, scores it, and compares every result.

Read by arena verify, with the columns of the database, one JSON object a line:
tournament.jsonl, entrants.jsonl, fixtures.jsonl, games.jsonl, hands.jsonl, faults.jsonl (of the
excerpts, which are for the bots' owners, the SHA-256) and times.jsonl (decisions and milliseconds).

For people, programs and spreadsheets:
hands.txt         the record of every hand, a line each
hands.csv         how every hand ended, its points by seat, its decisions and their milliseconds
games.csv         how every game ended: points, totals with bonuses, and what was paid, by seat
results.jsonl     every match, lists by seat; settlement is what was paid in all its games
fixtures.csv      the same as a table
standings.json    the final table; standings.csv the same
conduct.jsonl     faults by code, late answers and times of every bot; conduct.csv the same
crosstable.jsonl  every ordered pair that met; crosstable.csv its net hand points

In CSV files a text that a spreadsheet would run as a formula has an apostrophe in front.
contents.json holds the SHA-256 of every other file.
"""


def export(store: Store, tournament: TournamentRow, path: Path) -> None:
    """Write the archive.

    :raises StoreError: the tournament is not over (its secret must stay one until then), or the
        file exists or cannot be written; nothing is left of it then.
    """
    if not tournament.over:
        raise StoreError(
            f"{tournament.name!r} is {tournament.state}; its secret is published, and it can be "
            "exported, when it is over"
        )
    with store.reading():
        dossier = StoredDossier(store, tournament.id)
        parts: dict[str, Text] = {
            "README.txt": lambda: [README.encode()],
            "tournament.jsonl": lambda: _lines([dossier.tournament]),
            "entrants.jsonl": lambda: _lines(dossier.entrants),
            "fixtures.jsonl": lambda: _lines(dossier.fixtures),
            "games.jsonl": lambda: _lines(row for one in dossier.played() for row in one.games),
            "hands.jsonl": lambda: _lines(row for one in dossier.played() for row in one.hands),
            "faults.jsonl": lambda: _lines(
                row for one in dossier.played() for row in one.faults or ()
            ),
            "times.jsonl": lambda: _lines(dossier.times or ()),
            **tables(store, tournament, dossier),
        }
        _write(path, parts)


def _write(path: Path, parts: Mapping[str, Text]) -> None:
    with appearing(path) as part, zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED) as archive:
        sums = {name: _add(archive, name, text()) for name, text in parts.items()}
        _add(archive, CONTENTS, [_contents(arena.__version__, sums)])


def _add(archive: zipfile.ZipFile, name: str, chunks: Iterable[bytes]) -> str:
    """Write a file into the archive; its SHA-256, hex."""
    info = zipfile.ZipInfo(name, _EPOCH)
    info.compress_type = zipfile.ZIP_DEFLATED
    info.external_attr = 0o644 << 16
    # The same bytes on every system: by default the one that wrote it is recorded.
    info.create_system = 3
    found = hashlib.sha256()
    with archive.open(info, "w") as file:
        for chunk in chunks:
            found.update(chunk)
            file.write(chunk)
    return found.hexdigest()


def _contents(version: str, sums: Mapping[str, str]) -> bytes:
    body = {"arena": version, "sha256": dict(sums)}
    seal = hashlib.sha256(orjson.dumps(body, option=orjson.OPT_SORT_KEYS)).hexdigest()
    return orjson.dumps({**body, "seal": seal}, option=orjson.OPT_INDENT_2)


def _lines(rows: Iterable[Mapping[str, Any]]) -> Iterator[bytes]:
    for row in rows:
        kept = {key: value for key, value in row.items() if key not in HIDDEN}
        yield orjson.dumps(kept, option=orjson.OPT_APPEND_NEWLINE)


def verify_tables(dossier: ArchivedDossier) -> str | None:
    """Check every file of an archive beside the rows, which `verify` has found right before.

    Tables are made again where this version of the arena wrote them; else they are only compared
    with their SHA-256, since another version may show more, and the version that wrote them is
    returned.

    :raises Mismatch: naming the file that differs.
    :raises StoreError: a file is missing or damaged.
    """
    with dossier.part(CONTENTS) as file:
        text = file.read()
    try:
        contents = orjson.loads(text)
        sums: dict[str, str] = contents["sha256"]
        whole = text == _contents(contents["arena"], sums)
    except UNREADABLE:
        whole = False
    if not whole:
        raise Mismatch(f"{CONTENTS} is not as it was written")
    names = dossier.names()
    for name in names:
        if names.count(name) > 1:
            raise Mismatch(f"{name} is in the archive twice; which of them one reads is open")
        if name not in sums and name != CONTENTS:
            raise Mismatch(f"{name} is not in {CONTENTS}, so the arena did not write it")
    for name, sum in sums.items():
        found = hashlib.sha256()
        with dossier.part(name) as file:
            while chunk := file.read(1 << 20):
                found.update(chunk)
        if found.hexdigest() != sum:
            raise Mismatch(f"{name} is not as it was written: its SHA-256 is another")
    if contents["arena"] != arena.__version__:
        return str(contents["arena"])
    _compare_tables(dossier)
    return None


def _compare_tables(dossier: ArchivedDossier) -> None:
    """Make every table again from the rows alone."""
    with Store(":memory:") as store:
        try:
            tournament = _load(store, dossier)
        except (sqlite3.Error, *UNREADABLE) as error:
            raise Mismatch(f"the rows have values of wrong types: {error}") from error
        for name, text in tables(store, tournament, dossier).items():
            with dossier.part(name) as file:
                if all(file.read(len(chunk)) == chunk for chunk in text()) and not file.read(1):
                    continue
            with dossier.part(name) as file:
                if not alike(file.read(), b"".join(text())):
                    raise Mismatch(f"{name} is not what the rows of the archive make")


def alike(stored: bytes, right: bytes) -> bool:
    """The same text, but for the last digits of fractions.

    Ratings come out of sums whose order, and with it the rounding, is another on other machines.
    """
    found, made = _NUMBER.split(stored), _NUMBER.split(right)
    return found[::2] == made[::2] and all(map(_close, found[1::2], made[1::2]))


def _close(stored: bytes, right: bytes) -> bool:
    if stored == right:
        return True
    fraction = not (stored + right).lstrip(b"-").isdigit()
    return fraction and isclose(float(stored), float(right), rel_tol=1e-6, abs_tol=1e-6)


def _load(store: Store, dossier: ArchivedDossier) -> TournamentRow:
    """Enter the rows that tables are made of into an empty database."""
    version = store.bots.add("archived", "http://127.0.0.1").version_id
    raw = Raw(store)
    with store.transaction():
        raw.enter("tournaments", [dossier.tournament])
        raw.enter("entrants", [{**row, "bot_version_id": version} for row in dossier.entrants])
        raw.enter("fixtures", dossier.fixtures)
    return store.tournaments.get(str(dossier.tournament["id"]))
