"""Single elimination: who loses is out; the losers of the semi-finals may play for third. Pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from arena.tournament.formats.bracket import (
    Bracket,
    LoserOf,
    Node,
    Seed,
    Source,
    WinnerOf,
    bracket_size,
    seed_order,
)
from arena.tournament.formats.elimination import Elimination
from arena.tournament.formats.format import SERIES
from arena.tournament.formats.volume import Volume
from arena.tournament.model import FixtureKey, FormatOptions, Results

STAGE = "bracket"
THIRD_PLACE_STAGE = "third_place"
ROUND_NAMES = {1: "Final", 2: "Semi-final", 4: "Quarter-final"}


def knockout_nodes(
    entrants: int, *, stage: str = STAGE, label: Callable[[int, int], str] | None = None
) -> tuple[Node, ...]:
    """The matches of the main tree, round by round.

    The field is filled up with byes to the next power of two; they fall to the best seeds.
    ``label``: names a match, given the number of matches of its round and its slot from 0.
    """
    label = label or round_label
    size = bracket_size(entrants)
    order = seed_order(size)
    sources: list[Source] = [Seed(number) for number in order]
    nodes: list[Node] = []
    number = 0
    while len(sources) > 1:
        number += 1
        matches = len(sources) // 2
        row = [
            Node(
                FixtureKey(stage, number, slot + 1),
                (sources[2 * slot], sources[2 * slot + 1]),
                label(matches, slot),
            )
            for slot in range(matches)
        ]
        nodes += row
        sources = [WinnerOf(node.key) for node in row]
    return tuple(nodes)


def round_label(matches: int, slot: int) -> str:
    """``Final``, ``Semi-final 2``, ``Round of 16, match 3``."""
    if matches == 1:
        return ROUND_NAMES[1]
    if matches in ROUND_NAMES:
        return f"{ROUND_NAMES[matches]} {slot + 1}"
    return f"Round of {2 * matches}, match {slot + 1}"


def single_elimination_nodes(entrants: int, options: FormatOptions) -> tuple[Node, ...]:
    """The whole bracket; the match for third place comes before the final.

    With three entrants the only beaten semi-finalist is third without a match.
    """
    nodes = knockout_nodes(entrants)
    if not options.third_place or entrants < 4:
        return nodes
    one, two = (node.key for node in nodes[-3:-1])
    third = Node(
        FixtureKey(THIRD_PLACE_STAGE, one.round + 1, 1),
        (LoserOf(one), LoserOf(two)),
        "Third place",
    )
    return (*nodes[:-1], third, nodes[-1])


class SingleElimination(Elimination):
    """A bracket of best-of-N matches."""

    name = "single_elimination"
    title = "Single elimination"
    summary = "Bracket: who loses is out"
    description = (
        "who loses is out, `bracket` for short; best of five unless told otherwise, with a match "
        "for third place"
    )
    uses = (*SERIES, "third_place")

    def total(self, entrants: int, options: FormatOptions) -> int | None:
        """All but the winner lose once; one more for third place."""
        return entrants - 1 + (options.third_place and entrants >= 4)

    def volume(self, entrants: int, options: FormatOptions) -> Volume:
        """Half of the field loses its first match."""
        return self._volume(self._ending(entrants, options), 1, 1, options, halves=1)

    def bracket(self, seeding: Sequence[int], options: FormatOptions, results: Results) -> Bracket:
        """Everybody by seeding."""
        return Bracket(single_elimination_nodes(len(seeding), options), seeding)
