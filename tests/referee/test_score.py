"""Counting a match: who has won it, and the sentence that says so."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from arena.referee.match import GamePlayed
from arena.referee.score import MatchScore, score_text
from arena.referee.verdicts import Termination
from tests.referee.matches import setup

NAMES = ("A", "B", "C", "D")


def scored(
    *games: tuple[Sequence[int], Sequence[int]],
    names: Sequence[str] = NAMES,
    silent: Sequence[int] = (),
    rules: str = "gin",
) -> MatchScore:
    """A match of these games, each given by its winners and places by seat."""
    score = MatchScore(setup(games=len(games), names=names, rules=rules))
    nothing = (0,) * len(names)
    for number, (winners, places) in enumerate(games, start=1):
        game = GamePlayed(
            number, tuple(winners), nothing, nothing, tuple(places), 1, Termination.NORMAL, ""
        )
        score.add_game(game, silent if number == len(games) else ())
    return score


def test_partners_win_together() -> None:
    """A and C, who share the first place, have won: it is no draw of all four."""
    outcome = scored(((0, 2), (1, 3, 1, 3)), ((0, 2), (1, 3, 1, 3)), rules="teams").outcome()

    assert outcome.sentence == "A and C win; games: A + C 2, B + D 0."
    assert outcome.termination is Termination.NORMAL
    assert outcome.winner is None
    assert outcome.places == (1, 3, 1, 3)


def test_the_games_of_a_table_are_given_with_their_bots() -> None:
    """Three that play each for itself: nobody has to know who sat where."""
    games = (((0,), (1, 2, 3)), ((2,), (2, 3, 1)), ((0,), (1, 2, 3)))

    outcome = scored(*games, names=("Ann", "Bob", "Cay"), rules="cutthroat").outcome()

    assert outcome.sentence == "Ann wins; games: Ann 2, Bob 0, Cay 1."


def test_a_match_is_drawn_when_all_are_level() -> None:
    """One game for each side."""
    outcome = scored(((0, 2), (1, 3, 1, 3)), ((1, 3), (3, 1, 3, 1))).outcome()

    assert outcome.sentence == "A and B and C and D draw; games: A 1, B 1, C 1, D 1."
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


@pytest.mark.parametrize(
    ("values", "text"),
    [((272, 248), "272–248"), ((134, -30), "134 to −30"), ((-5, -5), "−5 to −5")],
)
def test_a_dash_and_a_minus_sign_never_stand_side_by_side(values: Sequence[int], text: str) -> None:
    """Some games count below zero."""
    assert score_text(values) == text
