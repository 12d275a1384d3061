"""Puts entrants with equal match points in order, and tells by what. Pure.

The chain, each step only for those still level after the one before:

1. *direct encounter*: only when all the tied have met each other; all their meetings together,
   first by match points, then by net hand points; where those decided, that is the reason given;
2. *game difference*: games won less games lost, in the whole tournament;
3. *Sonneborn-Berger* (round robins): the final points of each opponent times what was taken from
   it; or *Buchholz* (Swiss): the final points of all opponents, a bye counting as an opponent
   with as many points as oneself;
4. *points per hand*: net hand points divided by hands;
5. *drawn lot*: a function of the tournament's secret and the entrant's name; or, in groups that
   lead to a bracket, the better *seeding*, so that who plays whom follows from results alone.

As soon as a step separates the tied, the chain starts again for each group that is still level:
when of three one drops out, the direct encounter of the other two decides. Nothing depends on the
order in which entrants or results are given.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable, Collection, Mapping, Sequence
from enum import StrEnum
from hashlib import sha256
from typing import NamedTuple

from arena.tournament.ranking.tally import Meeting, Tally


class TieBreak(StrEnum):
    """A step of the chain; also the published reason of a place.

    Programs are given the value, people the `label`.
    """

    DIRECT_ENCOUNTER = "direct_encounter"
    DIRECT_POINTS = "direct_encounter_points"
    """Only a reason: the direct encounter was level, its net hand points decided."""

    GAME_DIFFERENCE = "game_difference"
    SONNEBORN_BERGER = "sonneborn_berger"
    BUCHHOLZ = "buchholz"
    POINTS_PER_HAND = "points_per_hand"
    SEEDING = "seeding"
    LOT = "lot"

    @property
    def label(self) -> str:
        """What people call it, to be read after "by": ``direct encounter``."""
        return LABELS[self]


LABELS = {
    TieBreak.DIRECT_ENCOUNTER: "direct encounter",
    TieBreak.DIRECT_POINTS: "hand points against each other",
    TieBreak.GAME_DIFFERENCE: "games won less lost",
    TieBreak.SONNEBORN_BERGER: "Sonneborn-Berger",
    TieBreak.BUCHHOLZ: "Buchholz",
    TieBreak.POINTS_PER_HAND: "points a hand",
    TieBreak.SEEDING: "seeding",
    TieBreak.LOT: "drawn lot",
}
"""The one place for these words, in terminals and on pages."""

LEAGUE_CHAIN = (
    TieBreak.DIRECT_ENCOUNTER,
    TieBreak.GAME_DIFFERENCE,
    TieBreak.SONNEBORN_BERGER,
    TieBreak.POINTS_PER_HAND,
    TieBreak.LOT,
)
SWISS_CHAIN = (
    TieBreak.DIRECT_ENCOUNTER,
    TieBreak.GAME_DIFFERENCE,
    TieBreak.BUCHHOLZ,
    TieBreak.POINTS_PER_HAND,
    TieBreak.LOT,
)
GROUP_CHAIN = (
    TieBreak.DIRECT_ENCOUNTER,
    TieBreak.GAME_DIFFERENCE,
    TieBreak.SONNEBORN_BERGER,
    TieBreak.POINTS_PER_HAND,
    TieBreak.SEEDING,
)
PLAIN_CHAIN = (
    TieBreak.DIRECT_ENCOUNTER,
    TieBreak.GAME_DIFFERENCE,
    TieBreak.POINTS_PER_HAND,
    TieBreak.LOT,
)

Value = tuple[float, ...]


def drawn_lot(secret: bytes, name: str) -> int:
    """A number that nobody knows before the secret; the larger one is ahead."""
    return int.from_bytes(hmac.digest(secret, b"lot|" + name.encode(), sha256)[:8])


def points_per_hand(tally: Tally) -> float:
    """Net hand points a hand, 0 before the first hand."""
    return tally.net_points / tally.hands if tally.hands else 0.0


def sonneborn_berger(tally: Tally, tallies: Mapping[int, Tally]) -> float:
    """The opponents' match points, each times the share of the win taken from it."""
    return sum(
        share * tallies[other].match_points for other, share in tally.opponents if other in tallies
    )


