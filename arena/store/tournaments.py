"""Tournaments and their entrants in the database."""

from __future__ import annotations

import re
import sqlite3
import unicodedata
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import orjson

from arena.errors import NameTaken, StoreError
from arena.store.clock import now
from arena.store.digest import seal_tournament
from arena.store.rows import (
    EntrantRow,
    EntrantState,
    OverheadRow,
    TournamentRow,
    TournamentState,
    decoding,
)

if TYPE_CHECKING:
    from arena.store.store import Store


def slug_of(name: str, empty: str = "tournament") -> str:
    """The name as part of an address: ASCII words joined by hyphens, ``empty`` without any."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")[:60].strip("-") or empty


def _read_tournament(row: sqlite3.Row) -> TournamentRow:
    values = dict(row)
    with decoding(f"tournament {values['name']!r}"):
        values["state"] = TournamentState(values["state"])
        values["config"] = orjson.loads(values["config"])
        bytes.fromhex(values["secret"])  # every reader takes for granted that it can be read
    return TournamentRow(**values)


def _read_entrant(row: sqlite3.Row) -> EntrantRow:
    values = dict(row)
    with decoding(f"entrant {values['name']!r}"):
        values["state"] = EntrantState(values["state"])
    return EntrantRow(**values)


class Tournaments:
    """Reads and writes of tournaments, their entrants and time books."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def create(
        self,
        *,
        id: str,
        name: str,
        format: str,
        variant: str,
        config: Mapping[str, Any],
        secret: str,
        commitment: str,
        entrants: Sequence[tuple[str, int]],
        state: TournamentState = TournamentState.DRAFT,
    ) -> TournamentRow:
        """Add a tournament. ``entrants``: (name, bot version id) from the strongest seeding down.

        :raises NameTaken: there is one of this name.
        """
        with self._store.transaction() as conn:
            if conn.execute("SELECT 1 FROM tournaments WHERE name = ?", [name]).fetchone():
                raise NameTaken(f"there is a tournament {name!r} already; choose another name")
            slug = base = slug_of(name)
            copy = 1
            while conn.execute("SELECT 1 FROM tournaments WHERE slug = ?", [slug]).fetchone():
                copy += 1
                slug = f"{base}-{copy}"
            conn.execute(
                "INSERT INTO tournaments (id, name, slug, state, format, variant, config, secret,"
                " commitment, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                [id, name, slug, state, format, variant, orjson.dumps(config).decode(), secret,
                 commitment, now()],
            )  # fmt: skip
            for number, (entrant_name, version_id) in enumerate(entrants):
                conn.execute(
                    "INSERT INTO entrants (tournament_id, number, seeding, bot_version_id, name)"
                    " VALUES (?, ?, ?, ?, ?)",
                    [id, number, number + 1, version_id, entrant_name],
                )
        return self.get(id)

    def forget_unplayed(self, id: str) -> None:
        """Remove a tournament in which nothing has been scheduled yet, and with it the bots that
        nobody owns and that were entered nowhere else."""
        with self._store.transaction() as conn:
            if conn.execute("SELECT 1 FROM fixtures WHERE tournament_id = ?", [id]).fetchone():
                return
            entered = conn.execute(
                "DELETE FROM entrants WHERE tournament_id = ? RETURNING bot_version_id", [id]
            ).fetchall()
            conn.execute("DELETE FROM tournaments WHERE id = ?", [id])
            conn.executemany(
                "DELETE FROM bot_versions WHERE id = ?"
                " AND id NOT IN (SELECT bot_version_id FROM entrants)"
                " AND bot_id IN (SELECT id FROM bots WHERE owner_hash IS NULL)",
                [tuple(row) for row in entered],
            )
            conn.execute(
                "DELETE FROM bots WHERE owner_hash IS NULL"
                " AND id NOT IN (SELECT bot_id FROM bot_versions)"
            )

    def get(self, id: str) -> TournamentRow:
        """The tournament with this id.

        :raises StoreError: there is none.
        """
        row = self._one("id = ?", id)
        if row is None:
            raise StoreError(f"no tournament with the id {id!r}")
        return row

    def by_slug(self, slug: str) -> TournamentRow | None:
        """The tournament at this address, None if there is none."""
        return self._one("slug = ?", slug)

    def find(self, text: str) -> TournamentRow:
        """The tournament with this very name, or else with this id or address.

        :raises StoreError: none or several; the text lists the names there are.
        """
        for column in ("name", "id", "slug"):
            row = self._one(f"{column} = ?", text)
            if row is not None:
                return row
        names = ", ".join(repr(row.name) for row in self.all()) or "none yet"
        raise StoreError(f"no tournament {text!r}; there are: {names}")

    def _one(self, where: str, value: str) -> TournamentRow | None:
        row = self._store.query_one(f"SELECT * FROM tournaments WHERE {where}", [value])
        return _read_tournament(row) if row else None

    def titles(self) -> dict[str, str]:
        """Names by id, newest first, whatever else their rows hold."""
        rows = self._store.query(
            "SELECT id, name FROM tournaments ORDER BY created_at DESC, rowid DESC"
        )
        return {row["id"]: row["name"] for row in rows}

    def all(self) -> list[TournamentRow]:
        """Every tournament, newest first."""
        rows = self._store.query("SELECT * FROM tournaments ORDER BY created_at DESC, rowid DESC")
        return [_read_tournament(row) for row in rows]

    def move(self, id: str, state: TournamentState, allowed: Collection[TournamentState]) -> bool:
        """Move a tournament on, if it is in one of these states; False and nothing done if not.

        Looked at and changed in one transaction, so that of two people who decide at the same time
        the second does not undo what the first has decided.
        """
        with self._store.transaction():
            if self.get(id).state not in allowed:
                return False
            self.set_state(id, state)
            return True

    def set_state(self, id: str, state: TournamentState) -> None:
        """Move a tournament on in its life and stamp the time."""
        with self._store.transaction() as conn:
            conn.execute(
                "UPDATE tournaments SET state = ?, revision = revision + 1,"
                " started_at = CASE WHEN ? = 'running' THEN coalesce(started_at, ?)"
                " ELSE started_at END,"
                " finished_at = CASE WHEN ? IN ('finished', 'cancelled') THEN ? ELSE NULL END,"
                " digest = NULL"
                " WHERE id = ?",
                [state, state, now(), state, now(), id],
            )
            if state in (TournamentState.FINISHED, TournamentState.CANCELLED):
                seal_tournament(conn, id)

    def entrants(self, id: str) -> list[EntrantRow]:
        """The entrants by number."""
        rows = self._store.query(
            "SELECT * FROM entrants WHERE tournament_id = ? ORDER BY number", [id]
        )
        return [_read_entrant(row) for row in rows]

    def add_entrant(self, id: str, name: str, version_id: int) -> None:
        """Enter a bot after the others, seeded last. Only before anything is scheduled."""
        with self._store.transaction() as conn:
            conn.execute(
                "INSERT INTO entrants (tournament_id, number, seeding, bot_version_id, name)"
                " SELECT :id, count(*), count(*) + 1, :version, :name"
                " FROM entrants WHERE tournament_id = :id",
                {"id": id, "version": version_id, "name": name},
            )
            touch(conn, id)

    def remove_entrant(self, id: str, number: int) -> None:
        """Take an entrant out; the others move up. Only before anything is scheduled."""
        with self._store.transaction() as conn:
            (seeding,) = conn.execute(
                "DELETE FROM entrants WHERE tournament_id = ? AND number = ? RETURNING seeding",
                [id, number],
            ).fetchone()
            later = conn.execute(
                "SELECT number FROM entrants WHERE tournament_id = ? AND number > ?"
                " ORDER BY number",
                [id, number],
            ).fetchall()
            for (other,) in later:  # one by one, for two never may have the same number
                conn.execute(
                    "UPDATE entrants SET number = number - 1 WHERE tournament_id = ?"
                    " AND number = ?",
                    [id, other],
                )
            conn.execute(
                "UPDATE entrants SET seeding = seeding - 1 WHERE tournament_id = ? AND seeding > ?",
                [id, seeding],
            )
            touch(conn, id)

    def set_seeding(self, id: str, seeding: Sequence[int]) -> None:
        """Seed the entrants: numbers from the strongest to the weakest."""
        with self._store.transaction() as conn:
            for place, number in enumerate(seeding, 1):
                conn.execute(
                    "UPDATE entrants SET seeding = ? WHERE tournament_id = ? AND number = ?",
                    [place, id, number],
                )
            touch(conn, id)

    def set_ratings(self, id: str, ratings: Mapping[int, float]) -> None:
        """Remember what the entrants are rated, by number; the others are not."""
        with self._store.transaction() as conn:
            conn.execute("UPDATE entrants SET rating = NULL WHERE tournament_id = ?", [id])
            for number, rating in ratings.items():
                conn.execute(
                    "UPDATE entrants SET rating = ? WHERE tournament_id = ? AND number = ?",
                    [rating, id, number],
                )
            touch(conn, id)

    def set_config(self, id: str, config: Mapping[str, Any]) -> None:
        """Change what a tournament is played by, as far as no match follows from it yet."""
        with self._store.transaction() as conn:
            conn.execute(
                "UPDATE tournaments SET config = ? WHERE id = ?",
                [orjson.dumps(config).decode(), id],
            )
            touch(conn, id)

    def set_entrant_state(self, id: str, number: int, state: EntrantState) -> None:
        """Withdraw, disqualify or readmit an entrant, noting down after which round it left."""
        with self._store.transaction() as conn:
            conn.execute(
                "UPDATE entrants SET state = :state,"
                " left_round = CASE WHEN :state <> 'playing' THEN"
                " coalesce(left_round, (SELECT coalesce(max(round), 0) FROM fixtures"
                " WHERE tournament_id = :id)) END WHERE tournament_id = :id AND number = :number",
                {"state": state, "id": id, "number": number},
            )
            touch(conn, id)

    def add_time(self, id: str, entrant: int, decisions: int, bot: float, arena: float) -> None:
        """Add to an entrant's time books: decisions, milliseconds of the bot and of the arena."""
        with self._store.transaction() as conn:
            conn.execute(
                "INSERT INTO overheads VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET"
                " decisions = decisions + excluded.decisions, bot_ms = bot_ms + excluded.bot_ms,"
                " arena_ms = arena_ms + excluded.arena_ms",
                [id, entrant, decisions, bot, arena],
            )
            touch(conn, id)

    def times(self, id: str) -> list[OverheadRow]:
        """Time books by entrant."""
        rows = self._store.query(
            "SELECT entrant, decisions, bot_ms, arena_ms FROM overheads"
            " WHERE tournament_id = ? ORDER BY entrant",
            [id],
        )
        return [OverheadRow(*row) for row in rows]


def touch(conn: sqlite3.Connection, tournament_id: str) -> None:
    """Tell the pages that something of this tournament changed. Call inside a transaction."""
    conn.execute("UPDATE tournaments SET revision = revision + 1 WHERE id = ?", [tournament_id])
