"""Opening the database, and the transaction that every change happens in."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from sqlite_utils import Database

from arena.errors import StoreError
from arena.store.bots import Bots
from arena.store.explain import BROKEN, BUSY_MS, explained
from arena.store.fixtures import Fixtures
from arena.store.hands import Hands
from arena.store.migrations import APPLICATION_ID, migrations
from arena.store.places import identity, is_shared, make_private
from arena.store.tournaments import Tournaments

Values = Sequence[object] | Mapping[str, object]


class Store:
    """One arena database.

    May be used from several threads: transactions and queries take turns, so nobody sees half of
    what another thread writes.

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
        except BROKEN as error:
            raise explained(error, self.path, read_only=read_only) from error
        self._identity = identity(self.path)
        self.bots = Bots(self)
        self.tournaments = Tournaments(self)
        self.fixtures = Fixtures(self)
        self.hands = Hands(self)

    def _open(self) -> None:
        conn = self._connect_to_read() if self.read_only else self._connect_to_write()
        try:
            conn.row_factory = sqlite3.Row
            conn.execute(f"PRAGMA busy_timeout = {BUSY_MS}")
            self.db = Database(conn, recursive_triggers=False)
            self._check_and_migrate(conn)
        except BaseException:
            conn.close()
            raise

    def _connect_to_write(self) -> sqlite3.Connection:
        if not self.path.parent.is_dir():
            raise StoreError(f"no folder {self.path.parent} for the database; make it first")
        make_private(self.path)
        return sqlite3.connect(self.path, check_same_thread=False)

    def _connect_to_read(self) -> sqlite3.Connection:
        """A connection that cannot write, also where nobody can: on a read-only disk, say."""
        if not self.path.is_file():
            raise StoreError(f"no database at {self.path}; play a tournament first, or name it")
        real = self.path.resolve()
        uri = f"{real.as_uri()}?mode=ro"
        conn = sqlite3.connect(uri, uri=True, check_same_thread=False)
        try:
            conn.execute("PRAGMA schema_version")
            return conn
        except sqlite3.OperationalError as error:
            conn.close()
            if not error.sqlite_errorname.startswith(("SQLITE_CANTOPEN", "SQLITE_READONLY")):
                raise
            for suffix in ("-wal", "-journal"):
                log = real.with_name(real.name + suffix)
                if log.is_file() and log.stat().st_size:
                    raise StoreError(
                        f"{log} holds changes that must be merged into the database first, but its "
                        "folder is read-only; copy both files to a folder where you may write"
                    ) from error
        return sqlite3.connect(f"{uri}&immutable=1", uri=True, check_same_thread=False)

    def _check_and_migrate(self, conn: sqlite3.Connection) -> None:
        """Recognise the file before a byte of it is changed."""
        # One look at both: another process may be making the tables meanwhile.
        conn.execute("BEGIN")
        (application_id,) = conn.execute("PRAGMA application_id").fetchone()
        tables = {row[0] for row in conn.execute("SELECT name FROM sqlite_master")}
        conn.rollback()
        if application_id != APPLICATION_ID and tables:
            raise StoreError(f"{self.path} is a database of another program; choose another file")
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
        if not tables:
            # Less of a page is left over beside hands of 380 bytes than with the usual 4 kB.
            conn.execute("PRAGMA page_size = 8192")
        # The memory that a write-ahead log needs does not reach across a network.
        mode = "DELETE" if is_shared(self.path) else "WAL"
        _set_journal_mode(conn, mode)
        conn.execute(f"PRAGMA synchronous = {'NORMAL' if mode == 'WAL' else 'FULL'}")
        conn.execute("PRAGMA foreign_keys = ON")
        if known - applied:
            # All in one transaction, so that of several processes one does it, wholly or not.
            conn.execute("BEGIN IMMEDIATE")
            migrations.apply(self.db)
            conn.commit()

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """All or nothing. Takes the write lock at once, so that two writers queue, never fail.

        Nested use joins the outer transaction.

        :raises StoreError: the disk is full, the file read-only or gone, or it stayed locked too
            long.
        """
        with self._lock:
            if self._depth:
                yield self.db.conn
                return
            self._require_there()
            try:
                self.db.conn.execute("BEGIN IMMEDIATE")
                self._depth = 1
                try:
                    yield self.db.conn
                except BaseException:
                    self.db.conn.rollback()
                    raise
                self.db.conn.commit()
            except BROKEN as error:
                if self.db.conn.in_transaction:
                    self.db.conn.rollback()
                if isinstance(error, sqlite3.IntegrityError):
                    raise
                raise self._explained(error) from error
            finally:
                self._depth = 0

    def _require_there(self) -> None:
        """SQLite would go on writing into a deleted file, and nobody would ever see it."""
        if self._identity is not None and identity(self.path) != self._identity:
            raise StoreError(
                f"{self.path} was moved, deleted or replaced while it was in use; put it back with "
                "what lies beside it (-wal)",
                resume=self.path,
            )

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

    def query(self, sql: str, values: Values = ()) -> list[sqlite3.Row]:
        """All rows that a query finds.

        :raises StoreError: the file is damaged or cannot be read.
        """
        with self._lock:
            try:
                found: list[sqlite3.Row] = self.db.conn.execute(sql, values).fetchall()
            except BROKEN as error:
                raise self._explained(error) from error
            return found

    def query_one(self, sql: str, values: Values = ()) -> sqlite3.Row | None:
        """The first row that a query finds, None if there is none.

        :raises StoreError: the file is damaged or cannot be read.
        """
        found = self.query(sql, values)
        return found[0] if found else None

    def damage(self) -> str | None:
        """What is broken in the file itself, whatever it means; None if nothing is.

        :raises StoreError: it cannot even be searched.
        """
        broken = [str(row[0]) for row in self.query("PRAGMA integrity_check(3)")]
        if broken != ["ok"]:
            return "the file is damaged: " + "; ".join(broken)
        for row in self.query("PRAGMA foreign_key_check"):
            number = "" if row[1] is None else f" (number {row[1]} in the file)"
            return f"a row of {row[0]}{number} belongs to no row of {row[2]}"
        return None

    def close(self) -> None:
        """Close the file; safe to call twice."""
        with self._lock:
            self.db.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def _explained(self, error: Exception) -> StoreError:
        return explained(error, self.path, read_only=self.read_only)


def _set_journal_mode(conn: sqlite3.Connection, mode: str) -> None:
    """Set it, waiting for other processes; of several that do so at once SQLite refuses some
    without the wait that it was told of.
    """
    ends = time.monotonic() + BUSY_MS / 1000
    while True:
        try:
            conn.execute(f"PRAGMA journal_mode = {mode}")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > ends:
                raise
        time.sleep(0.01)
