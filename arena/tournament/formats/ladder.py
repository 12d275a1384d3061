"""Ladder: runs so many rounds, or until it is ended, and spends its matches where they tell most.
Pure.

What a match tells is p(1 - p), where p is the chance to win a game of it as far as the ratings are
known, times the variance that the two ratings have together: most between neighbours of whom little
is known, least where the outcome is clear. Each round takes the pairings that tell most for each
time they were played already, so that in the long run two meet in proportion to what it tells. A
clear pairing is played `CLEAR_MEETINGS` times and then left, even if a bot has to sit out: beating
the same weak bot for ever tells nothing. The table goes by rating, see `final_table`.

A round is paired when the one before is complete, so the pairings depend on results alone and not
on the order in which they came in. They look back so many rounds and no further: what a bot was
long ago says little of it, and a ladder that runs for months needs no more memory and time for a
round than one of a day.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from functools import lru_cache
from itertools import combinations
from math import pi, sqrt

from arena.errors import ConfigError
from arena.referee.verdicts import Termination
from arena.tournament.formats.format import SERIES, USE_ROUNDS, Format, RankedBy
from arena.tournament.formats.schedule import check_entrants, fixture, gone, paired_round
from arena.tournament.model import NOBODY, Fixture, FixtureResult, FormatOptions, Left, Results
from arena.tournament.statistics.odds import game_chance
from arena.tournament.statistics.rating import MEAN, SCALE, Rating
from arena.tournament.statistics.ratings import rate

STAGE = "ladder"
UNKNOWN = 350.0
"""Standard deviation, in rating points, of a rating that has no interval or one open to a side; no
other counts as less certain."""

CLEAR = 512.0
"""From this gap on, 95 % for the stronger in each game, an outcome is clear."""

CLEAR_MEETINGS = 2
"""So often a clear pairing is played in the rounds that are looked back to."""

NORMAL_REACH = 1.96
"""Standard deviations from the middle of a 95 % interval to its ends."""

LOOKS_BACK = 100
"""Rounds whose results pairings follow from: a hundred mirrored pairs of every bot."""


class Ladder(Format):
    """Rated matches, ``rounds`` rounds or without an end; mirrored when ``duplicate``.

    With an odd field somebody sits out whose match would tell least. Entrants that have left are
    paired no more; with fewer than two there the ladder is over.
    """

    name = STAGE
    title = "Ladder"
    summary = "Ladder: runs for so many rounds, or until it is ended"
    description = (
        "rated matches where the last 100 rounds say that they tell most, for `rounds` or "
        "until `arena finish` ends it with the round in play; a pairing whose outcome is clear "
        "is left after two; its table goes by rating, not by points"
    )
    uses = (*SERIES, "rounds", "duplicate")
    instead = USE_ROUNDS
    ranked_by = RankedBy.RATING
    runs_on = True
    looks_back = LOOKS_BACK

    def fixtures(
        self,
        seeding: Sequence[int],
        options: FormatOptions,
        results: Results,
        left: Left = NOBODY,
    ) -> tuple[Fixture, ...]:
        """All rounds so far and, when they are complete, the next one.

        Finished rounds are read from their results, as far as those are given, and the round in
        play is remembered, so a long ladder costs one fit a round and no more.

        :raises ConfigError: for fewer than two entrants or impossible options.
        """
        check_entrants(seeding, 2, "a ladder")
        rounds = options.rounds
        if rounds is not None and rounds < 1:
            raise ConfigError(f"rounds = {rounds}: a ladder needs at least 1, or none to go on")
        own = sorted(
            (result for result in results.values() if result.key.stage == STAGE),
            key=lambda result: (result.key.round, result.key.half, result.key.slot),
        )

        def made(number: int) -> list[Fixture]:
            first = 0 if self.looks_back is None else number - self.looks_back
            before = tuple(result for result in own if first <= result.key.round < number)
            pairs = _pairings(tuple(seeding), options, before, frozenset(gone(left, number)))
            return paired_round(STAGE, number, pairs, options)

        latest = own[-1].key.round if own else 1
        finished = [
            fixture(result.key, result.seats, options, _label(result))
            for result in own
            if result.key.round < latest
        ]
        current = made(latest)
        if any(item.key not in results for item in current) or latest == rounds:
            return (*finished, *current)
        return (*finished, *current, *made(latest + 1))

    def total(self, entrants: int, options: FormatOptions) -> int | None:
        """As many as rounds can have; fewer where an outcome is clear. None without an end."""
        if options.rounds is None:
            return None
        return entrants // 2 * options.rounds * (2 if options.duplicate else 1)


def _label(result: FixtureResult) -> str:
    return f"Round {result.key.round}" + (", seats swapped" if result.key.half else "")


@lru_cache(maxsize=2)
def _pairings(
    seeding: tuple[int, ...],
    options: FormatOptions,
    results: tuple[FixtureResult, ...],
    left: frozenset[int],
) -> tuple[tuple[int, int], ...]:
    """`pairings`, remembered: the round in play is asked for after each of its matches."""
    return tuple(pairings(seeding, options, results, left))


def pairings(
    seeding: Sequence[int],
    options: FormatOptions,
    results: Sequence[FixtureResult],
    left: Collection[int] = (),
) -> list[tuple[int, int]]:
    """The next round: what tells most for each former meeting, then the better seeding."""
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
    halves = 2 if options.duplicate else 1
    offered = []
    for one, other in combinations([entrant for entrant in seeding if entrant not in out], 2):
        meetings = met[frozenset((one, other))] / halves
        clear = meetings >= CLEAR_MEETINGS and _gap(rows[one], rows[other]) >= CLEAR
        # Rounded, so that equal records are equal whatever a machine does to the last digits.
        worth = round(_told(rows[one], rows[other]) / (1 + meetings), 3)
        offered.append((clear, -worth, one, other))
    # Sorting keeps the order of the seeding among equals.
    offered.sort(key=lambda offer: offer[:2])
    taken: set[int] = set()
    pairs: list[tuple[int, int]] = []
    for clear, _, one, other in offered:
        if taken & {one, other} or (clear and pairs):
            continue
        taken |= {one, other}
        pairs.append((one, other) if lead[one] <= lead[other] else (other, one))
    return pairs


def _gap(one: Rating, other: Rating) -> float:
    return abs(_place(one) - _place(other))


def _told(one: Rating, other: Rating) -> float:
    """What a game of the two tells: p(1 - p) times the variance of both ratings together.

    That ratings are uncertain draws p towards a half, by the usual approximation of a logistic
    curve averaged over a normal distribution.
    """
    variance = _spread(one) ** 2 + _spread(other) ** 2
    drawn_in = 1 / sqrt(1 + 3 * variance / (SCALE * pi) ** 2)
    chance = game_chance(drawn_in * _gap(one, other))
    return chance * (1 - chance) * variance


def _place(row: Rating) -> float:
    return MEAN if row.rating is None else round(row.rating, 3)


def _spread(row: Rating) -> float:
    """The standard deviation of a rating, in points."""
    if row.low is None or row.high is None:
        return UNKNOWN
    return min(UNKNOWN, round(row.high - row.low, 3) / (2 * NORMAL_REACH))
