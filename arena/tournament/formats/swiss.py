"""Swiss system: each round pairs entrants with similar scores that have not met. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import TypeVar

from arena.errors import ConfigError
from arena.referee.verdicts import Termination
from arena.tournament.formats.format import SERIES, USE_ROUNDS, Format
from arena.tournament.formats.schedule import check_entrants, gone, halves, paired_round
from arena.tournament.formats.swiss_pairing import Field, pair_round
from arena.tournament.formats.volume import Volume
from arena.tournament.match import is_bye, match_points
from arena.tournament.model import NOBODY, Fixture, FixtureResult, FormatOptions, Left, Results
from arena.tournament.ranking.standings import TableRules
from arena.tournament.ranking.tie_breaks import SWISS_CHAIN

STAGE = "swiss"
T = TypeVar("T")


def usual_rounds(entrants: int) -> int:
    """Enough rounds to leave one entrant unbeaten: the logarithm to base two, rounded up."""
    return max(1, (entrants - 1).bit_length())


def most_rounds(entrants: int) -> int:
    """The most rounds in which nobody need meet twice; in an odd field each has one bye."""
    return entrants - 1 + entrants % 2


class Swiss(Format):
    """``rounds`` rounds; each pairing is played twice with seats swapped when ``duplicate``.

    A round is paired when the last result of the round before is in. Entrants that have left by
    then are paired no more; with fewer than two it is over. A bye is worth a won match for each
    fixture that the others play in the round. More rounds than a field allows without a rematch are
    refused; should pairing by score, or a withdrawal, still force one, there are as few as
    possible.
    """

    name = STAGE
    title = "Swiss"
    summary = "Swiss: each round pairs bots with similar scores"
    description = "opponents with equal points, nobody twice, `rounds` of it"
    uses = (*SERIES, "rounds", "duplicate")
    instead = USE_ROUNDS

    def fixtures(
        self,
        seeding: Sequence[int],
        options: FormatOptions,
        results: Results,
        left: Left = NOBODY,
    ) -> tuple[Fixture, ...]:
        """The rounds paired so far.

        :raises ConfigError: for fewer than two entrants, no rounds, or too many of them.
        """
        check_entrants(seeding, 2, "a Swiss tournament")
        rounds = self.rounds(len(seeding), options)
        if rounds < 1:
            raise ConfigError(f"rounds = {rounds}: a Swiss tournament needs at least 1")
        most = most_rounds(len(seeding))
        if rounds > most:
            raise ConfigError(
                f"rounds = {rounds}: {len(seeding)} entrants can play {most} without meeting "
                f"twice; choose at most {most}, or a round robin with legs"
            )
        by_round: dict[int, list[FixtureResult]] = {}
        for key, result in results.items():
            if key.stage == STAGE:
                by_round.setdefault(key.round, []).append(result)
        fixtures: list[Fixture] = []
        history = History(tuple(seeding))
        for number in range(1, rounds + 1):
            pairings = history.pairings(gone(left, number))
            paired = paired_round(STAGE, number, pairings, options)
            fixtures += paired
            if any(len(f.seats) > 1 and f.key not in results for f in paired):
                break
            history.add(pairings, by_round.get(number, []), options)
        return tuple(fixtures)

    def total(self, entrants: int, options: FormatOptions) -> int | None:
        """Tables times rounds, twice when mirrored; withdrawals make it fewer."""
        halves = 2 if options.duplicate else 1
        return entrants // 2 * self.rounds(entrants, options) * halves

    def rounds(self, entrants: int, options: FormatOptions) -> int:
        """Those that were asked for, else the usual number."""
        return options.rounds if options.rounds is not None else usual_rounds(entrants)

    def volume(self, entrants: int, options: FormatOptions) -> Volume:
        """In an odd field some have a bye."""
        rounds = self.rounds(entrants, options) - entrants % 2
        own = rounds * (2 if options.duplicate else 1)
        return self._volume(self._ending(entrants, options), own, max(1, rounds), options)

    def table_rules(self, options: FormatOptions) -> TableRules:
        """With Buchholz, as opponents differ; a bye stands for a match won."""
        return TableRules(SWISS_CHAIN, bye_points=1.0, fewer_points_win=options.fewer_points_win)


class History:
    """Adds up the finished rounds of one call; never kept between calls."""

    def __init__(self, seeding: tuple[int, ...]) -> None:
        self._seeding = seeding
        self._score: Counter[int] = Counter()
        self._met: dict[int, set[int]] = {entrant: set() for entrant in seeding}
        self._byes: Counter[int] = Counter()
        self._seat_lead: Counter[int] = Counter()
        self._gone: set[int] = set()

    def add(
        self,
        pairings: Sequence[tuple[int, ...]],
        results: Sequence[FixtureResult],
        options: FormatOptions,
    ) -> None:
        """Count a finished round."""
        for pairing in pairings:
            if len(pairing) == 1:
                self._byes[pairing[0]] += 1
                # Scores are kept in half points, so that they stay whole numbers.
                self._score[pairing[0]] += 2 * len(halves((0, 1), options))
            else:
                self._met[pairing[0]].add(pairing[1])
                self._met[pairing[1]].add(pairing[0])
        for result in results:
            if is_bye(result):
                continue
            points = match_points(result, options.fewer_points_win)
            for entrant, share in zip(result.seats, points, strict=True):
                self._score[entrant] += round(2 * share)
            self._seat_lead[result.seats[0]] += 1
            self._seat_lead[result.seats[1]] -= 1
            # When somebody left was not noted down by the first versions of the arena.
            if result.termination == Termination.WITHDRAWN:
                self._gone.update(result.forfeited)

    def pairings(self, left: Collection[int]) -> tuple[tuple[int, ...], ...]:
        """The next round without those that have left; none when fewer than two are there."""
        gone = self._gone.union(left)
        present = [entrant for entrant in self._seeding if entrant not in gone]
        if len(present) < 2:
            return ()
        ranking = tuple(sorted(present, key=lambda entrant: -self._score[entrant]))
        return _pair(
            ranking,
            tuple(self._score[entrant] for entrant in ranking),
            tuple(frozenset(self._met[entrant]) for entrant in ranking),
            tuple(self._byes[entrant] for entrant in ranking),
            tuple(self._seat_lead[entrant] for entrant in ranking),
        )


@lru_cache(maxsize=64)
def _pair(
    ranking: tuple[int, ...],
    score: tuple[int, ...],
    met: tuple[frozenset[int], ...],
    byes: tuple[int, ...],
    seat_lead: tuple[int, ...],
) -> tuple[tuple[int, ...], ...]:
    """`pair_round`, remembered, because every call of `Swiss.fixtures` goes through all rounds."""

    def of(values: tuple[T, ...]) -> dict[int, T]:
        return dict(zip(ranking, values, strict=True))

    return pair_round(Field(ranking, of(score), of(met), of(byes), of(seat_lead)))
