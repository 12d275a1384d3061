"""Tables as CSV, for spreadsheets."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from flask import Blueprint, Response

from arena.csvs import csv_text
from arena.site.http.respond import urls, validated
from arena.site.pages.common import snapshot_at, unchanged
from arena.site.views.parts import STATUS_TEXTS
from arena.site.views.snapshot import Snapshot
from arena.site.views.standings import StandingLine, ranked, table
from arena.store.rows import FixtureRow, TournamentState
from arena.tournament.ranking.standings import Row
from arena.tournament.results import counts

blueprint = Blueprint("exports", __name__)

Contents = tuple[Sequence[str], Iterable[Sequence[object]]]
"""The header of a file, and its rows."""


def _csv(make: Callable[[Snapshot], Contents]) -> Callable[[Snapshot], Contents]:
    """Serve what a function makes of a tournament, in a file that has the function's name."""
    name = make.__name__

    def export(slug: str) -> Response:
        snapshot = snapshot_at(slug)
        same = unchanged(snapshot.stamp)
        if same is not None:
            return same
        response = Response(csv_text(*make(snapshot)), mimetype="text/csv")
        response.headers["Content-Disposition"] = f'attachment; filename="{slug}-{name}.csv"'
        return validated(response)

    blueprint.add_url_rule(f"/t/<slug:slug>/{name}.csv", name, export)
    return make


@_csv
def standings(snapshot: Snapshot) -> Contents:
    """The table."""
    lines, state = table(urls(), snapshot), snapshot.tournament.state
    cells = [
        _standing(line, row, state) for line, row in zip(lines, snapshot.known.rows, strict=True)
    ]
    header = list(cells[0]) if cells else ["rank", "name"]
    return header, [list(row.values()) for row in cells]


def _standing(line: StandingLine, row: Row, state: TournamentState) -> dict[str, object]:
    """Columns by name: those of the archive that `arena export` writes, then what it lacks."""
    return {
        **counts(row, line.bot.name, state),
        "points_per_hand_low": line.low,
        "points_per_hand_high": line.high,
        "rating": line.rating,
        "rating_bound": line.bound,
        "rating_low": line.rating_low,
        "rating_high": line.rating_high,
        "alike": line.marks,
        "decided_by": row.decided_by,
        "decided_value": row.decided_value,
        "partners": " + ".join(line.partners),
        "games_drawn": row.games_drawn,
        "forfeits": row.forfeits,
        "net_points": row.net_points,
        "pairs": line.pairs,
    }


@_csv
def crosstable(snapshot: Snapshot) -> Contents:
    """Net hand points of each row's bot against each column's, whole, as in the archive."""
    names, get = snapshot.names, snapshot.known.meetings.get
    order = [row.entrant for row in ranked(snapshot)]
    rows = [
        [None if (met := get(entrant, other)) is None else met.net_points for other in order]
        for entrant in order
    ]
    header = ["name", *(names[entrant] for entrant in order)]
    return header, [[names[e], *row] for e, row in zip(order, rows, strict=True)]


@_csv
def schedule(snapshot: Snapshot) -> Contents:
    """Every match in order of play, with columns for each seat: "2:1" would be read as a time."""
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
    return header, rows


def _seat(
    row: FixtureRow, names: Mapping[int, str], seat: int
) -> tuple[str | None, int | None, int | None]:
    """Who sits there, with games won and hand points; nothing where there is no such seat."""
    if seat >= len(row.seats):
        return None, None, None
    games = row.games_won[seat] if row.games_won else None
    return names[row.seats[seat]], games, row.points[seat] if row.points else None