def buchholz(tally: Tally, tallies: Mapping[int, Tally]) -> float:
    """The opponents' match points; each bye counts as an opponent with one's own points."""
    met = sum(tallies[other].match_points for other, _ in tally.opponents if other in tallies)
    return met + tally.byes * tally.match_points


def overall_values(
    chain: Sequence[TieBreak],
    tallies: Mapping[int, Tally],
    names: Mapping[int, str],
    secret: bytes,
    seeding: Sequence[int] = (),
) -> dict[TieBreak, dict[int, Value]]:
    """The values of all steps that do not depend on who is tied; larger is better."""
    formulas: dict[TieBreak, Callable[[int, Tally], float]] = {
        TieBreak.GAME_DIFFERENCE: lambda _, tally: tally.game_difference,
        TieBreak.SONNEBORN_BERGER: lambda _, tally: sonneborn_berger(tally, tallies),
        TieBreak.BUCHHOLZ: lambda _, tally: buchholz(tally, tallies),
        TieBreak.POINTS_PER_HAND: lambda _, tally: points_per_hand(tally),
        TieBreak.SEEDING: lambda entrant, _: -seeding.index(entrant),
        TieBreak.LOT: lambda entrant, _: drawn_lot(secret, names[entrant]),
    }
    return {
        step: {entrant: (formulas[step](entrant, tally),) for entrant, tally in tallies.items()}
        for step in chain
        if step is not TieBreak.DIRECT_ENCOUNTER
    }


def direct_encounter(
    table: Mapping[tuple[int, int], Meeting], tied: Collection[int]
) -> dict[int, Value] | None:
    """Match points and net hand points among the tied; None unless all have met each other."""
    pairs = [(entrant, other) for entrant in tied for other in tied if other != entrant]
    if not all(pair in table for pair in pairs):
        return None
    values: dict[int, Value] = {}
    for entrant in tied:
        meetings = [table[entrant, other] for other in tied if other != entrant]
        values[entrant] = (
            sum(meeting.match_points for meeting in meetings),
            sum(meeting.net_points for meeting in meetings),
        )
    return values


class Reason(NamedTuple):
    """The step that gave a place, and its value; None where the value means nothing to people."""

    step: TieBreak
    value: float | None


Decided = tuple[int, Reason | None]


def break_ties(
    tied: Collection[int],
    chain: Sequence[TieBreak],
    overall: Mapping[TieBreak, Mapping[int, Value]],
    meet: Callable[[Collection[int]], Mapping[int, Value] | None],
) -> list[Decided]:
    """The tied from first to last, each with the step that gave it a place of its own.

    ``meet`` gives the values of the direct encounter. Two that not even the lot separates (equal
    names) keep the order of their numbers.
    """
    if len(tied) == 1:
        return [(entrant, None) for entrant in tied]
    for step in chain:
        values = meet(tied) if step is TieBreak.DIRECT_ENCOUNTER else overall[step]
        if values is None:
            continue
        groups: dict[Value, list[int]] = {}
        for entrant in tied:
            groups.setdefault(values[entrant], []).append(entrant)
        if len(groups) == 1:
            continue
        order: list[Decided] = []
        for value in sorted(groups, reverse=True):
            below = break_ties(groups[value], chain, overall, meet)
            reason = _reason(step, value, groups)
            order += [(entrant, inner or reason) for entrant, inner in below]
        return order
    return [(entrant, Reason(TieBreak.LOT, None)) for entrant in sorted(tied)]


def _reason(step: TieBreak, value: Value, groups: Collection[Value]) -> Reason:
    """What set this value apart from the others: of a level encounter its hand points."""
    if step is TieBreak.DIRECT_ENCOUNTER and sum(other[0] == value[0] for other in groups) > 1:
        return Reason(TieBreak.DIRECT_POINTS, value[1])
    return Reason(step, None if step in (TieBreak.LOT, TieBreak.SEEDING) else value[0])
