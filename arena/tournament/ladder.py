"""Ladder: runs until it is stopped and spends its matches where they tell most. Pure.

Each round pairs whoever is placed least certainly first, with an opponent of similar rating; pairs
that have met give way to others. A round is paired when the one before is complete, so the pairings
depend on results alone and not on the order in which they came in.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import inf

from arena.referee.verdicts import Termination
from arena.tournament.model import Fixture, FixtureResult, FormatOptions, Results
from arena.tournament.ratings import MEAN, Rating, rate
from arena.tournament.schedule import check_entrants, fixture, paired_round

STAGE = "ladder"
REPEAT = 25.0
"""Rating points by which a former meeting makes an opponent less near. It also joins up pools: two
that always met would otherwise never be compared with the rest."""


class Ladder:
    """Rated matches without an end; each pairing is mirrored when ``duplicate``.

    With an odd field the entrant placed most certainly sits out. Entrants that have withdrawn are
    paired no more; with fewer than two left the ladder is over.
    """

    name = STAGE
    title = "Ladder"
    has_table = True
    has_bracket = False

    def fixtures(
        self, seeding: Sequence[int], options: FormatOptions, results: Results
    ) -> tuple[Fixture, ...]:
        """All rounds so far and, when they are complete, the next one.

        Finished rounds are read from their results, so a long ladder costs two fits and no more.

        :raises ConfigError: for fewer than two entrants or impossible options.
        """
        check_entrants(seeding, 2, "a ladder")
        own = sorted(
            (result for result in results.values() if result.key.stage == STAGE),
            key=lambda result: (result.key.round, result.key.half, result.key.slot),
        )
        latest = own[-1].key.round if own else 1
        before = [result for result in own if result.key.round < latest]
        finished = [fixture(result.key, result.seats, options, _label(result)) for result in before]
        current = paired_round(STAGE, latest, pairings(seeding, options, before), options)
        if any(item.key not in results for item in current):
            return (*finished, *current)
        following = paired_round(STAGE, latest + 1, pairings(seeding, options, own), options)
        return (*finished, *current, *following)

    def total(self, entrants: int, options: FormatOptions) -> int | None:
        """There is no end."""
        return None


def _label(result: FixtureResult) -> str:
    return f"Round {result.key.round}" + (", seats swapped" if result.key.half else "")


def pairings(
    seeding: Sequence[int], options: FormatOptions, results: Sequence[FixtureResult]
) -> list[tuple[int, int]]:
    """The next round: widest interval first, nearest rating, fewest meetings, better seeding."""
    gone = {e for r in results if r.termination == Termination.WITHDRAWN for e in r.forfeited}
    rows = {
        row.entrant: row
        for row in rate(seeding, results, fewer_points_win=options.fewer_points_win).rows
    }
    met: Counter[frozenset[int]] = Counter(frozenset(r.seats) for r in results)
    lead: Counter[int] = Counter(r.seats[0] for r in results)
    lead.subtract(Counter(r.seats[1] for r in results))
    waiting = sorted(
        (entrant for entrant in seeding if entrant not in gone),
        key=lambda e: (-_width(rows[e]), rows[e].games, seeding.index(e)),
    )
    halves = 2 if options.duplicate else 1
    pairs: list[tuple[int, int]] = []
    while len(waiting) > 1:
        first = waiting.pop(0)
        second = min(
            waiting,
            key=lambda other: (
                abs(_place(rows[first]) - _place(rows[other]))
                + REPEAT * met[frozenset((first, other))] / halves,
                seeding.index(other),
            ),
        )
        waiting.remove(second)
        pairs.append((first, second) if lead[first] <= lead[second] else (second, first))
    return pairs


def _place(row: Rating) -> float:
    """Rounded, so that equal records are equal whatever a machine does to the last digits."""
    return MEAN if row.rating is None else round(row.rating, 3)


def _width(row: Rating) -> float:
    """The length of the interval; endless while it is open or there is none."""
    return inf if row.low is None or row.high is None else round(row.high - row.low, 3)
