"""A bracket as a value for pages: rounds of matches, who is in them, who won, who came where. Pure.

Nothing here decides anything: it reads the graph that `bracket` resolves.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from arena.errors import DamagedError
from arena.tournament.formats.bracket import (
    LoserOf,
    Node,
    NodeState,
    Open,
    Seed,
    Side,
    Source,
    resolve,
)
from arena.tournament.formats.format import Format
from arena.tournament.formats.single_elimination import THIRD_PLACE_STAGE
from arena.tournament.model import FixtureKey, FormatOptions, Results


class MatchState(StrEnum):
    """How far a match of the bracket is."""

    OPEN = "open"
    """An entrant is still to be decided."""
    READY = "ready"
    """Both entrants are known."""
    PLAYED = "played"
    BYE = "bye"
    """One entrant goes on without play: an empty place, or a walk-over."""
    VOID = "void"
    """Nobody goes on: a double forfeit, or no entrant was left."""
    NOT_NEEDED = "not_needed"
    """A second final that is not, or not yet, called for."""


@dataclass(frozen=True, slots=True)
class TreeSide:
    """One side of a match. ``text`` says who or what it is waiting for where ``entrant`` is None.

    ``games``: games won, None before the match. ``seed``: place in the seeding, from 1.
    """

    entrant: int | None
    seed: int | None
    games: int | None
    is_winner: bool
    text: str


@dataclass(frozen=True, slots=True)
class TreeMatch:
    """A match. ``key`` names its fixture, which exists when the state is not open or void.

    ``note``: why an entrant went on where the games do not tell, else empty.
    """

    key: FixtureKey
    label: str
    state: MatchState
    sides: tuple[TreeSide, TreeSide]
    winner: int | None
    games_drawn: int
    note: str

    @property
    def is_bye(self) -> bool:
        """Whether an entrant goes on without play."""
        return self.state is MatchState.BYE


@dataclass(frozen=True, slots=True)
class TreeRound:
    """A column of the bracket: ``stage`` is the part of the bracket it belongs to."""

    stage: str
    number: int
    matches: tuple[TreeMatch, ...]


@dataclass(frozen=True, slots=True)
class Placing:
    """The final places ``first`` to ``last`` that an entrant shares with others, one if they are
    equal. Both are None until they are settled. ``is_out``: no match is left for it.
    """

    entrant: int
    first: int | None
    last: int | None
    is_out: bool


@dataclass(frozen=True, slots=True)
class BracketTree:
    """``third_place`` stands beside the rounds; ``champion`` is None until the end, or for good
    when both finalists failed."""

    rounds: tuple[TreeRound, ...]
    third_place: TreeMatch | None
    champion: int | None
    placings: tuple[Placing, ...]

    @property
    def contenders(self) -> frozenset[int]:
        """Those in the bracket who may still win it: not who only plays for the third place."""
        third = self.third_place.sides if self.third_place is not None else ()
        return frozenset(placing.entrant for placing in self.placings if not placing.is_out) - {
            side.entrant for side in third
        }


def bracket_tree(
    format: Format, seeding: Sequence[int], options: FormatOptions, results: Results
) -> BracketTree:
    """The bracket of a format that has one.

    :raises ConfigError: it has none.
    :raises DamagedError: a match was played by others than those whom the bracket brought there.
    """
    bracket = format.bracket(seeding, options, results)
    nodes, places, waiting = bracket.nodes, bracket.seeding, bracket.waiting
    states = resolve(bracket, options, results)
    for state in states.values():
        if state.misplaced is not None:
            raise DamagedError(
                f"the bracket is damaged: its match {state.node.label!r} was played by others than "
                "those who came so far; restore a backup"
            )
    labels = {node.key: node.label for node in nodes}
    matches = {key: _match(state, places, labels, waiting) for key, state in states.items()}
    rounds: dict[tuple[str, int], list[TreeMatch]] = {}
    for key, match in matches.items():
        if key.stage != THIRD_PLACE_STAGE:
            rounds.setdefault((key.stage, key.round), []).append(match)
    thirds = [match for key, match in matches.items() if key.stage == THIRD_PLACE_STAGE]
    return BracketTree(
        rounds=tuple(TreeRound(*name, tuple(column)) for name, column in rounds.items()),
        third_place=thirds[0] if thirds else None,
        champion=_champion(list(states.values())),
        placings=placings(nodes, states, places),
    )


def _match(
    state: NodeState,
    places: Sequence[Side],
    labels: Mapping[FixtureKey, str],
    waiting: Mapping[int, str],
) -> TreeMatch:
    sides = tuple(_tree_side(state, number, places, labels, waiting) for number in range(2))
    return TreeMatch(
        key=state.node.key,
        label=state.node.label,
        state=_match_state(state),
        sides=(sides[0], sides[1]),
        winner=state.winner if isinstance(state.winner, int) else None,
        games_drawn=state.result.games_drawn if state.result else 0,
        note=_note(state),
    )


def _tree_side(
    state: NodeState,
    number: int,
    places: Sequence[Side],
    labels: Mapping[FixtureKey, str],
    waiting: Mapping[int, str],
) -> TreeSide:
    side, source = state.sides[number], state.node.sides[number]
    if isinstance(side, int):
        games = None
        if state.result is not None:
            games = state.result.games_won[state.result.seats.index(side)]
        return TreeSide(side, places.index(side) + 1, games, side == state.winner, "")
    text = "nobody" if side is Open.NOBODY else _awaited(source, labels, waiting)
    if isinstance(source, Seed) and side is Open.NOBODY:
        text = "bye"
    return TreeSide(None, None, None, False, text)


def _awaited(source: Source, labels: Mapping[FixtureKey, str], waiting: Mapping[int, str]) -> str:
    if isinstance(source, Seed):
        return waiting.get(source.number, Open.TO_BE_DECIDED.value)
    who = "Loser" if isinstance(source, LoserOf) else "Winner"
    return f"{who} of {labels[source.key]}"


def _match_state(state: NodeState) -> MatchState:
    if not state.needed:
        return MatchState.NOT_NEEDED
    if state.is_bye:
        return MatchState.BYE
    if state.winner is Open.NOBODY:
        return MatchState.VOID
    if state.result is not None:
        return MatchState.PLAYED
    return MatchState.OPEN if Open.TO_BE_DECIDED in state.sides else MatchState.READY


def _note(state: NodeState) -> str:
    result = state.result
    if not state.needed:
        is_decided = all(isinstance(side, int) for side in state.sides)
        return "not needed" if is_decided else "only if needed"
    if state.is_bye:
        from_seed = any(
            isinstance(source, Seed) and side is Open.NOBODY
            for source, side in zip(state.node.sides, state.sides, strict=True)
        )
        return "bye" if from_seed else "walk-over: no opponent was left"
    if result is None:
        return "no entrant was left" if state.winner is Open.NOBODY else ""
    if state.winner is Open.NOBODY:
        return "double forfeit: nobody goes on"
    if result.forfeited:
        return "won by forfeit"
    if result.winner is None:
        level = result.points[0] == result.points[1]
        return "drawn, decided by " + ("the better seeding" if level else "hand points")
    return ""


def _champion(states: Sequence[NodeState]) -> int | None:
    """The winner of the last match that is called for."""
    last = [state for state in states if state.needed][-1]
    return last.winner if isinstance(last.winner, int) else None


def placings(
    nodes: Sequence[Node], states: Mapping[FixtureKey, NodeState], places: Sequence[Side]
) -> tuple[Placing, ...]:
    """Where each entrant came, in order of the best place that it has or can still reach.

    Places follow the round of the last match: the finalists, those of the match for third place,
    then the losers of each round before, who share their places. A round's places are given once
    nobody can join its losers any more. When both finalists failed nobody is first, and they
    share the places from two on.
    """
    rows = {(node.key.stage, node.key.round): index for index, node in enumerate(nodes)}
    called = [states[node.key] for node in nodes if states[node.key].needed]
    final = called[-1]
    last: dict[int, NodeState] = {}
    for state in called:
        for entrant in state.entrants:
            last[entrant] = state
    standing: dict[int, int] = {}
    bands: dict[tuple[int, int], list[int]] = {}
    for entrant in (side for side in places if isinstance(side, int)):
        state = last[entrant]
        stage, number = state.node.key[:2]
        at_end = state is final or stage == THIRD_PLACE_STAGE
        if state.winner is Open.TO_BE_DECIDED or (state.winner == entrant and not at_end):
            standing[entrant] = rows[stage, number]
        else:
            lost = int(state.winner != entrant)
            bands.setdefault((-rows[stage, number], lost), []).append(entrant)
    reach = {
        entrant: 1 + sum(len(band) for (row, _), band in bands.items() if -row > standing[entrant])
        for entrant in standing
    }
    found = [(reach[entrant], Placing(entrant, None, None, False)) for entrant in standing]
    better = 0
    for (negative_row, lost), band in sorted(bands.items()):
        row = -negative_row
        at_end = last[band[0]] is final or nodes[row].key.stage == THIRD_PLACE_STAGE
        settled = at_end or all(other > row for other in standing.values())
        first = 1 + better + sum(other > row for other in standing.values())
        first += lost and first == 1
        for entrant in band:
            placing = Placing(entrant, first, first + len(band) - 1, True)
            if not settled:
                placing = Placing(entrant, None, None, True)
            found.append((first, placing))
        better += len(band)
    return tuple(placing for _, placing in sorted(found, key=lambda f: (f[0], f[1].is_out)))
