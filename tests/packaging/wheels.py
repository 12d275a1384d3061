"""Builds wheels of the checkout for tests."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def wheel_of_checkout(folder: Path, *, compiled: bool = False) -> Path:
    """A wheel, built below ``folder`` from a copy without leftovers of the checkout."""
    source, target = folder / "source", folder / "wheel"
    files = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=True,
    ).stdout.split(b"\0")
    for name in filter(None, map(os.fsdecode, files)):
        if (ROOT / name).is_file():
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            (source / name).write_bytes((ROOT / name).read_bytes())
    subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation",
         "--wheel-dir", target, source],
        env={**os.environ, "ARENA_COMPILED": "1" if compiled else "0"},
        check=True,
    )  # fmt: skip
    (built,) = target.glob("*.whl")
    return built
