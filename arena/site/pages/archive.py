"""Every tournament there ever was, the newest first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from flask import Blueprint, Response

from arena.site.http.reading import pages, store
from arena.site.http.respond import page, route, urls
from arena.site.pages.common import awaited_in, is_idle, state_text, unchanged
from arena.site.pages.paging import Pager, paged
from arena.site.views.formatting import words
from arena.site.views.parts import game

blueprint = Blueprint("archive", __name__)

LINES = 50


@dataclass(frozen=True, slots=True)
class TournamentLine:
    """A tournament in the list."""

    name: str
    url: str
    state: str
    state_text: str
    format: str
    variant: str
    entrants: int
    created_at: str
    finished_at: str | None


@dataclass(frozen=True, slots=True)
class ArchivePage:
    """All tournaments, a page at a time."""

    template: ClassVar[str] = "archive.html"
    tournaments: tuple[TournamentLine, ...]
    pager: Pager


@route(blueprint, "/tournaments")
def archive() -> Response:
    """All tournaments."""
    rows = store().tournaments.all()
    same = unchanged(f"{pages().stamp()}:{any(map(is_idle, rows))}:{any(map(awaited_in, rows))}")
    if same is not None:
        return same
    entrants = pages().entrant_counts()
    pager, part = paged(len(rows), LINES, lambda page: urls().path("/tournaments", page=page))
    return page(
        ArchivePage(
            tuple(
                TournamentLine(
                    row.name,
                    urls().tournament(row.slug),
                    row.state,
                    state_text(row),
                    words(row.format),
                    game(urls(), row.variant).name,
                    entrants.get(row.id, 0),
                    row.created_at,
                    row.finished_at,
                )
                for row in rows[part]
            ),
            pager,
        )
    )
