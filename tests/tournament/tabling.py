"""Four entrants and their table, for tests of tables."""

from __future__ import annotations

from arena.tournament.model import FixtureResult
from arena.tournament.ranking.standings import (
    Row,
    TableRules,
    standings,
)

SECRET = bytes(32)
NAMES = {0: "ann", 1: "bob", 2: "cid", 3: "dot"}
A, B, C, D = range(4)
RULES = TableRules()


def table(results: list[FixtureResult], **more: object) -> tuple[Row, ...]:
    """The table of the four under the league rules."""
    return standings(NAMES, results, RULES, SECRET, **more)  # type: ignore[arg-type]


def order(rows: tuple[Row, ...]) -> list[int]:
    """Entrants from first to last."""
    return [row.entrant for row in rows]
