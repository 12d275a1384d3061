"""Makes results with known truth: mirrored pairs whose halves are correlated.

The results of a bot in the two halves of a pair are negatively correlated, because the cards that
helped it in one half helped its opponent in the other. Each half alone follows the model exactly.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import exp, sqrt
from statistics import NormalDist

from arena.tournament.formats.format import Format
from arena.tournament.model import (
    Fixture,
    FixtureKey,
    FixtureResult,
    FormatOptions,
)

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


def by_rounds(
    format: Format,
    strengths: Sequence[float],
    options: FormatOptions,
    generator: random.Random,
    *,
    rounds: int | None = None,
) -> list[FixtureResult]:
    """`mirrored_results` of a format that pairs by results, to its end or for so many rounds."""
    results: dict[FixtureKey, FixtureResult] = {}
    while True:
        known = format.fixtures(range(len(strengths)), options, results)
        new = [f for f in known if f.key not in results and len(f.seats) > 1]
        if not new or (rounds is not None and new[0].key.round > rounds):
            return list(results.values())
        for result in mirrored_results(generator, strengths, new):
            results[result.key] = result


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


def unlike_opponents(
    generator: random.Random, edges: Sequence[float], legs: int, *, deal: float = 60
) -> tuple[list[FixtureResult], float]:
    """Entrant 0 against opponents by which it is better by so many points a hand, mirrored.

    With the points a hand that are to be expected from these opponents. Unequal opponents play
    fewer hands, as games are over sooner; luck of size ``deal`` cancels between the halves.
    """
    results = []
    points = hands = 0.0
    for opponent, edge in enumerate(edges, start=1):
        fewest, most = (6, 10) if abs(edge) > 30 else (15, 25)
        hands += (fewest + most) / 2
        points += edge * (fewest + most) / 2
        for leg in range(legs):
            luck = generator.gauss(0, deal)
            for half, seats in enumerate([(0, opponent), (opponent, 0)]):
                played = generator.randint(fewest, most)
                noise = (1, -1)[half] * luck + generator.gauss(0, 20 * sqrt(played))
                lead = round(edge * played + noise)
                results.append(
                    FixtureResult(
                        key=FixtureKey("unlike", leg, opponent, half),
                        seats=seats,
                        winner=None,
                        games_won=(1, 1),
                        games_drawn=0,
                        points=(1000, 1000 - lead) if half == 0 else (1000 - lead, 1000),
                        hands=played,
                        hands_won=(played, 0),
                        termination="normal",
                    )
                )
    return results, points / hands


def points_league(
    generator: random.Random, edges: Sequence[float], fixtures: Sequence[Fixture]
) -> list[FixtureResult]:
    """Matches of twenty hands; two are apart by the difference of their edges in points a hand.

    The luck of a deal is the first seat's, and cancels between the halves.
    """
    luck: dict[str, float] = {}
    results = []
    for fixture in fixtures:
        if len(fixture.seats) < 2:
            continue
        a, b = fixture.seats
        value = luck.setdefault(fixture.deal_key, generator.gauss(0, 60))
        lead = round(20 * (edges[a] - edges[b]) + value + generator.gauss(0, 20 * sqrt(20)))
        results.append(
            replace(one_game(fixture, a if lead > 0 else b), hands=20, points=(1000, 1000 - lead))
        )
    return results
