"""Which files the store opens, which it refuses, and what it says."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from arena.config import BotSpec, TournamentConfig
from arena.errors import ConfigError, StoreError
from arena.fixture import Fixture, FixtureKey
from arena.store import Store
from arena.store.filling import filled
from arena.store.invites import Invites
from arena.store.lock import played, sole_referee
from arena.store.pages import Pages
from arena.store.raw import Raw
from arena.tournament.create import create_tournament


def test_foreign_database_is_refused_and_left_untouched(tmp_path: Path) -> None:
    """Another program's file keeps every byte."""
    path = tmp_path / "music.db"
    with closing(sqlite3.connect(path)) as conn, conn:
        conn.execute("CREATE TABLE songs (title TEXT)")
    conn.close()
    before = path.read_bytes()

    with pytest.raises(StoreError, match="another program"):
        Store(path)

    assert path.read_bytes() == before


def test_file_that_is_no_database_is_refused_and_left_untouched(tmp_path: Path) -> None:
    """A text file is not overwritten."""
    path = tmp_path / "notes.txt"
    path.write_text("shopping list\n" * 100)

    with pytest.raises(StoreError, match="no SQLite database"):
        Store(path)

    assert path.read_text().startswith("shopping list")


def test_newer_database_is_refused(tmp_path: Path) -> None:
    """A migration that this version does not know means a newer arena wrote it."""
    path = tmp_path / "arena.db"
    with Store(path) as store:
        store.db.conn.execute(
            "INSERT INTO _sqlite_migrations (migration_set, name, applied_at)"
            " VALUES ('gin-arena', 'from_the_future', '2099')"
        )
        store.db.conn.commit()

    with pytest.raises(StoreError, match="newer version"):
        Store(path)


def test_missing_database_is_named_when_reading(tmp_path: Path) -> None:
    """Reading never creates a file."""
    path = tmp_path / "none.db"

    with pytest.raises(StoreError, match=r"none\.db"):
        Store(path, read_only=True)

    assert not path.exists()


def test_missing_folder_is_named(tmp_path: Path) -> None:
    """The message says which folder to make."""
    with pytest.raises(StoreError, match="no folder"):
        Store(tmp_path / "no" / "such" / "arena.db")


def test_database_uses_wal_so_that_readers_never_block(store: Store) -> None:
    """A reader sees the last commit while a writer is in the middle of a transaction."""
    reader = Store(store.path, read_only=True)
    with store.transaction() as conn:
        conn.execute("INSERT INTO settings VALUES ('a', '1')")
        assert reader.db.conn.execute("SELECT count(*) FROM settings").fetchone()[0] == 0
    assert reader.db.conn.execute("SELECT count(*) FROM settings").fetchone()[0] == 1
    reader.close()


def test_transaction_keeps_nothing_when_it_fails(store: Store) -> None:
    """An exception between two writes undoes the first."""

    def fail() -> None:
        with store.transaction() as conn:
            conn.execute("INSERT INTO settings VALUES ('a', '1')")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()

    assert store.db.conn.execute("SELECT count(*) FROM settings").fetchone()[0] == 0


def test_nested_transaction_is_undone_with_the_outer_one(store: Store) -> None:
    """Writes of helpers inside a transaction belong to it."""

    def fail() -> None:
        with store.transaction():
            with store.transaction() as conn:
                conn.execute("INSERT INTO settings VALUES ('a', '1')")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()

    assert store.db.conn.execute("SELECT count(*) FROM settings").fetchone()[0] == 0


def test_committed_write_survives_sudden_death(tmp_path: Path) -> None:
    """What a transaction stored is there although the process ended without closing."""
    path = tmp_path / "arena.db"
    code = (
        "import os, sys; from arena.store import Store; s = Store(sys.argv[1])\n"
        "with s.transaction() as c: c.execute(\"INSERT INTO settings VALUES ('a', '1')\")\n"
        "os._exit(1)"
    )

    subprocess.run([sys.executable, "-c", code, str(path)], check=False, timeout=30)

    with Store(path, read_only=True) as store:
        assert store.db.conn.execute("SELECT value FROM settings").fetchone()[0] == "1"
        assert store.db.conn.execute("PRAGMA integrity_check").fetchone()[0] == "ok"


