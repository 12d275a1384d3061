"""The table and the crosstable of a tournament as pages show them. Pure.

Words for tie-breaks live here, so that every page gives the same reason for a place.
"""

from __future__ import annotations

from dataclasses import dataclass

from arena.site.parts import Named, bot
from arena.site.snapshots import Snapshot
from arena.site.urls import Urls
from arena.tournament.tie_breaks import TieBreak

REASONS = {
    TieBreak.DIRECT_ENCOUNTER: "by their direct encounters",
    TieBreak.GAME_DIFFERENCE: "by games won less games lost",
    TieBreak.SONNEBORN_BERGER: "by Sonneborn-Berger points",
    TieBreak.BUCHHOLZ: "by Buchholz points",
    TieBreak.POINTS_PER_HAND: "by points a hand",
    TieBreak.LOT: "by a lot drawn from the tournament's secret",
}


@dataclass(frozen=True, slots=True)
class StandingLine:
    """A line of the table. ``net_points``: hand points won less hand points lost."""

    rank: int | None
    bot: Named
    entrant: int
    presence: str
    match_points: float
    played: int
    won: int
    drawn: int
    lost: int
    forfeits: int
    games_won: int
    games_drawn: int
    games_lost: int
    hands: int
    hands_won: int
    net_points: int
    points_per_hand: float | None
    decided: str | None


@dataclass(frozen=True, slots=True)
class Cell:
    """One entrant against one other, all their matches together."""

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


@dataclass(frozen=True, slots=True)
class CrossLine:
    """A row of the crosstable; cells are in the order of the columns, None where not met."""

    rank: int | None
    bot: Named
    cells: tuple[Cell | None, ...]


def table(urls: Urls, snapshot: Snapshot) -> tuple[StandingLine, ...]:
    """The standings, best first."""
    return tuple(
        StandingLine(
            rank=row.rank,
            bot=bot(urls, snapshot, row.entrant),
            entrant=row.entrant,
            presence=row.presence,
            match_points=row.match_points,
            played=row.played,
            won=row.won,
            drawn=row.drawn,
            lost=row.lost,
            forfeits=row.forfeits,
            games_won=row.games_won,
            games_drawn=row.games_drawn,
            games_lost=row.games_lost,
            hands=row.hands,
            hands_won=row.hands_won,
            net_points=row.net_points,
            points_per_hand=row.points_per_hand,
            decided=REASONS[row.decided_by] if row.decided_by and row.played else None,
        )
        for row in snapshot.rows
    )


def cross_lines(
    urls: Urls, snapshot: Snapshot, rows: slice = slice(None), columns: slice = slice(None)
) -> tuple[CrossLine, ...]:
    """The crosstable, or a window of it, in the order of the table."""
    order = [row for row in snapshot.rows if row.rank is not None]
    return tuple(
        CrossLine(
            row.rank,
            bot(urls, snapshot, row.entrant),
            tuple(_cell(snapshot, row.entrant, other.entrant) for other in order[columns]),
        )
        for row in order[rows]
    )


def _cell(snapshot: Snapshot, entrant: int, other: int) -> Cell | None:
    meeting = snapshot.meetings.get((entrant, other))
    if meeting is None or not meeting.meetings:
        return None
    return Cell(
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
