"""Copies a database while it is being played on and read."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from arena.files import appearing
from arena.store.explain import explained
from arena.store.store import Store


def backup(store: Store, path: Path) -> None:
    """Write a copy of the database as it is at one moment; nobody has to stop for it.

    It holds what the original does, bots' addresses and secrets too, so only its owner may read it.

    :raises StoreError: the file exists or cannot be written; nothing is left of it then.
    """
    with appearing(path, private=True) as part:
        try:
            _copy(store, part)
        except sqlite3.Error as error:
            raise explained(error, path, then="nothing is left of the copy") from error


def _copy(store: Store, path: Path) -> None:
    copy = sqlite3.connect(path)
    try:
        # In one step: a copy in several begins again whenever somebody writes in between.
        store.db.conn.backup(copy, pages=-1)
        (sound,) = copy.execute("PRAGMA quick_check(1)").fetchone()
        if sound != "ok":
            raise sqlite3.DatabaseError(f"the copy is damaged ({sound})")
    finally:
        copy.close()
