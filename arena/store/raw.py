"""A tournament's rows as they are stored, for archives and for whoever checks them.

Dicts of plain values with the names of the columns. Values are handed on as they are, also where
they make no sense: what is read here may have been changed by anybody.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from arena.store.digest import sealed_faults
from arena.store.hands import FAULTS_OF, HANDS_OF
from arena.store.rows import RawRow

if TYPE_CHECKING:
    from arena.store.store import Store

HIDDEN = ("bot_version_id", "serial")
"""Columns that stay behind: they mean something in one database only."""

TABLES = ("tournaments", "entrants", "fixtures")
"""Tables that rows can be entered into."""


class Raw:
    """Rows of a store by the id of what they belong to.

    Every method raises StoreError when the file is damaged.
    """

    def __init__(self, store: Store) -> None:
        self._store = store

    def tournament(self, id: str) -> dict[str, Any]:
        """The row of a tournament that is there."""
        (row,) = self._rows("SELECT * FROM tournaments WHERE id = ?", id)
        return row

    def entrants(self, tournament_id: str) -> list[dict[str, Any]]:
        """A tournament's entrants in the order of entry."""
        return self._rows(
            "SELECT * FROM entrants WHERE tournament_id = ? ORDER BY number", tournament_id
        )

    def bots(self, tournament_id: str) -> list[str | None]:
        """The names of the bots that the entrants are, in the order of entry; None for none."""
        rows = self._store.query(
            "SELECT bots.name FROM entrants"
            " LEFT JOIN bot_versions ON bot_versions.id = bot_version_id"
            " LEFT JOIN bots ON bots.id = bot_id"
            " WHERE tournament_id = ? ORDER BY entrants.number",
            [tournament_id],
        )
        return [row["name"] for row in rows]

    def fixtures(self, tournament_id: str) -> list[dict[str, Any]]:
        """All fixtures of a tournament, voided ones included, in order of play."""
        return self._rows(
            "SELECT * FROM fixtures WHERE tournament_id = ? ORDER BY position, replay",
            tournament_id,
        )

    def games(self, fixture_id: str) -> list[dict[str, Any]]:
        """The finished games of a fixture in order."""
        return self._rows("SELECT * FROM games WHERE fixture_id = ? ORDER BY number", fixture_id)

    def hands(self, fixture_id: str) -> list[dict[str, Any]]:
        """The finished hands of a fixture in order."""
        return self._rows(HANDS_OF, fixture_id)

    def faults(self, fixture_id: str) -> list[RawRow]:
        """The faults of a fixture in order, without the excerpts of what bots answered."""
        return sealed_faults(self._rows(FAULTS_OF, fixture_id))

    def times(self, tournament_id: str) -> list[dict[str, Any]]:
        """The time books of a tournament's entrants."""
        return self._rows(
            "SELECT * FROM overheads WHERE tournament_id = ? ORDER BY entrant", tournament_id
        )

    def enter(self, table: str, rows: Iterable[Mapping[str, Any]]) -> None:
        """Insert rows by the table's own column names: those of the rows are not trusted.

        :raises sqlite3.Error: a row does not fit the table.
        """
        assert table in TABLES
        columns = [column["name"] for column in self._store.query(f"PRAGMA table_info({table})")]
        marks = ", ".join("?" * len(columns))
        statement = f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks})"
        with self._store.transaction() as conn:
            for row in rows:
                conn.execute(statement, [row.get(column) for column in columns])

    def _rows(self, sql: str, id: str) -> list[dict[str, Any]]:
        return [
            {name: value for name, value in dict(row).items() if name not in HIDDEN}
            for row in self._store.query(sql, [id])
        ]
