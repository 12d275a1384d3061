"""Counting a match: who has won it, and the sentence that says so."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from arena.referee.match import GamePlayed
from arena.referee.score import MatchScore
from arena.referee.verdicts import Termination
from tests.referee.matches import setup

NAMES = ("A", "B", "C", "D")


def scored(
    *games: tuple[Sequence[int], Sequence[int]],
    names: Sequence[str] = NAMES,
    silent: Sequence[int] = (),
) -> MatchScore:
    """A match of these games, each given by its winners and places by seat."""
    score = MatchScore(setup(games=len(games), names=names))
    nothing = (0,) * len(names)
    for number, (winners, places) in enumerate(games, start=1):
        game = GamePlayed(
            number, tuple(winners), nothing, nothing, tuple(places), 1, Termination.NORMAL, ""
        )
        score.add_game(game, silent if number == len(games) else ())
    return score


def test_partners_win_together() -> None:
    """A and C, who share the first place, have won: it is no draw of all four."""
    outcome = scored(((0, 2), (1, 3, 1, 3)), ((0, 2), (1, 3, 1, 3))).outcome()

    assert outcome.sentence == "A and C win; games 2–0–2–0."
    assert outcome.termination is Termination.NORMAL
    assert outcome.winner is None
    assert outcome.places == (1, 3, 1, 3)


def test_a_match_is_drawn_when_all_are_level() -> None:
    """One game for each side."""
    outcome = scored(((0, 2), (1, 3, 1, 3)), ((1, 3), (3, 1, 3, 1))).outcome()

    assert outcome.sentence == "A and B and C and D draw, 1–1–1–1."
    assert outcome.termination is Termination.DRAW


@pytest.mark.parametrize(
    ("places", "sentence"),
    [
        ((1, 2, 3), "Cay never answered; Ann wins."),
        ((1, 1, 3), "Cay never answered; Ann and Bob win."),
    ],
)
def test_of_those_who_answered_the_first_wins(places: tuple[int, ...], sentence: str) -> None:
    """At a table of three with a dead bot the other two are not both the winner."""
    winners = [seat for seat, place in enumerate(places) if place == 1]
    outcome = scored((winners, places), names=("Ann", "Bob", "Cay"), silent=(2,)).outcome()

    assert outcome.sentence == sentence
    assert outcome.termination is Termination.UNREACHABLE
