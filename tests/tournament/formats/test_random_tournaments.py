"""Random tournaments of every format with draws, forfeits and withdrawals: they always end well."""

from __future__ import annotations

import random

import pytest

from arena.tournament.formats.bracket_tree import bracket_tree
from arena.tournament.formats.registry import FORMATS
from arena.tournament.match import forfeit_result
from arena.tournament.model import Fixture, FixtureKey, FixtureResult, FormatOptions
from arena.tournament.ranking.final_table import tournament_table
from arena.tournament.statistics.ratings import rate
from tests.tournament.results import result

SEEDS = range(25)


def play(generator: random.Random, fixture: Fixture, gone: set[int]) -> FixtureResult:
    """Anything that may happen to a match."""
    missing = [entrant for entrant in fixture.seats if entrant in gone]
    if missing:
        return forfeit_result(fixture, missing)
    if generator.random() < 0.05:
        gone.add(fixture.seats[0])
    kind = generator.random()
    forfeited: list[int] = []
    winner: int | None = generator.choice(fixture.seats)
    if kind < 0.1:
        forfeited = list(fixture.seats)
        winner = None
    elif kind < 0.2:
        forfeited = [entrant for entrant in fixture.seats if entrant != winner]
    elif kind < 0.4:
        winner = None
    games = [int(entrant == winner) for entrant in fixture.seats]
    points = [generator.randint(0, 3) for _ in fixture.seats]
    return result(
        fixture.seats, winner, games=games, points=points, forfeited=forfeited, key=fixture.key
    )


@pytest.mark.parametrize("name", sorted(FORMATS))
@pytest.mark.parametrize("seed", SEEDS)
def test_every_format_survives_anything(name: str, seed: int) -> None:
    """Fixtures never change, nobody meets itself, tables hold everybody once, places fit."""
    generator = random.Random(seed)
    n = generator.randint(6, 13)
    options = FormatOptions(
        games=1,
        third_place=generator.random() < 0.5,
        duplicate=generator.random() < 0.5,
        table_size=generator.randint(3, 5) if name == "tables" else 2,
        champion=2,
    )
    seeding = generator.sample(range(n), n)
    names = {entrant: f"bot {entrant}" for entrant in range(n)}
    results: dict[FixtureKey, FixtureResult] = {}
    known: dict[FixtureKey, Fixture] = {}
    gone: set[int] = set()
    for _ in range(12 if name == "ladder" else 200):
        fixtures = FORMATS[name].fixtures(seeding, options, results)
        now = {fixture.key: fixture for fixture in fixtures}
        assert len(now) == len(fixtures)
        assert {key: now.get(key) for key in known} == known
        assert all(len(set(f.seats)) == len(f.seats) for f in fixtures)
        known = now
        todo = [f for f in fixtures if len(f.seats) > 1 and f.key not in results]
        if not todo:
            break
        for fixture in generator.sample(todo, generator.randint(1, len(todo))):
            results[fixture.key] = play(generator, fixture, gone)
        table = tournament_table(
            FORMATS[name], seeding, options, results, names, b"secret", withdrawn=gone
        )
        assert sorted(row.entrant for row in table) == list(range(n))
        if name.endswith("elimination"):
            placings = bracket_tree(FORMATS[name], seeding, options, results).placings
            firsts = [p.first for p in placings if p.first is not None]
            assert firsts == sorted(firsts)
            assert sorted(p.entrant for p in placings) == list(range(n))
            for p in placings:
                shared = [o for o in placings if o.first is not None and o.first == p.first]
                assert p.first is None or p.last == p.first + len(shared) - 1
    else:
        assert name == "ladder"
    rows = rate(range(n), results.values()).rows
    assert sorted(row.entrant for row in rows) == list(range(n))
