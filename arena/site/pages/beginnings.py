"""What the organiser decides before a tournament starts: entries, and who is seeded where."""

from __future__ import annotations

from flask import Blueprint, Response, abort, request
from werkzeug.wrappers import Response as BaseResponse

from arena.config import SeedBy
from arena.config_file import seed_by
from arena.errors import StoreError
from arena.site.auth import organiser_only
from arena.site.http.errors import refused
from arena.site.http.inputs import sent, text, whole_number
from arena.site.http.reading import store
from arena.site.http.writing import writing
from arena.site.pages.common import tournament_at
from arena.site.pages.organise import again, tell
from arena.site.work.drafts import FROM, PLACE, whole
from arena.tournament import registration
from arena.tournament.seeding import reseed

blueprint = Blueprint("beginnings", __name__, url_prefix="/organise")
blueprint.register_error_handler(StoreError, refused)


@blueprint.post("/t/<slug:slug>/open")
@organiser_only
def open_entries(slug: str) -> Response | BaseResponse:
    """Let owners enter their bots until it starts, at most as many as is said."""
    values = sent(("most_entrants", "csrf"))
    given = values.get("most_entrants") not in (None, "")
    most = whole_number(values, "most_entrants") if given else None
    with writing() as changing:
        row = registration.open_entries(changing, tournament_at(slug), most)
    return tell(f"{row.name} is open for entries.", row)


@blueprint.post("/t/<slug:slug>/close")
@organiser_only
def close_entries(slug: str) -> Response | BaseResponse:
    """Let nobody enter or leave any more."""
    with writing() as changing:
        row = registration.close_entries(changing, tournament_at(slug))
    return tell(f"{row.name} is closed for entries; its bots stay.", row)


@blueprint.post("/t/<slug:slug>/seeding")
@organiser_only
def seeding(slug: str) -> Response | BaseResponse:
    """Choose the seeding of a tournament that has not started: names in order, or a source."""
    row = tournament_at(slug)
    names = [entrant.name for entrant in store().tournaments.entrants(row.id)]
    places = tuple(f"{PLACE}{number}" for number in range(len(names)))
    values = sent(("order", "seeding", "seeded_from", "csrf", *places))
    order = values.get("order") or []
    if not isinstance(order, list) or not all(isinstance(name, str) for name in order):
        abort(400, "order: give a list of names.")
    if not request.is_json:
        typed = {name: text(values, place, 9) for name, place in zip(names, places, strict=True)}
        at = {name: whole("place", place) for name, place in typed.items() if place}
        order = sorted(at, key=lambda name: at[name])
    chosen, source = text(values, "seeding", 100), text(values, "seeded_from", 100)
    if chosen.startswith(FROM):
        chosen, source = "", chosen.removeprefix(FROM)
    with writing() as changing:
        by = seed_by("seeding", chosen or SeedBy.GIVEN, "tournament")
        reseed(changing, row, by=by, source=source or None, order=order)
    return tell(f"The seeding of {row.name} is chosen.", again(row))
