"""What the benchmark suite is made of: contests between sides, measured in turn.

A *side* measures one thing once, in about the time it is given. A *contest* is sides whose figures
can be compared; they take turns (A B A B), so that a machine that slows down slows down all of
them. A *claim* is a promise about the medians: a ratio of two sides, or a bound on one. Nothing
here knows what is measured.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import NamedTuple

Measure = Callable[[float], float]
"""From seconds it may take to a figure."""


class Side(NamedTuple):
    """One thing that is measured. ``name``: for people and for files, unique in its contest."""

    name: str
    measure: Measure


class Claim(NamedTuple):
    """A promise: the median of ``side``, over that of ``over`` if given, is within bounds."""

    side: str
    over: str | None = None
    least: float | None = None
    most: float | None = None

    def __str__(self) -> str:
        ratio = self.over is not None
        what = f"{self.side} / {self.over}" if ratio else self.side
        sign, bound = ("≥", self.least) if self.least is not None else ("≤", self.most)
        return f"{what} {sign} {bound:g}{' times' if ratio else ''}"


@dataclass(frozen=True, slots=True)
class Contest:
    """Sides that are measured in turn. ``unit`` is that of all figures.

    ``seconds``: for one measurement. ``rounds``: how often each side has its turn.
    """

    name: str
    unit: str
    sides: Sequence[Side]
    claims: Sequence[Claim] = ()
    seconds: float = 1.0
    rounds: int = 5
    more_is_better: bool = True


@dataclass(frozen=True, slots=True)
class Result:
    """The figures of a contest by side, in the order in which they were measured."""

    contest: str
    unit: str
    more_is_better: bool
    figures: Mapping[str, Sequence[float]]
    claims: Sequence[Claim] = ()

    def median(self, side: str) -> float:
        """The middle figure of a side."""
        return statistics.median(self.figures[side])

    def value(self, claim: Claim) -> float | None:
        """What a claim is about; None where a side was left out."""
        sides = [claim.side] if claim.over is None else [claim.side, claim.over]
        if any(side not in self.figures for side in sides):
            return None
        first, *over = map(self.median, sides)
        return first / over[0] if over else first

    def holds(self, claim: Claim) -> bool | None:
        """Whether a claim holds; None where a side was left out."""
        value = self.value(claim)
        if value is None:
            return None
        above = claim.least is None or value >= claim.least
        return above and (claim.most is None or value <= claim.most)


@dataclass(frozen=True, slots=True)
class Entry:
    """Contests that are prepared together.

    ``prepare`` gives the contests as a context, in which everything they need runs. ``left_out``
    collects why a side is missing.
    """

    name: str
    title: str
    prepare: Callable[[Setting], AbstractContextManager[Sequence[Contest]]]


@dataclass(frozen=True, slots=True)
class Setting:
    """How the suite is run. ``left_out``: sentences about what was not measured."""

    quick: bool = False
    left_out: list[str] = field(default_factory=list)

    def rounds(self, full: int, quick: int = 3) -> int:
        """How many rounds a contest has."""
        return quick if self.quick else full

    def seconds(self, full: float, quick: float) -> float:
        """How long one measurement takes."""
        return quick if self.quick else full


def run(contest: Contest, progress: Callable[[str], None] = lambda _: None) -> Result:
    """Measure all sides in turn, as often as the contest says."""
    figures: dict[str, list[float]] = {side.name: [] for side in contest.sides}
    for number in range(1, contest.rounds + 1):
        for side in contest.sides:
            progress(f"{contest.name}: {side.name}, {number} of {contest.rounds}")
            figures[side.name].append(side.measure(contest.seconds))
    return Result(contest.name, contest.unit, contest.more_is_better, figures, contest.claims)


def run_all(
    entries: Sequence[Entry], setting: Setting, progress: Callable[[str], None]
) -> Iterator[Result]:
    """The results of all contests, as they come."""
    for entry in entries:
        progress(f"{entry.name}: getting ready")
        with entry.prepare(setting) as contests:
            for contest in contests:
                if contest.sides:
                    yield run(contest, progress)
