"""Writes a file that appears under its name only when it is complete."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from arena.errors import StoreError


@contextmanager
def appearing(path: Path, *, private: bool = False) -> Iterator[Path]:
    """Another path in the same folder to write to; at the end it gets the name that was asked for.

    A file that is there is never replaced, and nothing is left when writing fails. ``private``:
    for the owner's eyes only.

    :raises StoreError: the file exists or cannot be written.
    """
    try:
        if path.exists():
            raise FileExistsError
        descriptor, name = tempfile.mkstemp(prefix=f".{path.name}-", dir=path.parent)
        os.close(descriptor)
        part = Path(name)
        try:
            yield part
            if not private:
                part.chmod(0o666 & ~_umask())
            _give_name(part, path)
        finally:
            for suffix in ("", "-wal", "-shm", "-journal"):
                with contextlib.suppress(OSError):
                    part.with_name(part.name + suffix).unlink()
    except FileExistsError:
        raise StoreError(f"{path} exists; choose another file") from None
    except OSError as error:
        raise StoreError(
            f"cannot write {path}: {error.strerror or error}; make room or choose another file"
        ) from error


def make_folder(path: Path) -> None:
    """Make a folder, and those around it, unless it is there.

    :raises StoreError: it cannot be made.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(
            f"cannot make the folder {path}: {error.strerror or error}; choose another place"
        ) from error


def _give_name(part: Path, path: Path) -> None:
    """A link never takes the place of a file that came up meanwhile; not all systems have them."""
    try:
        os.link(part, path)
    except FileExistsError:
        raise
    except OSError:
        part.rename(path)


def _umask() -> int:
    """What new files are not allowed; it can be asked for only by setting it."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
