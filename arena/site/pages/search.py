"""Search over the names of bots and tournaments, and over games."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from flask import Blueprint, Response, request

from arena.names import name_key
from arena.rules.games import all_variants
from arena.site.http.reading import pages, store
from arena.site.http.respond import page, route, unchanged, urls
from arena.site.pages.common import state_text
from arena.site.views.parts import Named

blueprint = Blueprint("search", __name__)

MOST = 50
MAX_QUERY = 100


@dataclass(frozen=True, slots=True)
class Found:
    """A hit. ``kind``: bot, tournament or game."""

    kind: str
    link: Named
    about: str


@dataclass(frozen=True, slots=True)
class SearchPage:
    """What was found: first what is called exactly so, then those whose names begin so."""

    template: ClassVar[str] = "search.html"
    query: str
    found: tuple[Found, ...]
    more: int


@route(blueprint, "/search")
def search() -> Response:
    """Names that hold the words of ``q``, look-alikes and accents disregarded."""
    tournaments = [(row, state_text(row)) for row in store().tournaments.all()]
    named = [(row.name, row.slug, state) for row, state in tournaments]
    same = unchanged(f"{pages().bots_stamp()}|{named}")
    if same is not None:
        return same
    query = " ".join(request.args.get("q", "")[:MAX_QUERY].split())
    wanted = name_key(query)
    hits: list[tuple[int, Found]] = []

    def offer(kind: str, name: str, url: str, about: str, *more: str) -> None:
        keys = [name_key(text) for text in (name, *more)]
        if any(wanted in key for key in keys):
            first = 0 if keys[0] == wanted else 1 if keys[0].startswith(wanted) else 2
            hits.append((first, Found(kind, Named(name, url), about)))

    if wanted:
        for row, state in tournaments:
            offer("tournament", row.name, urls().tournament(row.slug), state)
        for bot in store().bots.all():
            about = f"by {bot.author}" if bot.author else f"version {bot.version}"
            offer("bot", bot.name, urls().bot(bot.id, bot.name), about)
        for game in all_variants():
            offer("game", game.title, urls().game(game.name), game.summary, game.name,
                  *game.aliases)  # fmt: skip
    hits.sort(key=lambda hit: hit[0])
    return page(
        SearchPage(query, tuple(found for _, found in hits[:MOST]), max(0, len(hits) - MOST))
    )
