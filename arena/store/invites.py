"""Invitations to register a bot, each good for one. Only their hashes are kept."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import orjson

from arena.store.clock import now

if TYPE_CHECKING:
    from arena.store.store import Store

PREFIX = "invite:"


@dataclass(frozen=True, slots=True)
class Invite:
    """One invitation. ``note``: for whom it was made; ``used_by``: the bot that it let in."""

    note: str
    created_at: str
    used_by: str | None


class Invites:
    """Reads and writes of invitations."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def add(self, token_hash: str, note: str) -> None:
        """Make an invitation whose token has this hash."""
        value = orjson.dumps({"note": note, "created_at": now(), "used_by": None}).decode()
        with self._store.transaction() as conn:
            conn.execute("INSERT INTO settings VALUES (?, ?)", [PREFIX + token_hash, value])

    def use(self, token_hash: str, bot_name: str) -> bool:
        """Spend an invitation. False when there is none, or it was spent before."""
        with self._store.transaction() as conn:
            row = conn.execute(
                "SELECT value FROM settings WHERE name = ?", [PREFIX + token_hash]
            ).fetchone()
            if row is None:
                return False
            values = orjson.loads(row[0])
            if values["used_by"] is not None:
                return False
            conn.execute(
                "UPDATE settings SET value = ? WHERE name = ?",
                [orjson.dumps({**values, "used_by": bot_name}).decode(), PREFIX + token_hash],
            )
            return True

    def all(self) -> list[Invite]:
        """Every invitation, the newest first."""
        rows = self._store.query("SELECT value FROM settings WHERE name LIKE ? || '%'", [PREFIX])
        found = [Invite(**orjson.loads(row[0])) for row in rows]
        return sorted(found, key=lambda invite: invite.created_at, reverse=True)
