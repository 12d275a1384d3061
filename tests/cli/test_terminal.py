"""Tables on a terminal say things in words for people."""

from __future__ import annotations

import io

from arena.cli.terminal import console, standings_table
from arena.tournament.standings import TableRules, standings
from arena.tournament.tie_breaks import SWISS_CHAIN, TieBreak
from tests.tournament.results import result


def printed(rules: TableRules) -> str:
    """The table of four, two of whom are tied behind a winner."""
    results = [result((0, 1), 0), result((2, 3), games=(1, 2), points=(9, 9))]
    names = {0: "ann", 1: "bob", 2: "cid", 3: "dot"}
    output = io.StringIO()
    rows = standings(names, results, rules, bytes(32))
    console(output).print(standings_table("Friday", rows, names))
    return output.getvalue()


def test_tie_breaks_are_named_for_people() -> None:
    """Buchholz has a capital, no code has an underscore."""
    assert {step.label for step in TieBreak}.isdisjoint(
        {step.value for step in TieBreak} - {"seeding"}
    )
    assert "games won less lost" in printed(TableRules(chain=SWISS_CHAIN))
    assert "_" not in printed(TableRules(chain=SWISS_CHAIN))
    assert TieBreak.BUCHHOLZ.label == "Buchholz"
