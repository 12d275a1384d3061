"""Fixtures and games in the database."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import orjson

from arena.errors import StoreError
from arena.fixture import Fixture, FixtureKey, FixtureResult
from arena.referee.verdicts import Termination
from arena.store.clock import now
from arena.store.digest import seal_fixture
from arena.store.rows import FixtureRow, FixtureStatus, GameRow, RawRow, decoding
from arena.store.tournaments import touch

if TYPE_CHECKING:
    from arena.store.store import Store

_BY_SEAT = ("games_won", "points", "hands_won", "hand_diffs", "forfeited", "places")

_NOT_OVER = (
    "AND NOT EXISTS (SELECT 1 FROM tournaments WHERE tournaments.id = tournament_id"
    " AND state IN ('finished', 'cancelled'))"
)
"""Only where the tournament goes on. Looked at in the statement that changes a fixture, so that a
cancellation by another process lies before or after it, never between."""


def _touch_of(conn: sqlite3.Connection, id: str) -> None:
    """Tell the pages that something of this fixture's tournament changed."""
    conn.execute(
        "UPDATE tournaments SET revision = revision + 1"
        " WHERE id = (SELECT tournament_id FROM fixtures WHERE id = ?)",
        [id],
    )


def _text(values: Sequence[int]) -> str:
    return orjson.dumps(list(values)).decode()


def read_fixture(row: sqlite3.Row | RawRow) -> FixtureRow:
    """A row of the table as a value."""
    values: dict[str, Any] = dict(row)
    values.pop("serial", None)
    with decoding(f"match {values.get('id')}"):
        values["key"] = FixtureKey(
            values.pop("stage"), values.pop("round"), values.pop("slot"), values.pop("half")
        )
        values["status"] = FixtureStatus(values["status"])
        values["seats"] = tuple(orjson.loads(values["seats"]))
        for name in _BY_SEAT:
            values[name] = tuple(orjson.loads(values[name] or "[]"))
        for name in ("games_drawn", "hands"):
            values[name] = values[name] or 0
        return FixtureRow(**values)


def read_game(row: sqlite3.Row | RawRow) -> GameRow:
    """A row of the games table as a value."""
    values: dict[str, Any] = dict(row)
    with decoding(f"game {values.get('number')} of match {values.get('fixture_id')}"):
        for name in ("points", "totals"):
            values[name] = tuple(orjson.loads(values[name]))
        return GameRow(**values)


