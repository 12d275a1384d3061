"""Elimination brackets as a graph of matches, and how results fill it. Pure.

A bracket is a tuple of nodes. Each of a node's two sides comes from a place in the seeding, from
the winner of another node or from its loser. A side is in one of three states: an entrant, *to be
decided*, or *nobody* (a bye, or both sides of the match before failed). Only `NOBODY` lets an
opponent through without play, so a bye can never spread into a place that is still open.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum

from arena.tournament.formats.schedule import fixture
from arena.tournament.match import advancing
from arena.tournament.model import Fixture, FixtureKey, FixtureResult, FormatOptions, Results


class Open(Enum):
    """States of a side without an entrant."""

    TO_BE_DECIDED = "to be decided"
    NOBODY = "nobody"


Side = int | Open


@dataclass(frozen=True, slots=True)
class Seed:
    """A place in the seeding, 1 the strongest. Places beyond the field are byes."""

    number: int


@dataclass(frozen=True, slots=True)
class WinnerOf:
    """Whoever goes on from another match."""

    key: FixtureKey


@dataclass(frozen=True, slots=True)
class LoserOf:
    """Whoever was beaten in another match; nobody after a bye or a double forfeit."""

    key: FixtureKey


Source = Seed | WinnerOf | LoserOf


@dataclass(frozen=True, slots=True)
class Node:
    """A match of the bracket.

    ``only_if_beaten``: this match is played only when the first side of that match lost it
    (the second final of a double elimination).
    """

    key: FixtureKey
    sides: tuple[Source, Source]
    label: str
    only_if_beaten: FixtureKey | None = None


@dataclass(frozen=True, slots=True)
class Bracket:
    """Matches, and who enters them.

    ``nodes``: each follows its sources. ``seeding``: who has each place, the strongest first; a
    place may be still to be decided, by groups that are being played. ``waiting``: for such places,
    by number from 1, the text of what will decide them.
    """

    nodes: tuple[Node, ...]
    seeding: Sequence[Side]
    waiting: Mapping[int, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class NodeState:
    """What is known of a match.

    ``winner`` and ``loser`` are sides: an entrant, to be decided, or nobody. ``is_bye``: one side
    goes on without play. ``needed``: False for a second final that is not (or not yet) called for.
    ``misplaced``: a result of this place between others than the bracket has brought here. It
    decides nothing.
    """

    node: Node
    sides: tuple[Side, Side]
    winner: Side
    loser: Side
    is_bye: bool
    needed: bool
    result: FixtureResult | None
    misplaced: FixtureResult | None = None

    @property
    def entrants(self) -> tuple[int, ...]:
        """The entrants known so far, first side first."""
        return tuple(side for side in self.sides if isinstance(side, int))


def seed_order(size: int) -> tuple[int, ...]:
    """Seeding numbers from the top of the bracket to the bottom; ``size`` is a power of two.

    Each round pairs the strongest left with the weakest left: 1 v 8, 4 v 5, 2 v 7, 3 v 6. So the
    first two can only meet in the final, the first four only in the semi-finals, and so on.
    """
    order = [1]
    while len(order) < size:
        doubled = len(order) * 2
        order = [number for seed in order for number in (seed, doubled + 1 - seed)]
    return tuple(order)


def bracket_size(entrants: int) -> int:
    """The least power of two that holds so many entrants."""
    return 1 << max(0, entrants - 1).bit_length()


def resolve(
    bracket: Bracket, options: FormatOptions, results: Results
) -> dict[FixtureKey, NodeState]:
    """The state of each node, in their order."""
    states: dict[FixtureKey, NodeState] = {}
    for node in bracket.nodes:
        states[node.key] = _state(node, bracket.seeding, options, results, states)
    return states


def _side(source: Source, seeding: Sequence[Side], states: Mapping[FixtureKey, NodeState]) -> Side:
    match source:
        case Seed(number):
            return seeding[number - 1] if number <= len(seeding) else Open.NOBODY
        case WinnerOf(key):
            return states[key].winner
        case LoserOf(key):
            return states[key].loser


def _state(
    node: Node,
    seeding: Sequence[Side],
    options: FormatOptions,
    results: Results,
    states: Mapping[FixtureKey, NodeState],
) -> NodeState:
    first, second = (_side(source, seeding, states) for source in node.sides)
    undecided, nobody = Open.TO_BE_DECIDED, Open.NOBODY
    if node.only_if_beaten is not None:
        before = states[node.only_if_beaten]
        if not isinstance(before.loser, int) or before.loser != before.sides[0]:
            return NodeState(node, (first, second), undecided, undecided, False, False, None)
    if undecided in (first, second):
        return NodeState(node, (first, second), undecided, undecided, False, True, None)
    if nobody in (first, second):
        through = second if first is nobody else first
        return NodeState(node, (first, second), through, nobody, through is not nobody, True, None)
    result = results.get(node.key)
    if result is None:
        return NodeState(node, (first, second), undecided, undecided, False, True, None)
    if {first, second} != set(result.seats):
        return NodeState(node, (first, second), undecided, undecided, False, True, None, result)
    winner = advancing(result, seeding, options.fewer_points_win)
    if winner is None:
        return NodeState(node, (first, second), nobody, nobody, False, True, result)
    loser = second if winner == first else first
    return NodeState(node, (first, second), winner, loser, False, True, result)


def bracket_fixtures(
    bracket: Bracket, options: FormatOptions, results: Results
) -> Iterator[Fixture]:
    """The fixtures whose entrants are known, byes included, in order of play.

    Seat 0 goes to the entrant that has had it less often in this bracket, at first and when equal
    to the better seeded. A bye has one seat. Each match has deals of its own: games of a series
    are never mirrored, for the second game would be played with known cards. Whoever meets here has
    all its matches before behind it, so the seats follow from them and never from the own result.
    """
    seeding = bracket.seeding
    had_first_seat = {side: 0 for side in seeding if isinstance(side, int)}
    for state in resolve(bracket, options, results).values():
        if not state.needed or Open.TO_BE_DECIDED in state.sides or not state.entrants:
            continue
        seats = tuple(sorted(state.entrants, key=lambda e: (had_first_seat[e], seeding.index(e))))
        if len(seats) > 1:
            had_first_seat[seats[0]] += 1
        yield fixture(state.node.key, seats, options, state.node.label)
