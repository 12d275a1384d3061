"""Double elimination: two defeats and out, the second final, walk-overs."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from arena.tournament.formats.bracket import LoserOf, Node, Seed, Source, WinnerOf
from arena.tournament.formats.double_elimination import (
    LOSERS,
    WINNERS,
    DoubleElimination,
    double_elimination_nodes,
)
from arena.tournament.model import Fixture, FixtureKey, FixtureResult, FormatOptions
from tests.tournament.results import both_forfeit, lower_number_wins, play_out, result

ELIMINATION = DoubleElimination()
OPTIONS = FormatOptions(best_of=3)
SIZES = [*range(2, 34), 47, 64]


def at_random(seed: int) -> random.Random:
    """A generator of its own for each test."""
    return random.Random(seed)


@pytest.mark.parametrize("n", SIZES)
def test_everybody_is_out_after_exactly_two_defeats(n: int) -> None:
    """All but the winner lose twice; the winner at most once; there is one winner."""
    generator = at_random(n)

    def play(fixture: Fixture) -> FixtureResult:
        return result(fixture.seats, generator.choice(fixture.seats), key=fixture.key)

    fixtures, results = play_out(ELIMINATION, range(n), OPTIONS, play)
    defeats = Counter(e for r in results.values() for e in r.seats if e != r.winner)
    last = results[[f for f in fixtures if len(f.seats) > 1][-1].key]

    assert all(defeats[e] == 2 for e in range(n) if e != last.winner)
    assert last.winner is not None
    assert defeats[last.winner] <= 1
    assert len(results) == 2 * n - 2 + defeats[last.winner]


@pytest.mark.parametrize("n", [2, 3, 8, 13])
def test_second_final_is_played_only_after_the_unbeaten_one_lost(n: int) -> None:
    """The favourite wins the first final: over. It loses: once more, same two."""

    def upset(fixture: Fixture) -> FixtureResult:
        if fixture.label == "Grand final":
            return result(fixture.seats, max(fixture.seats), key=fixture.key)
        return lower_number_wins(fixture)

    calm, _ = play_out(ELIMINATION, range(n), OPTIONS)
    replayed, results = play_out(ELIMINATION, range(n), OPTIONS, upset)

    assert calm[-1].label == "Grand final"
    assert [f.label for f in replayed[-2:]] == ["Grand final", "Second grand final"]
    assert set(replayed[-1].seats) == set(replayed[-2].seats) == {0, 1}
    assert len(results) == 2 * n - 1


@pytest.mark.parametrize(("n", "first_round"), [(8, 3), (16, 4), (32, 5), (64, 7)])
def test_entrants_that_have_met_are_kept_apart(n: int, first_round: int) -> None:
    """No second meeting is possible before this round of the losers' bracket."""
    nodes = double_elimination_nodes(n)
    by_key = {node.key: node for node in nodes}
    fields = {
        node.key.round * 1000 + node.key.slot: everybody(node, by_key)
        for node in nodes
        if node.key.stage == WINNERS
    }

    def meet_round(a: int, b: int) -> int:
        return next(number for number in sorted(fields) if {a, b} <= fields[number]) // 1000

    early = set()
    for node in nodes:
        if node.key.stage != LOSERS:
            continue
        for a, rounds_a in dropped(node.sides[0], by_key).items():
            for b, rounds_b in dropped(node.sides[1], by_key).items():
                if any(min(x, y) == meet_round(a, b) for x in rounds_a for y in rounds_b):
                    early.add(node.key.round)

    assert min(early) == first_round


def dropped(source: Source, by_key: dict[FixtureKey, Node]) -> dict[int, set[int]]:
    """Entrants that can come this way, and in which winners' rounds they can have lost."""
    found: dict[int, set[int]] = {}
    match source:
        case LoserOf(key):
            for entrant in everybody(by_key[key], by_key):
                found.setdefault(entrant, set()).add(key.round)
        case WinnerOf(key):
            for side in by_key[key].sides:
                for entrant, rounds in dropped(side, by_key).items():
                    found.setdefault(entrant, set()).update(rounds)
    return found


def everybody(node: Node, by_key: dict[FixtureKey, Node]) -> set[int]:
    """All entrants of the part of the winners' bracket that leads to a match."""
    found: set[int] = set()
    for source in node.sides:
        if isinstance(source, Seed):
            found.add(source.number)
        else:
            found |= everybody(by_key[source.key], by_key)
    return found


def test_double_forfeits_never_stop_the_bracket() -> None:
    """Matches fail at random, even the finals: the bracket still ends."""
    for seed in range(60):
        generator = at_random(seed)

        def play(fixture: Fixture, generator: random.Random = generator) -> FixtureResult:
            if generator.random() < 0.3:
                return both_forfeit(fixture)
            return result(fixture.seats, generator.choice(fixture.seats), key=fixture.key)

        _, results = play_out(ELIMINATION, range(2 + seed % 12), OPTIONS, play)
        gone: set[int] = set()
        for item in results.values():
            assert not gone & set(item.seats)
            gone.update(item.forfeited)


def test_total_depends_on_the_results() -> None:
    """Whether the second final is played is not known in advance."""
    assert ELIMINATION.total(8, OPTIONS) is None
