"""Making a tournament: choose, see what it will take, create it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from flask import Blueprint, Response, abort, current_app, redirect, render_template, request
from werkzeug.wrappers import Response as BaseResponse

from arena.errors import ArenaError
from arena.referee.clock import ClockRules
from arena.rules.games import all_variants, find_variant
from arena.site.auth import organiser_only
from arena.site.http.errors import failure, is_for_programs
from arena.site.http.inputs import require_kinds, sent
from arena.site.http.reading import store
from arena.site.http.respond import json_answer, urls
from arena.site.http.writing import writing
from arena.site.pages.games import SettingLine, plain
from arena.site.work.drafts import (
    CLOCK,
    JSON_FIELDS,
    NUMBERS,
    SWITCHES,
    Forecast,
    bot_entry,
    checked_config,
    for_pages,
    forecast,
    in_places,
    mapping_of,
)
from arena.store.rows import BotRow, BotState, TournamentState
from arena.tournament.create import create_tournament
from arena.tournament.formats.registry import FORMATS
from arena.tournament.model import FormatOptions
from arena.tournament.playing.absences import PATIENCE_S

blueprint = Blueprint("draft", __name__, url_prefix="/organise/new")

OPTION_TEXTS = {
    "games": ("Games of a match", "where it is not a best-of match"),
    "best_of": ("Best of", "odd; empty to play all games"),
    "legs": ("Legs", "how often each pair meets"),
    "rounds": ("Rounds", "of a Swiss, empty for the usual number; of a ladder, empty for no end"),
    "groups": ("Groups", "of the group stage"),
    "advance": ("Advance", "bots of each group that go on"),
    "table_size": ("Seats", "of a table"),
    "champion": ("Champion", "number of the gauntlet's one bot, from 0"),
}
CLOCK_TEXTS = {
    "deadline_ms": ("Deadline, ms", "for each decision"),
    "bank_ms": ("Bank, ms", "spare time of a match"),
    "max_strikes": ("Strikes", "faults that lose a game"),
}
LABELS = {name: label for name, (label, _) in (OPTION_TEXTS | CLOCK_TEXTS).items()}
LABELS |= {"name": "Name", "format": "Format", "rules": "Game", "most_entrants": "Most entrants"}
LABELS["patience_s"] = "Patience, seconds"


@dataclass(frozen=True, slots=True)
class Choice:
    """A bot that can be entered; ``chosen`` if it is ticked."""

    id: int
    name: str
    games: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class DraftPage:
    """The form with what was typed so far; ``forecast`` once it makes a tournament.

    ``sources``: tournaments that the seeding can come from.
    ``formats_of``: the formats in which an option means something, by its name.
    ``options`` and ``clock``: name, label, hint, and what holds when the field is left empty.
    ``patience_s``: for how many seconds bots that do not answer are waited for, if nothing is said.
    """

    template: ClassVar[str] = "draft.html"
    values: Mapping[str, str]
    formats: tuple[tuple[str, str], ...]
    variants: tuple[tuple[str, str], ...]
    options: tuple[tuple[str, str, str, str], ...]
    formats_of: Mapping[str, str]
    clock: tuple[tuple[str, str, str, str], ...]
    patience_s: str
    settings: tuple[SettingLine, ...]
    bots: tuple[Choice, ...]
    sources: tuple[str, ...]
    forecast: Forecast | None
    problem: str | None


DEFAULTS = FormatOptions()


def usual(defaults: object, name: str) -> str:
    """What holds when a field is left empty, empty itself where nothing does."""
    value = getattr(defaults, name)
    return "" if value is None else str(value)


def formats_of(option: str) -> str:
    """The formats in which an option means something, parted by spaces."""
    return " ".join(name for name, format in FORMATS.items() if option in format.uses)


def entered(ids: Sequence[str]) -> list[BotRow]:
    """The accepted bots with these numbers, in the order of the list of bots."""
    return [
        bot for bot in store().bots.all() if bot.state is BotState.ACCEPTED and str(bot.id) in ids
    ]


def _page(
    values: Mapping[str, str],
    chosen: Sequence[str],
    *,
    found: Forecast | None = None,
    problem: str | None = None,
) -> Response:
    rules = values.get("rules", "gin")
    try:
        variant = find_variant(rules)
    except ArenaError:
        variant = find_variant("gin")
    in_force = variant.rules.as_dict()
    context = DraftPage(
        values={"rules": variant.name, "format": "round_robin", **values},
        formats=tuple((name, format.summary) for name, format in FORMATS.items()),
        variants=tuple((one.name, one.title) for one in all_variants()),
        options=tuple((name, *OPTION_TEXTS[name], usual(DEFAULTS, name)) for name in NUMBERS),
        formats_of={name: formats_of(name) for name in (*NUMBERS, *SWITCHES)},
        clock=tuple((name, *CLOCK_TEXTS[name], usual(ClockRules(), name)) for name in CLOCK),
        patience_s=f"{PATIENCE_S:g}",
        settings=tuple(
            SettingLine(one.name, plain(in_force.get(one.name)), one.meaning, one.allowed, False)
            for one in variant.family.settings()
        ),
        bots=tuple(
            Choice(bot.id, bot.name, ", ".join(map(str, bot.info.get("games", ()))),
                   str(bot.id) in chosen)
            for bot in store().bots.all()
            if bot.state is BotState.ACCEPTED
        ),
        sources=tuple(
            row.name
            for row in store().tournaments.all()
            if row.state is not TournamentState.CANCELLED
        ),
        forecast=found,
        problem=problem,
    )  # fmt: skip
    answer = Response(render_template(context.template, page=context), 422 if problem else 200)
    answer.headers["Cache-Control"] = "no-store"
    return answer


@blueprint.get("")
@organiser_only
def form() -> Response:
    """The form; the query may choose the game, whose settings are then explained."""
    return _page({name: value for name, value in request.args.items()}, ())


@blueprint.post("")
@organiser_only
def create() -> Response | BaseResponse:
    """Plan or create the tournament that was described."""
    if is_for_programs():
        return _from_json()
    values = {name: value for name, value in request.form.items() if name != "csrf"}
    chosen = request.form.getlist("bots")
    if values.get("do") == "rules":
        return _page(values, chosen)
    is_open = values.get("do") == "open"
    try:
        mapping = mapping_of(values, in_places(values, entered(chosen)))
        config = checked_config(_with_network(mapping), entries_follow=is_open)
        if values.get("do") not in ("create", "open"):
            found = forecast(config.format, len(config.bots), config.options)
            return _page(values, chosen, found=found)
        with writing() as changing:
            row = create_tournament(changing, config, state=state_of(is_open))
    except ArenaError as error:
        return _page(values, chosen, problem=for_pages(str(error), LABELS))
    return redirect(urls().tournament(row.slug), 303)


def state_of(is_open: bool) -> TournamentState:
    """The state of a new tournament."""
    return TournamentState.REGISTRATION if is_open else TournamentState.DRAFT


def _with_network(mapping: dict[str, Any]) -> dict[str, Any]:
    return {**mapping, "network": "public" if current_app.config["PUBLIC"] else "local"}


def _from_json() -> Response:
    """Create a tournament from JSON; ``bots`` are names, in the order of a seeding by hand."""
    values = {name: value for name, value in sent(JSON_FIELDS).items() if value is not None}
    require_kinds(values, JSON_FIELDS)
    names = values.pop("bots", [])
    only_plan = values.pop("plan", False)
    is_open = values.pop("open", False)
    if not all(isinstance(name, str) for name in names):
        abort(400, "bots: give a list of names.")
    by_name = {bot.name: bot for bot in store().bots.all() if bot.state is BotState.ACCEPTED}
    for name in names:
        if name not in by_name:
            return failure(422, f"bots: there is no accepted bot {name[:64]!r}")
    values["bot"] = [bot_entry(by_name[name]) for name in names]
    try:
        config = checked_config(_with_network(values), entries_follow=is_open)
        found = None
        if not config.find_format().runs_on and not (is_open and not only_plan):
            found = forecast(config.format, len(config.bots), config.options)
        if only_plan:
            return json_answer({"ok": True, "forecast": found})
        with writing() as changing:
            row = create_tournament(changing, config, state=state_of(is_open))
    except ArenaError as error:
        return failure(422, str(error))
    url = urls().tournament(row.slug)
    return json_answer({"ok": True, "slug": row.slug, "url": url, "forecast": found}, 201)
