"""All bots, and each bot's record."""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from typing import ClassVar

from flask import Blueprint, Response, abort, redirect, request
from werkzeug.wrappers import Response as BaseResponse

from arena.site.auth import viewer
from arena.site.pages.common import snapshot_of, unchanged
from arena.site.parts import Head, MatchLine, match_line, snapshot_head
from arena.site.parts import bot as named
from arena.site.reading import pages, store
from arena.site.respond import page, route, urls, wants_json
from arena.site.standings import StandingLine, table
from arena.store.rows import BotRow, FixtureStatus

blueprint = Blueprint("bots", __name__)

SHOWN_MATCHES = 12


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
    """All bots by name."""

    template: ClassVar[str] = "bots.html"
    bots: tuple[BotLine, ...]


@dataclass(frozen=True, slots=True)
class Part:
    """One tournament of a bot with its line in the table."""

    head: Head
    standing: StandingLine
    field: int
    version: int


@dataclass(frozen=True, slots=True)
class Versus:
    """A bot against one other over all tournaments, in matches."""

    name: str
    url: str
    won: int
    drawn: int
    lost: int
    net_points: int
    hands: int


@dataclass(frozen=True, slots=True)
class BotPage:
    """A bot's record over all tournaments. ``mine``: whether the reader owns or organises."""

    template: ClassVar[str] = "bot.html"
    bot: BotLine
    mine: bool
    parts: tuple[Part, ...]
    versus: tuple[Versus, ...]
    latest: tuple[MatchLine, ...]


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
    same = unchanged(pages().stamp())
    if same is not None:
        return same
    counts = pages().entry_counts()
    return page(BotsPage(tuple(bot_line(row, counts.get(row.id, 0)) for row in store().bots.all())))


@route(blueprint, "/bots/<int:bot_id>-<slug:slug>")
def bot(bot_id: int, slug: str) -> Response | BaseResponse:
    """A bot's profile."""
    row = store().bots.by_id(bot_id)
    if row is None:
        abort(404, "There is no bot at this address.")
    right = urls().bot(row.id, row.name)
    if request.path.removesuffix(".json") != right.removeprefix(urls().root):
        return redirect(urls().twin(right) if wants_json() else right, 301)
    entries = [
        (entry, snapshot_of(store().tournaments.get(entry.tournament_id)))
        for entry in pages().entries(bot_id)
    ]
    same = unchanged("|".join((pages().stamp(), *(snapshot.stamp for _, snapshot in entries))))
    if same is not None:
        return same
    parts: list[Part] = []
    latest: list[tuple[str, MatchLine]] = []
    versus: dict[str, Versus] = {}
    for entry, snapshot in entries:
        own = [row for row in snapshot.known.rows if row.entrant == entry.number]
        (standing,) = table(urls(), snapshot, own)
        parts.append(
            Part(
                snapshot_head(urls(), snapshot),
                standing,
                len(snapshot.entrants),
                entry.version,
            )
        )
        for other in snapshot.names:
            meeting = snapshot.known.meetings.get(entry.number, other)
            if meeting is None:
                continue
            link = named(urls(), snapshot, other)
            before = versus.get(link.url, Versus(link.name, link.url, 0, 0, 0, 0, 0))
            versus[link.url] = Versus(
                before.name,
                before.url,
                before.won + meeting.won,
                before.drawn + meeting.drawn,
                before.lost + meeting.lost,
                before.net_points + meeting.net_points,
                before.hands + meeting.hands,
            )
        mine = (
            fixture
            for fixture in snapshot.by_status[FixtureStatus.FINISHED]
            if entry.number in fixture.seats
        )
        latest += [
            (fixture.finished_at or "", match_line(urls(), snapshot, fixture))
            for fixture in heapq.nlargest(
                SHOWN_MATCHES, mine, key=lambda row: row.finished_at or ""
            )
        ]
    latest.sort(key=lambda pair: pair[0], reverse=True)
    return page(
        BotPage(
            bot=bot_line(row, len({entry.tournament_id for entry, _ in entries})),
            mine=viewer().organiser or viewer().owns(row),
            parts=tuple(parts),
            versus=tuple(
                sorted(versus.values(), key=lambda v: (-(v.won + v.drawn + v.lost), v.name))
            ),
            latest=tuple(line for _, line in latest[:SHOWN_MATCHES]),
        )
    )
