"""A database that a command is to put something into."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from arena.store.lock import beside
from arena.store.store import Store

HOLDING = ("tournaments", "bots", "settings")
"""Tables with something in them that somebody may want to keep; all else hangs on these."""


@contextmanager
def filled(path: Path) -> Iterator[Store]:
    """The database, made if there is none.

    When the command fails, and nothing came into a database that was made for it, that goes again:
    nobody has to wonder what a file is that a mistyped option left behind.

    :raises StoreError: it cannot be opened, see `Store`.
    """
    is_new = not path.exists()
    with Store(path) as store:
        try:
            yield store
        except BaseException:
            if is_new:
                _remove_if_empty(store)
            raise


def _remove_if_empty(store: Store) -> None:
    if not _is_ours_alone(store):
        return
    # In a transaction, so that nobody puts something into it between the look and the end.
    with store.transaction() as conn:
        if any(conn.execute(f"SELECT 1 FROM {table} LIMIT 1").fetchone() for table in HOLDING):
            return
        for suffix in ("", "-wal", "-shm", "-journal", "-lock", "-holder"):
            with suppress(OSError):
                beside(store.path, suffix).unlink()


def _is_ours_alone(store: Store) -> bool:
    """Whether no other process has the database open; if so, none can use it from now on.

    Whoever has it open, pages that wait for something to show or an owner whose bot is being
    checked, would be left with a file that is gone. Only a database with a write-ahead log tells.
    """
    conn = store.db.conn
    try:
        (mode,) = conn.execute("PRAGMA journal_mode").fetchone()
        conn.execute("PRAGMA busy_timeout = 0")
        conn.execute("PRAGMA locking_mode = EXCLUSIVE")
        (alone,) = conn.execute("PRAGMA journal_mode = DELETE").fetchone()
    except sqlite3.Error:
        return False
    return (mode, alone) == ("wal", "delete")
