"""Which code a process runs, so that no two versions of the rules play in one tournament.

The version number alone does not tell a patched checkout from a release; the hash does.
"""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

import arena
from arena.referee.decision import PROTOCOL

PARTS = ("rules", "referee")
"""What decides how a deal is dealt, played, scored and written down."""

Identity = tuple[str, str, str]
"""Version of the arena, of the protocol, and hash of the rules' code. Plain, for any version."""


@cache
def identity() -> Identity:
    """Of this process, as of its first call."""
    return arena.__version__, PROTOCOL, rules_hash(Path(arena.__file__).parent)


def rules_hash(root: Path) -> str:
    """SHA-256, hex, over the sources of rules and referee below ``root``, whatever the platform."""
    found = hashlib.sha256()
    for part in PARTS:
        for path in sorted((root / part).rglob("*.py")):
            text = path.read_bytes().replace(b"\r\n", b"\n")
            name = path.relative_to(root).as_posix()
            found.update(f"{name}\0{len(text)}\0".encode() + text)
    return found.hexdigest()


def described(found: Identity) -> str:
    """For people."""
    version, protocol, rules = found
    return f"arena {version}, protocol {protocol}, rules {rules[:12]}"
