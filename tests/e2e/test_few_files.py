"""A machine at its limits says so; no bot is blamed for it."""

from __future__ import annotations

import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest

from arena.bot import BotServer
from arena.errors import StoreError
from arena.store import Store
from tests.samples import simple

BOTS = 12


def faults(database: Path) -> int:
    """How many there are in a database that may not exist."""
    try:
        with Store(database, read_only=True) as store:
            return int(store.db.conn.execute("SELECT count(*) FROM faults").fetchone()[0])
    except StoreError:
        return 0


@pytest.mark.parametrize("files", [24, 30])
def test_too_few_open_files_are_no_fault_of_a_bot(files: int, tmp_path: Path) -> None:
    """However far it comes: greeting the bots, or playing."""
    database = tmp_path / "few.db"
    with ExitStack() as stack:
        urls = [stack.enter_context(BotServer(simple.bot)).url for _ in range(3)]
        options = [
            word
            for number in range(BOTS)
            for word in ("--bot", f"h{number}={urls[number % len(urls)]}")
        ]
        run = [sys.executable, "-m", "arena", "run", *options, "--db", str(database)]
        more = ["--name", "Few", "--target", "10", "--in-flight", "64"]
        done = subprocess.run(
            ["sh", "-c", f'ulimit -n {files}; exec "$@"', "sh", *run, *more],
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
    said = done.stdout + done.stderr
    assert "Traceback" not in said
    assert "does not answer" not in said
    assert faults(database) == 0
    assert done.returncode == 2, said
    assert "no bot is to blame" in said


def test_play_asks_for_more_files_than_it_was_given(tmp_path: Path) -> None:
    """A low limit that may be raised is none."""
    asks = "from arena.shortage import ask_for_files; print(ask_for_files(4096))"
    done = subprocess.run(
        ["sh", "-c", 'ulimit -S -n 64; exec "$@"', "sh", sys.executable, "-c", asks],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert int(done.stdout) > 64
