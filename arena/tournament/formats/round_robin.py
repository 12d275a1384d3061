"""Round robin: everybody meets everybody, by the circle method. Pure.

The order of play is part of the fairness: all first halves of the mirrored pairs come before all
second halves, so that a bot meets a deal again as late as possible.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from arena.tournament.formats.format import SERIES, USE_LEGS, Format
from arena.tournament.formats.schedule import check_entrants, check_legs, fixture
from arena.tournament.model import NOBODY, Fixture, FixtureKey, FormatOptions, Left, Results
from arena.tournament.ranking.standings import TableRules
from arena.tournament.ranking.tie_breaks import LEAGUE_CHAIN

Pairing = tuple[int, ...]


def circle(n: int) -> tuple[tuple[Pairing, ...], ...]:
    """Rounds of pairings of positions 0…n-1; with odd n one of each round is alone and has a bye.

    Each two positions meet once. The first of a pairing takes seat 0; nobody's number of first
    seats differs from its number of second seats by more than one.
    """
    size = n + n % 2
    rounds = []
    for turn in range(size - 1):
        ring = [(turn + step) % (size - 1) for step in range(size - 1)]
        pairings = [_seated(ring[0], size - 1, n)]
        pairings += [_seated(ring[i], ring[-i], n) for i in range(1, size // 2)]
        rounds.append(tuple(pairings))
    return tuple(rounds)


def _seated(a: int, b: int, n: int) -> Pairing:
    """The pairing with its seats.

    Positions on the ring sit first against those less than half a turn ahead: as many as there
    are behind. Only the fixed position of an even field is left over, it alternates.
    """
    if b >= n:
        return (a,)
    ring = n - 1 + n % 2
    if b == ring:
        return (a, b) if a % 2 else (b, a)
    return (a, b) if (b - a) % ring <= ring // 2 else (b, a)


def pool(
    stage: str, seeding: Sequence[int], options: FormatOptions, *, name: str = ""
) -> Iterator[Fixture]:
    """The fixtures of one pool in order of play. ``name`` is put before the round in labels."""
    rounds = circle(len(seeding))
    for half in range(2 if options.duplicate else 1):
        for leg in range(options.legs):
            for index, pairings in enumerate(rounds):
                number = leg * len(rounds) + index + 1
                label = f"{name}Round {number}" + (", seats swapped" if half else "")
                for slot, pairing in enumerate(pairings, start=1):
                    seats = tuple(seeding[position] for position in pairing)
                    if (leg + half) % 2:
                        seats = seats[::-1]
                    yield fixture(FixtureKey(stage, number, slot, half), seats, options, label)


class RoundRobin(Format):
    """Each pair meets ``legs`` times, each time twice with seats swapped when ``duplicate``."""

    name = "round_robin"
    title = "Round robin"
    summary = "Round robin: everybody against everybody"
    description = "everybody meets everybody, `legs` times; each leg is a mirrored pair of matches"
    uses = (*SERIES, "legs", "duplicate")
    instead = USE_LEGS

    def fixtures(
        self,
        seeding: Sequence[int],
        options: FormatOptions,
        results: Results,
        left: Left = NOBODY,
    ) -> tuple[Fixture, ...]:
        """The whole schedule; it does not depend on results.

        :raises ConfigError: for fewer than two entrants or impossible options.
        """
        check_entrants(seeding, 2, "a round robin")
        check_legs(options)
        return _schedule(tuple(seeding), options)

    def total(self, entrants: int, options: FormatOptions) -> int | None:
        """Fixtures to be played: pairs times legs, twice when mirrored."""
        halves = 2 if options.duplicate else 1
        return entrants * (entrants - 1) // 2 * options.legs * halves

    def table_rules(self, options: FormatOptions) -> TableRules:
        """With Sonneborn-Berger, as all have met the same opponents."""
        return TableRules(LEAGUE_CHAIN, fewer_points_win=options.fewer_points_win)


@lru_cache(maxsize=8)
def _schedule(seeding: tuple[int, ...], options: FormatOptions) -> tuple[Fixture, ...]:
    """Remembered, because a runner asks again after every result."""
    return tuple(pool(RoundRobin.name, seeding, options))
