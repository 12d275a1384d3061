"""Fingerprints of what was stored, so that a change of any byte is found later.

A fixture's digest covers its row, its games, hands and faults; a tournament's covers its own row,
its entrants and every fixture's digest. Both are SHA-256 over the rows in canonical JSON, made in
the transaction that makes them final. Exports carry the same rows, so digests hold for them too.
Columns without a value are left out, so a column that a later version adds changes no digest.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable
from typing import Any

import orjson

from arena.store.hands import FAULTS_OF, HANDS_OF
from arena.store.rows import RawRow

_NOT_COVERED = {
    "tournaments": ("digest", "revision"),
    "fixtures": ("serial", "digest", "status"),
    "entrants": ("bot_version_id",),
    "games": (),
    "hands": (),
    "faults": (),
}
"""Columns that may change afterwards (a match is voided) or mean nothing elsewhere."""


def digest_of(kind: str, row: RawRow, parts: Iterable[str] = ()) -> str:
    """SHA-256, hex, of a row of this table and of what belongs to it, in order."""
    left_out = _NOT_COVERED[kind]
    covered = {
        key: value for key, value in row.items() if value is not None and key not in left_out
    }
    found = hashlib.sha256(orjson.dumps(covered, option=orjson.OPT_SORT_KEYS))
    for part in parts:
        found.update(b"\n" + part.encode())
    return found.hexdigest()


def fixture_digest(
    row: RawRow, games: Iterable[RawRow], hands: Iterable[RawRow], faults: Iterable[RawRow]
) -> str:
    """The digest of a finished fixture from its rows; of faults as `sealed_faults` makes them.

    The first versions of the arena sealed fixtures without their faults, and did not count them.
    """
    parts = [digest_of("games", game) for game in games]
    parts += [digest_of("hands", hand) for hand in hands]
    if row.get("faults") is not None:
        parts += [digest_of("faults", fault) for fault in faults]
    return digest_of("fixtures", row, parts)


def sealed_faults(faults: Iterable[RawRow]) -> list[RawRow]:
    """Faults as digests cover them and archives hold them.

    The excerpts of what bots answered are for their owners only: their SHA-256 stands for them.
    """
    return [
        {
            "excerpt_sha256" if name == "detail" else name: (
                hashlib.sha256(str(value).encode()).hexdigest() if name == "detail" else value
            )
            for name, value in fault.items()
        }
        for fault in faults
    ]


def tournament_digest(row: RawRow, entrants: Iterable[RawRow], fixtures: Iterable[str]) -> str:
    """The digest of a tournament from its rows and the digests of its fixtures, in order.

    Void matches count too; one that was voided before it was over has the empty text for a digest.
    """
    parts = [digest_of("entrants", entrant) for entrant in entrants]
    return digest_of("tournaments", row, [*parts, *fixtures])


def seal_fixture(conn: sqlite3.Connection, id: str) -> None:
    """Store the digest of a fixture that has just become final. Inside a transaction."""
    (row,) = rows(conn, "SELECT * FROM fixtures WHERE id = ?", id)
    games = rows(conn, "SELECT * FROM games WHERE fixture_id = ? ORDER BY number", id)
    hands = rows(conn, HANDS_OF, id)
    faults = sealed_faults(rows(conn, FAULTS_OF, id))
    digest = fixture_digest(row, games, hands, faults)
    conn.execute("UPDATE fixtures SET digest = ? WHERE id = ?", [digest, id])


def seal_tournament(conn: sqlite3.Connection, id: str) -> None:
    """Store the digest of a tournament that is over. Inside a transaction."""
    (row,) = rows(conn, "SELECT * FROM tournaments WHERE id = ?", id)
    entrants = rows(conn, "SELECT * FROM entrants WHERE tournament_id = ? ORDER BY number", id)
    fixtures = rows(
        conn,
        "SELECT digest FROM fixtures WHERE tournament_id = ?"
        " AND status IN ('finished', 'bye', 'void') ORDER BY position, replay",
        id,
    )
    digest = tournament_digest(row, entrants, [fixture["digest"] or "" for fixture in fixtures])
    conn.execute("UPDATE tournaments SET digest = ? WHERE id = ?", [digest, id])


def rows(conn: sqlite3.Connection, sql: str, *values: object) -> list[dict[str, Any]]:
    """What a query finds, each row as a dict of column names."""
    return [dict(row) for row in conn.execute(sql, values)]
