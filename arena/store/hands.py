"""Hands and faults in the database."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import orjson

from arena.errors import StoreError
from arena.store.digits import read_digits, write_digits
from arena.store.rows import FaultRow, HandRow, RawRow, decoding

if TYPE_CHECKING:
    from arena.store.store import Store

COLUMNS = "game, number, record, ending, winner, points, times, books, notes"

_FOUND = (
    f"SELECT fixture_id, {COLUMNS}"
    " FROM (SELECT id AS fixture_id, serial FROM fixtures WHERE id = ?) JOIN hands"
    " ON fixture = serial"
)

HANDS_OF = _FOUND + " ORDER BY game, number"
"""Query for the finished hands of a fixture with this id, in order."""

FAULTS_OF = (
    "SELECT fixture_id, game, hand, turn, entrant, code, detail, elapsed_ms FROM faults"
    " WHERE fixture_id = ? ORDER BY id"
)
"""Query for the faults of a fixture with this id, in the order in which they happened."""


def read_hand(row: sqlite3.Row | RawRow) -> HandRow:
    """A row of the hands table as a value."""
    values: dict[str, Any] = dict(row)
    with decoding(f"a hand of match {values.get('fixture_id')}"):
        values["points"] = tuple(orjson.loads(values["points"]))
        values["times"] = read_digits(values["times"])
        values["books"] = read_books(values["books"])
        values["notes"] = tuple(
            (turn, text) for turn, text in orjson.loads(values["notes"] or "[]")
        )
        return HandRow(**values)


def write_books(books: Sequence[Sequence[Any]]) -> str:
    """Clock books as a text, the seats separated by commas.

    Of each the tenths of milliseconds left in the bank, the decisions, the bot's and the arena's
    milliseconds and the last latency plus one (0: none) to base 26; then, where something is
    unusual, strikes, status and contact after colons. See ``referee.clock.Book``.
    """
    return ",".join(map(_book_text, books))


def _book_text(book: Sequence[Any]) -> str:
    if not book:
        return ""
    bank, decisions, bot, arena, latency, *unusual = book
    last = 0 if latency is None else latency + 1
    text = write_digits([round(bank * 10), decisions, bot, arena, last])
    return ":".join([text, *("" if value is None else str(value) for value in unusual)])


def read_books(text: str) -> tuple[list[Any], ...]:
    """The books that `write_books` wrote.

    :raises ValueError: the text is of another kind.
    """
    return tuple(map(_book, text.split(",")))


def _book(text: str) -> list[Any]:
    if not text:
        return []
    head, *unusual = text.split(":")
    bank, decisions, bot, arena, last = read_digits(head)
    book: list[Any] = [bank / 10, decisions, bot, arena, last - 1 if last else None]
    if unusual:
        strikes, status, contact = unusual
        book += [int(strikes), status or None, int(contact)]
    return book


class Hands:
    """Reads and writes of finished hands and of faults."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def add(self, hand: HandRow, faults: Sequence[FaultRow] = ()) -> None:
        """Store a finished hand and its faults; storing it again changes nothing.

        :raises StoreError: there is no such match.
        """
        with self._store.transaction() as conn:
            if not self._add(conn, hand):
                return
            self._add_faults(conn, faults)
            conn.execute(
                "UPDATE tournaments SET revision = revision + 1"
                " WHERE id = (SELECT tournament_id FROM fixtures WHERE id = ?)",
                [hand.fixture_id],
            )

    def _add(self, conn: sqlite3.Connection, hand: HandRow) -> bool:
        """Whether the hand was not there yet."""
        try:
            added = conn.execute(
                # That it is there already is no error; OR IGNORE would forgive all others too.
                f"INSERT INTO hands (fixture, {COLUMNS})"
                " VALUES ((SELECT serial FROM fixtures WHERE id = ?), ?, ?, ?, ?, ?, ?, ?, ?, ?)"
                " ON CONFLICT (fixture, game, number) DO NOTHING",
                [hand.fixture_id, hand.game, hand.number, hand.record, hand.ending, hand.winner,
                 orjson.dumps(list(hand.points)).decode(), write_digits(hand.times),
                 write_books(hand.books),
                 orjson.dumps(list(hand.notes)).decode() if hand.notes else None],
            )  # fmt: skip
        except sqlite3.IntegrityError as error:
            raise StoreError(
                f"hand {hand.game}-{hand.number} cannot be stored: this database has no match "
                f"{hand.fixture_id!r}"
            ) from error
        return added.rowcount == 1

    def _add_faults(self, conn: sqlite3.Connection, faults: Sequence[FaultRow]) -> None:
        conn.executemany(
            "INSERT INTO faults (fixture_id, game, hand, turn, entrant, code, detail, elapsed_ms)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            [
                [f.fixture_id, f.game, f.hand, f.turn, f.entrant, f.code, f.detail, f.elapsed_ms]
                for f in faults
            ],
        )

    def of(self, fixture_id: str) -> list[HandRow]:
        """All finished hands of a fixture, in order."""
        rows = self._store.query(HANDS_OF, [fixture_id])
        return [read_hand(row) for row in rows]

    def get(self, fixture_id: str, game: int, number: int) -> HandRow | None:
        """One finished hand."""
        row = self._store.query_one(
            _FOUND + " WHERE game = ? AND number = ?",
            [fixture_id, game, number],
        )
        return read_hand(row) if row else None

    def faults(self, fixture_id: str) -> list[FaultRow]:
        """The faults of a fixture in the order in which they happened."""
        return [FaultRow(*row) for row in self._store.query(FAULTS_OF, [fixture_id])]

    def first_faults(self, tournament_id: str) -> dict[tuple[int, str], str]:
        """The excerpt of the first fault of each (entrant, code) in a tournament."""
        rows = self._store.query(
            "SELECT entrant, code, detail, min(faults.id) FROM faults JOIN fixtures"
            " ON fixtures.id = faults.fixture_id WHERE tournament_id = ? GROUP BY 1, 2",
            [tournament_id],
        )
        return {(row[0], row[1]): row[2] for row in rows}

    def fault_counts(self, tournament_id: str) -> dict[tuple[int, str], int]:
        """How often each (entrant, code) happened in a tournament."""
        rows = self._store.query(
            "SELECT entrant, code, count(*) FROM faults JOIN fixtures"
            " ON fixtures.id = faults.fixture_id WHERE tournament_id = ? GROUP BY 1, 2",
            [tournament_id],
        )
        return {(row[0], row[1]): row[2] for row in rows}
