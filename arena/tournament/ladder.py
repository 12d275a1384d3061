"""Ladder: runs until it is stopped and spends its matches where they tell most. Pure.

Each round pairs whoever is placed least certainly first, with an opponent of similar rating; pairs
that have met give way to others. A round is paired when the one before is complete, so the pairings
depend on results alone and not on the order in which they came in. They look back so many rounds
and no further: what a bot was long ago says little of it, and a ladder that runs for months needs
no more memory and time for a round than one of a day.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from math import inf

from arena.referee.verdicts import Termination
from arena.tournament.model import NOBODY, Fixture, FixtureResult, FormatOptions, Left, Results
from arena.tournament.ratings import MEAN, Rating, rate
from arena.tournament.schedule import check_entrants, fixture, gone, paired_round

STAGE = "ladder"
REPEAT = 25.0
"""Rating points by which a former meeting makes an opponent less near. It also joins up pools: two
that always met would otherwise never be compared with the rest."""

LOOKS_BACK = 100
"""Rounds whose results pairings follow from: a hundred mirrored pairs of every bot."""


class Ladder:
    """Rated matches without an end; each pairing is mirrored when ``duplicate``.

    With an odd field the entrant placed most certainly sits out. Entrants that have left are paired
    no more; with fewer than two there the ladder is over.
    """

    name = STAGE
    title = "Ladder"
    has_table = True
    has_bracket = False
    looks_back: int | None = LOOKS_BACK

    def fixtures(
        self,
        seeding: Sequence[int],
        options: FormatOptions,
        results: Results,
        left: Left = NOBODY,
    ) -> tuple[Fixture, ...]:
        """All rounds so far and, when they are complete, the next one.

        Finished rounds are read from their results, as far as those are given, so a long ladder
        costs two fits and no more.

        :raises ConfigError: for fewer than two entrants or impossible options.
        """
        check_entrants(seeding, 2, "a ladder")
        own = sorted(
            (result for result in results.values() if result.key.stage == STAGE),
            key=lambda result: (result.key.round, result.key.half, result.key.slot),
        )

        def made(number: int) -> list[Fixture]:
            first = 0 if self.looks_back is None else number - self.looks_back
            before = [result for result in own if first <= result.key.round < number]
            pairs = pairings(seeding, options, before, gone(left, number))
            return paired_round(STAGE, number, pairs, options)

        latest = own[-1].key.round if own else 1
        finished = [
            fixture(result.key, result.seats, options, _label(result))
            for result in own
            if result.key.round < latest
        ]
        current = made(latest)
        if any(item.key not in results for item in current):
            return (*finished, *current)
        return (*finished, *current, *made(latest + 1))

    def total(self, entrants: int, options: FormatOptions) -> int | None:
        """There is no end."""
        return None


def _label(result: FixtureResult) -> str:
    return f"Round {result.key.round}" + (", seats swapped" if result.key.half else "")


def pairings(
    seeding: Sequence[int],
    options: FormatOptions,
    results: Sequence[FixtureResult],
    left: Collection[int] = (),
) -> list[tuple[int, int]]:
    """The next round: widest interval first, nearest rating, fewest meetings, better seeding."""
    # When somebody left was not noted down by the first versions of the arena.
    out = {e for r in results if r.termination == Termination.WITHDRAWN for e in r.forfeited}
    out.update(left)
    rows = {
        row.entrant: row
        for row in rate(seeding, results, fewer_points_win=options.fewer_points_win).rows
    }
    met: Counter[frozenset[int]] = Counter(frozenset(r.seats) for r in results)
    lead: Counter[int] = Counter(r.seats[0] for r in results)
    lead.subtract(Counter(r.seats[1] for r in results))
    waiting = sorted(
        (entrant for entrant in seeding if entrant not in out),
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
