"""Everybody against everybody, as pages show it. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from arena.site.urls import Urls
from arena.site.views.parts import Named, bot
from arena.site.views.snapshot import Snapshot
from arena.site.views.standings import ranked
from arena.store.rows import FixtureStatus


@dataclass(frozen=True, slots=True)
class Cell:
    """One entrant against one other, all their matches together.

    ``url``: the matches of the two, or the only one.
    """

    url: str
    won: int
    drawn: int
    lost: int
    match_points: float
    meetings: int
    games_won: int
    games_lost: int
    net_points: int
    hands: int

    @property
    def tone(self) -> str:
        """``win``, ``even`` or ``loss``, for the colour beside the text."""
        share = self.match_points / self.meetings
        return "win" if share > 0.5 else "loss" if share < 0.5 else "even"

    @property
    def net_tone(self) -> str:
        """The same by hand points."""
        return "win" if self.net_points > 0 else "loss" if self.net_points < 0 else "even"


@dataclass(frozen=True, slots=True)
class CrossLine:
    """A row of the crosstable; cells are in the order of the columns, None where not met.

    ``number``: its place in the order, which columns are named by. ``match_points`` and
    ``net_points`` are those of all its matches, the columns that are not shown included.
    """

    number: int
    bot: Named
    match_points: float
    net_points: int
    cells: tuple[Cell | None, ...]


def cross_lines(
    urls: Urls, snapshot: Snapshot, rows: slice = slice(None), columns: slice = slice(None)
) -> tuple[CrossLine, ...]:
    """The crosstable, or a window of it, in the order of the table."""
    order = ranked(snapshot)
    others = [row.entrant for row in order[columns]]
    return tuple(
        CrossLine(
            number,
            bot(urls, snapshot, row.entrant),
            row.match_points,
            row.net_points,
            _cells(urls, snapshot, row.entrant, others),
        )
        for number, row in list(enumerate(order, 1))[rows]
    )


def _cells(
    urls: Urls, snapshot: Snapshot, entrant: int, others: list[int]
) -> tuple[Cell | None, ...]:
    met = [snapshot.known.meetings.get(entrant, other) for other in others]
    once = any(meeting is not None and meeting.meetings == 1 for meeting in met)
    matches = _newest(snapshot, entrant) if once else {}
    slug = snapshot.tournament.slug
    found: list[Cell | None] = []
    for other, meeting in zip(others, met, strict=True):
        if meeting is None or not meeting.meetings:
            found.append(None)
            continue
        if meeting.meetings == 1 and other in matches:
            url = urls.match(slug, matches[other])
        else:
            one, two = sorted((entrant, other))
            url = urls.section(slug, "schedule", bot=one, against=two)
        found.append(
            Cell(
                url,
                meeting.won,
                meeting.drawn,
                meeting.lost,
                meeting.match_points,
                meeting.meetings,
                meeting.games_won,
                meeting.games_lost,
                meeting.net_points,
                meeting.hands,
            )
        )
    return tuple(found)


def _newest(snapshot: Snapshot, entrant: int) -> dict[int, str]:
    """The last finished match of an entrant against each other one."""
    return {
        other: row.id
        for row in snapshot.matches.of(entrant)
        if row.status is FixtureStatus.FINISHED
        for other in row.seats
        if snapshot.opposed(row, entrant, other)
    }
