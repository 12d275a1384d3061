"""What ratings say about a match before it is played. Pure.

The chance to win a game is that which ratings are made from,

    p = 1 / (1 + 10^(-gap / 400))

for a lead of ``gap`` rating points; games are taken to be independent. A match best of 2k - 1 is
won by whoever wins k games first:

    P = p^k · Σ_{i < k} C(k - 1 + i, i) · (1 - p)^i

Of a match of n games that are all played, P is the chance to win more than half of them, and half
the chance of a level one. Drawn games, the seat and the uncertainty of the ratings are left out.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import comb


@dataclass(frozen=True, slots=True)
class Favourite:
    """Which side of a match is rated better (0 or 1), and its chance to win."""

    side: int
    chance: float


def game_chance(gap: float) -> float:
    """The expected score, 0 to 1, of somebody who is rated so many points higher."""
    return 1 / (1 + 10 ** (-gap / 400))


def match_chance(game: float, games: int, wins_needed: int | None) -> float:
    """The chance to win a match of so many games, from the chance to win one."""
    lost = 1 - game
    if wins_needed is not None:
        lead = wins_needed - 1
        return game**wins_needed * sum(comb(lead + i, i) * lost**i for i in range(wins_needed))

    def exactly(won: int) -> float:
        return comb(games, won) * game**won * lost ** (games - won)

    level = exactly(games // 2) / 2 if games % 2 == 0 else 0.0
    return level + sum(exactly(won) for won in range(games // 2 + 1, games + 1))


def favourite(
    one: float | None, other: float | None, games: int, wins_needed: int | None
) -> Favourite | None:
    """Whoever is rated better, of equals the first; None where a rating is not known."""
    if one is None or other is None:
        return None
    side = int(other > one)
    return Favourite(side, match_chance(game_chance(abs(one - other)), games, wins_needed))
