"""Tables of stored tournaments: what terminals and pages show is one table."""

from __future__ import annotations

import pytest

from arena.site.snapshots import take
from arena.store import Store
from arena.tournament.results import standings_of
from tests.tournament.test_lifecycle import make, run


@pytest.mark.parametrize("format", ["single_elimination", "double_elimination", "swiss"])
def test_terminal_and_pages_show_the_same_table(store: Store, format: str) -> None:
    """Every line of it, with its rank and the reason of its place."""
    row = make(store, format)
    run(store, row)
    row = store.tournaments.get(row.id)

    assert take(store, row).make_figures().rows == standings_of(store, row)


def test_in_a_bracket_no_tie_break_is_claimed(store: Store) -> None:
    """Second and third both have 1-1; the match for third place and the final tell them apart."""
    row = make(store, "single_elimination")
    run(store, row)
    rows = standings_of(store, store.tournaments.get(row.id))

    assert [line.rank for line in rows] == [1, 2, 3, 4]
    assert [(line.won, line.lost) for line in rows] == [(2, 0), (1, 1), (1, 1), (0, 2)]
    assert {line.decided_by for line in rows} == {None}
