"""What ``tests/run`` says of tests that failed beside others and passed alone."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

CODE = """
import os

def test_flaky(): assert "ARENA_TESTS_ALONE" in os.environ
def test_broken(): assert os.environ.get("BROKEN") != "1"
def test_sound(): pass
"""


def run(folder: Path, *options: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Runs the tests of a folder as ``tests/run`` does, which may be what runs this one."""
    inherited = {name: value for name, value in os.environ.items() if name != "ARENA_TESTS_ALONE"}
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:xdist", *options, str(folder)],
        capture_output=True,
        text=True,
        timeout=60,
        cwd=folder,
        env={**inherited, **environment},
        check=False,
    )


def test_what_passes_alone_only_is_named_before_the_closing_line(tmp_path: Path) -> None:
    """Neither what failed again nor what never failed is."""
    shutil.copy(Path(__file__).with_name("conftest.py"), tmp_path / "conftest.py")
    (tmp_path / "test_it.py").write_text(CODE)
    (tmp_path / "pytest.ini").write_text("[pytest]")

    beside = run(tmp_path, BROKEN="1")
    alone = run(tmp_path, "--last-failed", BROKEN="1", ARENA_TESTS_ALONE="1")
    *_, closing = alone.stdout.splitlines()
    _, _, named = alone.stdout.partition("failed beside others, passed alone")

    assert beside.returncode == alone.returncode == 1
    assert "beside others" not in beside.stdout
    assert "\n  test_it.py::test_flaky\n" in named
    assert "  test_it.py::test_broken" not in named
    assert "test_sound" not in named
    assert closing.startswith("1 failed, 1 passed")


def test_script_repeats_what_failed_so() -> None:
    """It sets what makes the names appear, and knows of no older failures."""
    script = Path(__file__).with_name("run").read_text()

    assert "ARENA_TESTS_ALONE=1 exec " in script
    assert "--cache-clear" in script
