"""How much is played in a tournament, as far as that is known before it. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from math import comb

from arena.tournament.formats.schedule import series
from arena.tournament.model import FormatOptions


@dataclass(frozen=True, slots=True)
class Volume:
    """Fixtures and games in all, and of the entrant that plays least.

    ``fixtures``, ``games``, ``own_fixtures``, ``own_games``: expected numbers; ``most_fixtures``:
    at most. ``halves``: fixtures that share their deals. ``opponents``: how many different ones an
    entrant meets, 1 where they are not told apart.
    """

    fixtures: float
    most_fixtures: int
    games: float
    own_fixtures: float
    own_games: float
    halves: int
    opponents: int


def expected_games(options: FormatOptions, chance: float = 0.5) -> float:
    """Expected games of a fixture; a best-of match stops when it is decided.

    ``chance``: of the first to win a game. Even bots need the most games.
    """
    games, wins = series(options)
    if wins is None:
        return float(games)
    expected = 0.0
    for number in range(wins, games + 1):
        ways = comb(number - 1, wins - 1)
        lost = number - wins
        expected += (
            number
            * ways
            * (chance**wins * (1 - chance) ** lost + (1 - chance) ** wins * chance**lost)
        )
    return expected
