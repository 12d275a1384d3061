"""Tables as CSV, for spreadsheets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from flask import Blueprint, Response

from arena.csvs import csv_text
from arena.site.pages.common import snapshot_at, unchanged
from arena.site.parts import STATUS_TEXTS
from arena.site.respond import urls, validated
from arena.site.standings import cross_lines, table
from arena.store.rows import FixtureRow

blueprint = Blueprint("exports", __name__)


def _csv(name: str, header: Sequence[str], rows: Iterable[Sequence[object]]) -> Response:
    response = Response(csv_text(header, rows), mimetype="text/csv")
    response.headers["Content-Disposition"] = f'attachment; filename="{name}.csv"'
    return validated(response)


@blueprint.get("/t/<slug:slug>/standings.csv")
def standings(slug: str) -> Response:
    """The table."""
    snapshot = snapshot_at(slug)
    same = unchanged(snapshot.stamp)
    if same is not None:
        return same
    header = ["rank", "bot", "match_points", "matches", "won", "drawn", "lost", "forfeits",
              "games_won", "games_drawn", "games_lost", "hands", "hands_won", "net_points",
              "points_per_hand", "points_low", "points_high", "pairs", "rating", "rating_low",
              "rating_high", "marks", "decided_by", "partners"]  # fmt: skip
    rows = [
        [line.rank, line.bot.name, line.match_points, line.played, line.won, line.drawn,
         line.lost, line.forfeits, line.games_won, line.games_drawn, line.games_lost, line.hands,
         line.hands_won, line.net_points, line.points_per_hand, line.low, line.high, line.pairs,
         line.rating, line.rating_low, line.rating_high, line.marks, line.decided,
         " + ".join(line.partners)]
        for line in table(urls(), snapshot)
    ]  # fmt: skip
    return _csv(f"{slug}-standings", header, rows)


@blueprint.get("/t/<slug:slug>/crosstable.csv")
def crosstable(slug: str) -> Response:
    """Match points of each row's bot against each column's, whole."""
    snapshot = snapshot_at(slug)
    same = unchanged(snapshot.stamp)
    if same is not None:
        return same
    lines = cross_lines(urls(), snapshot)
    return _csv(
        f"{slug}-crosstable",
        ["rank", "bot", *(str(line.bot.name) for line in lines)],
        [
            [line.number, line.bot.name, *(cell and cell.match_points for cell in line.cells)]
            for line in lines
        ],
    )


@blueprint.get("/t/<slug:slug>/schedule.csv")
def schedule(slug: str) -> Response:
    """Every match in order of play, with columns for each seat: "2:1" would be read as a time."""
    snapshot = snapshot_at(slug)
    same = unchanged(snapshot.stamp)
    if same is not None:
        return same
    names = snapshot.names
    seats = range(max((len(row.seats) for row in snapshot.fixtures), default=2))
    rows = (
        [row.id, row.label, STATUS_TEXTS[row.status],
         *(value for seat in seats for value in _seat(row, names, seat)),
         None if row.winner is None else names[row.winner],
         row.games_drawn, row.hands, row.termination, row.started_at, row.finished_at]
        for row in snapshot.fixtures
    )  # fmt: skip
    header = ["match", "label", "state",
              *(f"{name}_{seat + 1}" for seat in seats for name in ("bot", "games", "points")),
              "winner", "games_drawn", "hands", "termination", "started_at",
              "finished_at"]  # fmt: skip
    return _csv(f"{slug}-schedule", header, rows)


def _seat(
    row: FixtureRow, names: Mapping[int, str], seat: int
) -> tuple[str | None, int | None, int | None]:
    """Who sits there, with games won and hand points; nothing where there is no such seat."""
    if seat >= len(row.seats):
        return None, None, None
    games = row.games_won[seat] if row.games_won else None
    return names[row.seats[seat]], games, row.points[seat] if row.points else None
