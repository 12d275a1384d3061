"""How a run looks on a terminal, and plain lines where there is none."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any, Self, TextIO

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from arena.store import Store
from arena.store.rows import FixtureRow, TournamentRow
from arena.tournament.formats.bracket_tree import MatchState
from arena.tournament.formats.format import RankedBy
from arena.tournament.model import FixtureResult
from arena.tournament.ranking.standings import Presence, Row, Winners
from arena.tournament.ranking.table_text import TableText, halves, reason_text
from arena.tournament.results import (
    Strength,
    entrant_names,
    finished_winners,
    format_of,
    standings_of,
    strength_of,
    text_of,
)
from arena.tournament.statistics.intervals import Estimate
from arena.tournament.statistics.rating import Bound, Rating


class Terminal:
    """Reports a run: a progress bar on a terminal, a line a result elsewhere.

    ``headline``: what is said once play begins. Everything goes to stderr when ``quiet_stdout`` (a
    script reads stdout), else to stdout.
    """

    def __init__(self, title: str, headline: str = "", *, quiet_stdout: bool = False) -> None:
        self.console = console(sys.stderr if quiet_stdout else sys.stdout)
        self._title = title
        self._headline = headline
        self._finished = 0
        self._total: int | None = None
        self._progress: Progress | None = None
        self._unwritten: OSError | None = None

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
        if error is None and self._unwritten is not None:
            raise self._unwritten

    def started(self, total: int | None, finished: int) -> None:
        """Play begins."""
        self._total, self._finished = total, finished
        if self._headline:
            self.line(self._headline)
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
        """One line, above the bar if there is one. Names are printed, never interpreted.

        Where nobody reads any more, or a log fills its disk, play goes on in silence; the error
        comes at the end.
        """
        try:
            self.console.print(Text(text))
        except OSError as error:
            self.console.quiet = True
            self._unwritten = error


class _Console(Console):
    """Fails as any file does when its reader is gone; by itself it would end the process."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError(errno.EPIPE, os.strerror(errno.EPIPE))


def console(file: TextIO) -> Console:
    """Where lines and tables go; wide enough for a table where there is no terminal."""
    made = _Console(file=file, highlight=False, soft_wrap=True)
    if not made.is_terminal:
        made.width = 120
    return made


def print_standings(to: Console, store: Store, tournament: TournamentRow, title: str) -> None:
    """A tournament's table and, once it is finished, who won it."""
    names = entrant_names(store, tournament.id)
    strength = strength_of(store, tournament)
    rows = standings_of(store, tournament, strength)
    text = text_of(tournament, rows, strength)
    by_rating = format_of(tournament).ranked_by is RankedBy.RATING
    to.print(standings_table(title, rows, names, strength, text, by_rating=by_rating))
    line = winner_line(finished_winners(tournament, rows), names)
    if line is not None:
        to.print(Text(line))


def standings_table(
    title: str,
    rows: Sequence[Row],
    names: Mapping[int, str],
    strength: Strength,
    text: TableText,
    *,
    by_rating: bool = False,
) -> Table:
    """A tournament's table for a terminal, with what is said about it underneath."""
    said = [text.order, *(f"{term.word}: {term.meaning}." for term in text.legend), *text.remarks]
    caption = Text("\n".join(said))
    table = Table(
        title=Text(title), title_justify="left", title_style="bold",
        caption=caption, caption_justify="left",
    )  # fmt: skip
    for heading in ("#", "Bot"):
        table.add_column(heading, justify="right" if heading == "#" else "left", overflow="fold")
    between = ("Interval",) if text.has_intervals else ()
    first = ("Rating", *between) if by_rating else ("Points",)
    last = ("Points", "Points a hand") if by_rating else ("Points a hand", "Rating")
    for heading in (*first, "W–D–L", "Games", "Hands", *last):
        table.add_column(heading, justify="right")
    if text.has_letters:
        table.add_column("Alike")
    table.add_column("Ranked" if by_rating else "Decided by")
    for row in rows:
        rating = strength.ratings.get(row.entrant)
        hand = _points(strength.points.get(row.entrant))
        points, rated = halves(row.match_points), _rating(rating)
        table.add_row(
            "–" if row.rank is None else str(row.rank),
            Text(names[row.entrant]),
            *((rated, *(_between(rating) for _ in between)) if by_rating else (points,)),
            f"{row.won}–{row.drawn}–{row.lost}",
            f"{row.games_won}–{row.games_drawn}–{row.games_lost}",
            str(row.hands),
            *((points, hand) if by_rating else (hand, rated)),
            *([(rating.marks if rating else "") or "–"] if text.has_letters else []),
            _ranked(row) if by_rating else _decided(row, names),
        )
    return table


def winner_line(winners: Winners, names: Mapping[int, str]) -> str | None:
    """Who won a finished tournament, or why nobody did; None while it is not finished."""
    if winners.reason is not None:
        return f"winner: – ({winners.reason})"
    if not winners.entrants:
        return None
    return f"winner: {' + '.join(names[entrant] for entrant in winners.entrants)}"


def _ranked(row: Row) -> str:
    if row.rank is None and row.presence is Presence.PLAYING:
        return "no interval yet"
    return _presence(row)


def _decided(row: Row, names: Mapping[int, str]) -> Text:
    found = [reason_text(row) or _presence(row)]
    if row.partners:
        found.append(f"partner of {' and '.join(names[other] for other in row.partners)}")
    return Text("; ".join(filter(None, found)))


def _between(rating: Rating | None) -> str:
    """The interval of a rating."""
    if rating is None or (rating.low is None and rating.high is None):
        return "–"
    low = "" if rating.low is None else f"{rating.low:.0f}"
    high = "" if rating.high is None else f"{rating.high:.0f}"
    return f"{low}…{high}"


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
            f"{one['games']}–{other['games']}" if played else _unplayed(match),
            _favourite(match),
        )
    return table


def _unplayed(match: Mapping[str, Any]) -> str:
    """What stands instead of a score."""
    return str(match["note"]) if match["state"] == MatchState.NOT_NEEDED else ""


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
