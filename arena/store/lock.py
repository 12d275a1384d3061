"""One referee a database: a file lock that names its holder and the tournament it plays.

The operating system gives the lock back when its holder dies, however it dies, so nothing is ever
left to clean up by hand.
"""

from __future__ import annotations

import contextlib
import os
import socket
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from filelock import FileLock, Timeout

from arena.errors import PlayedElsewhere, StoreError
from arena.store.clock import now

PATIENCE_S = 1.0
"""How long to wait for somebody who only looked whether the lock is held."""

OWNERS, EVERYBODYS = 0o600, 0o666
"""Permissions of a lock at least and at most."""


class Played(NamedTuple):
    """What a referee is at work on. ``tournament``: its id, None where it is not known.
    ``awaited``: the bots that have to answer before anything is played, empty where it is played.
    """

    tournament: str | None
    awaited: tuple[str, ...] = ()


def lock_path(database: Path) -> Path:
    """The lock file that belongs to a database."""
    return beside(database, "-lock")


@contextmanager
def sole_referee(database: Path, tournament: str | None = None) -> Iterator[None]:
    """Hold the right to play on this database. ``tournament``: the id of what is to be played.

    :raises PlayedElsewhere: another process holds it; the text names that process.
    """
    path = lock_path(database)
    mode = _mode(database)
    lock = FileLock(path, mode=mode)
    try:
        lock.acquire(timeout=PATIENCE_S, poll_interval=0.02)
    except Timeout:
        raise PlayedElsewhere(
            f"{database} is being played by {holder(database)}; stop that first", database
        ) from None
    except OSError as error:
        raise StoreError(
            f"cannot lock {path}: {error.strerror}; check the folder or choose another file"
        ) from error
    note = beside(database, "-holder")
    try:
        # One that is there may have been made when its database had other permissions.
        with contextlib.suppress(OSError):
            path.chmod(mode)
        # Only for readers: where it cannot be written, the lock still holds. A holder that was
        # killed leaves its own behind; it means nothing, and goes before anything else is done.
        with contextlib.suppress(OSError):
            note.unlink(missing_ok=True)
            note.touch(mode)
            who = f"process {os.getpid()} on {socket.gethostname()}, since {now()}"
            note.write_text(f"{who}\n{tournament}" if tournament else who)
        yield
    finally:
        with contextlib.suppress(OSError):
            note.unlink(missing_ok=True)
        lock.release()


def tell_awaited(database: Path, names: Sequence[str]) -> None:
    """Say for all to see which bots this process, which holds the lock, waits for."""
    note = beside(database, "-holder")
    with contextlib.suppress(OSError, UnicodeDecodeError):
        who, tournament, *_ = [*note.read_text().split("\n"), ""]
        if tournament:
            note.write_text("\n".join((who, tournament, *names)))


def holder(database: Path) -> str:
    """Who holds the lock, for people."""
    return _note(database)[0] or "another process"


def played(database: Path) -> Played | None:
    """What a referee is at work on now, None where there is none, as far as one may look."""
    path = lock_path(database)
    if not path.exists():
        return None
    try:
        with FileLock(path).acquire(timeout=0):
            return None
    except Timeout:
        _, tournament, *awaited = _note(database)
        return Played(tournament or None, tuple(awaited))
    except OSError:
        return None


def _note(database: Path) -> list[str]:
    """What the holder left about itself and about the tournament, empty where it left nothing, and
    the bots that it waits for."""
    try:
        lines = beside(database, "-holder").read_text().split("\n")
    except (OSError, UnicodeDecodeError):
        return ["", ""]
    return lines if len(lines) > 1 else [lines[0], ""]


def _mode(database: Path) -> int:
    """Permissions of what lies beside a database: its own, so that whoever may play on it may lock
    it, and nobody else can keep it locked."""
    own = stat.S_IMODE(database.stat().st_mode) if database.exists() else 0
    return OWNERS | own & EVERYBODYS


def beside(database: Path, suffix: str) -> Path:
    """A file that belongs to a database, the same by whatever link that is reached."""
    real = database.resolve()
    return real.with_name(real.name + suffix)
