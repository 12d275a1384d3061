"""A finished hand, step by step."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from flask import Blueprint, Response, abort, request

from arena.errors import RulesError
from arena.rules import base
from arena.rules.base import Variant, action
from arena.rules.record import HandRecord, parse, variant_of
from arena.site.hands.frame import Frame
from arena.site.hands.hand_chart import deadwood_chart
from arena.site.hands.hand_score import HandScore, columns_text, hand_score
from arena.site.hands.replay import Ending, ending_of, frames, knock_limit, text_of, wild_rank
from arena.site.http.reading import pages, store
from arena.site.http.respond import page, route, urls
from arena.site.pages.common import fixture_of, line_of, snapshot_of, tournament_at, unchanged
from arena.site.views.charts import StepChart
from arena.site.views.parts import Named, bot, series_text
from arena.store.rows import FixtureRow, HandRow

blueprint = Blueprint("hand", __name__)
log = logging.getLogger("arena.site")


@dataclass(frozen=True, slots=True)
class Player:
    """Who sat at a position of the hand. ``seat`` is that of the match.

    ``score``, ``score_after``: where its side stood in the game before and after this hand, for
    people; None where that cannot be told.
    """

    name: str
    url: str
    seat: int
    dealer: bool
    score: str | None
    score_after: str | None


@dataclass(frozen=True, slots=True)
class HandPage:
    """A hand with every frame of its replay; ``move`` is the frame shown first.

    ``choices``: what could have been done instead of the action that led to that frame, for
    people. ``wrong``: positions that declared wrongly. ``wild``: the rank whose cards stand for any
    other, None where none does. ``score``: of the match around the hand; ``partners``: whether
    any side of it is several. ``out``: who sat this hand out, alone. ``frames`` is empty and
    ``problem`` says why when a record cannot be played again.
    """

    template: ClassVar[str] = "hand.html"
    tournament: Named
    match: Named
    game: int
    number: int
    variant: str
    variant_url: str
    players: tuple[Player, ...]
    series: str
    score: HandScore | None
    partners: bool
    out: tuple[Named, ...]
    move: int
    frames: tuple[Frame, ...]
    chart: StepChart | None
    ending: Ending | None
    wrong: tuple[int, ...]
    wild: str | None
    choices: tuple[tuple[str, bool], ...]
    record: str
    problem: str | None
    before: str | None
    after: str | None


def chosen_move(count: int) -> int:
    """The frame that the query asks for; the deal if none or a wrong one is named."""
    text = request.args.get("move", "")
    if text.isascii() and text.isdigit() and len(text) < 6 and int(text) < count:
        return int(text)
    return 0


def choices(frame: Frame) -> tuple[tuple[str, bool], ...]:
    """What the player could do, as texts, and whether it was done."""
    return tuple((text_of(action(id)), id == frame.action) for id in frame.legal)


def declared_wrongly(frames: Sequence[Frame], ending: Ending | None) -> tuple[int, ...]:
    """The positions whose declaration was not valid."""
    declared = [
        frame.position
        for frame in frames
        if frame.position is not None and frame.action and frame.action.startswith("declare:")
    ]
    valid = ending.knocker if ending and ending.ending == base.Ending.DECLARED else None
    return tuple(position for position in declared if position != valid)


class Replayed(NamedTuple):
    """A stored hand played again. ``names``: by position. What cannot be told is None or empty,
    and ``problem`` says why."""

    record: HandRecord | None
    seats: Sequence[int]
    names: Sequence[str]
    frames: tuple[Frame, ...]
    ending: Ending | None
    problem: str | None

    @property
    def variant(self) -> Variant | None:
        """What was played."""
        return variant_of(self.record) if self.record else None

    @property
    def chart(self) -> StepChart | None:
        """How deadwood fell, None where nothing can be shown."""
        if self.record is None or not self.frames:
            return None
        return deadwood_chart(self.frames, self.names, knock_limit(self.record))


def replayed(row: HandRow, everybody: Sequence[Named]) -> Replayed:
    """The hand of these bots, by seat of the match."""
    try:
        record = parse(row.record)
    except RulesError as error:
        log.warning("hand %s/%s-%s: %s", row.fixture_id, row.game, row.number, error)
        names = [one.name for one in everybody]
        return Replayed(None, range(len(everybody)), names, (), None, str(error))
    names = [everybody[seat].name for seat in record.plan.seats]
    try:
        made, outcome = frames(record, row.times, row.notes, names)
    except RulesError as error:
        log.warning("hand %s/%s-%s: %s", row.fixture_id, row.game, row.number, error)
        ending = ending_of(record.outcome, names)
        return Replayed(record, record.plan.seats, names, (), ending, str(error))
    return Replayed(record, record.plan.seats, names, made, ending_of(outcome, names), None)


def score_around(
    variant: Variant, fixture_id: str, at: tuple[int, int], players: Sequence[Named]
) -> HandScore | None:
    """The score of the match before and after a hand."""
    hands: dict[int, list[HandRow]] = {}
    for row in store().hands.of(fixture_id):
        hands.setdefault(row.game, []).append(row)
    return hand_score(variant, hands, store().fixtures.games(fixture_id), at, players)


def players_of(
    shown: Replayed, everybody: Sequence[Named], score: HandScore | None
) -> tuple[Player, ...]:
    """Who sat where, by position, with what their sides had."""
    dealer = shown.record.plan.dealer if shown.record else None

    def player(position: int, seat: int) -> Player:
        side = score.side_at(position) if score else None
        return Player(
            name=everybody[seat].name,
            url=everybody[seat].url,
            seat=seat,
            dealer=position == dealer,
            score=columns_text(side.before) if side else None,
            score_after=columns_text(side.after) if side else None,
        )

    return tuple(player(position, seat) for position, seat in enumerate(shown.seats))


def open_keys(fixture: FixtureRow, key: tuple[int, int]) -> Sequence[tuple[int, int]]:
    """Game and number of each hand of a match; 404 if this one may not be seen, or not yet."""
    keys = pages().hand_keys(fixture.id)
    if key not in keys:
        abort(404, "There is no such hand, or it is not over yet.")
    if not store().fixtures.deals_are_open(fixture):
        abort(404, "This hand is shown when the match with the same deals is over too.")
    return keys


@route(blueprint, "/t/<slug:slug>/m/<id:fixture_id>/<count:game>-<count:number>")
def hand(slug: str, fixture_id: str, game: int, number: int) -> Response:
    """A hand; 404 until it is over and nobody will be dealt the same cards again."""
    tournament = tournament_at(slug)
    fixture = fixture_of(tournament, fixture_id)
    keys = open_keys(fixture, (game, number))
    at = keys.index((game, number))
    same = unchanged(f"{fixture.id}:{at + 1 < len(keys)}:{fixture.status}")
    if same is not None:
        return same
    row = store().hands.get(fixture.id, game, number)
    assert row is not None
    snapshot = snapshot_of(tournament)
    everybody = [bot(urls(), snapshot, entrant) for entrant in fixture.seats]
    shown = replayed(row, everybody)
    variant = shown.variant
    score = score_around(variant, fixture.id, (game, number), everybody) if variant else None
    sides = score.sides if score else ()
    move = chosen_move(len(shown.frames))

    def link(place: int) -> str | None:
        return urls().hand(slug, fixture.id, *keys[place]) if 0 <= place < len(keys) else None

    return page(
        HandPage(
            tournament=Named(tournament.name, urls().tournament(slug)),
            match=Named(line_of(snapshot, fixture).label, urls().match(slug, fixture.id)),
            game=game,
            number=number,
            variant=variant.title if variant else tournament.variant,
            variant_url=urls().game(variant.name if variant else tournament.variant),
            players=players_of(shown, everybody, score),
            series=series_text(fixture.games, fixture.wins_needed),
            score=score,
            partners=any(len(side.players) > 1 for side in sides),
            out=tuple(
                side.players[0] for side in sides if not side.positions and len(side.players) == 1
            ),
            move=move,
            frames=shown.frames,
            chart=shown.chart,
            ending=shown.ending,
            wrong=declared_wrongly(shown.frames, shown.ending),
            wild=wild_rank(shown.record) if shown.frames and shown.record else None,
            choices=choices(shown.frames[move]) if shown.frames else (),
            record=row.record,
            problem=shown.problem,
            before=link(at - 1),
            after=link(at + 1),
        )
    )
