"""A match: its games and hands, scores, how each ended, and what went wrong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import ClassVar

from flask import Blueprint, Response

from arena.errors import RulesError
from arena.referee.verdicts import Termination
from arena.rules.base import Variant
from arena.rules.games import sides_of
from arena.rules.record import parse
from arena.rules.texts import points_text, reversal_text
from arena.site.hands.hand_chart import score_chart
from arena.site.hands.hand_score import running
from arena.site.http.reading import pages, store
from arena.site.http.respond import page, route, urls
from arena.site.pages.common import (
    fixture_of,
    line_of,
    snapshot_of,
    tournament_at,
    unchanged,
    variant_of,
)
from arena.site.views.charts import StepChart
from arena.site.views.formatting import words
from arena.site.views.parts import Head, MatchLine, series_text, snapshot_head
from arena.site.views.snapshot import Snapshot
from arena.store.rows import FaultRow, FixtureRow, FixtureStatus, GameRow, HandRow

blueprint = Blueprint("match", __name__)

FOLDED = 3
"""So many dead hands in a row are one line."""


@dataclass(frozen=True, slots=True)
class PlayedHand:
    """A finished hand. ``winner`` is a seat's name; ``points`` by position of the hand.

    ``url``: None as long as its cards may not be shown. ``result``: points by seat of the match,
    None for a seat that was out. ``score``: the game's points after it by seat and column, empty
    where its records do not tell.
    """

    number: int
    url: str | None
    ending: str
    winner: str | None
    points: tuple[int, ...]
    result: tuple[int | None, ...]
    score: tuple[tuple[int, ...], ...]
    decisions: int
    faults: int

    @property
    def is_dead(self) -> bool:
        """Whether there is nothing to say but that it was played."""
        return self.winner is None and not any(self.points) and not self.faults


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game with its hands. Tuples are by seat; ``over`` is False while it is played.

    ``totals``: points with bonuses. ``chart``: the score of each side over the hands, None before
    there are two. ``is_reversed``: its winner has fewer points or totals than
    another.
    """

    number: int
    over: bool
    winner: str | None
    points: tuple[int, ...]
    totals: tuple[int, ...]
    is_reversed: bool
    termination: str | None
    sentence: str | None
    hands: tuple[PlayedHand, ...]
    chart: StepChart | None

    @property
    def runs(self) -> tuple[tuple[PlayedHand, ...], ...]:
        """The hands in order; many dead ones in a row are together."""
        found: list[tuple[PlayedHand, ...]] = []
        for is_dead, some in groupby(self.hands, key=lambda hand: hand.is_dead):
            row = tuple(some)
            found += [row] if is_dead and len(row) >= FOLDED else [(hand,) for hand in row]
        return tuple(found)


@dataclass(frozen=True, slots=True)
class FaultLine:
    """A failed call. What exactly was wrong is for the bot's owner only.

    ``move``: the frame of the replay that it led to, at ``url`` where its cards may be shown.
    """

    bot: str
    url: str | None
    move: int
    game: int
    hand: int
    turn: int
    code: str
    elapsed_ms: float


@dataclass(frozen=True, slots=True)
class MatchPage:
    """A fixture, live or finished.

    ``series_points``: hand points of the match by seat. ``unit``: what points are.
    ``games``: in order of play; pages show one that is played before those that are over.
    ``points_note``: how the points of a game follow from those of its hands, None where they are
    their sum.
    ``reversal_note``: what decides a game where its winner has fewer points or totals, None where
    that cannot be.
    ``is_open``: whether its hands may be shown; ``mirrored``: then, the fixtures with its deals.
    """

    template: ClassVar[str] = "match.html"
    live: ClassVar[Mapping[str, str]] = {"match": "_match.html"}
    section: ClassVar[str] = "schedule"
    head: Head
    match: MatchLine
    series: str
    series_points: tuple[int | None, ...]
    unit: str
    games: tuple[PlayedGame, ...]
    points_note: str | None
    reversal_note: str | None
    faults: tuple[FaultLine, ...]
    is_open: bool
    mirrored: tuple[MatchLine, ...]

    @property
    def side_names(self) -> tuple[str, ...]:
        """A side after the other, partners together."""
        return tuple(
            " + ".join(self.match.seats[seat].name for seat in side) for side in self.match.sides
        )


