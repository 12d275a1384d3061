"""What a tournament format is. Pure.

A new format is a module with a class of this kind and a line in `registry`: schedules, tables,
their words, plans, command line and pages ask the format for what is its own, and never which one
it is.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from enum import StrEnum
from types import MappingProxyType
from typing import ClassVar

from arena.errors import ConfigError
from arena.tournament.formats.bracket import Bracket
from arena.tournament.formats.volume import Volume, expected_games
from arena.tournament.model import NOBODY, Fixture, FormatOptions, Left, Results
from arena.tournament.ranking.standings import Row, TableRules
from arena.tournament.ranking.tie_breaks import PLAIN_CHAIN

SERIES = ("games", "best_of")
"""The options for the length of a match, which every format has."""

USE_LEGS: Mapping[str, str] = MappingProxyType({"rounds": "use legs, how often each pair meets"})
USE_BEST_OF: Mapping[str, str] = MappingProxyType({"legs": "use best_of"})
USE_ROUNDS: Mapping[str, str] = MappingProxyType({"legs": "use rounds"})


class RankedBy(StrEnum):
    """What the order of a table goes by before any tie-break."""

    POINTS = "points"
    SHARE = "share"
    """The share of the points that could be had, as not all play equally many matches."""
    BRACKET = "bracket"
    """How far each got."""
    RATING = "rating"


class Format(ABC):
    """A tournament format: a pure function from results so far to fixtures, and what goes with it.

    ``name``: in files and the store. ``title``: for people. ``summary``: a line to choose it by.
    ``description``: what it is, for documentation, with its options in backticks.
    ``uses``: the options that mean something in it; ``instead``: what to use for some that do not.
    ``many_seats``: matches are of more than two. ``has_table``: points are counted in a table.
    ``has_bracket``: who loses is out, or moves to the other half. With both, the bracket of the
    best follows the table. ``nobody_wins``: why nobody can win it, None where somebody can.
    ``runs_on``: it goes on until somebody ends it, after any round. ``looks_back``: a new round
    follows from the results of so many rounds before it, so that older ones need not be given; None
    if it may follow from all.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    summary: ClassVar[str]
    description: ClassVar[str]
    uses: ClassVar[tuple[str, ...]]
    instead: ClassVar[Mapping[str, str]] = MappingProxyType({})
    many_seats: ClassVar[bool] = False
    has_table: ClassVar[bool] = True
    has_bracket: ClassVar[bool] = False
    ranked_by: ClassVar[RankedBy] = RankedBy.POINTS
    nobody_wins: ClassVar[str | None] = None
    runs_on: ClassVar[bool] = False
    looks_back: ClassVar[int | None] = None

    @property
    def has_both(self) -> bool:
        """Whether a bracket of the best follows a table: its matches are ``best_of`` games, those
        before it ``games``."""
        return self.has_table and self.has_bracket

    @abstractmethod
    def fixtures(
        self,
        seeding: Sequence[int],
        options: FormatOptions,
        results: Results,
        left: Left = NOBODY,
    ) -> tuple[Fixture, ...]:
        """Every fixture known so far, in the order in which they should be played.

        ``seeding``: entrants from the strongest to the weakest. Called again with more results it
        returns the same fixtures and perhaps more; it is over when all of them have results and a
        further call adds none. ``left``: entrants that are paired no more; where the schedule is
        made beforehand their matches stay in it and are forfeits.

        A fixture follows from the results before it alone, never from its own or later ones: who
        checks a tournament makes it again step by step.

        :raises ConfigError: so many cannot play it, or the options are impossible.
        """

    @abstractmethod
    def total(self, entrants: int, options: FormatOptions) -> int | None:
        """Number of fixtures in all, byes not counted; None where it depends on the results."""

    def fits(self, seeding: Sequence[int], options: FormatOptions) -> bool:
        """Whether so many can play it; while entries are open there may be too few."""
        try:
            self.fixtures(seeding, options, {})
        except ConfigError:
            return False
        return True

    def rounds(self, entrants: int, options: FormatOptions) -> int | None:
        """Number of rounds where each is paired when the one before is over; None if there is no
        such number."""
        return None

    def volume(self, entrants: int, options: FormatOptions) -> Volume:
        """How much will be played.

        :raises ConfigError: it has no end to reckon with.
        """
        total = self._ending(entrants, options)
        return self._volume(total, total * 2 / entrants, entrants - 1, options)

    def table_rules(self, options: FormatOptions) -> TableRules:
        """How points are counted and ties broken in the table of all entrants."""
        return TableRules(PLAIN_CHAIN, fewer_points_win=options.fewer_points_win)

    def group_tables(
        self,
        seeding: Sequence[int],
        options: FormatOptions,
        results: Results,
        names: Mapping[int, str] | None = None,
    ) -> tuple[tuple[str, tuple[Row, ...]], ...]:
        """The name and the table of each group, nothing where the field is not split."""
        return ()

    def bracket(self, seeding: Sequence[int], options: FormatOptions, results: Results) -> Bracket:
        """Its bracket and who has which place in it.

        :raises ConfigError: it has none.
        """
        raise ConfigError(f"{self.title} has no bracket, but a table")

    def places_behind(
        self, seeding: Sequence[int], options: FormatOptions, results: Results
    ) -> list[tuple[int, int]]:
        """Entrants that did not reach the bracket, each with its place in the final table."""
        return []

    def _ending(self, entrants: int, options: FormatOptions) -> int:
        """`total`, where there is one.

        :raises ConfigError: there is none.
        """
        total = self.total(entrants, options)
        if total is None:
            raise ConfigError(f"{self.name} without rounds runs until it is ended; give it rounds")
        return total

    @staticmethod
    def _volume(
        fixtures: int, own: float, opponents: int, options: FormatOptions, halves: int | None = None
    ) -> Volume:
        """The volume of fixtures of equal length; ``halves``: if not two mirrored ones."""
        each = expected_games(options)
        if halves is None:
            halves = 2 if options.duplicate else 1
        return Volume(fixtures, fixtures, fixtures * each, own, own * each, halves, opponents)
