"""Tables on a terminal say things in words for people."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from arena.bot import Bot, BotView
from arena.bot.base import Chosen
from arena.cli.tables import standings_table
from arena.cli.terminal import console
from arena.tournament.formats.round_robin import RoundRobin
from arena.tournament.model import FormatOptions
from arena.tournament.ranking.standings import TableRules, standings
from arena.tournament.ranking.table_text import table_text
from arena.tournament.ranking.tie_breaks import SWISS_CHAIN, TieBreak
from arena.tournament.results import Strength
from arena.tournament.statistics.intervals import Estimate
from tests.e2e.arena_process import served
from tests.samples import simple
from tests.tournament.results import result


class Named(Bot):
    """Plays like the simple bot under another name."""

    def __init__(self, name: str) -> None:
        self.name = name

    def choose(self, view: BotView) -> Chosen:
        """The simple bot's choice."""
        return simple.bot.choose(view)


def printed(rules: TableRules, points: Mapping[int, Estimate] | None = None) -> str:
    """The table of four, two of whom are tied behind a winner."""
    results = [result((0, 1), 0), result((2, 3), games=(1, 2), points=(9, 9))]
    names = {0: "ann", 1: "bob", 2: "cid", 3: "dot"}
    output = io.StringIO()
    rows = standings(names, results, rules, bytes(32))
    text = table_text(RoundRobin(), FormatOptions(), rows, {}, points or {})
    console(output).print(standings_table("Friday", rows, names, Strength(points or {}, {}), text))
    return output.getvalue()


def test_interval_is_explained_where_one_stands() -> None:
    """Without two pairs of matches nobody has one, and the legend says nothing of it."""
    one_pair = Estimate(2.5, None, None, 1, 12)
    many = Estimate(2.5, 1.0, 4.0, 20, 240)

    assert "95%" not in printed(TableRules(), {0: one_pair})
    assert "+2.5 ± 1.5" in printed(TableRules(), {0: one_pair, 1: many})
    assert "95% interval of the points a hand" in printed(TableRules(), {0: one_pair, 1: many})


def test_tie_breaks_are_named_for_people() -> None:
    """Buchholz has a capital, no code has an underscore."""
    assert {step.label for step in TieBreak}.isdisjoint(
        {step.value for step in TieBreak} - {"seeding"}
    )
    assert "games won less lost" in printed(TableRules(chain=SWISS_CHAIN))
    assert "_" not in printed(TableRules(chain=SWISS_CHAIN))
    assert TieBreak.BUCHHOLZ.label == "Buchholz"


def test_terminal_that_cannot_show_a_sign_gets_a_question_mark(tmp_path: Path) -> None:
    """Names and tables are printed all the same, and the tournament is played to its end."""
    with served([Named("Zoë"), Named("日本")]) as bots:
        done = subprocess.run(
            [sys.executable, "-m", "arena", "run", *bots, "--db", tmp_path / "arena.db",
             "--set", "max_hands=1", "--games", "1"],
            capture_output=True,
            env={**os.environ, "PYTHONIOENCODING": "ascii"},
            check=False,
        )  # fmt: skip

    assert done.returncode == 0, done.stderr
    assert b"Zo?" in done.stdout
