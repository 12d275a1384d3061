"""Registered bots and their versions in the database."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import orjson

from arena.errors import ConfigError
from arena.names import check_name, name_key
from arena.store.clock import now
from arena.store.rows import BotRow, BotState, decoding

if TYPE_CHECKING:
    from arena.store.store import Store

_SELECT = (
    "SELECT b.id, b.name, b.state, b.created_at, b.owner_hash, b.homepage, b.author,"
    " v.id AS version_id, v.number AS version, v.endpoint, v.secret, v.old_secret, v.info, v.report"
    " FROM bots b JOIN bot_versions v ON v.bot_id = b.id"
)
_NEWEST = " AND v.number = (SELECT max(number) FROM bot_versions WHERE bot_id = b.id)"


def _read_bot(row: sqlite3.Row) -> BotRow:
    values: dict[str, Any] = dict(row)
    with decoding(f"bot {values['name']!r}"):
        values["state"] = BotState(values["state"])
        values["info"] = orjson.loads(values["info"])
        values["report"] = orjson.loads(values["report"]) if values["report"] else None
    return BotRow(**values)


class Bots:
    """Reads and writes of bots."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def require_free(self, name: str) -> None:
        """Refuse a name that cannot be used.

        :raises ConfigError: it cannot be read, or is too like another bot's.
        """
        check_name(name, "bot name")
        twin = self._store.query_one("SELECT name FROM bots WHERE name_key = ?", [name_key(name)])
        if twin and twin[0] == name:
            raise ConfigError(f"bot name {name!r} is taken; choose another")
        if twin:
            raise ConfigError(
                f"bot name {name!r} looks the same as {twin[0]!r}, which exists; choose another"
            )

    def add(
        self,
        name: str,
        endpoint: str,
        *,
        secret: str | None = None,
        owner_hash: str | None = None,
        homepage: str | None = None,
        author: str | None = None,
        state: BotState = BotState.ACCEPTED,
    ) -> BotRow:
        """Register a bot with its first version.

        :raises ConfigError: the name cannot be used or is too like another's.
        """
        with self._store.transaction() as conn:
            self.require_free(name)
            cursor = conn.execute(
                "INSERT INTO bots (name, name_key, created_at, state, owner_hash, homepage, author)"
                " VALUES (?, ?, ?, ?, ?, ?, ?)",
                [name, name_key(name), now(), state, owner_hash, homepage, author],
            )
            bot_id = cursor.lastrowid
            assert bot_id is not None
            self._add_version(conn, bot_id, 1, endpoint, secret)
        return self._must("b.id = ?", bot_id)

    def _add_version(
        self, conn: sqlite3.Connection, bot_id: int, number: int, endpoint: str, secret: str | None
    ) -> None:
        conn.execute(
            "INSERT INTO bot_versions (bot_id, number, endpoint, secret, created_at)"
            " VALUES (?, ?, ?, ?, ?)",
            [bot_id, number, endpoint, secret, now()],
        )

    def new_version(self, bot_id: int, endpoint: str, *, secret: str | None = None) -> BotRow:
        """Give a bot a new version; running tournaments keep the one that entered them."""
        with self._store.transaction() as conn:
            (number,) = conn.execute(
                "SELECT max(number) + 1 FROM bot_versions WHERE bot_id = ?", [bot_id]
            ).fetchone()
            self._add_version(conn, bot_id, number, endpoint, secret)
        return self._must("b.id = ?", bot_id)

    def ensure(self, name: str, endpoint: str, *, secret: str | None = None) -> BotRow:
        """The bot of this name at this endpoint: registered, or given a new version, if need be.

        Without a secret a bot keeps the one it has.
        """
        bot = self.by_name(name)
        if bot is None:
            return self.add(name, endpoint, secret=secret)
        if bot.endpoint == endpoint and secret in (None, bot.secret):
            return bot
        return self.new_version(bot.id, endpoint, secret=secret or bot.secret)

    def set_info(self, version_id: int, info: Mapping[str, Any]) -> None:
        """Remember what a version said of itself."""
        with self._store.transaction() as conn:
            conn.execute(
                "UPDATE bot_versions SET info = ? WHERE id = ?",
                [orjson.dumps(info).decode(), version_id],
            )

    def set_report(self, version_id: int, report: Mapping[str, Any]) -> None:
        """Remember a version's last conformance report."""
        with self._store.transaction() as conn:
            conn.execute(
                "UPDATE bot_versions SET report = ? WHERE id = ?",
                [orjson.dumps(report).decode(), version_id],
            )

    def set_secrets(self, version_id: int, secret: str | None, old_secret: str | None) -> None:
        """Rotate the signing secret of a version."""
        with self._store.transaction() as conn:
            conn.execute(
                "UPDATE bot_versions SET secret = ?, old_secret = ? WHERE id = ?",
                [secret, old_secret, version_id],
            )

    def set_profile(self, bot_id: int, *, homepage: str | None, author: str | None) -> None:
        """Change what is shown of a bot besides its name."""
        with self._store.transaction() as conn:
            conn.execute(
                "UPDATE bots SET homepage = ?, author = ? WHERE id = ?", [homepage, author, bot_id]
            )

    def set_owner(self, bot_id: int, owner_hash: str) -> None:
        """Give a bot another owner's token; the one before is worth nothing from now on."""
        with self._store.transaction() as conn:
            conn.execute("UPDATE bots SET owner_hash = ? WHERE id = ?", [owner_hash, bot_id])

    def admit(self, bot_id: int, version_id: int) -> bool:
        """Accept a bot that waits for it, for this version of it.

        False and nothing done when it has a newer version, which nobody has looked at, or was
        turned away or retired meanwhile.
        """
        return self._decide(bot_id, version_id, BotState.ACCEPTED)

    def turn_away(self, bot_id: int, version_id: int) -> bool:
        """Retire a bot that waits to be admitted, for this version of it; as `admit`."""
        return self._decide(bot_id, version_id, BotState.RETIRED)

    def _decide(self, bot_id: int, version_id: int, state: BotState) -> bool:
        with self._store.transaction() as conn:
            done = conn.execute(
                "UPDATE bots SET state = ? WHERE id = ? AND state = 'pending'"
                " AND ? = (SELECT id FROM bot_versions WHERE bot_id = bots.id"
                " ORDER BY number DESC LIMIT 1)",
                [state, bot_id, version_id],
            )
            return done.rowcount == 1

    def set_state(self, bot_id: int, state: BotState) -> None:
        """Accept or retire a bot."""
        with self._store.transaction() as conn:
            conn.execute("UPDATE bots SET state = ? WHERE id = ?", [state, bot_id])

    def all(self) -> list[BotRow]:
        """Every bot with its newest version, by name."""
        rows = self._store.query(f"{_SELECT} WHERE 1 {_NEWEST} ORDER BY b.name")
        return [_read_bot(row) for row in rows]

    def by_name(self, name: str) -> BotRow | None:
        """The bot of this very name."""
        return self._one("b.name = ?", name)

    def by_id(self, bot_id: int) -> BotRow | None:
        """The bot with this id and its newest version."""
        return self._one("b.id = ?", bot_id)

    def by_version(self, version_id: int) -> BotRow:
        """The bot as of this version."""
        (row,) = self._store.query(f"{_SELECT} WHERE v.id = ?", [version_id])
        return _read_bot(row)

    def by_owner(self, owner_hash: str) -> list[BotRow]:
        """The bots of the owner whose token has this hash."""
        rows = self._store.query(
            f"{_SELECT} WHERE b.owner_hash = ? {_NEWEST} ORDER BY b.name", [owner_hash]
        )
        return [_read_bot(row) for row in rows]

    def _one(self, where: str, value: str | int) -> BotRow | None:
        row = self._store.query_one(f"{_SELECT} WHERE {where} {_NEWEST}", [value])
        return _read_bot(row) if row else None

    def _must(self, where: str, value: str | int) -> BotRow:
        bot = self._one(where, value)
        assert bot is not None
        return bot
