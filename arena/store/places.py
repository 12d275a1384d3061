"""What kind of place a database file is in: a network share, who may read it, is it still there."""

from __future__ import annotations

import contextlib
import os
import re
import stat
from pathlib import Path

SHARED_TYPES = frozenset(
    "9p afs beegfs ceph cifs davfs fuse.cephfs fuse.davfs fuse.glusterfs fuse.rclone fuse.s3fs "
    "fuse.sshfs glusterfs gpfs lustre ncpfs nfs nfs3 nfs4 orangefs prl_fs smb3 smbfs vboxsf "
    "virtiofs vmhgfs".split()
)
"""File systems whose files other machines may change: the memory shared by the processes that use
a write-ahead log does not reach there."""

IN_MEMORY = ":memory:"
"""What SQLite calls a database without a file."""

_OCTAL = re.compile(r"\\([0-7]{3})")


def is_shared(path: Path, mounts: Path = Path("/proc/self/mountinfo")) -> bool:
    """Whether the file is on a network or host share; False where the system does not tell."""
    real = path.resolve()
    if str(real).startswith("\\\\"):
        return True
    try:
        lines = mounts.read_text(errors="replace").splitlines()
    except OSError:
        return False
    best, kind = -1, ""
    for line in lines:
        before, dash, after = line.partition(" - ")
        words = before.split()
        if not dash or len(words) < 5 or not after:
            continue
        point = Path(_OCTAL.sub(lambda found: chr(int(found[1], 8)), words[4]))
        # Of mounts over each other the last one is seen.
        if real.is_relative_to(point) and len(point.parts) >= best:
            best, kind = len(point.parts), after.split()[0]
    return kind in SHARED_TYPES


def identity(path: Path) -> tuple[int, int] | None:
    """What tells this file from every other one; None when there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return (found.st_dev, found.st_ino)


def make_private(path: Path) -> None:
    """Make the file, empty, for its owner's eyes only, if there is none.

    It will hold secrets: deals to come, signing secrets, addresses of bots. SQLite gives the files
    that it keeps beside it the same permissions. A file that exists keeps those that its owner has
    chosen. If the file cannot be made, SQLite says why when it opens it.
    """
    if str(path) == IN_MEMORY:
        return
    with contextlib.suppress(OSError):
        # Where a link leads, for SQLite follows it too.
        os.close(os.open(path.resolve(), os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))


def others_may_read(path: Path) -> bool:
    """Whether anybody but its owner may read this file, or its group, as far as modes say."""
    try:
        mode = path.stat().st_mode
    except OSError:
        return False
    return os.name == "posix" and bool(mode & (stat.S_IRGRP | stat.S_IROTH))
