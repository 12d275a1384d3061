"""Several threads and processes at one database."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path

import pytest

from arena.errors import StoreError
from arena.store import Store
from arena.store.explain import explained
from arena.store.lock import lock_path, played, sole_referee


def test_query_sees_nothing_of_another_threads_unfinished_change(store: Store) -> None:
    """It waits until the transaction is done, or undone."""
    inside, release = threading.Event(), threading.Event()

    def change() -> None:
        with suppress(RuntimeError), store.transaction() as conn:
            conn.execute("INSERT INTO settings VALUES ('a', '1')")
            inside.set()
            release.wait(10)
            raise RuntimeError

    writer = threading.Thread(target=change)
    writer.start()
    assert inside.wait(10)
    found: list[int] = []
    reader = threading.Thread(
        target=lambda: found.append(len(store.query("SELECT * FROM settings")))
    )
    reader.start()
    reader.join(0.1)
    assert found == []
    release.set()
    reader.join(10)
    writer.join(10)

    assert found == [0]


def test_threads_share_a_store_without_losing_a_write(store: Store) -> None:
    """Writers and readers of one store, as lanes and runner are."""

    def work(number: int) -> None:
        for step in range(100):
            with store.transaction() as conn:
                conn.execute("INSERT INTO settings VALUES (?, ?)", [f"{number}-{step}", ""])
            assert (
                len(store.query("SELECT * FROM settings WHERE name LIKE ?", [f"{number}-%"])) > step
            )

    threads = [threading.Thread(target=work, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)

    assert store.query("SELECT count(*) FROM settings")[0][0] == 600


def test_many_processes_make_a_new_database_together(tmp_path: Path) -> None:
    """All find it whole, whoever was first."""
    code = (
        "import sys; from arena.store import Store\nfor path in sys.argv[1:]: Store(path).close()"
    )
    paths = [tmp_path / f"{attempt}.db" for attempt in range(8)]
    makers = [
        subprocess.Popen([sys.executable, "-c", code, *map(str, paths)], stderr=subprocess.PIPE)
        for _ in range(4)
    ]
    errors = [maker.communicate(timeout=60)[1] for maker in makers]

    assert errors == [b""] * 4
    for path in paths:
        with Store(path, read_only=True) as made:
            assert made.damage() is None


def test_database_that_stays_locked_is_explained(tmp_path: Path) -> None:
    """Another program holds it for longer than one waits."""
    with Store(tmp_path / "arena.db") as store:
        store.query("PRAGMA busy_timeout = 50")
        other = sqlite3.connect(store.path)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match=r"locked by another program .* lost") as locked:
            store.bots.add("a", "http://127.0.0.1:1")
        assert locked.value.resume == store.path
        other.rollback()
        other.close()
        store.bots.add("a", "http://127.0.0.1:1")


def test_look_at_the_lock_is_not_mistaken_for_a_referee(tmp_path: Path) -> None:
    """Pages look often; a referee that starts in such a moment waits for it to pass."""
    path = tmp_path / "arena.db"
    stop = threading.Event()

    def look() -> None:
        while not stop.is_set():
            played(path)

    lookers = [threading.Thread(target=look) for _ in range(3)]
    for looker in lookers:
        looker.start()
    try:
        for _ in range(20):
            with sole_referee(path):
                assert lock_path(path).exists()
    finally:
        stop.set()
        for looker in lookers:
            looker.join(10)


def test_lock_is_the_same_by_every_link(tmp_path: Path) -> None:
    """A database has one referee, whatever it is called."""
    path, link = tmp_path / "arena.db", tmp_path / "link.db"
    path.touch()
    link.symlink_to(path)

    with sole_referee(link):
        assert played(path)
        with pytest.raises(StoreError, match="is being played by process"), sole_referee(path):
            pass


def test_unknown_errors_keep_their_text() -> None:
    """Nothing is hidden behind a guess."""
    text = str(explained(sqlite3.OperationalError("no such column: x"), Path("arena.db")))
    assert text == "arena.db: no such column: x"