class Fixtures:
    """Reads and writes of fixtures and their games."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def add(
        self, tournament_id: str, id: str, fixture: Fixture, *, position: int, replay: int = 0
    ) -> None:
        """Schedule a fixture at this place in the order of play; a bye is final at once.

        One that is scheduled already is left as it is.

        :raises StoreError: its place, or its id, belongs to another match.
        """
        bye = len(fixture.seats) == 1
        key = fixture.key
        with self._store.transaction() as conn:
            added = conn.execute(
                "INSERT INTO fixtures (id, tournament_id, position, stage, round, slot,"
                " half, replay, label, seats, deal_key, games, wins_needed, status, winner,"
                " termination, finished_at)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
                " ON CONFLICT DO NOTHING",
                [id, tournament_id, position, key.stage, key.round, key.slot, key.half,
                 replay, fixture.label, _text(fixture.seats), fixture.deal_key, fixture.games,
                 fixture.wins_needed, FixtureStatus.BYE if bye else FixtureStatus.PENDING,
                 fixture.seats[0] if bye else None, Termination.BYE if bye else None,
                 now() if bye else None],
            )  # fmt: skip
            if not added.rowcount:
                self._require_same(id, tournament_id, fixture)
            elif bye:
                seal_fixture(conn, id)
            touch(conn, tournament_id)

    def _require_same(self, id: str, tournament_id: str, fixture: Fixture) -> None:
        """A match that is there already must be the one that was to be added."""
        known = self.get(id)
        if known is None or (known.tournament_id, known.key) != (tournament_id, fixture.key):
            raise StoreError(
                f"match {id!r} cannot be scheduled: another has its id, or its place "
                f"{' '.join(map(str, fixture.key))} in the tournament {tournament_id!r}"
            )

    def get(self, id: str) -> FixtureRow | None:
        """The fixture with this id."""
        row = self._store.query_one("SELECT * FROM fixtures WHERE id = ?", [id])
        return read_fixture(row) if row else None

    def status(self, id: str) -> FixtureStatus | None:
        """Where a fixture is in its life, None if there is none."""
        row = self._store.query_one("SELECT status FROM fixtures WHERE id = ?", [id])
        return FixtureStatus(row["status"]) if row else None

    def statuses(self, tournament_id: str, since: int = 0) -> dict[str, FixtureStatus]:
        """Where each fixture of a tournament from a position on is, by id, voided ones left out."""
        rows = self._store.query(
            "SELECT id, status FROM fixtures WHERE tournament_id = ?"
            " AND status IN ('pending', 'playing', 'finished', 'bye') AND position >= ?",
            [tournament_id, since],
        )
        return {row["id"]: FixtureStatus(row["status"]) for row in rows}

    def of(self, tournament_id: str, *, void: bool = False, since: int = 0) -> list[FixtureRow]:
        """A tournament's fixtures in order of play, voided ones only when asked for; from a
        position on."""
        rows = self._store.query(
            "SELECT * FROM fixtures WHERE tournament_id = ? AND (status <> 'void' OR ?)"
            " AND position >= ? ORDER BY position",
            [tournament_id, void, since],
        )
        return [read_fixture(row) for row in rows]

    def played(self, bot: str | None = None, tournament_id: str | None = None) -> list[str]:
        """The ids of the matches that have begun, newest first; of the bot of this name, or of one
        tournament, only. Voided ones are left out."""
        rows = self._store.query(
            "SELECT f.id FROM fixtures f WHERE f.status IN ('playing', 'finished')"
            " AND (:tournament IS NULL OR f.tournament_id = :tournament)"
            " AND (:bot IS NULL OR EXISTS (SELECT 1 FROM json_each(f.seats) s JOIN entrants e"
            " ON e.tournament_id = f.tournament_id AND e.number = s.value WHERE e.name = :bot))"
            " ORDER BY f.started_at DESC, f.serial DESC",
            {"bot": bot, "tournament": tournament_id},
        )
        return [row["id"] for row in rows]

    def open_of(self, tournament_id: str) -> list[FixtureRow]:
        """A tournament's fixtures that are still to be played, in order of play."""
        rows = self._store.query(
            "SELECT * FROM fixtures WHERE tournament_id = ? AND status IN ('pending', 'playing')"
            " ORDER BY position",
            [tournament_id],
        )
        return [read_fixture(row) for row in rows]

    def sharing_deals(self, row: FixtureRow) -> list[FixtureRow]:
        """This fixture and all that are or were played with its deals, or with new ones in their
        place: the halves of its pair, the seat orders of its table, and what was voided of them."""
        rows = self._store.query(
            "SELECT * FROM fixtures WHERE tournament_id = ? AND deal_key = ?"
            " ORDER BY position, replay",
            [row.tournament_id, row.deal_key],
        )
        return [read_fixture(row) for row in rows]

    def count(self, tournament_id: str, status: FixtureStatus) -> int:
        """How many fixtures of a tournament are there."""
        row = self._store.query_one(
            "SELECT count(*) FROM fixtures WHERE tournament_id = ? AND status = ?",
            [tournament_id, status],
        )
        assert row is not None
        return int(row[0])

    def begins(self, tournament_id: str, rounds: int) -> int:
        """The position of the first fixture of the round so many before the latest."""
        row = self._store.query_one(
            "SELECT coalesce(min(position), 0) FROM fixtures WHERE tournament_id = :id AND round >="
            " (SELECT max(round) FROM fixtures WHERE tournament_id = :id) - :rounds",
            {"id": tournament_id, "rounds": rounds},
        )
        assert row is not None
        return int(row[0])

    def start(self, id: str) -> bool:
        """Mark a fixture as being played, if it is open and its tournament is running.

        False, and nothing is changed, if not: it has a result, is void, or the tournament was
        paused or ended meanwhile.
        """
        with self._store.transaction() as conn:
            done = conn.execute(
                "UPDATE fixtures SET status = 'playing', started_at = coalesce(started_at, ?)"
                " WHERE id = ? AND status IN ('pending', 'playing') AND 'running' ="
                " (SELECT state FROM tournaments WHERE tournaments.id = tournament_id)",
                [now(), id],
            )
            if done.rowcount == 1:
                _touch_of(conn, id)
            return done.rowcount == 1

    def is_open(self, id: str) -> bool:
        """Whether what is played of this fixture still counts."""
        row = self._store.query_one(
            f"SELECT 1 FROM fixtures WHERE id = ? AND status IN ('pending', 'playing') {_NOT_OVER}",
            [id],
        )
        return row is not None

    def add_game(self, game: GameRow) -> None:
        """Store a finished game; storing it again changes nothing.

        :raises StoreError: there is no such match.
        """
        with self._store.transaction() as conn:
            try:
                added = conn.execute(
                    "INSERT INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
                    " ON CONFLICT (fixture_id, number) DO NOTHING",
                    [game.fixture_id, game.number, game.winner, _text(game.points),
                     _text(game.totals), game.hands, game.termination, game.sentence],
                )  # fmt: skip
            except sqlite3.IntegrityError as error:
                raise StoreError(
                    f"game {game.number} cannot be stored: this database has no match "
                    f"{game.fixture_id!r}"
                ) from error
            if added.rowcount == 1:
                _touch_of(conn, game.fixture_id)

    def finish(self, id: str, result: FixtureResult, sentence: str) -> bool:
        """Store a result with all that follows from it.

        False, and nothing is changed, when it was stored before, when the fixture is void, or when
        the tournament is over: its secret is public then.
        """
        with self._store.transaction() as conn:
            done = conn.execute(
                "UPDATE fixtures SET status = 'finished', winner = ?, games_won = ?,"
                " games_drawn = ?, points = ?, hands = ?, hands_won = ?, hand_diffs = ?,"
                " forfeited = ?, places = ?, termination = ?, sentence = ?, finished_at = ?,"
                " faults = (SELECT count(*) FROM faults WHERE fixture_id = fixtures.id)"
                f" WHERE id = ? AND status IN ('pending', 'playing') {_NOT_OVER}",
                [result.winner, _text(result.games_won), result.games_drawn, _text(result.points),
                 result.hands, _text(result.hands_won), _text(result.hand_diffs),
                 _text(result.forfeited), _text(result.places), result.termination,
                 sentence, now(), id],
            )  # fmt: skip
            if done.rowcount == 1:
                _touch_of(conn, id)
                seal_fixture(conn, id)
            return done.rowcount == 1

    def void(self, id: str) -> None:
        """Take a fixture out of every count; it stays visible as void."""
        with self._store.transaction() as conn:
            conn.execute("UPDATE fixtures SET status = 'void' WHERE id = ?", [id])
            _touch_of(conn, id)

    def deals_are_open(self, row: FixtureRow) -> bool:
        """Whether the cards of this fixture's hands may be shown to everybody.

        Not while a fixture with the same deals may still be played: whoever saw them could play it
        with open cards. What was void is played again with other deals.
        """
        found = self._store.query_one(
            "SELECT 1 FROM fixtures JOIN tournaments ON tournaments.id = tournament_id"
            " WHERE tournament_id = ? AND deal_key = ? AND replay = ? AND fixtures.id <> ?"
            " AND status IN ('pending', 'playing')"
            " AND state NOT IN ('finished', 'cancelled') LIMIT 1",
            [row.tournament_id, row.deal_key, row.replay, row.id],
        )
        return found is None

    def games(self, id: str) -> list[GameRow]:
        """The finished games of a fixture in order."""
        rows = self._store.query("SELECT * FROM games WHERE fixture_id = ? ORDER BY number", [id])
        return [read_game(row) for row in rows]
