"""Named texts that belong to the whole database, such as the hash of the organiser's token."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from arena.store.store import Store


def read_setting(store: Store, name: str) -> str | None:
    """The text of this name, None if there is none.

    :raises StoreError: the database cannot be read.
    """
    row = store.query_one("SELECT value FROM settings WHERE name = ?", [name])
    return str(row[0]) if row else None


def write_setting(store: Store, name: str, value: str) -> None:
    """Store a text in place of the one before.

    :raises StoreError: the database cannot be written.
    """
    with store.transaction() as conn:
        conn.execute("INSERT OR REPLACE INTO settings VALUES (?, ?)", [name, value])
