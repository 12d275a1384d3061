"""How bots answered, counted from the rows of a tournament that was really played."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from arena.cli import cli
from arena.export import export
from arena.referee.asks import Answer, Ask, Reply
from arena.referee.players import Player
from arena.referee.verdicts import BotFault, FaultCode
from arena.store import Store
from arena.store.rows import TournamentRow
from arena.tournament.conduct import conduct_rows
from arena.tournament.dossier import ArchivedDossier, StoredDossier
from tests.tournament.functions import enter, knocker, play


class Counting:
    """A knocker that is late, wrong or silent at given calls, and counts what it was asked."""

    def __init__(self, late: int = 0, wrong: int = 0, silent: int = 0) -> None:
        self.plan = (late, wrong, silent)
        self.asked = self.late = self.wrong = self.silent = 0
        self._inner = knocker()

    def __call__(self, ask: Ask) -> Reply:
        """Answer."""
        self.asked += 1
        late, wrong, silent = (every and self.asked % every == 0 for every in self.plan)
        if late:
            self.late += 1
            reply = self._inner(ask)
            assert isinstance(reply, Answer)
            return Answer(reply.action, reply.melds, None, elapsed_ms=1010.0)
        if wrong:
            self.wrong += 1
            return Answer("knock:JK", elapsed_ms=2.0)
        if silent:
            self.silent += 1
            return BotFault(FaultCode.TIMEOUT, "no answer in time", 1000.0)
        return self._inner(ask)


@pytest.fixture
def played(store: Store) -> tuple[TournamentRow, list[Counting]]:
    """Three bots: one is punctual, one late now and then, one makes both kinds of faults."""
    bots = [Counting(), Counting(late=40), Counting(wrong=61, silent=97)]
    row = enter(store, 3, legs=2)
    players: list[Player] = [*bots]
    play(store, row, players)
    return store.tournaments.get(row.id), bots


def test_counts_are_what_the_bots_did(
    store: Store, played: tuple[TournamentRow, list[Counting]]
) -> None:
    """Every decision, fault and late answer is counted once, for the bot that gave it."""
    row, bots = played
    lines = conduct_rows(StoredDossier(store, row.id))

    assert [line["decisions"] for line in lines] == [bot.asked for bot in bots]
    assert [line["late"] for line in lines] == [bot.late for bot in bots]
    assert bots[1].late > 3
    assert lines[1]["late_share"] == pytest.approx(bots[1].late / bots[1].asked, abs=1e-6)
    assert lines[2]["faults_by_code"] == {"timeout": bots[2].silent, "illegal": bots[2].wrong}
    assert lines[2]["faults"] == bots[2].silent + bots[2].wrong > 3
    assert [line["illegal"] for line in lines] == [0, 0, bots[2].wrong]
    assert [line["latency_p50_ms"] for line in lines] == [1, 1, 1]
    assert [line["timed_decisions"] for line in lines] == [bot.asked for bot in bots]


def test_a_void_match_counts_for_nothing(
    store: Store, played: tuple[TournamentRow, list[Counting]]
) -> None:
    """Its decisions are gone from the counts."""
    row, _ = played
    before = sum(line["decisions"] for line in conduct_rows(StoredDossier(store, row.id)))
    fixture = next(one for one in store.fixtures.of(row.id) if one.hands)
    store.fixtures.void(fixture.id)
    after = sum(line["decisions"] for line in conduct_rows(StoredDossier(store, row.id)))

    last = store.hands.of(fixture.id)[-1]
    assert before - after == sum(book[1] for book in last.books)


def test_archives_and_terminal_say_the_same(
    store: Store, played: tuple[TournamentRow, list[Counting]], tmp_path: Path
) -> None:
    """From the database, from the archive alone, as lines and as a table."""
    row, _ = played
    path = tmp_path / "out.zip"
    export(store, row, path)
    right = conduct_rows(StoredDossier(store, row.id))
    with zipfile.ZipFile(path) as file:
        lines = [json.loads(line) for line in file.read("conduct.jsonl").splitlines()]
        cells: list[dict[str, Any]] = list(
            csv.DictReader(io.StringIO(file.read("conduct.csv").decode(), newline=""))
        )
    shown = CliRunner().invoke(cli, ["standings", "--json", "--db", str(store.path)])

    assert lines == right == conduct_rows(ArchivedDossier(path))
    assert json.loads(shown.output)["conduct"] == right
    for line, cell in zip(right, cells, strict=True):
        assert cell["name"] == line["name"]
        assert int(cell["late"]) == line["late"]
        assert int(cell["fault_timeout"]) == line["faults_by_code"].get("timeout", 0)
