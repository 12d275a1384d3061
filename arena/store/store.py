"""Opening the database, and the transaction that every change happens in."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlite_utils import Database

from arena.errors import StoreError
from arena.store.bots import Bots
from arena.store.fixtures import Fixtures
from arena.store.hands import Hands
from arena.store.migrations import APPLICATION_ID, migrations
from arena.store.tournaments import Tournaments

BUSY_MS = 30_000
"""How long a short write of one process waits for that of another."""


class Store:
    """One arena database.

    A writing store may be used from several threads: `transaction` serialises them. A read-only
    store belongs to the thread that opened it.

    :raises StoreError: the file is missing (read-only), of another program, from a newer version,
        damaged, or not writable; the text says what to do.
    """

    def __init__(self, path: Path | str, *, read_only: bool = False) -> None:
        self.path = Path(path)
        self.read_only = read_only
        self._lock = threading.RLock()
        self._depth = 0
        try:
            self._open()
        except sqlite3.DatabaseError as error:
            raise StoreError(self._explain(error)) from error
        self.bots = Bots(self)
        self.tournaments = Tournaments(self)
        self.fixtures = Fixtures(self)
        self.hands = Hands(self)

    def _open(self) -> None:
        if self.read_only:
            if not self.path.is_file():
                raise StoreError(f"no database at {self.path}; play a tournament first, or name it")
            uri = f"{self.path.resolve().as_uri()}?mode=ro"
            conn = sqlite3.connect(uri, uri=True, check_same_thread=False)
        else:
            if not self.path.parent.is_dir():
                raise StoreError(f"no folder {self.path.parent} for the database; make it first")
            conn = sqlite3.connect(self.path, check_same_thread=False)
        conn.row_factory = sqlite3.Row
        conn.execute(f"PRAGMA busy_timeout = {BUSY_MS}")
        self.db = Database(conn, recursive_triggers=False)
        try:
            self._check_and_migrate(conn)
        except BaseException:
            conn.close()
            raise

    def _check_and_migrate(self, conn: sqlite3.Connection) -> None:
        """Recognise the file before a byte of it is changed."""
        (application_id,) = conn.execute("PRAGMA application_id").fetchone()
        tables = {row[0] for row in conn.execute("SELECT name FROM sqlite_master")}
        if application_id != APPLICATION_ID and tables:
            raise StoreError(
                f"{self.path} is a database of another program; choose another file with --db"
            )
        known = {migration.name for migration in migrations._migrations}
        applied = {migration.name for migration in migrations.applied(self.db)}
        if applied - known:
            raise StoreError(
                f"{self.path} was written by a newer version of the arena; "
                "upgrade with: pip install -U gin-arena"
            )
        if self.read_only:
            if known - applied:
                raise StoreError(
                    f"{self.path} is empty or from an older version; "
                    "run any playing command on it once to bring it up to date"
                )
            return
        conn.execute("PRAGMA journal_mode = WAL")
        conn.execute("PRAGMA synchronous = NORMAL")
        conn.execute("PRAGMA foreign_keys = ON")
        if known - applied:
            migrations.apply(self.db)

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """All or nothing. Takes the write lock at once, so that two writers queue, never fail.

        Nested use joins the outer transaction.

        :raises StoreError: the disk is full, the file read-only, or it stayed locked too long.
        """
        with self._lock:
            if self._depth:
                yield self.db.conn
                return
            try:
                self.db.conn.execute("BEGIN IMMEDIATE")
                self._depth = 1
                try:
                    yield self.db.conn
                except BaseException:
                    self.db.conn.rollback()
                    raise
                self.db.conn.commit()
            except (sqlite3.OperationalError, sqlite3.DatabaseError) as error:
                if self.db.conn.in_transaction:
                    self.db.conn.rollback()
                if isinstance(error, sqlite3.IntegrityError):
                    raise
                raise StoreError(self._explain(error)) from error
            finally:
                self._depth = 0

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """One consistent snapshot for several queries."""
        with self._lock:
            if self.db.conn.in_transaction:
                yield self.db.conn
                return
            self.db.conn.execute("BEGIN")
            try:
                yield self.db.conn
            finally:
                self.db.conn.rollback()

    def close(self) -> None:
        """Close the file; safe to call twice."""
        with self._lock:
            self.db.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def _explain(self, error: sqlite3.Error) -> str:
        text = str(error)
        if "readonly" in text or "unable to open" in text:
            return f"cannot write {self.path}: {text}; check its permissions or choose another --db"
        if "disk" in text or "full" in text:
            return f"cannot write {self.path}: {text}; free some space, then: arena resume"
        if "locked" in text or "busy" in text:
            return (
                f"{self.path} was locked by another program for {BUSY_MS // 1000} s; "
                "close that program, then: arena resume"
            )
        if "not a database" in text or "malformed" in text:
            return f"{self.path} is no SQLite database or is damaged ({text}); choose another --db"
        return f"{self.path}: {text}"
