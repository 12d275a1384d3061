"""How long commands take to begin; the part ``startup`` of the suite."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from tests.bench.suite import Claim, Contest, Entry, Setting, Side

WAIT_S = 60.0
BARE = "python -c pass"
HELP, DEMO = "arena --help", "first hand of arena demo"


def command_ms(command: Sequence[str], _: float = 0.0) -> float:
    """Wall time of a command from its start to its end."""
    start = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=environment())
    return (time.perf_counter() - start) * 1000


def environment() -> dict[str, str]:
    """As after an installation: compiled files are kept."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def first_hand_s(_: float = 0.0) -> float:
    """Seconds from the command ``arena demo`` until its first hand is stored."""
    with tempfile.TemporaryDirectory() as folder:
        database = Path(folder) / "demo.db"
        start = time.perf_counter()
        demo = subprocess.Popen(
            [sys.executable, "-m", "arena", "demo", "--db", str(database), "--port", "0"],
            stdout=subprocess.DEVNULL,
            env=environment(),
        )
        try:
            while not _hands(database):
                if time.perf_counter() - start > WAIT_S or demo.poll() is not None:
                    raise RuntimeError("arena demo has played no hand")
                time.sleep(0.005)
            return time.perf_counter() - start
        finally:
            demo.terminate()
            demo.wait()


def _hands(database: Path) -> int:
    if not database.exists():
        return 0
    connection = sqlite3.connect(f"{database.as_uri()}?mode=ro", uri=True)
    try:
        return int(connection.execute("SELECT count(*) FROM hands").fetchone()[0])
    except sqlite3.OperationalError:
        return 0  # the tables are not made yet
    finally:
        connection.close()


@contextmanager
def contests(setting: Setting) -> Iterator[list[Contest]]:
    """The help of the command, and the first hand of the demo."""
    arena_help = [sys.executable, "-m", "arena", "--help"]
    command_ms(arena_help)  # which compiles
    yield [
        Contest(
            "start of a command",
            "ms",
            [
                Side(HELP, partial(command_ms, arena_help)),
                Side(BARE, partial(command_ms, [sys.executable, "-c", "pass"])),
            ],
            [Claim(HELP, most=150)],
            rounds=setting.rounds(15, 7),
            more_is_better=False,
        ),
        Contest(
            "start of the demo",
            "s",
            [Side(DEMO, first_hand_s)],
            [Claim(DEMO, most=2)],
            rounds=setting.rounds(5),
            more_is_better=False,
        ),
    ]


ENTRY = Entry("startup", "how long commands take to begin", contests)
