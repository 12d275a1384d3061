"""How strong the bots of a tournament are, and how sure that is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from flask import Blueprint, Response

from arena.site.http.respond import page, route, urls
from arena.site.pages.common import snapshot_at, unchanged
from arena.site.pages.paging import Window, window
from arena.site.views.parts import Head, Named, bot, snapshot_head
from arena.site.views.standings import StandingLine, table, text_of
from arena.tournament.ranking.table_text import TableText, unit_text

blueprint = Blueprint("strength", __name__)


@dataclass(frozen=True, slots=True)
class ChanceLine:
    """A row of the matrix: the probability to be stronger than each column's bot, of that pair
    alone; and whether the two are told apart where all bots are compared at once, as letters are.
    """

    number: int
    bot: Named
    chances: tuple[float | None, ...]
    apart: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class SeatLine:
    """What the first seat is worth in rating points, with its interval."""

    points: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class StrengthPage:
    """Ratings, best first, and a window of the likelihood matrix in the same order.

    ``text``: what is said of tables. ``counted``: what intervals count, in full.
    """

    template: ClassVar[str] = "strength.html"
    live: ClassVar[Mapping[str, str]] = {"head": "_head.html", "strength": "_strength.html"}
    section: ClassVar[str] = "strength"
    head: Head
    lines: tuple[StandingLine, ...]
    columns: tuple[tuple[int, Named], ...]
    chances: tuple[ChanceLine, ...]
    row_windows: tuple[Window, ...]
    column_windows: tuple[Window, ...]
    seats: tuple[SeatLine, ...]
    text: TableText
    counted: str


@route(blueprint, "/t/<slug:slug>/strength")
def strength(slug: str) -> Response:
    """Ratings and the likelihood of superiority."""
    snapshot = snapshot_at(slug)
    same = unchanged(snapshot.stamp)
    if same is not None:
        return same
    known = snapshot.known
    by_entrant = {line.entrant: line for line in table(urls(), snapshot)}
    order = [row.entrant for row in known.ratings]
    numbered = {entrant: number for number, entrant in enumerate(order, 1)}
    rows, columns, row_windows, column_windows = window(slug, "strength", len(order))
    return page(
        StrengthPage(
            head=snapshot_head(urls(), snapshot),
            lines=tuple(by_entrant[entrant] for entrant in order[rows]),
            columns=tuple(
                (numbered[entrant], bot(urls(), snapshot, entrant)) for entrant in order[columns]
            ),
            chances=tuple(
                ChanceLine(
                    numbered[entrant],
                    bot(urls(), snapshot, entrant),
                    tuple(known.chances.get(entrant, other) for other in order[columns]),
                    tuple(known.chances.are_apart(entrant, other) for other in order[columns]),
                )
                for entrant in order[rows]
            ),
            row_windows=row_windows,
            column_windows=column_windows,
            seats=tuple(SeatLine(one.points, one.low, one.high) for one in known.seat_effects),
            text=text_of(snapshot),
            counted=unit_text(snapshot.format, snapshot.options),
        )
    )
