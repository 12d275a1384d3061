"""What single and double elimination share: nothing but a bracket, in which everybody is. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from arena.tournament.formats.bracket import bracket_fixtures
from arena.tournament.formats.format import USE_BEST_OF, Format, RankedBy
from arena.tournament.formats.schedule import check_entrants
from arena.tournament.model import NOBODY, Fixture, FormatOptions, Left, Results


class Elimination(Format):
    """A format that is one bracket; which, its `bracket` says."""

    instead = USE_BEST_OF
    has_table = False
    has_bracket = True
    ranked_by = RankedBy.BRACKET

    def fixtures(
        self,
        seeding: Sequence[int],
        options: FormatOptions,
        results: Results,
        left: Left = NOBODY,
    ) -> tuple[Fixture, ...]:
        """Every match whose two entrants are known, and the byes.

        :raises ConfigError: for fewer than two entrants or an impossible series.
        """
        check_entrants(seeding, 2, self.title.lower())
        return tuple(bracket_fixtures(self.bracket(seeding, options, results), options, results))
