"""Programs that know nothing of the arena end with it, however it ends."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from arena.process import STOP_WITH_STDIN

SERVER = "import os, time\nprint(os.getpid(), flush=True)\nwhile True: time.sleep(60)"


def test_program_ends_when_the_arena_is_killed(tmp_path: Path) -> None:
    """The end of standard input, as after kill -9 of the parent, ends the program too."""
    kept = subprocess.Popen(
        [sys.executable, "-m", "arena.keeper", sys.executable, "-c", SERVER],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,
        env={STOP_WITH_STDIN: "1", "PATH": ""},
    )
    assert kept.stdin is not None
    assert kept.stdout is not None
    program = int(kept.stdout.readline())
    assert Path(f"/proc/{program}").exists()

    kept.stdin.close()
    kept.wait(10)

    assert kept.stdout.read() == b""  # the end of file: nobody holds the pipe any more
    kept.stdout.close()
    assert not Path(f"/proc/{program}").exists() or "Z" in Path(f"/proc/{program}/stat").read_text()


def test_status_of_the_program_is_passed_on() -> None:
    """A bot that ends at once is told apart from one that runs."""
    done = subprocess.run(
        [sys.executable, "-m", "arena.keeper", sys.executable, "-c", "raise SystemExit(7)"],
        stdin=subprocess.DEVNULL,
        timeout=30,
        check=False,
    )

    assert done.returncode == 7


def test_missing_program_is_named() -> None:
    """The message says what could not be started."""
    done = subprocess.run(
        [sys.executable, "-m", "arena.keeper", "no-such-program"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )

    assert done.returncode == 1
    assert "no-such-program" in done.stderr
