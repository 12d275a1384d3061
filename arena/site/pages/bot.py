"""A bot's profile: its record, rating, speed and faults."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from flask import Blueprint, Response, abort, current_app, redirect, request
from werkzeug.wrappers import Response as BaseResponse

from arena.site.auth import viewer
from arena.site.charts import LineChart, line_chart
from arena.site.formatting import number
from arena.site.latency import Latency, latency, times_of
from arena.site.page_cache import Recent
from arena.site.pages.bots import BotLine, bot_line
from arena.site.pages.common import line_of, snapshot_of, unchanged
from arena.site.parts import Head, MatchLine, Named, game, snapshot_head
from arena.site.parts import bot as named
from arena.site.reading import pages, store
from arena.site.respond import page, route, urls, wants_json
from arena.site.snapshots import Snapshot
from arena.site.standings import StandingLine, table
from arena.store.pages import Entry
from arena.store.rows import FixtureRow, FixtureStatus

blueprint = Blueprint("bot", __name__)

SHOWN_MATCHES = 12
TIMED_MATCHES = 8
TIMED_HANDS = 30
SHOWN_FAULTS = 20

Part_ = tuple[Entry, Snapshot]


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
class ByVariant:
    """A bot's record at one game, in matches."""

    variant: Named
    won: int
    drawn: int
    lost: int
    hands: int
    net_points: int


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A fault with what exactly was wrong, for the bot's owner."""

    url: str
    tournament: str
    code: str
    detail: str
    elapsed_ms: float


@dataclass(frozen=True, slots=True)
class BotPage:
    """A bot's record over all tournaments. ``mine``: whether the reader owns or organises.

    ``ratings``: one point a tournament, the oldest first. ``faults``: how often each reason
    happened; ``excerpts`` only for the owner and the organiser.
    """

    template: ClassVar[str] = "bot.html"
    bot: BotLine
    mine: bool
    parts: tuple[Part, ...]
    ratings: LineChart | None
    variants: tuple[ByVariant, ...]
    versus: tuple[Versus, ...]
    latency: Latency | None
    faults: tuple[tuple[str, int], ...]
    excerpts: tuple[Excerpt, ...]
    latest: tuple[MatchLine, ...]


@route(blueprint, "/bots/<count:bot_id>-<slug:slug>")
def bot(bot_id: int, slug: str) -> Response | BaseResponse:
    """A bot's profile."""
    row = store().bots.by_id(bot_id)
    if row is None:
        abort(404, "There is no bot at this address.")
    right = urls().bot(row.id, row.name)
    if request.path.removesuffix(".json") != right.removeprefix(urls().root):
        return redirect(urls().twin(right) if wants_json() else right, 301)
    taken: dict[str, Snapshot] = {}
    parts: list[Part_] = []
    for entry in pages().entries(bot_id):
        id = entry.tournament_id
        if id not in taken:
            taken[id] = snapshot_of(store().tournaments.get(id))
        parts.append((entry, taken[id]))
    shown = bot_line(row, len(taken))
    faults = tuple(pages().fault_counts_of(bot_id))
    stamps = (snapshot.stamp for snapshot in taken.values())
    same = unchanged("|".join((repr(shown), repr(faults), *stamps)))
    if same is not None:
        return same
    mine = viewer().organiser or viewer().owns(row)
    own = [_part(entry, snapshot) for entry, snapshot in parts]
    finished = list(_finished(parts))
    return page(
        BotPage(
            bot=shown,
            mine=mine,
            parts=tuple(own),
            ratings=_ratings(own),
            variants=_variants(own, parts),
            versus=_versus(parts),
            latency=_latency(finished, parts),
            faults=faults,
            excerpts=_excerpts(bot_id, taken) if mine else (),
            latest=tuple(
                line_of(snapshot, fixture) for _, snapshot, fixture in finished[:SHOWN_MATCHES]
            ),
        )
    )


def _part(entry: Entry, snapshot: Snapshot) -> Part:
    own = [row for row in snapshot.known.rows if row.entrant == entry.number]
    (standing,) = table(urls(), snapshot, own)
    return Part(snapshot_head(urls(), snapshot), standing, len(snapshot.entrants), entry.version)


