"""The committed tables of brackets, and the arena's brackets against them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from arena.tournament.formats.double_elimination import DoubleElimination
from arena.tournament.model import FormatOptions
from tests.tournament.bracket_tables import DATA, double, single, table
from tests.tournament.results import play_out

DOUBLE: list[dict[str, Any]] = json.loads((DATA / "double_brackets.json").read_text())

SINGLE_OF_EIGHT = [
    [(1, 8), (4, 5), (2, 7), (3, 6)],
    [(1, 4), (2, 3)],
    [(1, 2)],
]
"""Drawn by hand."""

LOSERS_OF_EIGHT = [
    [(8, 5), (7, 6)],  # who lost the first round: 8, 5, 7, 6 from the top down
    [(5, 3), (6, 4)],  # who lost the second, 4 and 3, from the bottom up
    [(3, 4)],
    [(3, 2)],  # who lost the winners' final
]
"""Drawn by hand."""


@pytest.mark.parametrize("kind", ["brackets", "double_brackets"])
def test_committed_tables_are_those_of_the_rules(kind: str) -> None:
    """Nobody changed a line by hand, and nobody the rules without the table."""
    assert (DATA / f"{kind}.json").read_text() == table(kind)


def test_rules_give_the_brackets_drawn_by_hand() -> None:
    """Four and eight entrants, in both kinds."""
    assert single(4)["rounds"] == [[(1, 4), (2, 3)], [(1, 2)]]
    assert single(4)["third_place"] == [4, 3]
    assert single(8)["rounds"] == SINGLE_OF_EIGHT
    assert double(4)["losers"] == [[(4, 3)], [(3, 2)]]
    assert double(4)["final"] == [1, 2]
    assert double(8)["winners"] == SINGLE_OF_EIGHT
    assert double(8)["losers"] == LOSERS_OF_EIGHT
    assert double(8)["final"] == [1, 2]


@pytest.mark.parametrize("case", DOUBLE, ids=lambda case: str(case["entrants"]))
def test_double_elimination_equals_the_table(case: dict[str, Any]) -> None:
    """Every pair and bye of both brackets, in its place, while the better seed wins."""
    seeding = list(range(1, case["entrants"] + 1))
    fixtures, _ = play_out(DoubleElimination(), seeding, FormatOptions(best_of=1))
    expected = {
        (stage, number, slot): {side for side in pair if side is not None}
        for stage in ("winners", "losers")
        for number, pairs in enumerate(case[stage], start=1)
        for slot, pair in enumerate(pairs, start=1)
    }
    expected["grand_final", 1, 1] = set(case["final"])

    got = {(f.key.stage, f.key.round, f.key.slot): set(f.seats) for f in fixtures}

    assert got == {key: sides for key, sides in expected.items() if sides}
