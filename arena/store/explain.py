"""What a failure of SQLite means to the person at the keyboard, and what to do about it. Pure."""

from __future__ import annotations

import sqlite3
from pathlib import Path

BUSY_MS = 30_000
"""How long a short write of one process waits for that of another."""

BROKEN = (sqlite3.DatabaseError, UnicodeDecodeError)
"""What SQLite raises; the second, where its own message quotes a damaged text."""


def explain(
    error: Exception, path: Path, *, read_only: bool = False, then: str | None = None
) -> str:
    """One sentence with the path, what happened and what to do next.

    ``then``: what follows once it is mended; going on with play unless given.
    """
    if then is None:
        then = f"nothing stored is lost; then go on with: arena resume --db {path}"
    # Errors of Python's own module, such as the use of a closed database, have no name.
    name = getattr(error, "sqlite_errorname", "")
    kind = "_".join(name.split("_")[:2])
    verb = "read" if read_only else "write"
    if kind in ("SQLITE_READONLY", "SQLITE_PERM", "SQLITE_AUTH"):
        return (
            f"cannot write {path}: the file or its folder is read-only; change its permissions "
            f"or choose another --db ({then})"
        )
    if kind == "SQLITE_CANTOPEN":
        return (
            f"cannot {verb} {path}: it cannot be opened; check that the folder exists and the "
            "permissions of both, or choose another --db"
        )
    if kind == "SQLITE_FULL" or name == "SQLITE_IOERR_WRITE":
        return f"cannot write {path}: the disk is full; free some space ({then})"
    if kind == "SQLITE_IOERR":
        return (
            f"cannot {verb} {path}: the disk failed, is full or has gone ({name}); make sure that "
            f"it is there and has space ({then})"
        )
    if kind in ("SQLITE_BUSY", "SQLITE_LOCKED"):
        return (
            f"{path} was locked by another program for {BUSY_MS // 1000} s; close that program "
            f"({then})"
        )
    if kind == "SQLITE_NOTADB":
        return f"{path} is no SQLite database; choose another file with --db"
    unreadable = isinstance(error, UnicodeDecodeError) or "decode to UTF-8" in str(error)
    if kind == "SQLITE_CORRUPT" or unreadable:
        return f"{path} is damaged ({error}); restore a backup of it"
    return f"{path}: {error}"
