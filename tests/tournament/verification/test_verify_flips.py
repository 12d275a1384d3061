"""One changed byte anywhere in what was stored or exported is found, and named in a sentence."""

from __future__ import annotations

import random
import shutil
import sqlite3
import zipfile
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from arena.cli import cli
from arena.errors import ArenaError, UsageError
from arena.export import export
from arena.store import Store
from arena.store.rows import FixtureStatus, TournamentState
from arena.tournament import lifecycle
from arena.tournament.dossier import StoredDossier
from tests.tournament.functions import After, enter, failing, knocker, play

FLIPS = 500
RAW_FLIPS = 150
SWAPS = 240
PLAYERS = [knocker(), knocker(10), failing(9), knocker(30), knocker(50)]
COLUMNS = {
    "tournaments": "id name state format variant config secret commitment created_at started_at "
    "finished_at digest",
    "entrants": "number seeding name state",
    "fixtures": "id position stage round slot half replay label seats deal_key games wins_needed "
    "status winner games_won games_drawn points hands hands_won hand_diffs forfeited termination "
    "sentence started_at finished_at digest",
    "games": "fixture_id number winner points totals hands termination sentence",
    "hands": "fixture game number record ending winner points times books",
    "faults": "fixture_id game hand turn entrant code detail elapsed_ms",
    "overheads": "entrant decisions bot_ms arena_ms",
}
KEYS = {
    "tournaments": "rowid",
    "entrants": "number",
    "fixtures": "rowid",
    "games": "fixture_id || number",
    "hands": "rowid",
    "faults": "id",
    "overheads": "entrant",
}
WHOLES = {
    "entrants": "name seeding state",
    "fixtures": "label seats deal_key games wins_needed status winner games_won games_drawn points "
    "hands hands_won hand_diffs forfeited termination sentence started_at finished_at digest",
    "games": "winner points totals hands termination sentence",
    "hands": "record ending winner points times books",
    "faults": "game hand turn entrant code detail elapsed_ms",
    "overheads": "decisions bot_ms arena_ms",
}
"""What can be exchanged between two rows of a table, each keeping its place."""


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished bracket with byes, faults and a void match, as a database and as an archive."""
    folder = tmp_path_factory.mktemp("played")
    with Store(folder / "arena.db") as store:
        row = enter(store, len(PLAYERS), "single_elimination")
        last_but_one = len(PLAYERS) - 1
        pause = After(last_but_one, lambda: lifecycle.pause(store, row))
        assert play(store, row, PLAYERS, reporter=pause) is TournamentState.PAUSED
        final = [f for f in store.fixtures.of(row.id) if f.status is FixtureStatus.FINISHED][-1]
        lifecycle.void(store, final.id)
        play(store, lifecycle.reopen(store, row), PLAYERS)
        export(store, store.tournaments.get(row.id), folder / "arena.zip")
        statuses = [f.status for f in store.fixtures.of(row.id, void=True)]
        assert {FixtureStatus.BYE, FixtureStatus.VOID, FixtureStatus.FINISHED} == set(statuses)
        assert sum(store.hands.fault_counts(row.id).values()) > 0
    assert verify(folder / "arena.db")[0] == verify(folder / "arena.zip")[0] == 0
    return folder


def verify(path: Path) -> tuple[int, str]:
    """Exit code of ``arena verify`` and what it printed; anything but a sentence fails."""
    result = CliRunner().invoke(cli, ["verify", str(path)])
    error = result.exception
    if isinstance(error, UsageError):
        return 2, str(error)
    if error is not None and not isinstance(error, SystemExit):
        raise AssertionError(f"verify failed on {path}") from error
    return result.exit_code, result.output


def flipped(chance: random.Random, value: object) -> object:
    """The value with one byte changed: a text as the bytes it is stored as."""
    if isinstance(value, int):
        return value ^ (1 << chance.randrange(8))
    if isinstance(value, float):
        return float(int(value) ^ (1 << chance.randrange(8)))
    assert isinstance(value, str)
    return flip(chance, value.encode())


def flip(chance: random.Random, data: bytes) -> bytes:
    """The bytes with one of them changed."""
    at = chance.randrange(len(data))
    return data[:at] + bytes([data[at] ^ chance.randrange(1, 256)]) + data[at + 1 :]


def cells(conn: sqlite3.Connection) -> dict[str, list[tuple[int | str, str]]]:
    """Every stored value that is covered, by table: key of the row, column."""
    return {
        table: [
            (row[0], column)
            for column in columns.split()
            for row in conn.execute(
                f"SELECT {KEYS[table]} FROM {table} WHERE {column} IS NOT NULL AND {column} <> ''"
            )
        ]
        for table, columns in COLUMNS.items()
    }


def test_every_flipped_byte_in_the_database_is_found_and_named(
    played: Path, tmp_path: Path
) -> None:
    """Records, games, results, the tournament's row and its entrants: nothing is left out."""
    chance = random.Random(11)
    path = tmp_path / "flipped.db"
    shutil.copy(played / "arena.db", path)
    with closing(sqlite3.connect(path, isolation_level=None)) as conn:
        conn.execute("PRAGMA synchronous = OFF")
        conn.execute("ATTACH ? AS whole", [str(played / "arena.db")])
        everything = cells(conn)
        overlooked, unnamed = [], []
        for number in range(FLIPS):
            table = list(COLUMNS)[number % len(COLUMNS)]
            row, column = chance.choice(everything[table])
            where = f"{table} WHERE {KEYS[table]} = ?"
            (old,) = conn.execute(f"SELECT {column} FROM {where}", [row]).fetchone()
            new = flipped(chance, old)
            change = f"UPDATE {table} SET {column} = {{}} WHERE {KEYS[table]} = ?"
            try:
                conn.execute(
                    change.format("CAST(? AS TEXT)" if str(old) == old else "?"), [new, row]
                )
            except sqlite3.IntegrityError:
                continue
            code, text = verify(path)
            if code == 0:
                overlooked.append((table, column, old, new))
            elif len(text) < 30 or (column == "record" and "m_" not in text):
                unnamed.append((table, column, text))
            conn.execute(f"DELETE FROM {table}")
            conn.execute(f"INSERT INTO {table} SELECT * FROM whole.{table}")

    assert overlooked == []
    assert unnamed == []