def test_second_referee_is_refused_with_the_name_of_the_first(tmp_path: Path) -> None:
    """Only one process plays on a database, and it is named."""
    path = tmp_path / "arena.db"
    code = (
        "import sys; from pathlib import Path; from arena.store.lock import sole_referee\n"
        "from arena.errors import StoreError\n"
        "try:\n"
        "    with sole_referee(Path(sys.argv[1])): print('played')\n"
        "except StoreError as error: print(error)"
    )
    command = [sys.executable, "-c", code, str(path)]

    with sole_referee(path):
        assert played(path)
        refused = subprocess.run(command, capture_output=True, text=True, timeout=30, check=True)
    free = subprocess.run(command, capture_output=True, text=True, timeout=30, check=True)

    assert f"process {os.getpid()}" in refused.stdout
    assert free.stdout == "played\n"
    assert not played(path)


def test_two_writing_processes_wait_for_each_other(tmp_path: Path) -> None:
    """The web server and the referee may both write; neither gets a lock error."""
    path = tmp_path / "arena.db"
    Store(path).close()
    code = (
        "import sys; from arena.store import Store; s = Store(sys.argv[1])\n"
        "for i in range(200):\n"
        "    with s.transaction() as c:\n"
        "        c.execute('SELECT count(*) FROM settings').fetchone()\n"
        "        c.execute('INSERT INTO settings VALUES (?, ?)', [f'{sys.argv[2]}-{i}', ''])\n"
    )

    writers = [
        subprocess.Popen([sys.executable, "-c", code, str(path), str(number)])
        for number in range(3)
    ]

    assert [writer.wait(60) for writer in writers] == [0, 0, 0]
    with Store(path, read_only=True) as store:
        assert store.db.conn.execute("SELECT count(*) FROM settings").fetchone()[0] == 600


def test_every_read_that_fails_names_the_database(tmp_path: Path) -> None:
    """Whatever one asks for, what SQLite says reaches nobody raw; here the file is closed."""
    path = tmp_path / "arena.db"
    store = Store(path)
    bots = (BotSpec("a", "http://127.0.0.1:9"), BotSpec("b", "http://127.0.0.1:10"))
    made = create_tournament(store, TournamentConfig("Friday", bots=bots))
    fixture = Fixture(FixtureKey("league", 1, 0), (0, 1), "deals", 1)
    store.fixtures.add(made.id, "m_1", fixture, position=0)
    row = store.fixtures.get("m_1")
    assert row is not None
    store.close()
    reads: list[Callable[[], object]] = [
        lambda: store.fixtures.deals_are_open(row),
        lambda: store.fixtures.of("t_1"),
        lambda: store.hands.of("m_1"),
        lambda: store.bots.all(),
        lambda: store.tournaments.all(),
        lambda: Invites(store).all(),
        lambda: Pages(store).stamp(),
        lambda: Raw(store).fixtures("t_1"),
    ]
    for read in reads:
        with pytest.raises(StoreError, match=r"arena\.db"):
            read()


def refuse(path: Path, meanwhile: Callable[[Store], object] = lambda store: None) -> None:
    """A command that fails after it has opened the database, and after something was done."""
    with filled(path) as store, sole_referee(path):
        meanwhile(store)
        raise ConfigError("refused")


def test_database_made_in_vain_goes_again(tmp_path: Path) -> None:
    """With all that lies beside it; not so one that was there, or that holds something."""
    new, old, used = (tmp_path / name for name in ("new.db", "old.db", "used.db"))
    with Store(old):
        pass
    for path in (new, old):
        with pytest.raises(ConfigError):
            refuse(path)
    with pytest.raises(ConfigError):
        refuse(used, lambda store: store.bots.add("Keen", "http://127.0.0.1:1"))

    assert not [path for path in tmp_path.iterdir() if path.name.startswith("new")]
    assert old.is_file()
    with Store(used, read_only=True) as store:
        assert [bot.name for bot in store.bots.all()] == ["Keen"]


def test_database_made_in_vain_stays_for_whoever_opened_it_meanwhile(tmp_path: Path) -> None:
    """Pages were started, say, or a bot is being registered."""
    path = tmp_path / "arena.db"
    opened: list[Store] = []
    with pytest.raises(ConfigError):
        refuse(path, lambda _: opened.append(Store(path)))
    with opened[0] as other:
        other.bots.add("Keen", "http://127.0.0.1:1")
    with Store(path, read_only=True) as store:
        assert [bot.name for bot in store.bots.all()] == ["Keen"]
