"""What came out of a comparison of two bots, for ``arena compare`` and ``arena resume``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from arena.cli.meter import meter_line
from arena.config import TournamentConfig
from arena.store import Store
from arena.store.rows import EntrantState, TournamentRow, TournamentState
from arena.tournament.results import stored_results
from arena.tournament.statistics.comparison import Comparison
from arena.tournament.statistics.intervals import Estimate
from arena.tournament.statistics.sprt import Decision, SprtState, points_against


@dataclass(frozen=True, slots=True)
class Outcome:
    """Where the test stands, and the points a hand of the first bot.

    ``low``, ``high``: the hypotheses. ``open``: what is to be said while nothing is decided.
    """

    first: str
    second: str
    low: float
    high: float
    test: SprtState
    points: Estimate
    open: str

    def sentence(self) -> str:
        """What came out.

        The lower hypothesis says no more than "not better"; when all of the interval is below one
        half the first is worse.
        """
        first, second = self.first, self.second
        low, high = self.test.estimate.low, self.test.estimate.high
        if self.test.decision is Decision.HIGH:
            return f"{first} is better than {second}: {100 * self.high:g} % accepted"
        if self.test.decision is Decision.GO_ON:
            return self.open
        if low is not None and high is not None and high < 0.5:
            return (
                f"{first} is worse than {second}: it wins {100 * low:.1f} to "
                f"{100 * high:.1f} % of games"
            )
        return f"{first} is not better than {second}: {100 * self.low:g} % accepted"

    def lines(self) -> list[str]:
        """A sentence, the test, and points a hand."""
        interval = " (95 % interval; a little optimistic after a stop)"
        has_one = self.test.estimate.half_width is not None
        lines = [self.sentence(), meter_line(self.test) + interval * has_one]
        if self.points.mean is not None:
            reach = self.points.half_width
            interval = "too few pairs for an interval" if reach is None else f"± {reach:.2f}"
            lines.append(f"{self.points.mean:+.2f} points a hand ({interval})")
        return lines

    def as_json(self) -> dict[str, Any]:
        """The same for programs."""
        estimate = self.test.estimate
        return {
            "decision": self.test.decision,
            "llr": self.test.llr,
            "bounds": [self.test.lower_bound, self.test.upper_bound],
            "pairs": self.test.pairs,
            "share_of_games": estimate.mean,
            "low": estimate.low,
            "high": estimate.high,
            "points_per_hand": self.points.mean,
            "points_low": self.points.low,
            "points_high": self.points.high,
            "sentence": self.sentence(),
        }


def outcome_of(store: Store, tournament: TournamentRow) -> Outcome | None:
    """What came out of a tournament, None if it is no comparison."""
    format = TournamentConfig.from_json(tournament.config).find_format()
    if not isinstance(format, Comparison):
        return None
    entrants = sorted(store.tournaments.entrants(tournament.id), key=lambda row: row.seeding)
    first, second = entrants
    results = stored_results(store, tournament.id)
    left = [row.name for row in entrants if row.state is not EntrantState.PLAYING]
    if tournament.state is not TournamentState.FINISHED:
        undecided = "undecided so far"
    elif left:
        undecided = f"undecided: {' and '.join(left)} left before the test had decided"
    else:
        undecided = "undecided: the most pairs allowed were played"
    return Outcome(
        first.name,
        second.name,
        format.settings.low,
        format.settings.high,
        format.state((first.number, second.number), results),
        points_against(results.values(), first.number, second.number),
        undecided,
    )