def test_every_exchange_between_two_rows_is_found(played: Path, tmp_path: Path) -> None:
    """Seats, winners, records, digests or names that are right by themselves, in the wrong row;
    single values and all that two rows hold."""
    chance = random.Random(15)
    path = tmp_path / "swapped.db"
    shutil.copy(played / "arena.db", path)
    overlooked, tried = [], dict.fromkeys(WHOLES, 0)
    with closing(sqlite3.connect(path, isolation_level=None)) as conn:
        conn.execute("PRAGMA synchronous = OFF")
        conn.execute("ATTACH ? AS whole", [str(played / "arena.db")])
        while min(tried.values()) < SWAPS // len(WHOLES):
            table = min(tried, key=lambda name: tried[name])
            columns = WHOLES[table].split()
            if chance.random() < 0.7:
                columns = [chance.choice(COLUMNS[table].split())]
            key, names = KEYS[table], ", ".join(columns)
            rows = conn.execute(f"SELECT {key}, {names} FROM {table}").fetchall()
            one, other = chance.sample(rows, 2)
            if one[1:] == other[1:]:
                continue
            marks = ", ".join("?" * len(columns))
            try:
                for row, values in ((one, other), (other, one)):
                    conn.execute(
                        f"UPDATE {table} SET ({names}) = ({marks}) WHERE {key} = ?",
                        [*values[1:], row[0]],
                    )
            except sqlite3.IntegrityError:
                code = 1  # two rows with one name, and so no exchange
            else:
                tried[table] += 1
                code, _ = verify(path)
            if code == 0:
                overlooked.append((table, columns, one, other))
            conn.execute(f"DELETE FROM {table}")
            conn.execute(f"INSERT INTO {table} SELECT * FROM whole.{table}")

    assert overlooked == []
    assert sum(tried.values()) >= SWAPS


def test_every_flipped_byte_in_an_archive_is_found(played: Path, tmp_path: Path) -> None:
    """In the rows, the tables, the texts: the file, or the place in it, is named."""
    chance = random.Random(12)
    with zipfile.ZipFile(played / "arena.zip") as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    path = tmp_path / "flipped.zip"
    overlooked = []
    for number in range(FLIPS):
        name = sorted(parts)[number % len(parts)]
        changed = flip(chance, parts[name])
        with zipfile.ZipFile(path, "w") as archive:
            for each, content in parts.items():
                archive.writestr(each, changed if each == name else content)
        code, text = verify(path)
        if code == 0 or len(text) < 30:
            overlooked.append((name, text))

    assert overlooked == []


def test_archive_damaged_as_a_file_is_never_taken_for_whole(played: Path, tmp_path: Path) -> None:
    """Any byte of the ZIP file: either a sentence, or all contents are as they were."""
    chance = random.Random(13)
    whole = (played / "arena.zip").read_bytes()
    path = tmp_path / "flipped.zip"
    found = 0
    for _ in range(RAW_FLIPS):
        path.write_bytes(flip(chance, whole))
        code, text = verify(path)
        found += code != 0
        assert code == 0 or len(text) > 30
        if code == 0:
            with zipfile.ZipFile(path) as archive, zipfile.ZipFile(played / "arena.zip") as old:
                for name in old.namelist():
                    assert archive.read(name) == old.read(name)

    assert found > RAW_FLIPS // 2


def test_database_damaged_as_a_file_is_never_taken_for_whole(played: Path, tmp_path: Path) -> None:
    """Any byte of the SQLite file: either a sentence, or every row is as it was."""
    chance = random.Random(14)
    whole = (played / "arena.db").read_bytes()
    path = tmp_path / "flipped.db"
    rows = everything(played / "arena.db")
    found = 0
    for _ in range(RAW_FLIPS):
        path.write_bytes(flip(chance, whole))
        code, text = verify(path)
        found += code != 0
        assert code == 0 or len(text) > 30
        if code == 0:
            assert everything(path) == rows

    # Of so small a file most bytes are empty parts of pages, which nobody misses.
    assert found > RAW_FLIPS // 20


def everything(path: Path) -> list[object]:
    """All rows of the tournament that verification answers for."""
    with Store(path, read_only=True) as store:
        (id,) = store.tournaments.titles()
        dossier = StoredDossier(store, id)
        row = {key: value for key, value in dossier.tournament.items() if key != "revision"}
        return [row, dossier.entrants, list(dossier.played()), dossier.times]


def test_damaged_database_gives_every_command_a_sentence(played: Path, tmp_path: Path) -> None:
    """A page full of noise is an error for those who read it, never a traceback."""
    data = bytearray((played / "arena.db").read_bytes())
    for at in range(4096, len(data), 8192):
        data[at : at + 400] = bytes(400)
    path = tmp_path / "damaged.db"
    path.write_bytes(data)
    for command in ("verify", "standings", "export", "resume"):
        arguments = [str(path)] if command == "verify" else ["--db", str(path)]
        result = CliRunner().invoke(cli, [command, *arguments])
        assert result.exit_code != 0 or command != "verify"
        assert isinstance(result.exception, ArenaError | SystemExit | None), command
