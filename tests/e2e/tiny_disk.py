"""Plays a tournament on a disk that fills up, then frees space and goes on.

Run as ``python -m tests.e2e.tiny_disk FOLDER run OPTIONS…`` in a mount namespace of its own; prints
what each step ended with. Without the right to mount, a limit on the size of files stands in.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

LIMIT = """
import os, resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), int(sys.argv[1])))
os.execv(sys.executable, [sys.executable, "-m", "arena", *sys.argv[2:]])
"""
"""Program that runs the arena so that no file grows beyond its first argument, in bytes."""


def main() -> None:
    """Fill, play, free, resume, verify."""
    folder = Path(sys.argv[1])
    database = folder / "arena.db"
    mount = ["mount", "-t", "tmpfs", "-o", "size=12m", "none", str(folder)]
    real = subprocess.run(mount, capture_output=True, check=False).returncode == 0
    filler = folder / "filler"
    steps = []

    def step(*command: str) -> None:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        steps.append([done.returncode, done.stdout, done.stderr])

    arena = [sys.executable, "-m", "arena"]
    if real:
        filler.write_bytes(bytes(11_900_000))
        step(*arena, *sys.argv[2:], "--db", str(database))
        filler.unlink()
    else:
        step(sys.executable, "-c", LIMIT, "250000", *sys.argv[2:], "--db", str(database))
    step(*arena, "resume", "--json", "--db", str(database))
    step(*arena, "verify", str(database))
    print(json.dumps({"real": real, "steps": steps}))


if __name__ == "__main__":
    main()
