"""Largest matchings in a graph: whether, and how far, a field can be paired. Pure.

Edmonds' blossom method without weights. It answers what a pairing needs to know ("can the others
still be paired if these two meet?") in well under a millisecond, because a matching that exists is
repaired by one search instead of being computed anew. networkx has matchings too, but computes
each from nothing; a pairing asks for hundreds that differ by one edge.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Mapping


class Matching:
    """A largest matching that is kept largest while vertices leave.

    ``neighbours``: for each vertex those it may be matched with; symmetric.
    """

    def __init__(self, neighbours: Mapping[int, Collection[int]]) -> None:
        self._neighbours = {v: sorted(others) for v, others in sorted(neighbours.items())}
        self._mate: dict[int, int] = {}
        for vertex in self._neighbours:
            if vertex not in self._mate:
                self._greedy(vertex)
        for vertex in self._neighbours:
            if vertex not in self._mate:
                self._augment(vertex)

    def __len__(self) -> int:
        """Number of matched pairs."""
        return len(self._mate) // 2

    def copy(self) -> Matching:
        """An independent copy, for trying something out."""
        other = object.__new__(Matching)
        other._neighbours = dict(self._neighbours)
        other._mate = dict(self._mate)
        return other

    def remove(self, vertices: Collection[int]) -> None:
        """Take vertices away and mend the matching of the rest."""
        exposed = []
        for vertex in vertices:
            del self._neighbours[vertex]
            mate = self._mate.pop(vertex, None)
            if mate is not None:
                del self._mate[mate]
                exposed.append(mate)
        for vertex in exposed:
            if vertex in self._neighbours and vertex not in self._mate:
                self._augment(vertex)

    def _greedy(self, vertex: int) -> None:
        for other in self._neighbours[vertex]:
            if other not in self._mate and other in self._neighbours:
                self._mate[vertex] = other
                self._mate[other] = vertex
                return

    def _augment(self, root: int) -> bool:
        """Search an alternating path from an unmatched vertex to another and flip it."""
        search = _Search(self._neighbours, self._mate, root)
        end = search.run()
        while end is not None:
            before = search.parent[end]
            following = self._mate.get(before)
            self._mate[end] = before
            self._mate[before] = end
            end = following
        return root in self._mate


class _Search:
    """One breadth-first search for an augmenting path; odd cycles are shrunk to their base."""

    def __init__(
        self, neighbours: Mapping[int, Collection[int]], mate: Mapping[int, int], root: int
    ) -> None:
        self._neighbours = neighbours
        self._mate = mate
        self._root = root
        self.parent: dict[int, int] = {}
        self._base = {vertex: vertex for vertex in neighbours}
        self._even = {root}
        self._queue = deque([root])

    def run(self) -> int | None:
        """The far end of an augmenting path, whose vertices `parent` leads back; None without."""
        while self._queue:
            vertex = self._queue.popleft()
            for other in self._neighbours[vertex]:
                if other not in self._base:
                    continue
                if self._base[vertex] == self._base[other] or self._mate.get(vertex) == other:
                    continue
                if other in self._even:
                    self._shrink(vertex, other)
                elif other not in self.parent:
                    self.parent[other] = vertex
                    if other not in self._mate:
                        return other
                    self._even.add(self._mate[other])
                    self._queue.append(self._mate[other])
        return None

    def _shrink(self, a: int, b: int) -> None:
        """Contract the odd cycle that the edge between two even vertices closes."""
        base = self._common_base(a, b)
        blossom: set[int] = set()
        self._mark(a, base, b, blossom)
        self._mark(b, base, a, blossom)
        for vertex in self._base:
            if self._base[vertex] in blossom:
                self._base[vertex] = base
                if vertex not in self._even:
                    self._even.add(vertex)
                    self._queue.append(vertex)

    def _common_base(self, a: int, b: int) -> int:
        seen = set()
        vertex = self._base[a]
        while True:
            seen.add(vertex)
            if vertex == self._root:
                break
            vertex = self._base[self.parent[self._mate[vertex]]]
        vertex = self._base[b]
        while vertex not in seen:
            vertex = self._base[self.parent[self._mate[vertex]]]
        return vertex

    def _mark(self, vertex: int, base: int, child: int, blossom: set[int]) -> None:
        while self._base[vertex] != base:
            mate = self._mate[vertex]
            blossom.update((self._base[vertex], self._base[mate]))
            self.parent[vertex] = child
            child = mate
            vertex = self.parent[mate]
