"""The entrants of a tournament, for the organiser: who is in it, and who is taken out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from flask import Blueprint, Response, render_template

from arena.config import SeedBy
from arena.errors import StoreError
from arena.site.auth import organiser_only
from arena.site.http.errors import failure, is_for_programs, refused
from arena.site.http.inputs import flag, sent, text
from arena.site.http.reading import store
from arena.site.http.respond import json_answer, urls
from arena.site.http.writing import writing
from arena.site.pages.common import tournament_at
from arena.site.views.parts import Named
from arena.site.work.drafts import FROM
from arena.store.rows import TournamentRow
from arena.tournament import lifecycle, registration

blueprint = Blueprint("manage", __name__, url_prefix="/organise")
blueprint.register_error_handler(StoreError, refused)


@dataclass(frozen=True, slots=True)
class ManagePage:
    """The entrants of a tournament, who may be taken out of it, and seeded until it starts."""

    template: ClassVar[str] = "manage.html"
    tournament: Named
    action: str
    entrants: tuple[tuple[str, str], ...]
    over: bool
    is_before: bool
    sources: tuple[str, ...]
    seeding: str
    said: str | None
    problem: str | None


def _manage(row: TournamentRow, said: str | None = None, problem: str | None = None) -> Response:
    context = ManagePage(
        Named(row.name, urls().tournament(row.slug)),
        urls().path(f"/organise/t/{row.slug}/withdraw"),
        tuple((one.name, one.state.value) for one in store().tournaments.entrants(row.id)),
        row.over,
        row.state in registration.BEFORE,
        tuple(one.name for one in store().tournaments.all() if one.id != row.id),
        _seeding_of(row),
        said,
        problem,
    )
    return Response(render_template(context.template, page=context), 422 if problem else 200)


def _seeding_of(row: TournamentRow) -> str:
    """What the seeding follows from, as the form has it."""
    source = row.config.get("seeded_from")
    return f"{FROM}{source}" if source else str(row.config.get("seeding", SeedBy.GIVEN))


@blueprint.get("/t/<slug:slug>/entrants")
@organiser_only
def entrants(slug: str) -> Response:
    """Who takes part, with the means to take somebody out."""
    return _manage(tournament_at(slug))


@blueprint.post("/t/<slug:slug>/withdraw")
@organiser_only
def withdraw(slug: str) -> Response:
    """Take a bot out, or disqualify it; its name must be typed."""
    row = tournament_at(slug)
    values = sent(("bot", "confirm", "disqualify", "csrf"))
    name = text(values, "bot", 200)
    is_out = flag(values, "disqualify")
    if text(values, "confirm", 200) != name:
        problem = f"confirm: type {name} to take it out"
        return failure(422, problem) if is_for_programs() else _manage(row, problem=problem)
    with writing() as changing:
        lifecycle.withdraw(changing, row, name, disqualify=is_out)
    said = f"{name} is {'disqualified' if is_out else 'withdrawn'}."
    return json_answer({"ok": True, "said": said}) if is_for_programs() else _manage(row, said)
