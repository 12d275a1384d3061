"""Disks that are full, read-only or gone, odd paths, second referees, and clocks that jump."""

from __future__ import annotations

import json
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from arena.store import Store
from tests.e2e.arena_process import (
    arena,
    hands_stored,
    served,
    served_pages,
    start_arena,
    wait_until,
)
from tests.e2e.test_crash import Thinking, everything
from tests.e2e.tiny_disk import LIMIT
from tests.samples import simple

OPTIONS = ["--secret", "d1" * 32, "--name", "Disk", "--games", "6", "--target", "100"]

OBEY = """
import ctypes, os, sys
for capability in (1, 2):
    ctypes.CDLL(None).prctl(24, capability, 0, 0, 0)
os.execv(sys.executable, [sys.executable, "-m", "arena", *sys.argv[1:]])
"""
"""Program that runs the arena without the right to ignore permissions, which root has."""


@pytest.fixture(scope="module")
def bots() -> Iterator[list[str]]:
    """Two bots that take their time."""
    with served([Thinking("a"), simple.bot]) as options:
        yield options


@pytest.fixture(scope="module")
def calm(bots: list[str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tournament, undisturbed."""
    path = tmp_path_factory.mktemp("calm") / "calm.db"
    whole = arena("run", *bots, *OPTIONS, "--db", path)
    assert whole.returncode == 0, whole.stderr
    return path


def refused(done: subprocess.CompletedProcess[str], *parts: str) -> None:
    """Exit code 2 and one line that says all this."""
    assert done.returncode == 2, done
    assert "Traceback" not in done.stderr
    assert done.stderr.count("error: ") == 1
    for part in parts:
        assert part in done.stderr


def run_python(code: str, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run a program of one text to its end."""
    return subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_full_disk_ends_play_with_a_sentence_and_resume_goes_on(
    bots: list[str], calm: Path, tmp_path: Path
) -> None:
    """No file may grow any more: what was stored stays, and the rest is played later."""
    path = tmp_path / "arena.db"
    full = run_python(LIMIT, "700000", "run", *bots, *OPTIONS, "--db", path)
    refused(full, "the disk is full", "free some space", "arena resume")
    assert 0 < hands_stored(path) < hands_stored(calm)

    again = run_python(LIMIT, "700000", "resume", "--db", path)
    refused(again, "the disk is full")
    end = arena("resume", "--db", path)

    assert end.returncode == 0, end.stderr
    assert everything(path) == everything(calm)


def test_archive_and_backup_that_find_no_space_leave_nothing_behind(
    calm: Path, tmp_path: Path
) -> None:
    """One sentence, no half a file; a file that is there stays."""
    database, folder = tmp_path / "arena.db", tmp_path / "out"
    folder.mkdir()
    shutil.copy(calm, database)
    with closing(sqlite3.connect(database)) as conn:
        # Readers of a write-ahead log need some space too.
        conn.execute("PRAGMA journal_mode = DELETE")
    for command in (("export", "--to"), ("backup",)):
        done = run_python(LIMIT, "3000", *command, folder / "file", "--db", database)
        assert done.returncode == 2, done
        assert "cannot write" in done.stderr
        assert "Traceback" not in done.stderr
        assert not list(folder.iterdir())


def test_disk_without_space_ends_play_with_a_sentence_and_resume_goes_on(
    bots: list[str], calm: Path, tmp_path: Path
) -> None:
    """A real disk of a few megabytes, where the system lets us mount one."""
    command = [sys.executable, "-m", "tests.e2e.tiny_disk", str(tmp_path), "run", *bots, *OPTIONS]
    alone = ["unshare", "--map-root-user", "--mount"]
    if shutil.which("unshare") and subprocess.run([*alone, "true"], check=False).returncode == 0:
        command = [*alone, *command]
    done = subprocess.run(command, capture_output=True, text=True, timeout=200, check=True)
    (full, resumed, verified) = json.loads(done.stdout)["steps"]

    assert full[0] == 2
    assert "the disk is full" in full[2]
    assert "Traceback" not in full[2]
    assert resumed[0] == 0
    assert verified[0] == 0
    right = json.loads(arena("standings", "--json", "--db", calm).stdout)
    assert json.loads(resumed[1])["standings"] == right["standings"]


def test_read_only_folder_can_be_read_and_not_played_in(calm: Path, tmp_path: Path) -> None:
    """Tables, verification, export and pages need no right to write."""
    folder = tmp_path / "archive"
    folder.mkdir()
    path = folder / "arena.db"
    shutil.copy(calm, path)
    path.chmod(0o444)
    folder.chmod(0o555)
    try:
        refused(run_python(OBEY, "resume", "--db", path), "read-only", "arena.db")
        new = run_python(OBEY, "run", "--bot", "a=sample:simple", "--bot", "b=sample:simple",
                         "--db", folder / "new.db")  # fmt: skip
        refused(new, "new.db", "cannot be opened", "permissions")
        shown = run_python(OBEY, "standings", "--json", "--db", path)
        assert shown.returncode == 0, shown.stderr
        assert json.loads(shown.stdout)["state"] == "finished"
        checked = run_python(OBEY, "verify", path)
        assert checked.returncode == 0, checked.stderr
        exported = run_python(OBEY, "export", "--db", path, "--to", tmp_path / "out.zip")
        assert exported.returncode == 0, exported.stderr
        assert sorted(folder.iterdir()) == [path]
    finally:
        folder.chmod(0o755)


def test_read_only_file_is_not_played_on(calm: Path, tmp_path: Path) -> None:
    """The folder is writable, the database is not."""
    path = tmp_path / "arena.db"
    shutil.copy(calm, path)
    path.chmod(0o444)
    new = run_python(OBEY, "run", "--bot", "a=sample:simple", "--bot", "b=sample:simple",
                     "--db", path)  # fmt: skip
    refused(new, str(path), "read-only")


def test_database_that_is_moved_away_ends_play_and_goes_on_when_it_is_back(
    bots: list[str], calm: Path, tmp_path: Path
) -> None:
    """SQLite would write on into a file that nobody finds again."""
    folder, log = tmp_path / "here", tmp_path / "log.txt"
    folder.mkdir()
    path = folder / "arena.db"
    process = start_arena("run", *bots, *OPTIONS, "--db", path, log=log)
    assert wait_until(lambda: hands_stored(path) > 2, process), log.read_text()

    folder.rename(tmp_path / "elsewhere")

    assert process.wait(30) == 2
    text = log.read_text()
    assert "was moved, deleted or replaced while it was in use" in text
    assert "Traceback" not in text
    (tmp_path / "elsewhere").rename(folder)
    end = arena("resume", "--db", path)
    assert end.returncode == 0, end.stderr
    assert everything(path) == everything(calm)


def test_folder_that_vanishes_ends_play_with_a_sentence(bots: list[str], tmp_path: Path) -> None:
    """Nothing is left to go on with, and nobody is told otherwise."""
    folder, log = tmp_path / "here", tmp_path / "log.txt"
    folder.mkdir()
    path = folder / "arena.db"
    process = start_arena("run", *bots, *OPTIONS, "--db", path, log=log)
    assert wait_until(lambda: hands_stored(path) > 2, process), log.read_text()

    shutil.rmtree(folder)

    assert process.wait(30) == 2
    assert "was moved, deleted or replaced" in log.read_text()
    assert "Traceback" not in log.read_text()


def test_second_referee_is_refused_by_whatever_path_it_comes(
    bots: list[str], calm: Path, tmp_path: Path
) -> None:
    """The same file through a link is the same database; the first is not disturbed."""
    path, log = tmp_path / "arena.db", tmp_path / "log.txt"
    link = tmp_path / "link.db"
    link.symlink_to(path)
    (tmp_path / "folder").symlink_to(tmp_path)
    process = start_arena("run", *bots, *OPTIONS, "--db", path, log=log)
    assert wait_until(lambda: hands_stored(path) > 0, process), log.read_text()

    for same in (path, link, tmp_path / "folder" / "arena.db"):
        refused(arena("resume", "--db", same), f"played by process {process.pid}")

    assert process.wait(60) == 0, log.read_text()
    assert everything(path) == everything(calm)


@pytest.mark.parametrize(
    "name", ["with space", "zażółć 深紅 🂡", "50%20#1?mode=ro&x", "'quoted' \"twice\"", "-dash", "~"]
)
def test_database_may_be_anywhere(calm: Path, tmp_path: Path, name: str) -> None:
    """Names that an address, a shell or SQLite would take for something else."""
    folder = tmp_path / name
    folder.mkdir()
    path = folder / f"{name}.db"
    path.symlink_to(folder / f"{name} real.db")
    shutil.copy(calm, folder / f"{name} real.db")
    with Store(path) as store, store.transaction() as conn:
        conn.execute("INSERT INTO settings VALUES ('a', '1')")

    assert everything(path) == everything(calm)
    done = arena("verify", path)
    assert done.returncode == 0, done.stderr
    with served_pages(path, tmp_path / "log.txt") as (_, address):
        assert address.startswith("http://127.0.0.1:")


def test_log_that_was_left_behind_is_merged_or_asked_for(bots: list[str], tmp_path: Path) -> None:
    """After kill -9 the newest hands are in the -wal file; it belongs to the database."""
    path, log = tmp_path / "arena.db", tmp_path / "log.txt"
    process = start_arena("run", *bots, *OPTIONS, "--db", path, log=log)
    assert wait_until(lambda: hands_stored(path) > 4, process), log.read_text()
    process.send_signal(signal.SIGKILL)
    process.wait(30)
    folder = tmp_path / "copy"
    folder.mkdir()
    for part in ("arena.db", "arena.db-wal"):
        shutil.copy(tmp_path / part, folder / part)
    folder.chmod(0o555)
    try:
        done = run_python(OBEY, "verify", folder / "arena.db")
        assert done.returncode in (0, 2), done
        if done.returncode == 2:
            refused(done, "arena.db-wal", "copy both files to a folder where you may write")
    finally:
        folder.chmod(0o755)

    stored = hands_stored(path)
    assert arena("verify", folder / "arena.db").returncode == 0
    assert hands_stored(folder / "arena.db") == stored > 4


def test_clock_that_is_set_during_play_changes_nothing(calm: Path, tmp_path: Path) -> None:
    """An hour forwards and backwards, over and over: no fault, no negative time, same records."""
    path = tmp_path / "arena.db"
    with served([Thinking("a"), simple.bot]) as bots:
        done = run_python(JUMPING, "run", *bots, *OPTIONS, "--db", path)
    assert done.returncode == 0, done.stderr

    assert everything(path) == everything(calm)
    with Store(path, read_only=True) as store:
        (row,) = store.tournaments.all()
        assert store.hands.fault_counts(row.id) == {}
        fixtures = store.fixtures.of(row.id)
        hours = {str(fixture.finished_at)[:13] for fixture in fixtures}
        hands = [hand for fixture in fixtures for hand in store.hands.of(fixture.id)]
        times = [ms for hand in hands for ms in hand.times]
    assert len(hours) > 1
    assert min(times) >= 0
    assert max(times) < 3000


JUMPING = """
import datetime, itertools, sys, time
import arena.store.clock
steps = itertools.cycle([0, 3600, -3600])
real = time.time
time.time = lambda: real() + next(steps)
class Jumping(datetime.datetime):
    @classmethod
    def now(cls, tz=None):
        return datetime.datetime.fromtimestamp(time.time(), tz)
arena.store.clock.datetime = Jumping
from arena.cli import main
sys.argv[0] = "arena"
main()
"""
"""Program that runs the arena with a clock that is set at every look."""
