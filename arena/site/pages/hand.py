"""A finished hand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from flask import Blueprint, Response, abort

from arena.site.formatting import words
from arena.site.pages.common import (
    fixture_of,
    revision_stamp,
    snapshot_of,
    tournament_at,
    unchanged,
)
from arena.site.parts import Head, MatchLine, match_line, snapshot_head
from arena.site.reading import store
from arena.site.respond import page, route, urls

blueprint = Blueprint("hand", __name__)


@dataclass(frozen=True, slots=True)
class HandPage:
    """A hand with its record. ``before`` and ``after`` are addresses of its neighbours."""

    template: ClassVar[str] = "hand.html"
    section: ClassVar[str] = "schedule"
    head: Head
    match: MatchLine
    game: int
    number: int
    ending: str
    winner: str | None
    points: tuple[int, ...]
    record: str
    before: str | None
    after: str | None


@route(blueprint, "/t/<slug:slug>/m/<id:fixture_id>/<int:game>-<int:number>")
def hand(slug: str, fixture_id: str, game: int, number: int) -> Response:
    """A hand; 404 until it is over."""
    tournament = tournament_at(slug)
    same = unchanged(revision_stamp(tournament))
    if same is not None:
        return same
    row = fixture_of(tournament, fixture_id)
    found = store().hands.get(row.id, game, number)
    if found is None:
        abort(404, "There is no such hand, or it is not over yet.")
    snapshot = snapshot_of(tournament)
    keys = [(line.game, line.number) for line in store().hands.of(row.id)]
    at = keys.index((game, number))

    def link(place: int) -> str | None:
        return urls().hand(slug, row.id, *keys[place]) if 0 <= place < len(keys) else None

    names = [snapshot.names[entrant] for entrant in row.seats]
    return page(
        HandPage(
            head=snapshot_head(urls(), snapshot),
            match=match_line(urls(), snapshot, row),
            game=game,
            number=number,
            ending=words(found.ending),
            winner=names[found.winner] if found.winner is not None else None,
            points=found.points,
            record=found.record,
            before=link(at - 1),
            after=link(at + 1),
        )
    )
