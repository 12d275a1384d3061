"""The largest matching against exhaustive search."""

from __future__ import annotations

import random
from functools import cache

import pytest

from arena.tournament.formats.matching import Matching

Graph = dict[int, set[int]]


def random_graph(generator: random.Random, n: int, density: float) -> Graph:
    """A graph in which each edge is there with this probability."""
    graph: Graph = {v: set() for v in range(n)}
    for a in range(n):
        for b in range(a):
            if generator.random() < density:
                graph[a].add(b)
                graph[b].add(a)
    return graph


def largest(graph: Graph, vertices: frozenset[int]) -> int:
    """The size of a largest matching of these vertices, by trying everything."""

    @cache
    def best(left: frozenset[int]) -> int:
        if not left:
            return 0
        vertex = min(left)
        rest = left - {vertex}
        return max([best(rest), *(1 + best(rest - {o}) for o in graph[vertex] & rest)])

    return best(vertices)


@pytest.mark.parametrize("seed", range(40))
def test_matching_is_as_large_as_exhaustive_search_finds(seed: int) -> None:
    """Random graphs of up to eleven vertices, sparse ones with many odd cycles included."""
    generator = random.Random(seed)
    for _ in range(10):
        n = generator.randint(1, 11)
        graph = random_graph(generator, n, generator.choice([0.15, 0.25, 0.4, 0.7]))

        assert len(Matching(graph)) == largest(graph, frozenset(graph))


@pytest.mark.parametrize("seed", range(25))
def test_matching_stays_largest_while_vertices_leave(seed: int) -> None:
    """After each removal, and without any effect on the copy that was taken before."""
    generator = random.Random(seed)
    graph = random_graph(generator, 10, generator.choice([0.2, 0.35, 0.6]))
    matching = Matching(graph)
    left = set(graph)
    while left:
        before, size = matching.copy(), len(matching)
        leaving = generator.sample(sorted(left), min(len(left), generator.choice([1, 2])))
        matching.remove(leaving)
        left -= set(leaving)

        assert len(matching) == largest(graph, frozenset(left))
        assert len(before) == size
