"""What players pay each other at the end of a game, in numbers and not in a sentence alone."""

from __future__ import annotations

import csv
import io
import json
import re
import zipfile
from pathlib import Path

from click.testing import CliRunner

from arena.cli import cli
from arena.export import export
from arena.store import Store
from arena.store.rows import TournamentRow
from arena.tournament.settlements import is_settled, settlement
from tests.tournament.functions import enter, knocker, play


def cutthroat(folder: Path) -> tuple[Path, Path, TournamentRow]:
    """A tournament of three-handed gin, played, and its archive."""
    path, archive = folder / "arena.db", folder / "arena.zip"
    with Store(path) as store:
        row = enter(store, 3, format="tables", rules="cutthroat", table_size=3, games=2)
        play(store, row, [knocker(), knocker(20), knocker(60)])
        row = store.tournaments.get(row.id)
        export(store, row, archive)
    return path, archive, row


def paid_in(sentence: str) -> list[int]:
    """The amounts that a game's sentence tells, by seat."""
    told = sentence.partition("; settled: ")[2]
    return [int(amount.replace("−", "-")) for amount in re.findall(r"[+−-]?\d+(?=[,.])", told)]


def test_exports_have_what_was_paid_in_columns_and_fields(tmp_path: Path) -> None:
    """The same as each game's sentence says, and in a match the sum of its games."""
    path, archive, row = cutthroat(tmp_path)
    with zipfile.ZipFile(archive) as file:
        games, matches = (
            list(csv.DictReader(io.StringIO(file.read(name).decode(), newline="")))
            for name in ("games.csv", "fixtures.csv")
        )
        results = [json.loads(line) for line in file.read("results.jsonl").splitlines()]
    with Store(path, read_only=True) as store:
        stored = [
            game for one in store.fixtures.of(row.id) for game in store.fixtures.games(one.id)
        ]

    assert len(games) == len(stored) >= 4
    sums: dict[str, list[int]] = {}
    for cells, game in zip(games, stored, strict=True):
        amounts = [int(cells[f"settlement_{seat}"]) for seat in range(3)]
        assert amounts == paid_in(game.sentence)
        assert sum(amounts) == 0
        assert any(amounts)
        assert [int(cells[f"totals_{seat}"]) for seat in range(3)] == list(game.totals)
        before = sums.get(cells["match"], [0, 0, 0])
        sums[cells["match"]] = [one + other for one, other in zip(before, amounts, strict=True)]
    for line, cells in zip(results, matches, strict=True):
        assert line["settlement"] == sums[line["match"]]
        assert [int(cells[f"settlement_{seat}"]) for seat in range(3)] == line["settlement"]
    assert CliRunner().invoke(cli, ["verify", str(archive)]).exit_code == 0


def test_list_of_matches_tells_what_was_paid(tmp_path: Path) -> None:
    """In a line for people and in a field for programs."""
    path, _, _ = cutthroat(tmp_path)

    text = CliRunner().invoke(cli, ["matches", "--limit", "1", "--db", str(path)]).output
    line = CliRunner().invoke(cli, ["matches", "--limit", "1", "--json", "--db", str(path)]).output

    found = json.loads(line)
    told = " ".join(
        f"{name} {amount:+d}"
        for name, amount in zip(found["players"], found["settlement"], strict=True)
    )
    assert f", settled {told}\n" in text


def test_games_that_are_not_settled_have_none(tmp_path: Path) -> None:
    """Null in JSON, empty in CSV, nothing in the list."""
    path, archive = tmp_path / "arena.db", tmp_path / "arena.zip"
    with Store(path) as store:
        row = enter(store, 2, games=1)
        play(store, row, [knocker(), knocker(20)])
        export(store, store.tournaments.get(row.id), archive)
    with zipfile.ZipFile(archive) as file:
        (game, *_) = csv.DictReader(io.StringIO(file.read("games.csv").decode(), newline=""))
        result = json.loads(file.read("results.jsonl").splitlines()[0])

    assert game["settlement_0"] == game["settlement_1"] == ""
    assert result["settlement"] is None
    assert "settled" not in CliRunner().invoke(cli, ["matches", "--db", str(path)]).output


def test_what_cannot_be_settled_is_not() -> None:
    """A game that bots broke off, hands that make none, a game that is not known."""
    assert is_settled("cutthroat", 3)
    assert not is_settled("gin", 2)
    assert not is_settled("of another version", 3)
    assert settlement(["nonsense"], 3, "normal") is None
    assert settlement(["nonsense"], 3, "strikes") is None
    assert settlement([], 3, "normal") is None
