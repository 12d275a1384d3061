"""A tournament: its table, what is being played, and its crosstable."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import ClassVar

from flask import Blueprint, Response

from arena.site.http.reading import store
from arena.site.http.respond import page, route, urls
from arena.site.pages.common import line_of, snapshot_at, unchanged
from arena.site.pages.paging import Pager, Window, paged, window
from arena.site.views.bracket_view import BracketSection, sections
from arena.site.views.crosstable import CrossLine, cross_lines
from arena.site.views.parts import (
    Head,
    MatchLine,
    Named,
    bot,
    snapshot_head,
)
from arena.site.views.snapshot import Snapshot
from arena.site.views.standings import (
    StandingLine,
    ranked,
    table,
    text_of,
    won_by,
)
from arena.store.rows import FixtureRow, FixtureStatus, TournamentRow, TournamentState
from arena.tournament import registration
from arena.tournament.ranking.table_text import TableText, group_order_text

blueprint = Blueprint("tournament", __name__)

SHOWN_NOW = 12
SHOWN_LATEST = 8
SHOWN_NEXT = 5
CROSS_INLINE = 12
LINES = 50


@dataclass(frozen=True, slots=True)
class GroupLines:
    """The table of one group, whose first ``advance`` go on to the bracket."""

    name: str
    advance: int
    order: str
    lines: tuple[StandingLine, ...]


@dataclass(frozen=True, slots=True)
class TournamentPage:
    """Standings, what is being played, what was played last, what comes next.

    ``sections``: the bracket, where there is one. ``as_of``: where the standings stand.
    ``groups``: a table for each where there are groups, and what its order goes by. ``ranked_by``:
    what that of all goes by, ``points``, ``bracket`` or ``rating``; ``text``: what is said of the
    tables. ``winners``: who won, once it is finished, or why nobody.
    ``most``: bots that may enter, while they may.
    ``cross`` is there for small fields; larger ones have a page of their own.
    """

    template: ClassVar[str] = "tournament.html"
    live: ClassVar[Mapping[str, str]] = {
        "head": "_head.html",
        "standings": "_standings.html",
        "now": "_now.html",
        "bracket": "_bracket.html",
        "cross": "_cross.html",
    }
    section: ClassVar[str] = "overview"
    head: Head
    most: int | None
    is_bracket: bool
    sections: tuple[BracketSection, ...]
    ranked_by: str
    text: TableText
    winners: tuple[Named, ...]
    no_winner: str | None
    standings: tuple[StandingLine, ...]
    pager: Pager
    as_of: str
    groups: tuple[GroupLines, ...]
    playing: tuple[MatchLine, ...]
    latest: tuple[MatchLine, ...]
    coming: tuple[MatchLine, ...]
    columns: tuple[tuple[int, Named], ...]
    cross: tuple[CrossLine, ...]

    @property
    def bracket_first(self) -> bool:
        """Whether the bracket decides by now: it is one from the beginning, or groups are over."""
        return self.is_bracket or any(
            all(side.name for side in match.sides)
            for section in self.sections
            for column in section.rounds
            for match in column.matches
        )


@dataclass(frozen=True, slots=True)
class CrosstablePage:
    """A window of the crosstable. ``columns`` are the bots across the top, with their ranks."""

    template: ClassVar[str] = "crosstable.html"
    live: ClassVar[Mapping[str, str]] = {"head": "_head.html", "cross": "_cross.html"}
    section: ClassVar[str] = "crosstable"
    head: Head
    columns: tuple[tuple[int, Named], ...]
    cross: tuple[CrossLine, ...]
    row_windows: tuple[Window, ...]
    column_windows: tuple[Window, ...]


def _faults(snapshot: Snapshot) -> Counter[int]:
    """How many faults each entrant has."""
    found: Counter[int] = Counter()
    for (entrant, _), count in store().hands.fault_counts(snapshot.tournament.id).items():
        found[entrant] += count
    return found


def _most(tournament: TournamentRow) -> int | None:
    is_open = tournament.state is TournamentState.REGISTRATION
    return registration.most_entrants(tournament) if is_open else None


def _lines(snapshot: Snapshot, rows: Iterable[FixtureRow]) -> tuple[MatchLine, ...]:
    return tuple(line_of(snapshot, row) for row in rows)


def _columns(snapshot: Snapshot, part: slice = slice(None)) -> tuple[tuple[int, Named], ...]:
    """The bots across the top of a crosstable, with the numbers of their rows."""
    numbered = list(enumerate(ranked(snapshot), 1))[part]
    return tuple((number, bot(urls(), snapshot, row.entrant)) for number, row in numbered)


@route(blueprint, "/t/<slug:slug>")
def overview(slug: str) -> Response:
    """The tournament's own page."""
    snapshot = snapshot_at(slug)
    same = unchanged(snapshot.stamp)
    if same is not None:
        return same
    matches = snapshot.matches
    shown_now = 0 if snapshot.tournament.over else SHOWN_NOW
    pager, shown = paged(
        len(snapshot.known.rows), LINES, lambda page: urls().path(f"/t/{slug}", page=page)
    )
    won = won_by(snapshot)
    rows = snapshot.known.rows
    if snapshot.tournament.state in registration.BEFORE:
        # Nobody is ahead of anybody.
        places = {entrant: place for place, entrant in enumerate(snapshot.seeding)}
        rows = tuple(sorted(rows, key=lambda row: places[row.entrant]))
    small = len(snapshot.entrants) <= CROSS_INLINE and not snapshot.format.has_bracket
    return page(
        TournamentPage(
            head=snapshot_head(urls(), snapshot),
            most=_most(snapshot.tournament),
            is_bracket=snapshot.format.has_bracket and not snapshot.format.has_table,
            sections=sections(urls(), snapshot) if snapshot.format.has_bracket else (),
            ranked_by=snapshot.format.ranked_by,
            text=text_of(snapshot),
            winners=tuple(bot(urls(), snapshot, entrant) for entrant in won.entrants),
            no_winner=won.reason,
            standings=table(urls(), snapshot, rows[shown], _faults(snapshot)),
            pager=pager,
            as_of=snapshot.known.as_of,
            groups=tuple(
                GroupLines(
                    name,
                    snapshot.options.advance,
                    group_order_text(snapshot.seeding, snapshot.options),
                    table(urls(), snapshot, rows),
                )
                for name, rows in snapshot.known.groups
            ),
            playing=_lines(snapshot, matches.in_state(FixtureStatus.PLAYING, shown_now)),
            latest=_lines(snapshot, matches.latest[:SHOWN_LATEST]),
            coming=_lines(snapshot, matches.in_state(FixtureStatus.PENDING, SHOWN_NEXT)),
            columns=_columns(snapshot),
            cross=cross_lines(urls(), snapshot) if small and matches.hands else (),
        )
    )


@route(blueprint, "/t/<slug:slug>/crosstable")
def crosstable(slug: str) -> Response:
    """Everybody against everybody, in windows where the field is large."""
    snapshot = snapshot_at(slug)
    same = unchanged(snapshot.stamp)
    if same is not None:
        return same
    count = len(ranked(snapshot))
    rows, columns, row_windows, column_windows = window(slug, "crosstable", count)
    return page(
        CrosstablePage(
            head=snapshot_head(urls(), snapshot),
            columns=_columns(snapshot, columns),
            cross=cross_lines(urls(), snapshot, rows, columns),
            row_windows=row_windows,
            column_windows=column_windows,
        )
    )
