"""What a failure of SQLite means to the person at the keyboard, and what to do about it. Pure."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from arena.errors import StoreError

BUSY_MS = 30_000
"""How long a short write of one process waits for that of another."""

BROKEN = (sqlite3.DatabaseError, UnicodeDecodeError)
"""What SQLite raises; the second, where its own message quotes a damaged text."""


def explained(
    error: Exception, path: Path, *, read_only: bool = False, then: str | None = None
) -> StoreError:
    """One sentence with the path, what happened and what to do next.

    ``then``: how things stand after it, in a few words; if not given, nothing stored is lost and
    play can go on.
    """
    # Errors of Python's own module, such as the use of a closed database, have no name.
    name = getattr(error, "sqlite_errorname", "")
    text = _once_mended(name, path, read_only)
    if text is not None:
        resume = path if then is None else None
        return StoreError(f"{text} ({then or 'nothing stored is lost'})", resume=resume)
    kind = _kind(name)
    if kind == "SQLITE_CANTOPEN":
        verb = "read" if read_only else "write"
        return StoreError(
            f"cannot {verb} {path}: it cannot be opened; check that the folder exists and the "
            "permissions of both, or choose another file"
        )
    if kind == "SQLITE_NOTADB":
        return StoreError(f"{path} is no SQLite database; choose another file")
    unreadable = isinstance(error, UnicodeDecodeError) or "decode to UTF-8" in str(error)
    if kind == "SQLITE_CORRUPT" or unreadable:
        return StoreError(f"{path} is damaged ({error}); restore a backup of it")
    return StoreError(f"{path}: {error}")


def _once_mended(name: str, path: Path, read_only: bool) -> str | None:
    """What happened, if all is well again once it is mended."""
    verb = "read" if read_only else "write"
    kind = _kind(name)
    if kind in ("SQLITE_READONLY", "SQLITE_PERM", "SQLITE_AUTH"):
        return (
            f"cannot write {path}: the file or its folder is read-only; change its permissions "
            "or choose another file"
        )
    if kind == "SQLITE_FULL" or name == "SQLITE_IOERR_WRITE":
        return f"cannot write {path}: the disk is full; free some space"
    if kind == "SQLITE_IOERR":
        return (
            f"cannot {verb} {path}: the disk failed, is full or has gone ({name}); make sure that "
            "it is there and has space"
        )
    if kind in ("SQLITE_BUSY", "SQLITE_LOCKED"):
        seconds = BUSY_MS // 1000
        return f"{path} was locked by another program for {seconds} s; close that program"
    return None


def _kind(name: str) -> str:
    """``SQLITE_IOERR`` of ``SQLITE_IOERR_WRITE``."""
    return "_".join(name.split("_")[:2])
