"""All bots."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from flask import Blueprint, Response

from arena.site.http.reading import pages, store
from arena.site.http.respond import page, route, urls
from arena.site.pages.common import unchanged
from arena.site.pages.paging import Pager, paged
from arena.store.rows import BotRow

blueprint = Blueprint("bots", __name__)

LINES = 200


@dataclass(frozen=True, slots=True)
class BotLine:
    """A bot in the list. ``author`` and ``homepage`` are as its owner gave them."""

    name: str
    url: str
    state: str
    version: int
    author: str | None
    homepage: str | None
    games: tuple[str, ...]
    tournaments: int
    created_at: str


@dataclass(frozen=True, slots=True)
class BotsPage:
    """All bots by name, a page at a time."""

    template: ClassVar[str] = "bots.html"
    bots: tuple[BotLine, ...]
    pager: Pager


def _texts(value: object) -> tuple[str, ...]:
    """The texts of a list that a bot sent; anything else is none."""
    return tuple(v for v in value if isinstance(v, str)) if isinstance(value, list) else ()


def bot_line(row: BotRow, tournaments: int) -> BotLine:
    """A bot as the public sees it."""
    homepage = row.homepage if (row.homepage or "").startswith(("http://", "https://")) else None
    author = row.author or row.info.get("author")
    return BotLine(
        name=row.name,
        url=urls().bot(row.id, row.name),
        state=row.state,
        version=row.version,
        author=author if isinstance(author, str) else None,
        homepage=homepage,
        games=_texts(row.info.get("games")),
        tournaments=tournaments,
        created_at=row.created_at,
    )


@route(blueprint, "/bots")
def bots() -> Response:
    """All bots."""
    counts = pages().entry_counts()
    same = unchanged(f"{pages().bots_stamp()}|{counts}")
    if same is not None:
        return same
    rows = store().bots.all()
    pager, part = paged(len(rows), LINES, lambda page: urls().path("/bots", page=page))
    return page(BotsPage(tuple(bot_line(row, counts.get(row.id, 0)) for row in rows[part]), pager))
