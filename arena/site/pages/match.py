"""A match: its games and hands, scores, how each ended, and what went wrong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, TypeVar

from flask import Blueprint, Response

from arena.errors import RulesError
from arena.rules.record import parse
from arena.site.formatting import words
from arena.site.pages.common import (
    fixture_of,
    line_of,
    snapshot_of,
    tournament_at,
    unchanged,
)
from arena.site.parts import Head, MatchLine, series_text, snapshot_head
from arena.site.reading import pages, store
from arena.site.respond import page, route, urls
from arena.site.snapshots import Snapshot
from arena.store.rows import FaultRow, FixtureRow, FixtureStatus, GameRow, HandRow

blueprint = Blueprint("match", __name__)

V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class PlayedHand:
    """A finished hand. ``winner`` is a seat's name; ``points`` by position of the hand.

    ``url``: None as long as its cards may not be shown. ``result``: points for people, see
    `in_order`; None for a seat that was out.
    """

    number: int
    url: str | None
    ending: str
    winner: str | None
    points: tuple[int, ...]
    result: tuple[int | None, ...]
    decisions: int
    faults: int


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game with its hands. Tuples are by seat; ``over`` is False while it is played.

    ``result`` and ``result_totals``: points and totals for people, see `in_order`.
    """

    number: int
    over: bool
    winner: str | None
    points: tuple[int, ...]
    totals: tuple[int, ...]
    result: tuple[int, ...]
    result_totals: tuple[int, ...]
    termination: str | None
    sentence: str | None
    hands: tuple[PlayedHand, ...]


@dataclass(frozen=True, slots=True)
class FaultLine:
    """A failed call. What exactly was wrong is for the bot's owner only."""

    bot: str
    game: int
    hand: int
    turn: int
    code: str
    elapsed_ms: float


@dataclass(frozen=True, slots=True)
class MatchPage:
    """A fixture, live or finished.

    ``series_points``: hand points of the match for people, see `in_order`.
    ``is_open``: whether its hands may be shown; ``mirrored``: then, the fixtures with its deals.
    """

    template: ClassVar[str] = "match.html"
    live: ClassVar[Mapping[str, str]] = {"match": "_match.html"}
    section: ClassVar[str] = "schedule"
    head: Head
    match: MatchLine
    series: str
    series_points: tuple[int | None, ...]
    games: tuple[PlayedGame, ...]
    faults: tuple[FaultLine, ...]
    is_open: bool
    mirrored: tuple[MatchLine, ...]


def in_order(values: Sequence[V], winner: int | None) -> tuple[V, ...]:
    """Values by seat as people say them: of two the winner's first, of more by seat."""
    return tuple(reversed(values)) if len(values) == 2 and winner == 1 else tuple(values)


def _by_seat(hand: HandRow, seats: int) -> tuple[int | None, ...]:
    """Points of a hand by seat of the match; its positions change with the deal."""
    try:
        places = parse(hand.record).plan.seats
    except RulesError:
        return hand.points
    points = dict(zip(places, hand.points, strict=False))
    return tuple(points.get(seat) for seat in range(seats))


def _game(
    snapshot: Snapshot,
    row: FixtureRow,
    number: int,
    game: GameRow | None,
    hands: Sequence[HandRow],
    faults: Sequence[FaultRow],
    is_open: bool,
) -> PlayedGame:
    names = [snapshot.names[entrant] for entrant in row.seats]
    slug = snapshot.tournament.slug
    return PlayedGame(
        number=number,
        over=game is not None,
        winner=names[game.winner] if game is not None and game.winner is not None else None,
        points=game.points if game is not None else (),
        totals=game.totals if game is not None else (),
        result=in_order(game.points, game.winner) if game is not None else (),
        result_totals=in_order(game.totals, game.winner) if game is not None else (),
        termination=words(game.termination) if game is not None else None,
        sentence=game.sentence if game is not None else None,
        hands=tuple(
            PlayedHand(
                number=hand.number,
                url=urls().hand(slug, row.id, hand.game, hand.number) if is_open else None,
                ending=words(hand.ending),
                winner=names[hand.winner] if hand.winner is not None else None,
                points=hand.points,
                result=in_order(_by_seat(hand, len(names)), hand.winner),
                decisions=len(hand.times),
                faults=sum((f.game, f.hand) == (hand.game, hand.number) for f in faults),
            )
            for hand in hands
        ),
    )


@route(blueprint, "/t/<slug:slug>/m/<id:fixture_id>")
def match(slug: str, fixture_id: str) -> Response:
    """A match."""
    tournament = tournament_at(slug)
    row = fixture_of(tournament, fixture_id)
    snapshot = snapshot_of(tournament)
    hand_count = len(pages().hand_keys(row.id))
    is_open = store().fixtures.deals_are_open(row)
    same = unchanged(f"{snapshot.stamp}:{row.status}:{hand_count}:{is_open}")
    if same is not None:
        return same
    games = {game.number: game for game in store().fixtures.games(row.id)}
    hands: dict[int, list[HandRow]] = {number: [] for number in games}
    for hand in store().hands.of(row.id):
        hands.setdefault(hand.game, []).append(hand)
    faults = store().hands.faults(row.id)
    mirrored = [
        other
        for other in snapshot.matches.of(row.seats[0])
        if is_open
        and other.deal_key == row.deal_key
        and other.id != row.id
        and other.status not in (FixtureStatus.BYE, FixtureStatus.VOID)
        and len(other.seats) > 1
    ]
    line = line_of(snapshot, row)
    winner = next((at for at, seat in enumerate(line.seats) if seat.won), None)
    return page(
        MatchPage(
            head=snapshot_head(urls(), snapshot),
            match=line,
            series=series_text(row.games, row.wins_needed),
            series_points=in_order([seat.points for seat in line.seats], winner),
            games=tuple(
                _game(snapshot, row, number, games.get(number), hands[number], faults, is_open)
                for number in sorted(hands)
            ),
            faults=tuple(
                FaultLine(
                    snapshot.names[fault.entrant],
                    fault.game,
                    fault.hand,
                    fault.turn,
                    fault.code,
                    fault.elapsed_ms,
                )
                for fault in faults
            ),
            is_open=is_open,
            mirrored=tuple(line_of(snapshot, other) for other in mirrored),
        )
    )
