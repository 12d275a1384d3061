"""What ``arena compare`` prints while it plays."""

from __future__ import annotations

from bisect import insort
from operator import itemgetter
from typing import TYPE_CHECKING

from arena.cli.terminal import Terminal

if TYPE_CHECKING:
    from arena.store.rows import FixtureRow
    from arena.tournament.model import FixtureKey, FixtureResult
    from arena.tournament.statistics.comparison import Comparison
    from arena.tournament.statistics.sprt import SprtState


class Meter(Terminal):
    """Reports the log-likelihood ratio instead of results: a line a pair, and never a bar, for
    nobody knows how long the test takes."""

    def __init__(self, title: str, format: Comparison, *, quiet_stdout: bool) -> None:
        super().__init__(title, quiet_stdout=quiet_stdout)
        self._format = format
        self._results: list[tuple[tuple[int, int, int], FixtureKey, FixtureResult]] = []
        """In the order of the schedule, as the test wants them, whatever comes first."""
        self._shown = 0

    def started(self, total: int | None, finished: int) -> None:
        """Play begins."""

    def played(self, fixture: FixtureRow, result: FixtureResult, sentence: str) -> None:
        """A fixture has its result."""
        key = fixture.key
        place = (key.round, key.half, key.slot)
        insort(self._results, (place, key, result), key=itemgetter(0))
        state = self._format.state((0, 1), {key: result for _, key, result in self._results})
        if state.pairs > self._shown:
            self._shown = state.pairs
            self.line(meter_line(state))


def meter_line(state: SprtState) -> str:
    """Where the test stands, in one line."""
    from arena.tournament.statistics.sprt import PAIRS_FOR_DECISION

    if state.llr is None:
        test = f"too few pairs yet for the test, which begins with {PAIRS_FOR_DECISION}"
    else:
        test = f"LLR {state.llr:+.2f} ({state.lower_bound:.2f} … {state.upper_bound:.2f})"
    mean, half = state.estimate.mean, state.estimate.half_width
    estimate = "–" if mean is None else f"{100 * mean:.1f} %"
    if half is not None:
        estimate += f" ± {100 * half:.1f}"
    counted = f"{state.pairs} {'pair' if state.pairs == 1 else 'pairs'}"
    return f"{counted}, {test}, {estimate} of games"
