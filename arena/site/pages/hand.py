"""A finished hand, step by step."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from flask import Blueprint, Response, abort, request

from arena.errors import RulesError
from arena.rules import base
from arena.rules.base import action
from arena.rules.record import HandRecord, parse, variant_of
from arena.site.pages.common import fixture_of, line_of, snapshot_of, tournament_at, unchanged
from arena.site.parts import Named, bot
from arena.site.reading import pages, store
from arena.site.replay import Ending, Frame, ending_of, frames, text_of, wild_rank
from arena.site.respond import page, route, urls
from arena.store.rows import HandRow

blueprint = Blueprint("hand", __name__)
log = logging.getLogger("arena.site")


@dataclass(frozen=True, slots=True)
class Player:
    """Who sat at a position of the hand. ``seat`` is that of the match."""

    name: str
    url: str
    seat: int
    dealer: bool


@dataclass(frozen=True, slots=True)
class HandPage:
    """A hand with every frame of its replay; ``move`` is the frame shown first.

    ``choices``: what could have been done instead of the action that led to that frame, for
    people. ``wrong``: positions that declared wrongly. ``wild``: the rank whose cards stand for any
    other, None where none does. ``frames`` is empty and ``problem`` says why
    when a record cannot be played again.
    """

    template: ClassVar[str] = "hand.html"
    tournament: Named
    match: Named
    game: int
    number: int
    variant: str
    variant_url: str
    players: tuple[Player, ...]
    move: int
    frames: tuple[Frame, ...]
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


def read(row: HandRow) -> tuple[HandRecord | None, str | None]:
    """The record, or None and what is wrong with it."""
    try:
        return parse(row.record), None
    except RulesError as error:
        log.warning("hand %s/%s-%s: %s", row.fixture_id, row.game, row.number, error)
        return None, str(error)


@route(blueprint, "/t/<slug:slug>/m/<id:fixture_id>/<count:game>-<count:number>")
def hand(slug: str, fixture_id: str, game: int, number: int) -> Response:
    """A hand; 404 until it is over and nobody will be dealt the same cards again."""
    tournament = tournament_at(slug)
    fixture = fixture_of(tournament, fixture_id)
    keys = pages().hand_keys(fixture.id)
    if (game, number) not in keys:
        abort(404, "There is no such hand, or it is not over yet.")
    if not store().fixtures.deals_are_open(fixture):
        abort(404, "This hand is shown when the match with the same deals is over too.")
    at = keys.index((game, number))
    same = unchanged(f"{fixture.id}:{at + 1 < len(keys)}:{fixture.status}")
    if same is not None:
        return same
    row = store().hands.get(fixture.id, game, number)
    assert row is not None
    snapshot = snapshot_of(tournament)
    record, problem = read(row)
    seats = record.plan.seats if record else tuple(range(len(fixture.seats)))
    people = [bot(urls(), snapshot, fixture.seats[seat]) for seat in seats]
    made: tuple[Frame, ...] = ()
    ending = None
    if record is not None:
        names = [one.name for one in people]
        try:
            made, outcome = frames(record, row.times, row.notes)
            ending = ending_of(outcome, names)
        except RulesError as error:
            log.warning("hand %s/%s-%s: %s", fixture.id, game, number, error)
            problem, ending = str(error), ending_of(record.outcome, names)
    variant = variant_of(record) if record else None
    move = chosen_move(len(made))

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
            players=tuple(
                Player(one.name, one.url, seat, record is not None and record.plan.dealer == at_)
                for at_, (seat, one) in enumerate(zip(seats, people, strict=True))
            ),
            move=move,
            frames=made,
            ending=ending,
            wrong=declared_wrongly(made, ending),
            wild=wild_rank(record) if made and record else None,
            choices=choices(made[move]) if made else (),
            record=row.record,
            problem=problem,
            before=link(at - 1),
            after=link(at + 1),
        )
    )
