"""What cannot be played on a cluster is refused before play, with a sentence."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import arena as package
from arena.cluster.connect import Place
from arena.cluster.identity import identity, rules_hash
from arena.cluster.orders import Refused, Sealed
from arena.cluster.pool import DaskPool
from arena.cluster.worker import perform
from arena.errors import ConfigError
from arena.store import Store
from arena.tournament.dossier import StoredDossier
from arena.tournament.verification.verify import verify
from tests.cluster.processes import Worker, entered, far, field, played, served
from tests.e2e.arena_process import arena

BOTS = ("--bot=a=http://127.0.0.1:9", "--bot=b=http://127.0.0.1:9")


@contextmanager
def patched_worker(scheduler: str, folder: Path) -> Iterator[Worker]:
    """A worker whose copy of the arena has one more line in its rules."""
    copy = folder / "arena"
    shutil.copytree(Path(package.__file__).parent, copy, ignore=shutil.ignore_patterns("__py*"))
    with (copy / "rules" / "scoring.py").open("a") as file:
        file.write("\n# Aces count eleven from now on.\n")
    worker = Worker(scheduler, folder, {"PYTHONPATH": str(folder)})
    try:
        yield worker
    finally:
        worker.stop()


def test_worker_with_other_rules_is_refused_before_play(scheduler: str, tmp_path: Path) -> None:
    """The command names the worker and both versions, and enters nothing."""
    database = tmp_path / "arena.db"
    with patched_worker(scheduler, tmp_path) as worker:
        done = arena("run", *BOTS, "--db", database, "--cluster", scheduler)

    assert done.returncode == 2
    assert f"error: worker {worker.address} runs arena {package.__version__}" in done.stderr
    assert f"but this is arena {package.__version__}, protocol 1.0, rules" in done.stderr
    assert "same version on every machine" in done.stderr
    assert not database.exists()


def test_worker_with_other_rules_that_comes_later_gets_nothing(
    pool: DaskPool, scheduler: str, store: Store, tmp_path: Path
) -> None:
    """The tournament is played by the others, and the organiser is told."""
    with patched_worker(scheduler, tmp_path) as worker, served(field()) as bots:
        row = entered(store, bots, games=1)
        remarks = played(store, row, far(pool))

        assert worker.address not in pool.workers()
        assert len(pool.workers()) == 2
    assert [remark for remark in remarks if f"worker {worker.address} runs" in remark]
    assert verify(StoredDossier(store, row.id)).finished


def test_worker_refuses_an_order_of_another_version_unopened() -> None:
    """Even one that slipped through: the seal stays closed, so its values need not fit."""
    unreadable = Sealed.__new__(Sealed)

    report = perform(("0.0.1", "1.0", "f" * 64), unreadable)

    assert isinstance(report, Refused)
    assert report.identity == identity()


def test_hash_of_rules_tells_content_and_place_but_not_line_endings(tmp_path: Path) -> None:
    """A changed byte or a moved file counts, a checkout on Windows does not."""
    rules = tmp_path / "rules"
    rules.mkdir()
    (rules / "a.py").write_bytes(b"one = 1\ntwo = 2\n")
    first = rules_hash(tmp_path)

    (rules / "a.py").write_bytes(b"one = 1\r\ntwo = 2\r\n")
    same = rules_hash(tmp_path)
    (rules / "a.py").write_bytes(b"one = 1\ntwo = 3\n")
    changed = rules_hash(tmp_path)
    (rules / "a.py").write_bytes(b"one = 1\ntwo = 2\n")
    (rules / "a.py").rename(rules / "b.py")

    assert same == first
    assert len({first, changed, rules_hash(tmp_path)}) == 3


def test_bots_of_the_arena_itself_are_refused_on_other_machines(
    scheduler: str, tmp_path: Path
) -> None:
    """They run on this machine's loopback, where workers elsewhere cannot call them."""
    database = tmp_path / "arena.db"
    bots = ["--bot", "own=sample:simple", BOTS[1]]

    done = arena("run", *bots, "--db", database, "--cluster", scheduler)

    assert done.returncode == 2
    assert "bot 'own' is a sample: bot, which the arena starts on this machine" in done.stderr
    assert "register it by its URL, or use --cluster local:N" in done.stderr
    assert not database.exists()


def test_local_cluster_plays_the_arenas_own_bots(tmp_path: Path) -> None:
    """``local:2`` starts two workers, plays, and leaves no process behind."""
    database = tmp_path / "arena.db"
    bots = ["--bot", "a=sample:simple", "--bot", "b=sample:random_bot"]
    marked = {**os.environ, "ARENA_TEST_MARK": str(tmp_path)}

    done = arena("run", *bots, "--games", "1", "--db", database, "--cluster", "local:2", env=marked)

    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert "distributed" not in done.stdout
    with Store(database, read_only=True) as store:
        assert verify(StoredDossier(store, store.tournaments.all()[0].id)).finished
    assert not _processes_marked(str(tmp_path))


def _processes_marked(mark: str) -> list[str]:
    found = []
    for path in Path("/proc").glob("[0-9]*/environ"):
        try:
            if mark.encode() in path.read_bytes():
                found.append((path.parent / "cmdline").read_text())
        except OSError:
            continue
    return found


def test_missing_extra_is_named_with_the_command_that_brings_it(tmp_path: Path) -> None:
    """Without `distributed` only ``--cluster`` fails."""
    (tmp_path / "distributed.py").write_text("raise ImportError('not installed')")
    without = {**os.environ, "PYTHONPATH": str(tmp_path)}

    done = arena("run", *BOTS, "--db", tmp_path / "a.db", "--cluster", "local:2", env=without)

    assert done.returncode == 2
    assert "pip install 'gin-arena[cluster]'" in done.stderr
    assert not (tmp_path / "a.db").exists()


def test_scheduler_that_does_not_answer_is_named_with_the_command_that_starts_one(
    tmp_path: Path,
) -> None:
    """Nothing is entered."""
    done = arena("run", *BOTS, "--db", tmp_path / "a.db", "--cluster", "tcp://127.0.0.1:9")

    assert done.returncode == 2
    assert "no scheduler answers at tcp://127.0.0.1:9" in done.stderr
    assert "dask scheduler --port 9" in done.stderr
    assert not (tmp_path / "a.db").exists()


@pytest.mark.parametrize(
    "text",
    ["", "local", "local:", "local:0", "local:65", "local:two", "127.0.0.1:8786", "tcp://",
     "tcp://host", "tcp://host:x", "tcp://host:99999", "http://host:1", "tcp://host:1/path"],
)  # fmt: skip
def test_place_that_is_none_is_refused(text: str) -> None:
    """The message shows what was written and what is possible."""
    with pytest.raises(ConfigError, match=r"--cluster.*(local:N|1 to 64)"):
        Place.parse(text)


@pytest.mark.parametrize(
    ("text", "place"),
    [("local:2", Place(None, 2)), ("tcp://host:8786", Place("tcp://host:8786")),
     ("tls://[::1]:1", Place("tls://[::1]:1"))],
)  # fmt: skip
def test_place_is_read(text: str, place: Place) -> None:
    """An address of a scheduler, or a number of workers here."""
    assert Place.parse(text) == place
