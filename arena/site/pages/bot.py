"""A bot's profile: its record, speed and faults."""

from __future__ import annotations

import heapq
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from flask import Blueprint, Response, abort, current_app, redirect, request
from werkzeug.wrappers import Response as BaseResponse

from arena.site.auth import viewer
from arena.site.http.page_cache import Recent
from arena.site.http.reading import pages, store
from arena.site.http.respond import page, route, urls, wants_json
from arena.site.pages.bots import BotLine, bot_line
from arena.site.pages.common import PLAYABLE, at_hand, line_of, unchanged
from arena.site.pages.paging import Pager, paged
from arena.site.views.latency import Latency, latency, times_of
from arena.site.views.parts import Head, MatchLine, Named, game, head, snapshot_head
from arena.site.views.parts import bot as named
from arena.site.views.ranking import Ranking, Rankings
from arena.site.views.snapshot import Snapshot
from arena.site.views.standings import StandingLine, table
from arena.store.pages import Entry, Progress
from arena.store.rows import FixtureRow, FixtureStatus, TournamentRow
from arena.tournament.ranking.standings import Row

blueprint = Blueprint("bot", __name__)

SHOWN_MATCHES = 12
TIMED_MATCHES = 8
TIMED_HANDS = 30
SHOWN_FAULTS = 20
SHOWN_PARTS = 24

Part_ = tuple[Entry, Snapshot]


@dataclass(frozen=True, slots=True)
class Part:
    """One tournament of a bot with its line in the table, None while that is being made."""

    head: Head
    standing: StandingLine | None
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
    """A bot's record at one game, in matches.

    ``rank`` among ``field`` bots and ``rating`` are those of all tournaments together; None where
    too little was played, or while it is added up. ``ranking``: the page with that of all bots.
    """

    variant: Named
    ranking: str
    rank: int | None
    field: int
    rating: float | None
    bound: str | None
    won: int
    drawn: int
    lost: int
    hands: int
    net_points: int


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A fault with what exactly was wrong, for the bot's owner.

    ``url``: of its match. ``move``: the frame of the replay that it led to, at ``move_url`` where
    its cards may be shown.
    """

    url: str
    tournament: str
    match: str
    game: int
    hand: int
    move: int
    move_url: str | None
    code: str
    detail: str
    elapsed_ms: float


@dataclass(frozen=True, slots=True)
class BotPage:
    """A bot's record over all tournaments. ``mine``: whether the reader owns or organises.

    ``parts``: its tournaments, a page at a time, the newest first; ``variants`` and ``versus`` add
    up those of them that have a standing. ``faults``: how often each reason happened; ``excerpts``
    only for the owner and the organiser.
    """

    template: ClassVar[str] = "bot.html"
    live: ClassVar[Mapping[str, str]] = {"record": "_bot.html", "latest": "_latest.html"}
    bot: BotLine
    mine: bool
    parts: tuple[Part, ...]
    pager: Pager
    variants: tuple[ByVariant, ...]
    versus: tuple[Versus, ...]
    latency: Latency | None
    faults: tuple[tuple[str, int], ...]
    excerpts: tuple[Excerpt, ...]
    latest: tuple[MatchLine, ...]

    @property
    def changes(self) -> bool:
        """Whether one of its tournaments is being played, or still added up."""
        return any(part.standing is None or part.head.state in PLAYABLE for part in self.parts)


@route(blueprint, "/bots/<count:bot_id>-<slug:slug>")
def bot(bot_id: int, slug: str) -> Response | BaseResponse:
    """A bot's profile."""
    row = store().bots.by_id(bot_id)
    if row is None:
        abort(404, "There is no bot at this address.")
    right = urls().bot(row.id, row.name)
    if request.path.removesuffix(".json") != right.removeprefix(urls().root):
        return redirect(urls().twin(right) if wants_json() else right, 301)
    entries = pages().entries(bot_id)
    pager, some = paged(len(entries), SHOWN_PARTS, lambda page: urls().path(right, page=page))
    shown = entries[some]
    rows = {entry.tournament_id: store().tournaments.get(entry.tournament_id) for entry in shown}
    taken = at_hand(rows.values())
    parts = [(entry, taken[entry.tournament_id]) for entry in shown if entry.tournament_id in taken]
    line = bot_line(row, len({entry.tournament_id for entry in entries}))
    faults = tuple(pages().fault_counts_of(bot_id))
    stamps = (taken[id].stamp if id in taken else id for id in rows)
    rankings = _rankings(parts)
    made = (f"{name}:{one.stamp if one else ''}" for name, one in rankings.items())
    same = unchanged("|".join((repr(line), repr(faults), *stamps, *made)))
    if same is not None:
        return same
    mine = viewer().organiser or viewer().owns(row)
    finished = list(_finished(parts))
    return page(
        BotPage(
            bot=line,
            mine=mine,
            parts=tuple(_part(entry, rows[entry.tournament_id], taken) for entry in shown),
            pager=pager,
            variants=_variants(bot_id, parts, rankings),
            versus=_versus(parts),
            latency=_latency(finished, parts),
            faults=faults,
            excerpts=_excerpts(bot_id) if mine else (),
            latest=tuple(
                line_of(snapshot, fixture) for _, snapshot, fixture in finished[:SHOWN_MATCHES]
            ),
        )
    )


