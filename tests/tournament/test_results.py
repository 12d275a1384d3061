"""Tables of stored tournaments: what terminals and pages show is one table."""

from __future__ import annotations

from functools import partial

import pytest

from arena.site.views.snapshot import take
from arena.store import Store
from arena.store.rows import TournamentRow
from arena.tournament.lifecycle import withdraw
from arena.tournament.results import standings_json, standings_of, strength_of
from tests.tournament.functions import After, enter, knocker, play
from tests.tournament.lives import make, run


@pytest.mark.parametrize("format", ["single_elimination", "double_elimination", "swiss"])
def test_terminal_and_pages_show_the_same_table(store: Store, format: str) -> None:
    """Every line of it, with its rank and the reason of its place."""
    row = make(store, format)
    run(store, row)
    row = store.tournaments.get(row.id)

    assert take(store, row).make_figures().rows == standings_of(store, row)


def test_terminal_and_pages_show_the_same_intervals(store: Store) -> None:
    """Points a hand and ratings, with a disqualified bot whose results count for nobody."""
    row = enter(store, 4, legs=5)
    players = [knocker(9 * number) for number in range(4)]
    play(store, row, players, reporter=After(30, partial(_disqualify, store, row)))
    row = store.tournaments.get(row.id)
    figures, strength = take(store, row).make_figures(), strength_of(store, row)

    assert strength.points == figures.estimates
    assert strength.ratings == {rating.entrant: rating for rating in figures.ratings}
    assert set(strength.points) == {0, 1, 2}
    for line in standings_json(store, row)["standings"]:
        assert (line["points_per_hand_low"] is None) is (line["name"] == "bot 3")


def _disqualify(store: Store, row: TournamentRow) -> None:
    withdraw(store, row, "bot 3", disqualify=True)


def test_in_a_bracket_no_tie_break_is_claimed(store: Store) -> None:
    """Second and third both have 1-1; the match for third place and the final tell them apart."""
    row = make(store, "single_elimination")
    run(store, row)
    rows = standings_of(store, store.tournaments.get(row.id))

    assert [line.rank for line in rows] == [1, 2, 3, 4]
    assert [(line.won, line.lost) for line in rows] == [(2, 0), (1, 1), (1, 1), (0, 2)]
    assert {line.decided_by for line in rows} == {None}
