"""Read queries that only pages ask: overviews over several tournaments, one bot's record."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import orjson

from arena.store.digits import read_digits
from arena.store.fixtures import read_fixture
from arena.store.rows import FaultRow, FixtureRow

if TYPE_CHECKING:
    from arena.store.store import Store


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a tournament is. Counts are fixtures; byes and voided ones are left out.

    ``as_of``: when the newest of them began or ended.
    """

    pending: int = 0
    playing: int = 0
    finished: int = 0
    hands: int = 0
    as_of: str | None = None


@dataclass(frozen=True, slots=True)
class Entry:
    """One bot version's part in one tournament."""

    tournament_id: str
    number: int
    name: str
    state: str
    bot_id: int
    version: int


class HandFacts(NamedTuple):
    """What is known of a finished hand without its cards. ``winner`` and ``game_winner`` are seats,
    ``points`` by position of the hand; ``decisions``: how many were made."""

    fixture_id: str
    game: int
    number: int
    ending: str
    winner: int | None
    points: tuple[int, ...]
    decisions: int
    game_winner: int | None


class Pages:
    """Queries over a store that is open for reading."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def hand_facts(self, tournament_id: str, first: int = 0) -> list[HandFacts]:
        """The finished hands of a tournament, match by match in order; ``first``: from the match
        with this position in the order of play on."""
        rows = self._store.query(
            "SELECT f.id, h.game, h.number, h.ending, h.winner, h.points, h.times, g.winner"
            " FROM fixtures f JOIN hands h ON h.fixture = f.serial"
            " LEFT JOIN games g ON g.fixture_id = f.id AND g.number = h.game"
            " WHERE f.tournament_id = ? AND f.position >= ?"
            " ORDER BY f.serial, h.game, h.number",
            [tournament_id, first],
        )
        return [
            HandFacts(
                fixture_id=row[0],
                game=row[1],
                number=row[2],
                ending=row[3],
                winner=row[4],
                points=tuple(orjson.loads(row[5])),
                decisions=len(read_digits(row[6])),
                game_winner=row[7],
            )
            for row in rows
        ]

    def last_begun(self, tournament_id: str) -> int:
        """The last position in the order of play whose match has begun, -1 before the first."""
        (row,) = self._store.query(
            "SELECT max((SELECT coalesce(max(position), -1) FROM fixtures"
            " WHERE tournament_id = :tournament AND status = 'playing'),"
            " (SELECT coalesce(max(position), -1) FROM fixtures"
            " WHERE tournament_id = :tournament AND status = 'finished'))",
            {"tournament": tournament_id},
        )
        return int(row[0])

    def fixtures_at(self, tournament_id: str, positions: Sequence[int]) -> list[FixtureRow]:
        """A tournament's fixtures at these positions that have begun, voided ones left out."""
        rows = self._store.query(
            "SELECT f.* FROM json_each(?) CROSS JOIN fixtures f ON f.tournament_id = ?"
            " AND f.status IN ('playing', 'finished') AND f.position = json_each.value",
            [orjson.dumps(sorted(set(positions))).decode(), tournament_id],
        )
        return [read_fixture(row) for row in rows]

    def fixture_counts(self, tournament_id: str) -> tuple[int, int]:
        """How many fixtures a tournament has, and how many of them are void."""
        (row,) = self._store.query(
            "SELECT count(*), coalesce(sum(status = 'void'), 0) FROM fixtures"
            " WHERE tournament_id = ?",
            [tournament_id],
        )
        return row[0], row[1]

    def entrant_counts(self) -> dict[str, int]:
        """The number of entrants by tournament id."""
        rows = self._store.query(
            "SELECT tournament_id, count(*) FROM entrants GROUP BY tournament_id"
        )
        return {row[0]: row[1] for row in rows}

    def revisions(self) -> dict[str, int]:
        """The revision of each tournament by slug."""
        return dict(map(tuple, self._store.query("SELECT slug, revision FROM tournaments")))

    def stamp(self) -> str:
        """A text that changes with every change that any page could show."""
        (row,) = self._store.query(
            "SELECT (SELECT count(*) || '-' || coalesce(sum(revision), 0) || '-'"
            " || coalesce(group_concat(state, ''), '') FROM tournaments) || '-'"
            " || (SELECT count(*) || coalesce(group_concat(substr(state, 1, 1), ''), '') FROM bots)"
            " || '-' || (SELECT count(*) FROM bot_versions)"
        )
        return str(row[0])

    def bots_stamp(self) -> str:
        """A text that changes with everything that is shown of any bot."""
        (row,) = self._store.query(
            "SELECT group_concat(b.id || b.name || b.state || coalesce(b.homepage, '') || ' '"
            " || coalesce(b.author, '') || v.number || v.info, ' ')"
            " FROM bots b JOIN bot_versions v ON v.bot_id = b.id"
        )
        return str(row[0])

    def variants(self) -> list[str]:
        """The games of tournaments that have begun, the most played first."""
        rows = self._store.query(
            "SELECT variant FROM tournaments WHERE started_at IS NOT NULL"
            " GROUP BY variant ORDER BY sum(revision) DESC, variant"
        )
        return [row[0] for row in rows]

    def variant_stamp(self, variant: str) -> str:
        """A text that changes with every result of a game."""
        (row,) = self._store.query(
            "SELECT count(*) || '-' || coalesce(sum(revision), 0) FROM tournaments"
            " WHERE variant = ?",
            [variant],
        )
        return str(row[0])

    def variant_matches(self, variant: str) -> int:
        """How many matches of a game there are in all tournaments."""
        (row,) = self._store.query(
            "SELECT count(*) FROM tournaments t JOIN fixtures f ON f.tournament_id = t.id"
            " WHERE t.variant = ?",
            [variant],
        )
        return int(row[0])

    def versions(self, tournament_id: str) -> dict[int, Entry]:
        """The bot behind each entrant of a tournament."""
        return {entry.number: entry for entry in self._entries("tournament_id = ?", tournament_id)}

    def entries(self, bot_id: int) -> list[Entry]:
        """Every tournament that any version of a bot entered, newest first."""
        return self._entries("v.bot_id = ?", bot_id)

    def entry_counts(self) -> dict[int, int]:
        """In how many tournaments each bot took part."""
        rows = self._store.query(
            "SELECT v.bot_id, count(DISTINCT e.tournament_id) FROM entrants e"
            " JOIN bot_versions v ON v.id = e.bot_version_id GROUP BY v.bot_id"
        )
        return {row[0]: row[1] for row in rows}

    def faults_of(self, bot_id: int, limit: int) -> list[tuple[str, FaultRow]]:
        """The last faults of a bot, newest first, each with its tournament's id."""
        rows = self._store.query(
            "SELECT f.tournament_id, x.fixture_id, x.game, x.hand, x.turn, x.entrant, x.code,"
            " x.detail, x.elapsed_ms FROM faults x JOIN fixtures f ON f.id = x.fixture_id"
            " JOIN entrants e ON e.tournament_id = f.tournament_id AND e.number = x.entrant"
            " JOIN bot_versions v ON v.id = e.bot_version_id"
            " WHERE v.bot_id = ? ORDER BY x.id DESC LIMIT ?",
            [bot_id, limit],
        )
        return [(row[0], FaultRow(*row[1:])) for row in rows]

    def fault_counts_of(self, bot_id: int) -> list[tuple[str, int]]:
        """How often each fault happened to a bot, the commonest first."""
        rows = self._store.query(
            "SELECT x.code, count(*) FROM faults x CROSS JOIN fixtures f ON f.id = x.fixture_id"
            " CROSS JOIN entrants e ON e.tournament_id = f.tournament_id AND e.number = x.entrant"
            " CROSS JOIN bot_versions v ON v.id = e.bot_version_id"
            " WHERE v.bot_id = ? GROUP BY x.code ORDER BY 2 DESC, 1",
            [bot_id],
        )
        return [(row[0], row[1]) for row in rows]

    def _entries(self, where: str, value: str | int) -> list[Entry]:
        rows = self._store.query(
            "SELECT e.tournament_id, e.number, e.name, e.state, v.bot_id, v.number FROM entrants e"
            " JOIN bot_versions v ON v.id = e.bot_version_id"
            f" JOIN tournaments t ON t.id = e.tournament_id WHERE {where}"
            " ORDER BY t.created_at DESC, t.rowid DESC, e.number",
            [value],
        )
        return [Entry(*row) for row in rows]

    def hand_keys(self, fixture_id: str) -> list[tuple[int, int]]:
        """(game, number) of each finished hand of a fixture, in order."""
        rows = self._store.query(
            "SELECT game, number FROM hands WHERE fixture ="
            " (SELECT serial FROM fixtures WHERE id = ?) ORDER BY game, number",
            [fixture_id],
        )
        return [(row[0], row[1]) for row in rows]
