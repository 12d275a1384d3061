"""Results of two to rate, and the ratings of one of them."""

from __future__ import annotations

from arena.tournament.model import Fixture, FixtureResult
from arena.tournament.statistics.rating import Rating, Ratings
from tests.tournament.results import result
from tests.tournament.simulation import one_game, pair_fixtures

A, B, C, D = range(4)


def games(a: int, b: int, won: int, lost: int, drawn: int = 0) -> list[FixtureResult]:
    """So many games of two, one a fixture, in mirrored pairs."""
    outcomes = [a] * won + [b] * lost + [None] * drawn
    fixtures = pair_fixtures(a, b, len(outcomes))
    found = []
    for fixture, winner in zip(fixtures, outcomes, strict=False):
        key = fixture.key._replace(stage=f"{a}-{b}")
        if winner is None:
            found.append(result(fixture.seats, None, games=(0, 0), drawn=1, key=key))
        else:
            found.append(one_game(Fixture(key, fixture.seats, "", 1), winner))
    return found


def row(ratings: Ratings, entrant: int) -> Rating:
    """The row of an entrant."""
    return next(row for row in ratings.rows if row.entrant == entrant)
