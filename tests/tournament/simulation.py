"""Makes results with known truth: mirrored pairs whose halves are correlated.

The results of a bot in the two halves of a pair are negatively correlated, because the cards that
helped it in one half helped its opponent in the other. Each half alone follows the model exactly.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from math import exp, sqrt
from statistics import NormalDist

from arena.tournament.model import Fixture, FixtureKey, FixtureResult

NORMAL = NormalDist()


def logistic(value: float) -> float:
    """The chance that goes with these log-odds."""
    return 1 / (1 + exp(-value))


def mirrored_results(
    generator: random.Random,
    strengths: Sequence[float],
    fixtures: Sequence[Fixture],
    *,
    correlation: float = -0.45,
    seat: float = 0.1,
) -> list[FixtureResult]:
    """One game a fixture; ``correlation`` of the hidden normal values of the two halves.

    -0.45 makes the correlation of the outcomes about -0.3.
    """
    luck: dict[str, float] = {}
    results = []
    for fixture in fixtures:
        if len(fixture.seats) < 2:
            continue
        a, b = fixture.seats
        low = min(a, b)
        # The hidden value belongs to the entrant with the lower number, in both halves.
        if fixture.deal_key in luck:
            before = luck[fixture.deal_key]
            value = correlation * before + sqrt(1 - correlation**2) * generator.gauss(0, 1)
        else:
            value = luck[fixture.deal_key] = generator.gauss(0, 1)
        chance = logistic(strengths[a] - strengths[b] + seat)
        chance_low = chance if low == a else 1 - chance
        low_wins = NORMAL.cdf(value) < chance_low
        winner = low if low_wins else a + b - low
        results.append(one_game(fixture, winner))
    return results


def pair_values(
    generator: random.Random, chance: float, correlation: float = -0.45
) -> Iterator[float]:
    """Shares 0, ½, 1 of the games of mirrored pairs, one game a half, without an end."""
    limit = NORMAL.inv_cdf(chance)
    other = sqrt(1 - correlation**2)
    while True:
        first = generator.gauss(0, 1)
        second = correlation * first + other * generator.gauss(0, 1)
        yield ((first < limit) + (second < limit)) / 2


def one_game(fixture: Fixture, winner: int) -> FixtureResult:
    """A match of one game."""
    won = tuple(int(entrant == winner) for entrant in fixture.seats)
    return FixtureResult(
        key=fixture.key,
        seats=fixture.seats,
        winner=winner,
        games_won=won,
        games_drawn=0,
        points=tuple(100 * w for w in won),
        hands=8,
        hands_won=tuple(5 * w for w in won),
        termination="normal",
    )


def pair_fixtures(a: int, b: int, number: int) -> list[Fixture]:
    """``number`` mirrored pairs of two entrants."""
    return [
        Fixture(
            FixtureKey("pair", slot, 1, half), (b, a) if half else (a, b), f"pair/{slot}/1", games=1
        )
        for slot in range(1, number + 1)
        for half in (0, 1)
    ]
