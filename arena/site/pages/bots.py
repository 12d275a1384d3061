"""All bots, and how strong they are at a game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import ClassVar

from flask import Blueprint, Response, current_app

from arena.site.http.reading import pages, store
from arena.site.http.respond import page, route, unchanged, urls
from arena.site.pages.common import variant_at
from arena.site.pages.paging import Pager, Window, paged
from arena.site.views.parts import Named, game
from arena.site.views.ranking import Ranked, Ranking, Rankings
from arena.store.rows import BotRow

blueprint = Blueprint("bots", __name__)

LINES = 50


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
class Last:
    """The match at this game that a bot ended last. ``outcome``: ``won``, ``drawn`` or ``lost``.

    ``against``: names; ``score``: games of its side and of the other, None of three and more.
    """

    url: str
    tournament: str
    against: tuple[str, ...]
    outcome: str
    score: tuple[int, int] | None
    at: str


@dataclass(frozen=True, slots=True)
class RankedBot(BotLine):
    """A bot with its record at one game. ``rank`` and numbers that are not known are None.

    ``low`` and ``high``: 95 % interval of the rating; ``bound``: ``at_least`` or ``at_most`` of one
    that only won or only lost. Counts are matches; ``last`` is None of one that played none.
    """

    rank: int | None
    rating: float | None
    rating_low: float | None
    rating_high: float | None
    bound: str | None
    won: int
    drawn: int
    lost: int
    last: Last | None


@dataclass(frozen=True, slots=True)
class BotsPage:
    """All bots, ranked at one game, a page at a time; those that did not play it come last.

    ``game`` is None where none has been played yet. ``games``: links to the others that have been.
    ``is_ready``: whether what was played is added up; ``is_current``: whether all of it is.
    """

    template: ClassVar[str] = "bots.html"
    live: ClassVar[Mapping[str, str]] = {"bots": "_bots.html"}
    game: Named | None
    games: tuple[Window, ...]
    bots: tuple[RankedBot, ...]
    pager: Pager
    is_ready: bool
    is_current: bool


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
    """All bots, ranked at the game that is played most."""
    played = pages().variants()
    return _ranking(played[0] if played else None, "/bots")


@route(blueprint, "/games/<name>/bots")
def at_game(name: str) -> Response:
    """All bots, ranked at a game; an alias leads to its name."""
    variant_at(name, urls().ranking)
    return _ranking(name, f"/games/{name}/bots")


def _ranking(variant: str | None, address: str) -> Response:
    rankings: Rankings = current_app.config["RANKINGS"]
    found = rankings.get(store(), variant) if variant is not None else Ranking("", ())
    now = pages().variant_stamp(variant) if variant is not None else ""
    made = found.stamp if found is not None else None
    counts, played = pages().entry_counts(), pages().variants()
    same = unchanged(f"{pages().bots_stamp()}|{counts}|{played}|{made}|{now}")
    if same is not None:
        return same
    ranked = {one.bot_id: one for one in (found.rows if found is not None else ())}
    order = {bot_id: place for place, bot_id in enumerate(ranked)}
    rows = sorted(store().bots.all(), key=lambda row: order.get(row.id, len(order)))
    pager, part = paged(len(rows), LINES, lambda page: urls().path(address, page=page))
    return page(
        BotsPage(
            game=game(urls(), variant) if variant is not None else None,
            games=tuple(
                (game(urls(), other).name, urls().ranking(other), other == variant)
                for other in played
            ),
            bots=tuple(_line(row, counts.get(row.id, 0), ranked.get(row.id)) for row in rows[part]),
            pager=pager,
            is_ready=found is not None,
            is_current=made == now,
        )
    )


def _line(row: BotRow, tournaments: int, ranked: Ranked | None) -> RankedBot:
    rating = ranked.rating if ranked is not None else None
    last = ranked.last if ranked is not None else None
    line = bot_line(row, tournaments)
    return RankedBot(
        **{one.name: getattr(line, one.name) for one in fields(line)},
        rank=ranked.rank if ranked is not None else None,
        rating=rating.rating if rating is not None else None,
        rating_low=rating.low if rating is not None else None,
        rating_high=rating.high if rating is not None else None,
        bound=rating.bound if rating is not None else None,
        won=ranked.won if ranked is not None else 0,
        drawn=ranked.drawn if ranked is not None else 0,
        lost=ranked.lost if ranked is not None else 0,
        last=None
        if last is None
        else Last(
            urls().match(last.slug, last.fixture_id),
            last.tournament,
            last.against,
            last.outcome,
            last.score,
            last.at,
        ),
    )
