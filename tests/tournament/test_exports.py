"""Tables in an archive: read back value by value, and safe in a spreadsheet."""

from __future__ import annotations

import csv
import io
import json
import re
import zipfile
from pathlib import Path
from typing import Any

import pytest

from arena.config import BotSpec, TournamentConfig
from arena.csvs import RISKY, csv_text
from arena.export import alike, export
from arena.export_games import seats_of
from arena.store import Store
from arena.store.rows import TournamentRow
from arena.tournament.create import create_tournament
from arena.tournament.model import FormatOptions
from arena.tournament.results import standings_json
from tests.tournament.functions import failing, knocker, play

NAMES = ("=1+1", "-dash", "@SUM(A1)", "plain", 'quote " and, comma', "ångström 深紅", "'tick")
DATE = re.compile(r"\d{1,4}[-/:.]\d{1,2}([-/:.]\d{1,4})?")


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The files of an exported group tournament, with byes, faults and awkward names."""
    folder = tmp_path_factory.mktemp("export")
    with Store(folder / "arena.db") as store:
        config = TournamentConfig(
            name="=cmd|' /C calc'!A0",
            format="groups",
            settings={"target": 30},
            options=FormatOptions(games=1),
            bots=tuple(BotSpec(name, "http://127.0.0.1:9") for name in NAMES),
        )
        row = create_tournament(store, config, bytes(32))
        players = [knocker(9 * number) for number in range(len(NAMES) - 1)]
        play(store, row, [*players, failing(5)])
        row = store.tournaments.get(row.id)
        export(store, row, folder / "arena.zip")
        check_against(store, row, folder / "arena.zip")
    return parts(folder / "arena.zip")


def parts(path: Path) -> dict[str, bytes]:
    """What is in an archive."""
    with zipfile.ZipFile(path) as file:
        return {name: file.read(name) for name in file.namelist()}


def lines(content: bytes) -> list[dict[str, Any]]:
    """JSON Lines."""
    return [json.loads(line) for line in content.splitlines()]


def table(content: bytes) -> list[dict[str, str]]:
    """CSV, as a program reads it that knows nothing of the arena."""
    return list(csv.DictReader(io.StringIO(content.decode(), newline="")))


def plain(text: str) -> str:
    """A text without the apostrophe that keeps spreadsheets from running it."""
    bare = text.removeprefix("'")
    return bare if bare != text and bare.lstrip(" \"'").startswith(RISKY) else text


def check_against(store: Store, row: TournamentRow, path: Path) -> None:
    """Every match and hand of the database is in the tables, once, with its values."""
    content = parts(path)
    fixtures = store.fixtures.of(row.id, void=True)
    results = lines(content["results.jsonl"])
    assert [one["match"] for one in results] == [fixture.id for fixture in fixtures]
    for one, fixture in zip(results, fixtures, strict=True):
        assert one["seats"] == [NAMES[entrant] for entrant in fixture.seats]
        assert one["winner"] == (None if fixture.winner is None else NAMES[fixture.winner])
        assert tuple(one["points"]) == fixture.points
        assert tuple(one["hand_diffs"]) == fixture.hand_diffs
        assert one["termination"] == fixture.termination
    stored = [hand for fixture in fixtures for hand in store.hands.of(fixture.id)]
    hands = table(content["hands.csv"])
    assert len(hands) == len(stored) > 20
    for cells, hand in zip(hands, stored, strict=True):
        assert (cells["match"], cells["game"], cells["hand"]) == (
            hand.fixture_id, str(hand.game), str(hand.number),
        )  # fmt: skip
        by_seat = dict(zip(seats_of(hand.record), hand.points, strict=True))
        assert [cells["points_0"], cells["points_1"]] == [str(by_seat[0]), str(by_seat[1])]
        assert cells["decisions"] == str(len(hand.times))
        assert cells["total_ms"] == str(sum(hand.times))
    assert content["hands.txt"].decode().splitlines() == [hand.record for hand in stored]
    assert json.loads(content["standings.json"]) == standings_json(store, row)


def test_standings_say_the_same_as_table_and_as_json(archive: dict[str, bytes]) -> None:
    """Column by column; what is unknown is empty in the one and null in the other."""
    rows = json.loads(archive["standings.json"])["standings"]
    cells = table(archive["standings.csv"])

    assert [plain(row["name"]) for row in cells] == [row["name"] for row in rows]
    assert {row["name"] for row in rows} == set(NAMES)
    for row, line in zip(rows, cells, strict=True):
        assert list(row) == list(line)
        for column, value in row.items():
            if value is None:
                assert line[column] == ""
            elif isinstance(value, int | float):
                assert float(line[column]) == pytest.approx(value)
            else:
                assert plain(line[column]) == str(value)


def test_fixtures_say_the_same_as_table_and_as_lines(archive: dict[str, bytes]) -> None:
    """With a column for each seat, so that no cell holds a list."""
    cells = table(archive["fixtures.csv"])
    results = lines(archive["results.jsonl"])
    assert len(cells) == len(results)
    for line, result in zip(cells, results, strict=True):
        assert plain(line["sentence"]) == (result["sentence"] or "")
        for seat, name in enumerate(result["seats"]):
            assert plain(line[f"seat_{seat}"]) == name
        for column in ("games_won", "points", "hands_won"):
            for seat, value in enumerate(result[column]):
                assert line[f"{column}_{seat}"] == str(value)


def test_crosstable_adds_up(archive: dict[str, bytes]) -> None:
    """What one has won from the other, the other has lost; the table shows the same figures."""
    meetings = {(one["name"], one["opponent"]): one for one in lines(archive["crosstable.jsonl"])}
    cells = {plain(row["name"]): row for row in table(archive["crosstable.csv"])}
    header = next(csv.reader(io.StringIO(archive["crosstable.csv"].decode())))

    assert [plain(name) for name in header[1:]] == list(NAMES)
    for (own, other), meeting in meetings.items():
        assert meeting["net_points"] == -meetings[other, own]["net_points"]
        assert meeting["won"] == meetings[other, own]["lost"]
        shown = cells[own][header[1 + NAMES.index(other)]]
        assert shown == str(meeting["net_points"])


def test_no_cell_is_run_or_read_as_a_date(archive: dict[str, bytes]) -> None:
    """Texts that look like formulas are made plain; scores are numbers of their own."""
    for name in (name for name in archive if name.endswith(".csv")):
        text = archive[name].decode()
        assert "\r\n" in text
        for row in csv.reader(io.StringIO(text, newline="")):
            for cell in row:
                if not re.fullmatch(r"-?\d+(\.\d+)?", cell):
                    assert not cell.startswith(RISKY), (name, cell)
                assert not DATE.fullmatch(cell) or re.fullmatch(r"\d+\.\d+", cell), (name, cell)


def test_apostrophe_can_be_taken_off_again() -> None:
    """No two texts become the same cell."""
    texts = ["=a", "'=a", "''=a", " =a", "' =a", "a", "'a", "-", "'-", "+1", '"=a', "\t=", "＝a"]
    rows = list(csv.reader(io.StringIO(csv_text(["text"], [[text] for text in texts]), newline="")))
    cells = [row[0] for row in rows[1:]]

    assert len(set(cells)) == len(texts)
    assert [plain(cell) for cell in cells] == texts


def test_lines_keep_their_shape(archive: dict[str, bytes]) -> None:
    """Programs rely on these members; more may come."""
    (first, *_) = lines(archive["results.jsonl"])
    assert {
        "match", "stage", "round", "slot", "half", "replay", "label", "status", "seats", "winner",
        "games_won", "games_drawn", "points", "hands", "hands_won", "hand_diffs", "places",
        "forfeited", "termination", "sentence", "started_at", "finished_at",
    } <= set(first)  # fmt: skip
    (meeting, *_) = lines(archive["crosstable.jsonl"])
    assert {
        "name", "opponent", "meetings", "match_points", "won", "drawn", "lost", "games_won",
        "games_lost", "hands", "net_points",
    } <= set(meeting)  # fmt: skip


@pytest.mark.parametrize(
    ("stored", "right", "same"),
    [
        ('{"rating":1512.25,"n":3}', '{"rating":1512.2500000001,"n":3}', True),
        ("bot,1500,2\r\n", "bot,1500.0000001,2\r\n", True),
        ('{"gap":0.0}', '{"gap":-3e-17}', True),
        ('{"rating":1512.25}', '{"rating":1512.26}', False),
        ('{"n":1000000}', '{"n":1000001}', False),
        ('{"n":-5}', '{"n":5}', False),
        ('{"n":5}', '{"n":null}', False),
        ("bot 1.5 wins", "bot 1.5 won", False),
    ],
)
def test_tables_of_another_machine_are_the_same_but_for_rounding(
    stored: str, right: str, same: bool
) -> None:
    """The last digits of a fraction may differ, nothing else."""
    assert alike(stored.encode(), right.encode()) is same
