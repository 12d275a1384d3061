"""How a run looks on a terminal, and plain lines where there is none."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any, Self, TextIO

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from arena.store.rows import FixtureRow
from arena.tournament.intervals import Estimate
from arena.tournament.model import FixtureResult
from arena.tournament.ratings import Bound, Rating
from arena.tournament.results import Strength
from arena.tournament.standings import Presence, Row


class Terminal:
    """Reports a run: a progress bar on a terminal, a line a result elsewhere.

    Everything goes to stderr when ``quiet_stdout`` (a script reads stdout), else to stdout.
    """

    def __init__(self, title: str, *, quiet_stdout: bool = False) -> None:
        self.console = console(sys.stderr if quiet_stdout else sys.stdout)
        self._title = title
        self._finished = 0
        self._total: int | None = None
        self._progress: Progress | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._progress is not None:
            self._progress.stop()

    def started(self, total: int | None, finished: int) -> None:
        """Play begins."""
        self._total, self._finished = total, finished
        if not self.console.is_terminal:
            return
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            console=self.console,
        )
        self._task = self._progress.add_task(self._title, total=total, completed=finished)
        self._progress.start()

    def playing(self, fixture: FixtureRow) -> None:
        """A fixture begins: nothing to see yet."""

    def played(self, fixture: FixtureRow, result: FixtureResult, sentence: str) -> None:
        """A fixture has its result."""
        self._finished += 1
        label = fixture.label or f"round {fixture.key.round}"
        if self._progress is not None:
            self._progress.update(self._task, completed=self._finished)
        of = f"/{self._total}" if self._total else ""
        self.line(f"{self._finished}{of} {label}: {sentence}")

    def message(self, text: str) -> None:
        """Something that an organiser should know."""
        self.line(f"note: {text}")

    def line(self, text: str) -> None:
        """One line, above the bar if there is one. Names are printed, never interpreted."""
        self.console.print(Text(text))


def console(file: TextIO) -> Console:
    """Where lines and tables go; wide enough for a table where there is no terminal."""
    made = Console(file=file, highlight=False, soft_wrap=True)
    if not made.is_terminal:
        made.width = 120
    return made


def standings_table(
    title: str, rows: Sequence[Row], names: Mapping[int, str], strength: Strength
) -> Table:
    """A tournament's table for a terminal."""
    caption = "W–D–L: matches. A hand: net points, ± 95 %. Alike: not told apart by the data."
    table = Table(title=Text(title), title_justify="left", title_style="bold", caption=caption)
    for heading in ("#", "Bot"):
        table.add_column(heading, justify="right" if heading == "#" else "left", overflow="fold")
    for heading in ("Points", "W–D–L", "Games", "Hands", "A hand", "Rating"):
        table.add_column(heading, justify="right")
    table.add_column("Alike")
    table.add_column("Decided by")
    for row in rows:
        rating = strength.ratings.get(row.entrant)
        table.add_row(
            "–" if row.rank is None else str(row.rank),
            Text(names[row.entrant]),
            f"{row.match_points:g}",
            f"{row.won}–{row.drawn}–{row.lost}",
            f"{row.games_won}–{row.games_lost}",
            str(row.hands),
            _points(strength.points.get(row.entrant)),
            _rating(rating),
            rating.marks if rating else "",
            row.decided_by.label if row.decided_by and row.played else _presence(row),
        )
    return table


def bracket_table(found: Mapping[str, Any]) -> Table:
    """A bracket for a terminal; ``found`` is what `bracket_json` makes."""
    title = Text(f"{found['tournament']} ({found['state']})")
    caption = "Favourite: the better rated, and its chance to win the match; – where not rated."
    table = Table(title=title, title_justify="left", title_style="bold", caption=caption)
    for heading in ("Match", "One", "Other"):
        table.add_column(heading, overflow="fold")
    table.add_column("Games", justify="right")
    table.add_column("Favourite", overflow="fold")
    for match in found["matches"]:
        one, other = match["sides"]
        played = one["games"] is not None and other["games"] is not None
        table.add_row(
            Text(match["label"]),
            _side(one, match),
            _side(other, match),
            f"{one['games']}–{other['games']}" if played else "",
            _favourite(match),
        )
    return table


def _side(side: Mapping[str, Any], match: Mapping[str, Any]) -> Text:
    if side["name"] is None:
        return Text(side["text"], style="dim")
    won = match["winner"] == side["name"]
    return Text(f"{side['name']} ({side['seeding']})", style="bold" if won else "")


def _favourite(match: Mapping[str, Any]) -> Text:
    if match["favourite"] is not None:
        return Text(f"{match['favourite']} {100 * match['chance']:.0f} %")
    return Text("–" if all(side["name"] for side in match["sides"]) else "")


def _points(estimate: Estimate | None) -> str:
    if estimate is None or estimate.mean is None:
        return "–"
    half = "" if estimate.half_width is None else f" ± {estimate.half_width:.1f}"
    return f"{estimate.mean:+.1f}{half}"


def _rating(rating: Rating | None) -> str:
    if rating is None or rating.rating is None:
        return "–"
    sign = {None: "", Bound.AT_LEAST: "≥ ", Bound.AT_MOST: "≤ "}[rating.bound]
    return f"{sign}{rating.rating:.0f}"


def _presence(row: Row) -> str:
    return "" if row.presence is Presence.PLAYING else row.presence.value
