"""One referee a database: a file lock that names its holder.

The operating system gives the lock back when its holder dies, however it dies, so nothing is ever
left to clean up by hand.
"""

from __future__ import annotations

import contextlib
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from arena.errors import StoreError
from arena.store.clock import now

PATIENCE_S = 1.0
"""How long to wait for somebody who only looked whether the lock is held."""


def lock_path(database: Path) -> Path:
    """The lock file that belongs to a database, the same by whatever link it is reached."""
    return _beside(database, "-lock")


@contextmanager
def sole_referee(database: Path) -> Iterator[None]:
    """Hold the right to play on this database.

    :raises StoreError: another process holds it; the text names that process.
    """
    path = lock_path(database)
    lock = FileLock(path)
    try:
        lock.acquire(timeout=PATIENCE_S, poll_interval=0.02)
    except Timeout:
        raise StoreError(
            f"{database} is being played by {holder(database)}; stop that first, or watch it with: "
            f"arena serve --db {database}"
        ) from None
    except OSError as error:
        raise StoreError(
            f"cannot lock {path}: {error.strerror}; check the folder or choose another --db"
        ) from error
    note = _beside(database, "-holder")
    try:
        # Only for people: where it cannot be written, the lock still holds.
        with contextlib.suppress(OSError):
            note.write_text(f"process {os.getpid()} on {socket.gethostname()}, since {now()}")
        yield
    finally:
        with contextlib.suppress(OSError):
            note.unlink(missing_ok=True)
        lock.release()


def holder(database: Path) -> str:
    """Who holds the lock, for people."""
    try:
        return _beside(database, "-holder").read_text() or "another process"
    except (OSError, UnicodeDecodeError):
        return "another process"


def is_played(database: Path) -> bool:
    """Whether a referee is at work on this database now, as far as one may look."""
    path = lock_path(database)
    if not path.exists():
        return False
    try:
        with FileLock(path).acquire(timeout=0):
            return False
    except Timeout:
        return True
    except OSError:
        return False


def _beside(database: Path, suffix: str) -> Path:
    real = database.resolve()
    return real.with_name(real.name + suffix)
