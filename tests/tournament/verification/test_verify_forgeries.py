"""Verification refuses what was made up, even by somebody who renews the digests."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import replace

import orjson
import pytest

from arena.config import TournamentConfig
from arena.errors import DamagedError
from arena.export import export
from arena.referee.ids import fixture_id
from arena.store import Store
from arena.store.digest import seal_fixture, seal_tournament
from arena.store.rows import FixtureStatus, TournamentRow, TournamentState
from arena.tournament import lifecycle
from arena.tournament.dossier import StoredDossier
from arena.tournament.formats.format import Format
from arena.tournament.formats.registry import FORMATS
from arena.tournament.match import forfeit_result, left_sentence
from arena.tournament.model import Fixture, FormatOptions, Left, Results
from arena.tournament.playing.runner import Runner
from arena.tournament.results import standings_of, stored_results
from arena.tournament.verification.mismatch import Mismatch
from arena.tournament.verification.verify import verify
from tests.tournament.functions import After, answering, enter, play
from tests.tournament.verifying import PLAYERS, part_of, played, reread, whole_check

FORGERIES: dict[str, tuple[str, str]] = {
    "a result": (
        "UPDATE fixtures SET winner = 1 - winner WHERE rowid = (SELECT min(rowid) FROM fixtures"
        " WHERE seats = '[0,1]' AND winner IS NOT NULL)",
        "result: the winner is stored as",
    ),
    "a hand's points": (
        "UPDATE hands SET points = '[500,0]' WHERE rowid = 3",
        "the points is stored as",
    ),
    "a game": ("UPDATE games SET totals = '[900,0]' WHERE number = 1", "the totals"),
    "a missing hand": (
        "DELETE FROM hands WHERE rowid = (SELECT max(rowid) FROM hands)",
        "1 games are stored, but its hands make 0",
    ),
    "a missing match": (
        "DELETE FROM fixtures WHERE rowid = (SELECT max(rowid) FROM fixtures)",
        r"the match 'Round \d, seats swapped' is missing",
    ),
    "a void match": (
        "UPDATE fixtures SET status = 'void' WHERE rowid = 3",
        "it is void, but has not been played again",
    ),
    "a void bye": (
        "UPDATE fixtures SET status = 'void' WHERE status = 'bye' AND round = 1",
        "it is void with seats",
    ),
    "a bye's points": (
        "UPDATE fixtures SET points = '[500]' WHERE status = 'bye'",
        r"result: the points is stored as \(500,\), but \(0,\) is right",
    ),
    "a name": ("UPDATE entrants SET name = 'Champion' WHERE number = 2", "the bot of Champion"),
    "a name and its bot's": (
        "UPDATE entrants SET name = 'Champion', bot_version_id = (SELECT bot_version_id FROM"
        " entrants WHERE number = 1) WHERE number = 2",
        "the bot of Champion is stored as",
    ),
    "another's results": (
        "UPDATE entrants SET bot_version_id = 3 - bot_version_id WHERE number < 2",
        "the bot of .* is stored as",
    ),
    "a note after the end": (
        "UPDATE hands SET notes = '[[9999,\"hello\"]]' WHERE rowid = 1",
        "a note is to turn 9999, but there are",
    ),
    "a seeding": ("UPDATE entrants SET seeding = 6 - seeding", "the seats is stored as"),
    "a fault more": (
        "INSERT INTO faults (fixture_id, game, hand, turn, entrant, code, detail, elapsed_ms)"
        " SELECT fixture_id, game, hand, turn + 1, entrant, 'illegal', 'forged', 1 FROM faults"
        " WHERE id = 1",
        r"the fault \(game, hand, turn, code, entrant\) is stored as",
    ),
    "a fault where nobody played": (
        "INSERT INTO faults (fixture_id, game, hand, turn, entrant, code, detail, elapsed_ms)"
        " SELECT id, 1, 1, 0, 0, 'illegal', 'forged', 1 FROM fixtures WHERE status = 'bye'",
        r"the fault .* is stored as \(1, 1, 0, 'illegal', 0\), but None is right",
    ),
    "a fault fewer": ("DELETE FROM faults WHERE id = 2", r"the fault .* but \(1, .* is right"),
    "somebody else's fault": (
        "UPDATE faults SET entrant = entrant + 1 WHERE id = 1",
        r"the fault .* is stored as",
    ),
    "a time book": ("UPDATE overheads SET bot_ms = bot_ms + 1", "time books: .*the bot_ms"),
    "a count of decisions": (
        "UPDATE overheads SET decisions = decisions - 1 WHERE entrant = 0",
        "time books: entrant 0: the number of decisions",
    ),
    "a missing time book": ("DELETE FROM overheads WHERE entrant = 3", "the list of entrants"),
    "an open match": ("UPDATE fixtures SET status = 'pending' WHERE rowid = 2", "it is pending"),
}


@pytest.mark.parametrize("forgery", FORGERIES)
def test_forged_rows_are_found_although_the_forger_renewed_the_digests(
    store: Store, forgery: str
) -> None:
    """What follows from the play is computed again; a digest can be made by anybody."""
    row = played(store)
    statement, message = FORGERIES[forgery]
    with store.transaction() as conn:
        conn.execute("PRAGMA defer_foreign_keys = ON")
        conn.execute(statement)
        conn.execute("DELETE FROM hands WHERE fixture NOT IN (SELECT serial FROM fixtures)")
        for table in ("games", "faults"):
            conn.execute(f"DELETE FROM {table} WHERE fixture_id NOT IN (SELECT id FROM fixtures)")
        for fixture in store.fixtures.of(row.id):
            if fixture.status is not FixtureStatus.PENDING:
                seal_fixture(conn, fixture.id)
        seal_tournament(conn, row.id)

    with pytest.raises(Mismatch, match=message):
        verify(StoredDossier(store, row.id))


def test_faults_that_were_changed_where_nothing_follows_from_them_break_the_seal(
    store: Store,
) -> None:
    """Their times and excerpts; the excerpts themselves are in no archive."""
    row = played(store)
    for change in ("detail = 'never said'", "elapsed_ms = elapsed_ms + 1"):
        with store.transaction() as conn:
            conn.execute("CREATE TEMP TABLE kept AS SELECT * FROM faults")
            conn.execute(f"UPDATE faults SET {change} WHERE id = 1")
        with pytest.raises(Mismatch, match=r"digest is not that of its row, .* and faults"):
            verify(StoredDossier(store, row.id))
        with store.transaction() as conn:
            conn.execute("DELETE FROM faults")
            conn.execute("INSERT INTO faults SELECT * FROM kept")
            conn.execute("DROP TABLE kept")

    path = store.path.with_suffix(".zip")
    export(store, row, path)
    assert b"no answer in time" not in part_of(path, "faults.jsonl")
    assert whole_check(path).finished


def others_play(store: Store, row: TournamentRow, found: Fixture, seats: tuple[int, ...]) -> None:
    """Have a match be played by others than the format says, as whoever has the store could."""
    secret = bytes.fromhex(row.secret)
    id = fixture_id(secret, row.id, found.key)
    with store.transaction() as conn:
        # The runner may have stored it before it heard of the pause.
        conn.execute("DELETE FROM fixtures WHERE id = ?", [id])
    position = len(store.fixtures.of(row.id))
    store.fixtures.add(row.id, id, replace(found, seats=seats), position=position)
    lifecycle.reopen(store, reread(store, row))
    play_anyway(store, row, last_round=found.key.round)


def play_anyway(store: Store, row: TournamentRow, last_round: int) -> None:
    """Play what is open, and so many rounds, with a runner that does not look what is there."""
    with answering(PLAYERS) as contacts:
        runner = Runner(store, reread(store, row), contacts)
        runner._agenda._format = Trusting(runner._agenda._format, last_round)  # type: ignore[assignment]
        runner.run()


class Trusting:
    """A format that makes only what there is no match of yet, up to a round."""

    def __init__(self, inner: Format, last_round: int) -> None:
        self.inner = inner
        self.last_round = last_round

    def __getattr__(self, name: str) -> object:
        return getattr(self.inner, name)

    def fixtures(
        self, seeding: Sequence[int], options: FormatOptions, results: Results, left: Left
    ) -> tuple[Fixture, ...]:
        """What is new."""
        latest = max(key.round for key in results)
        made = self.inner.fixtures(seeding, options, results, left)
        return tuple(f for f in made if latest < f.key.round <= self.last_round)


def paused_after(store: Store, matches: int, format: str, players: int) -> TournamentRow:
    """A tournament that was paused after so many results."""
    row = enter(store, players, format, third_place=False)
    pause = After(matches, lambda: lifecycle.pause(store, reread(store, row)))
    play(store, row, PLAYERS[:players], reporter=pause, in_flight=1)
    return reread(store, row)


def test_final_between_the_beaten_is_found(store: Store) -> None:
    """Deals, hands, scores, ids and digests are right; only the entrants are the wrong ones."""
    row = paused_after(store, 2, "single_elimination", 4)
    results = stored_results(store, row.id)
    losers = tuple(e for r in results.values() for e in r.seats if e != r.winner)
    options = TournamentConfig.from_json(row.config).options
    planned = FORMATS["single_elimination"].fixtures(range(4), options, results)
    final = next(fixture for fixture in planned if fixture.label == "Final")
    others_play(store, row, final, losers)
    row = reread(store, row)
    assert row.state is TournamentState.FINISHED

    with pytest.raises(Mismatch, match=r"fixture m_.*: the seats is stored as .* is right"):
        verify(StoredDossier(store, row.id))
    with pytest.raises(DamagedError, match="'Final' was played by others"):
        standings_of(store, row)
    with pytest.raises(DamagedError, match="'Final' was played by others"):
        export(store, row, store.path.with_suffix(".zip"))


def test_runner_does_not_go_on_with_a_bracket_of_the_wrong_entrants(store: Store) -> None:
    """It says what is wrong and publishes nothing."""
    row = paused_after(store, 2, "single_elimination", 4)
    (first, _) = stored_results(store, row.id).values()
    with store.transaction() as conn:
        stranger = min({0, 1, 2, 3} - set(first.seats))
        wrong = orjson.dumps([first.seats[0], stranger]).decode()
        conn.execute("UPDATE fixtures SET seats = ? WHERE position = 0", [wrong])
    lifecycle.reopen(store, reread(store, row))

    with pytest.raises(DamagedError, match="not between those whom the results"):
        play(store, row, PLAYERS[:4])
    assert reread(store, row).state is TournamentState.RUNNING


@pytest.mark.parametrize(("format", "more"), [("ladder", True), ("swiss", False)])
def test_round_of_other_pairings_is_found_long_afterwards(
    store: Store, format: str, more: bool
) -> None:
    """Every round is paired again from the results before it, also in the middle of a ladder."""
    row = paused_after(store, 4, format, 4)
    options = TournamentConfig.from_json(row.config).options
    results = stored_results(store, row.id)
    planned = FORMATS[format].fixtures(range(4), options, results)
    following = [fixture for fixture in planned if fixture.key not in results]
    assert len(following) == 4
    for fixture in following:
        others_play(store, row, fixture, fixture.seats[::-1])
        with store.transaction() as conn:
            conn.execute("UPDATE tournaments SET state = 'paused', digest = NULL")
    lifecycle.reopen(store, reread(store, row))
    play_anyway(store, row, last_round=5)
    assert max(key.round for key in stored_results(store, row.id)) == (5 if more else 2)

    with pytest.raises(Mismatch, match=r"fixture m_.*: the seats is stored as .* is right"):
        verify(StoredDossier(store, row.id))


def fixture_serial(store: Store, id: str) -> int:
    """The number that hands know a match by."""
    row = store.query_one("SELECT serial FROM fixtures WHERE id = ?", [id])
    assert row is not None
    return int(row[0])


def test_forged_walk_over_is_found(store: Store) -> None:
    """Nobody forfeits by leaving who has not left, even if all digests are made anew."""
    row = played(store)
    fixture = next(
        f for f in store.fixtures.of(row.id) if f.status is FixtureStatus.FINISHED and f.hands
    )
    forged = forfeit_result(fixture.fixture, [fixture.seats[0]])
    with store.transaction() as conn:
        conn.execute("UPDATE fixtures SET status = 'playing' WHERE id = ?", [fixture.id])
        conn.execute("UPDATE tournaments SET state = 'running'")
        for table, key in (("hands", fixture_serial(store, fixture.id)), ("games", fixture.id)):
            column = "fixture" if table == "hands" else "fixture_id"
            conn.execute(f"DELETE FROM {table} WHERE {column} = ?", [key])
        conn.execute("DELETE FROM faults WHERE fixture_id = ?", [fixture.id])
        assert store.fixtures.finish(fixture.id, forged, left_sentence(["bot"]))
        conn.execute("UPDATE tournaments SET state = 'finished'")
        seal_tournament(conn, row.id)

    with pytest.raises(Mismatch, match="has not left the tournament"):
        verify(StoredDossier(store, row.id))


def test_foreign_rows_are_found_in_the_file(store: Store) -> None:
    """Damage that the tournament's rows do not show is found all the same."""
    played(store)
    assert store.damage() is None
    other = sqlite3.connect(store.path)
    with other:
        other.execute("UPDATE hands SET fixture = 9999 WHERE rowid = 1")
    other.close()

    assert "belongs to no row of fixtures" in str(store.damage())
