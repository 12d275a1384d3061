"""Checks: does the bot decide legally, in every phase and rare position of what it claims."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import TypeVar

from arena.referee.moments import Moment
from arena.rules.base import Phase
from arena.wire.conformance.positions import RARE, Found
from arena.wire.conformance.steps import StepFailed, StepSkipped, StepUnfinished, plural
from arena.wire.conformance.visit import Check, Visit

PHASES = "Decisions by phase"
RARITIES = "Decisions with special actions"

POSITIONS_PART = 0.2
"""How much of the whole time a slow bot is asked single positions."""
MOST_FAILURES = 3
"""After so many failed decisions in a step the others are not asked."""
OPPORTUNITIES = {
    "knock": "knocking is possible",
    "big_gin": "big gin is possible",
    "double": "doubling is possible",
    "under": "the discard below the top can be taken",
    "take": "several discards can be taken",
    "meld": "a meld can be laid on the table",
    "add": "a card can be added to a meld on the table",
    "declare": "declaring is possible",
    "drop": "dropping out is possible",
}
LEGAL = "answer with the id of one of the actions in `legal`; the first is always safe"
T = TypeVar("T")


def checks() -> Iterator[Check]:
    """The checks in their order."""
    for phase in Phase:
        if phase is not Phase.OVER:
            yield Check(PHASES, f"phase {phase}", LEGAL, _asks(_in_phase(phase)))
    for kind in dict.fromkeys(RARE.values()):
        yield Check(RARITIES, f"when {OPPORTUNITIES[kind]}", LEGAL, _asks(_with_rare(kind)))


def _in_phase(phase: Phase) -> Callable[[Found], bool]:
    return lambda found: found.phase is phase


def _with_rare(kind: str) -> Callable[[Found], bool]:
    return lambda found: kind in found.rare


def _asks(wanted: Callable[[Found], bool]) -> Callable[[Visit], str]:
    """Ask about all positions that fit."""

    def run(visit: Visit) -> str:
        chosen = [found for found in visit.positions if wanted(found)]
        if not chosen:
            raise StepSkipped("no game that the bot claims has it")
        share = POSITIONS_PART * len(chosen) / len(visit.positions)
        asked = sample(visit, chosen, share)
        all_of(visit, [found.moment for found in asked])
        games = len({found.variant.name for found in asked})
        return f"{of_all(len(asked), len(chosen))} in {plural(games, 'variant')}"

    return run


def sample(visit: Visit, found: Sequence[T], part: float) -> Sequence[T]:
    """All of them, or as many as a slow bot can be asked in this part of the time, spread."""
    count = visit.affordable(part, len(found))
    return found if count == len(found) else Random("sample").sample(found, count)


def of_all(asked: int, known: int) -> str:
    """How many decisions were asked, and of how many if not of all."""
    return plural(asked, "decision") if asked == known else f"{asked} of {known} decisions"


def all_of(visit: Visit, moments: Sequence[Moment]) -> None:
    """Ask for each; when some fail, tell how many, and of the first everything.

    :raises StepFailed: some did.
    """
    failed: list[StepFailed] = []
    exchange = None
    asked = 0
    for moment in moments:
        if visit.is_late and not failed:
            raise StepUnfinished(f"the time was up after {asked} of {len(moments)} decisions")
        asked += 1
        try:
            visit.must_answer([moment])
        except StepFailed as one:
            failed.append(one)
            exchange = exchange or visit.kept()
        # One of many may be a rare case, but who fails at once fails always.
        if len(failed) == MOST_FAILURES or (failed and asked == 1):
            break
    if failed and exchange is not None:
        visit.show_again(exchange)
        of = f"{len(failed)} of {plural(asked, 'decision')} failed: " if len(moments) > 1 else ""
        raise StepFailed(f"{of}{failed[0]}", failed[0].fault)
