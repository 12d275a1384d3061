"""Gauntlet: one champion against everybody, to place it among them or to test a new bot. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from arena.errors import ConfigError
from arena.tournament.formats.format import SERIES, USE_LEGS, Format, RankedBy
from arena.tournament.formats.schedule import check_entrants, check_legs, fixture
from arena.tournament.formats.volume import Volume
from arena.tournament.model import NOBODY, Fixture, FixtureKey, FormatOptions, Left, Results
from arena.tournament.ranking.standings import TableRules
from arena.tournament.ranking.tie_breaks import PLAIN_CHAIN


class Gauntlet(Format):
    """The champion meets each other entrant ``legs`` times, each time mirrored if ``duplicate``."""

    name = "gauntlet"
    title = "Gauntlet"
    summary = "Gauntlet: one bot against all others"
    description = (
        "one bot, the `champion`, against all others; the table goes by what each took from "
        "it, and nobody wins"
    )
    uses = (*SERIES, "legs", "champion", "duplicate")
    instead = USE_LEGS
    ranked_by = RankedBy.SHARE
    nobody_wins = "a gauntlet only shows where its champion stands among the others"

    def fixtures(
        self,
        seeding: Sequence[int],
        options: FormatOptions,
        results: Results,
        left: Left = NOBODY,
    ) -> tuple[Fixture, ...]:
        """The whole schedule: all first halves, then all second halves.

        :raises ConfigError: for fewer than two entrants or a champion who is not one of them.
        """
        check_entrants(seeding, 2, "a gauntlet")
        check_legs(options)
        if options.champion not in seeding:
            raise ConfigError(
                f"champion = {options.champion}: not an entrant of this tournament, "
                f"choose one of {sorted(seeding)}"
            )
        return _schedule(tuple(seeding), options)

    def total(self, entrants: int, options: FormatOptions) -> int | None:
        """One fixture for each opponent and leg, two when mirrored."""
        return (entrants - 1) * options.legs * (2 if options.duplicate else 1)

    def volume(self, entrants: int, options: FormatOptions) -> Volume:
        """All but the champion meet it alone."""
        own = options.legs * (2 if options.duplicate else 1)
        return self._volume(self._ending(entrants, options), own, 1, options)

    def table_rules(self, options: FormatOptions) -> TableRules:
        """By the share of points that each took from the champion, who plays every match."""
        return TableRules(
            PLAIN_CHAIN, fewer_points_win=options.fewer_points_win, champion=options.champion
        )


@lru_cache(maxsize=8)
def _schedule(seeding: tuple[int, ...], options: FormatOptions) -> tuple[Fixture, ...]:
    challengers = [entrant for entrant in seeding if entrant != options.champion]
    fixtures = []
    for half in range(2 if options.duplicate else 1):
        for leg in range(options.legs):
            label = f"Leg {leg + 1}" + (", seats swapped" if half else "")
            for slot, challenger in enumerate(challengers, start=1):
                seats = (options.champion, challenger)
                if (slot + leg + half) % 2:
                    seats = seats[::-1]
                key = FixtureKey("gauntlet", leg + 1, slot, half)
                fixtures.append(fixture(key, seats, options, label))
    return tuple(fixtures)
