"""Copies a database while it is being played on and read."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import tempfile
from pathlib import Path

from arena.errors import StoreError
from arena.store.store import Store


def backup(store: Store, path: Path) -> None:
    """Write a copy of the database as it is at one moment; nobody has to stop for it.

    The copy appears under its name when it is complete, and holds what the original does: bots'
    addresses and secrets too, so only its owner may read it.

    :raises StoreError: the file exists or cannot be written; nothing is left of it then.
    """
    if path.exists():
        raise StoreError(f"{path} exists; choose another file for the backup")
    try:
        descriptor, name = tempfile.mkstemp(prefix=f".{path.name}-", dir=path.parent)
        os.close(descriptor)
    except OSError as error:
        raise StoreError(f"cannot write {path}: {error.strerror}; choose another file") from error
    part = Path(name)
    try:
        _copy(store, part)
        _name(part, path)
    except FileExistsError:
        raise StoreError(f"{path} exists; choose another file for the backup") from None
    except (OSError, sqlite3.Error) as error:
        raise StoreError(
            f"cannot write {path}: {error}; make room or choose another file"
        ) from error
    finally:
        for suffix in ("", "-wal", "-shm", "-journal"):
            with contextlib.suppress(OSError):
                part.with_name(part.name + suffix).unlink()


def _name(part: Path, path: Path) -> None:
    """Give the finished copy its name. A link never takes the place of a file that came up."""
    try:
        os.link(part, path)
    except FileExistsError:
        raise
    except OSError:
        # Not every file system has links.
        part.rename(path)


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
