"""What becomes of a command whose output nobody takes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.arena_process import arena

FULL = Path("/dev/full")
RUN = ("run", "--bot", "ann=sample:simple", "--bot", "bob=sample:greedy", "--target", "10")

needs_full = pytest.mark.skipif(not FULL.exists(), reason="a device of Linux")


def into(path: Path, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """A command that prints to this file."""
    with path.open("w") as file:
        return subprocess.run(
            [sys.executable, "-m", "arena", *map(str, arguments)],
            stdout=file,
            stderr=subprocess.PIPE,
            text=True,
            timeout=120,
            check=False,
        )


@needs_full
def test_full_log_does_not_end_a_tournament(tmp_path: Path) -> None:
    """It is played to its end; that not all was printed is said."""
    database = tmp_path / "full.db"

    done = into(FULL, *RUN, "--name", "Full", "--db", database)

    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "output could not be written (No space left on device)" in done.stderr
    assert "verified (finished)" in arena("verify", database).stdout


def test_tournament_goes_on_when_its_reader_has_gone(tmp_path: Path) -> None:
    """As with ``| head -1``."""
    database = tmp_path / "head.db"
    with subprocess.Popen(
        [sys.executable, "-m", "arena", *RUN, "--name", "Head", "--db", str(database)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith("note: started bot")
        assert process.stdout.readline().startswith("Head:")
        process.stdout.close()
        assert process.wait(120) == 0
        assert process.stderr is not None
        assert process.stderr.read() == ""

    assert "verified (finished)" in arena("verify", database).stdout


@needs_full
def test_table_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    """And no traceback."""
    done = into(FULL, "rules")

    assert done.returncode == 2
    assert done.stderr.startswith("error: the output could not be written")
    assert "Traceback" not in done.stderr