Finished = tuple[Entry, Snapshot, FixtureRow]


def _finished(parts: Iterable[Part_]) -> Iterable[Finished]:
    """The bot's matches that ended last, newest first."""
    found: list[Finished] = []
    for entry, snapshot in parts:
        mine = (
            row for row in snapshot.matches.of(entry.number) if row.status is FixtureStatus.FINISHED
        )
        newest = heapq.nlargest(SHOWN_MATCHES, mine, key=lambda row: row.finished_at or "")
        found += [(entry, snapshot, row) for row in newest]
    return sorted(found, key=lambda item: item[2].finished_at or "", reverse=True)[:SHOWN_MATCHES]


def _ratings(parts: Sequence[Part]) -> LineChart | None:
    rows = [
        (
            line.rating,
            line.rating_low,
            line.rating_high,
            f"{part.head.name}: {number(line.rating)}",
        )
        for part in reversed(parts)
        if (line := part.standing).rating is not None
    ]
    return line_chart(rows) if len(rows) > 1 else None


def _variants(own: Sequence[Part], parts: Sequence[Part_]) -> tuple[ByVariant, ...]:
    sums: dict[str, list[int]] = {}
    for part, (_, snapshot) in zip(own, parts, strict=True):
        line = part.standing
        values = (line.won, line.drawn, line.lost, line.hands, line.net_points)
        before = sums.setdefault(snapshot.tournament.variant, [0] * len(values))
        for at, value in enumerate(values):
            before[at] += value
    return tuple(
        ByVariant(game(urls(), name), *values)
        for name, values in sorted(sums.items(), key=lambda item: -item[1][3])
    )


def _versus(parts: Iterable[Part_]) -> tuple[Versus, ...]:
    found: dict[str, Versus] = {}
    for entry, snapshot in parts:
        for other in snapshot.names:
            meeting = snapshot.known.meetings.get(entry.number, other)
            if meeting is None:
                continue
            link = named(urls(), snapshot, other)
            before = found.get(link.url, Versus(link.name, link.url, 0, 0, 0, 0, 0))
            found[link.url] = Versus(
                before.name,
                before.url,
                before.won + meeting.won,
                before.drawn + meeting.drawn,
                before.lost + meeting.lost,
                before.net_points + meeting.net_points,
                before.hands + meeting.hands,
            )
    return tuple(sorted(found.values(), key=lambda v: (-(v.won + v.drawn + v.lost), v.name)))


def _latency(finished: Sequence[Finished], parts: Sequence[Part_]) -> Latency | None:
    """From the newest matches, whose times are kept, for they change no more."""
    kept: Recent[list[list[int]]] = current_app.config["LATENCIES"]
    hands: list[list[int]] = []
    for entry, _, fixture in finished[:TIMED_MATCHES]:
        if len(hands) >= TIMED_HANDS:
            break
        seat = fixture.seats.index(entry.number)
        hands += kept.get((fixture.id, seat), partial(_times, fixture.id, seat))
    clock = parts[0][1].tournament.config.get("clock") if parts else None
    deadline = clock.get("deadline_ms") if isinstance(clock, dict) else None
    return latency(hands[:TIMED_HANDS], deadline)


def _times(fixture_id: str, seat: int) -> list[list[int]]:
    """The times of a seat in a finished match, by hand; of the first hands if it has many."""
    return [times_of(hand, seat) for hand in store().hands.of(fixture_id)[:TIMED_HANDS]]


def _excerpts(bot_id: int, taken: dict[str, Snapshot]) -> tuple[Excerpt, ...]:
    return tuple(
        Excerpt(
            url=urls().match(taken[tournament_id].tournament.slug, fault.fixture_id),
            tournament=taken[tournament_id].tournament.name,
            code=fault.code,
            detail=fault.detail,
            elapsed_ms=fault.elapsed_ms,
        )
        for tournament_id, fault in pages().faults_of(bot_id, SHOWN_FAULTS)
    )
