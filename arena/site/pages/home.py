"""The front page: what is being played, what is coming, what was played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from flask import Blueprint, Response

from arena.site.http.reading import pages, store
from arena.site.http.respond import page, route, urls
from arena.site.pages.common import at_hand, awaited_in, line_of, snapshot_of, unchanged
from arena.site.views.bracket_view import contenders
from arena.site.views.parts import (
    Head,
    MatchLine,
    Named,
    bot,
    head,
    snapshot_head,
)
from arena.site.views.snapshot import Snapshot
from arena.site.views.standings import won_by
from arena.store.pages import Progress
from arena.store.rows import FixtureStatus, TournamentRow, TournamentState
from arena.tournament.ranking.standings import Presence

blueprint = Blueprint("home", __name__)

LEADERS = 3
SHOWN_FINISHED = 12
SHOWN_MATCHES = 6


@dataclass(frozen=True, slots=True)
class Leader:
    """A bot near the top of a tournament. ``rank`` is None while it is open.

    ``bound``: ``at_least`` or ``at_most`` where it is unbeaten or winless.
    """

    bot: Named
    rank: int | None
    points: float
    rating: float | None
    bound: str | None


@dataclass(frozen=True, slots=True)
class Card:
    """A running tournament on the home page. ``playing`` are some of its current matches.

    ``still_in``: of a bracket that is being played, who may still win it, by seeding; its
    ``leaders`` mean nothing yet. ``ranked_by``: what the order of leaders goes by.
    """

    head: Head
    ranked_by: str
    leaders: tuple[Leader, ...]
    still_in: tuple[Named, ...]
    playing: tuple[MatchLine, ...]


@dataclass(frozen=True, slots=True)
class Done:
    """A finished tournament in the list.

    ``is_ready``: whether it has been read; nobody is named before. ``winner`` is None where nobody
    won, ``no_winner`` then says why; partners win together, and ``winners`` are all of them.
    """

    head: Head
    is_ready: bool
    winner: Named | None
    winners: tuple[Named, ...]
    no_winner: str | None


@dataclass(frozen=True, slots=True)
class Result:
    """A match that was played, and where."""

    tournament: Named
    match: MatchLine


@dataclass(frozen=True, slots=True)
class HomePage:
    """All tournaments by state, each in exactly one list, and the latest results."""

    template: ClassVar[str] = "home.html"
    live: ClassVar[Mapping[str, str]] = {"home": "_home.html"}
    running: tuple[Card, ...]
    coming: tuple[Head, ...]
    finished: tuple[Done, ...]
    more_finished: int
    latest: tuple[Result, ...]


def leaders(snapshot: Snapshot, count: int) -> tuple[Leader, ...]:
    """The first of the table, none before the first result."""
    if not any(row.played for row in snapshot.known.rows):
        return ()
    ratings = {row.entrant: row for row in snapshot.known.ratings}
    return tuple(
        Leader(
            bot(urls(), snapshot, row.entrant),
            row.rank,
            row.match_points,
            ratings[row.entrant].rating,
            ratings[row.entrant].bound,
        )
        for row in snapshot.known.rows[:count]
        if row.presence is not Presence.DISQUALIFIED
    )


def still_in(snapshot: Snapshot) -> tuple[Named, ...]:
    """Who may still win a bracket, by seeding; nobody once it is won, or in other formats."""
    table = snapshot.known.rows
    # While groups are played there is a place for everybody, and the bracket is not known.
    if not snapshot.format.has_bracket or all(row.rank for row in table):
        return ()
    playing = {row.entrant for row in table if row.presence is Presence.PLAYING}
    left = contenders(snapshot) & playing
    return tuple(bot(urls(), snapshot, one) for one in snapshot.seeding if one in left)


def _done(row: TournamentRow, snapshot: Snapshot | None, entrants: int) -> Done:
    if snapshot is None:
        return Done(head(urls(), row, entrants, Progress(), None), False, None, (), None)
    found = won_by(snapshot)
    named = tuple(bot(urls(), snapshot, entrant) for entrant in found.entrants)
    return Done(
        snapshot_head(urls(), snapshot),
        True,
        named[0] if len(named) == 1 else None,
        named,
        found.reason,
    )


def latest_of(snapshots: Sequence[Snapshot]) -> tuple[Result, ...]:
    """The matches that ended last, of all these tournaments."""
    found = [
        (row.finished_at or "", row.position, number, row)
        for number, snapshot in enumerate(snapshots)
        for row in snapshot.matches.latest[:SHOWN_MATCHES]
    ]
    found.sort(key=lambda item: item[:3], reverse=True)
    results = []
    for _, _, number, row in found[:SHOWN_MATCHES]:
        at = snapshots[number].tournament
        where = Named(at.name, urls().tournament(at.slug))
        results.append(Result(where, line_of(snapshots[number], row)))
    return tuple(results)


def _card(tournament: TournamentRow) -> Card:
    snapshot = snapshot_of(tournament)
    playing = snapshot.matches.in_state(FixtureStatus.PLAYING, SHOWN_MATCHES)
    return Card(
        snapshot_head(urls(), snapshot),
        snapshot.format.ranked_by,
        leaders(snapshot, LEADERS),
        still_in(snapshot),
        tuple(line_of(snapshot, row) for row in playing),
    )


@route(blueprint, "/", twin="/index.json")
def home() -> Response:
    """The front page."""
    tournaments = store().tournaments.all()
    running = [
        row for row in tournaments if row.state in (TournamentState.RUNNING, TournamentState.PAUSED)
    ]
    coming = [
        row
        for row in tournaments
        if row.state in (TournamentState.DRAFT, TournamentState.REGISTRATION)
    ]
    over = [row for row in tournaments if row.over]
    done = at_hand(over[:SHOWN_FINISHED])
    shown = [*(snapshot_of(row) for row in running), *done.values()]
    awaited = (repr(awaited_in(row)) for row in coming)
    same = unchanged("|".join((pages().stamp(), *awaited, *(snapshot.stamp for snapshot in shown))))
    if same is not None:
        return same
    entrants = pages().entrant_counts()
    return page(
        HomePage(
            running=tuple(_card(row) for row in running),
            coming=tuple(
                head(
                    urls(), row, entrants.get(row.id, 0), Progress(), None, awaited=awaited_in(row)
                )
                for row in coming
            ),
            finished=tuple(
                _done(row, done.get(row.id), entrants.get(row.id, 0))
                for row in over[:SHOWN_FINISHED]
            ),
            more_finished=max(0, len(over) - SHOWN_FINISHED),
            latest=latest_of(shown),
        )
    )