def _is_reversed(game: GameRow) -> bool:
    """Whether points or bonuses give another order than what decides.

    Asked only of games where more is better. One that was forfeited needs no other reason.
    """
    if game.winner is None or len(game.totals) != 2 or game.termination != Termination.NORMAL:
        return False
    return any(sums[game.winner] < sums[1 - game.winner] for sums in (game.points, game.totals))


def _is_stored(fault: FaultRow, hands: Mapping[int, Sequence[HandRow]]) -> bool:
    return any(hand.number == fault.hand for hand in hands.get(fault.game, ()))


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
    variant: Variant | None,
    may_be_reversed: bool,
) -> PlayedGame:
    names = [snapshot.names[entrant] for entrant in row.seats]
    slug = snapshot.tournament.slug
    scores = running(variant, hands, len(names)) if variant is not None else ()
    return PlayedGame(
        number=number,
        over=game is not None,
        winner=names[game.winner] if game is not None and game.winner is not None else None,
        points=game.points if game is not None else (),
        totals=game.totals if game is not None else (),
        is_reversed=may_be_reversed and game is not None and _is_reversed(game),
        termination=words(game.termination) if game is not None else None,
        sentence=game.sentence if game is not None else None,
        hands=tuple(
            PlayedHand(
                number=hand.number,
                url=urls().hand(slug, row.id, hand.game, hand.number) if is_open else None,
                ending=words(hand.ending),
                winner=names[hand.winner] if hand.winner is not None else None,
                points=hand.points,
                result=_by_seat(hand, len(names)),
                score=score,
                decisions=len(hand.times),
                faults=sum((f.game, f.hand) == (hand.game, hand.number) for f in faults),
            )
            for hand, score in zip(hands, scores or [()] * len(hands), strict=True)
        ),
        chart=_chart(snapshot, variant, scores, names),
    )


def _chart(
    snapshot: Snapshot,
    variant: Variant | None,
    scores: Sequence[tuple[tuple[int, ...], ...]],
    names: Sequence[str],
) -> StepChart | None:
    sides = sides_of(snapshot.tournament.variant, len(names))
    return score_chart(variant, scores, sides, names) if variant is not None else None


def _fault(snapshot: Snapshot, fault: FaultRow, is_shown: bool) -> FaultLine:
    """``is_shown``: the replay of its hand may be seen."""
    at = (snapshot.tournament.slug, fault.fixture_id, fault.game, fault.hand, fault.turn)
    return FaultLine(
        snapshot.names[fault.entrant],
        urls().move(*at) if is_shown else None,
        fault.turn + 1,
        fault.game,
        fault.hand,
        fault.turn,
        fault.code,
        fault.elapsed_ms,
    )


def _mirrored(snapshot: Snapshot, row: FixtureRow) -> tuple[MatchLine, ...]:
    """The other matches with the same deals."""
    return tuple(
        line_of(snapshot, other)
        for other in snapshot.matches.of(row.seats[0])
        if other.deal_key == row.deal_key
        and other.id != row.id
        and other.status not in (FixtureStatus.BYE, FixtureStatus.VOID)
        and len(other.seats) > 1
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
    line = line_of(snapshot, row)
    variant = variant_of(tournament)
    reversal = (reversal_text(variant) or None) if variant is not None else None
    return page(
        MatchPage(
            head=snapshot_head(urls(), snapshot),
            match=line,
            series=series_text(row.games, row.wins_needed),
            series_points=tuple(seat.points for seat in line.seats),
            unit="penalty points" if snapshot.options.fewer_points_win else "points",
            games=tuple(
                _game(
                    snapshot,
                    row,
                    number,
                    games.get(number),
                    hands[number],
                    faults,
                    is_open,
                    variant,
                    bool(reversal),
                )
                for number in sorted(hands)
            ),
            points_note=(points_text(variant) or None) if variant is not None else None,
            reversal_note=reversal,
            faults=tuple(
                _fault(snapshot, fault, is_open and _is_stored(fault, hands)) for fault in faults
            ),
            is_open=is_open,
            mirrored=_mirrored(snapshot, row) if is_open else (),
        )
    )
