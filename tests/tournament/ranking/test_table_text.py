"""The words about a table: order, units, tie-breaks with their values."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from arena.tournament.formats.registry import FORMATS
from arena.tournament.model import FixtureResult, FormatOptions
from arena.tournament.ranking.standings import Row, standings
from arena.tournament.ranking.table_text import (
    DEFINITIONS,
    TableText,
    halves,
    order_text,
    reason_text,
    table_text,
    unit_of,
    unit_text,
)
from arena.tournament.ranking.tie_breaks import TieBreak
from arena.tournament.statistics.comparison import Comparison
from arena.tournament.statistics.intervals import Estimate
from arena.tournament.statistics.ratings import rate
from arena.tournament.statistics.sprt import SprtSettings
from tests.tournament.results import result

OPTIONS = FormatOptions()
TEST = SprtSettings(0.0, 1.0)
NAMES = {0: "ann", 1: "bob", 2: "cid"}


def told(
    format: str, results: Sequence[FixtureResult], options: FormatOptions = OPTIONS
) -> tuple[tuple[Row, ...], TableText]:
    """The table of three and what is said of it."""
    rows = standings(NAMES, results, FORMATS[format].table_rules(options), bytes(32))
    ratings = {one.entrant: one for one in rate(list(NAMES), results).rows}
    return rows, table_text(FORMATS[format], options, rows, ratings, {})


def test_the_tie_break_has_its_value_and_a_definition() -> None:
    """Two are level in points: of three matches each the games decide, and the number is given."""
    rows, text = told("swiss", [
        result((0, 2), 0, games=(2, 0)), result((1, 2), 1, games=(2, 1)),
    ])  # fmt: skip

    assert [reason_text(row) for row in rows] == [
        "games won less lost\N{NO-BREAK SPACE}+2",
        "games won less lost\N{NO-BREAK SPACE}+1",
        None,
    ]
    assert "Games won less lost" in {term.word for term in text.legend}
    assert "Buchholz" not in {term.word for term in text.legend}


def test_each_tie_break_is_defined() -> None:
    """But points a hand, which the column explains."""
    assert set(TieBreak) - set(DEFINITIONS) == {TieBreak.POINTS_PER_HAND}


@pytest.mark.parametrize(
    ("value", "written"), [(0, "0"), (0.5, "½"), (17.5, "17½"), (8.25, "8.25"), (6, "6")]
)
def test_points_are_written_with_halves(value: float, written: str) -> None:
    """Match points and sums of them."""
    assert halves(value) == written


@pytest.mark.parametrize("format", sorted(FORMATS))
def test_the_order_is_told_in_a_sentence(format: str) -> None:
    """That of points names the tie-breaks in their order, that of a bracket says it is none."""
    said = order_text(FORMATS[format], OPTIONS)

    assert said.startswith("In order of ")
    assert said.endswith(".")
    if FORMATS[format].has_bracket:
        assert "how far each got" in said
    elif format == "swiss":
        assert said.index("direct encounter") < said.index("Buchholz") < said.index("lot")


def test_intervals_are_said_to_count_what_they_count() -> None:
    """Without mirrored deals, and in brackets, nobody speaks of pairs."""
    alone = FormatOptions(duplicate=False)

    league, bracket = FORMATS["round_robin"], FORMATS["single_elimination"]

    assert unit_of(league, OPTIONS) == unit_of(Comparison(TEST), OPTIONS) == "pairs"
    assert unit_of(league, alone) == unit_of(bracket, OPTIONS) == "matches"
    assert unit_of(FORMATS["tables"], OPTIONS) == "tables"
    assert "mirrored" in unit_text(league, OPTIONS)
    assert "mirrored" not in unit_text(league, alone)
    assert "in the bracket" in unit_text(FORMATS["groups"], OPTIONS)


def test_columns_that_tell_nobody_apart_become_a_sentence() -> None:
    """No interval and no letters in a table of two matches."""
    rows, text = told("round_robin", [result((0, 1), 0), result((1, 2), 1)])
    sharp = {row.entrant: Estimate(1.0, 0.5, 1.5, 9, 90) for row in rows}

    assert not text.has_intervals
    assert not text.has_letters
    assert "Too few pairs for intervals of the points a hand yet." in text.remarks
    assert table_text(FORMATS["round_robin"], OPTIONS, rows, {}, sharp).has_intervals


def test_penalties_are_called_so() -> None:
    """Where hand points are penalties the legend says that fewer are better."""
    _, text = told("tables", [], FormatOptions(fewer_points_win=True, table_size=3))

    assert any("penalties" in term.meaning for term in text.legend)