def _part(entry: Entry, row: TournamentRow, taken: Mapping[str, Snapshot]) -> Part:
    snapshot = taken.get(row.id)
    if snapshot is None:
        field = len(store().tournaments.entrants(row.id))
        return Part(head(urls(), row, field, Progress(), None), None, field, entry.version)
    (standing,) = table(urls(), snapshot, [_row(entry, snapshot)])
    return Part(snapshot_head(urls(), snapshot), standing, len(snapshot.entrants), entry.version)


def _row(entry: Entry, snapshot: Snapshot) -> Row:
    return next(row for row in snapshot.known.rows if row.entrant == entry.number)


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


def _rankings(parts: Sequence[Part_]) -> dict[str, Ranking | None]:
    """The rankings of all games that were played in these tournaments, as far as they are made."""
    rankings: Rankings = current_app.config["RANKINGS"]
    names = {snapshot.tournament.variant for _, snapshot in parts}
    return {name: rankings.get(store(), name) for name in sorted(names)}


def _variants(
    bot_id: int, parts: Sequence[Part_], rankings: Mapping[str, Ranking | None]
) -> tuple[ByVariant, ...]:
    sums: dict[str, list[int]] = {}
    for entry, snapshot in parts:
        row = _row(entry, snapshot)
        values = (row.won, row.drawn, row.lost, row.hands, row.net_points)
        before = sums.setdefault(snapshot.tournament.variant, [0] * len(values))
        for at, value in enumerate(values):
            before[at] += value
    found = []
    for name, (won, drawn, lost, hands, net_points) in sorted(
        sums.items(), key=lambda item: -item[1][3]
    ):
        ranking = rankings[name]
        rows = ranking.rows if ranking is not None else ()
        own = next((one for one in rows if one.bot_id == bot_id), None)
        found.append(
            ByVariant(
                variant=game(urls(), name),
                ranking=urls().ranking(name),
                rank=own.rank if own is not None else None,
                field=len(rows),
                rating=own.rating.rating if own is not None else None,
                bound=own.rating.bound if own is not None else None,
                won=won,
                drawn=drawn,
                lost=lost,
                hands=hands,
                net_points=net_points,
            )
        )
    return tuple(found)


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


def _excerpts(bot_id: int) -> tuple[Excerpt, ...]:
    shown: dict[str, Collection[tuple[int, int]]] = {}
    made = []
    for tournament_id, fault in pages().faults_of(bot_id, SHOWN_FAULTS):
        id, at = fault.fixture_id, (fault.game, fault.hand)
        if id not in shown:
            shown[id] = _shown_hands(id)
        row = store().tournaments.get(tournament_id)
        made.append(
            Excerpt(
                url=urls().match(row.slug, id),
                tournament=row.name,
                match=id,
                game=fault.game,
                hand=fault.hand,
                move=fault.turn + 1,
                move_url=urls().move(row.slug, id, *at, fault.turn) if at in shown[id] else None,
                code=fault.code,
                detail=fault.detail,
                elapsed_ms=fault.elapsed_ms,
            )
        )
    return tuple(made)


def _shown_hands(fixture_id: str) -> Collection[tuple[int, int]]:
    """Game and number of the hands of a match whose cards may be shown."""
    fixture = store().fixtures.get(fixture_id)
    if fixture is None or not store().fixtures.deals_are_open(fixture):
        return ()
    return set(pages().hand_keys(fixture_id))
