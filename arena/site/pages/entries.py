"""Entries to a tournament: who is in it, and where owners enter their bots until it starts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from flask import Blueprint, Response, abort, current_app, redirect
from werkzeug.wrappers import Response as BaseResponse

from arena.config import TournamentConfig
from arena.errors import ConfigError, StoreError
from arena.rules.games import claims_of
from arena.site.auth import leave_notice, viewer
from arena.site.http.errors import is_for_programs, refused
from arena.site.http.inputs import sent, text
from arena.site.http.reading import store
from arena.site.http.respond import json_answer, page, route, urls
from arena.site.http.writing import writing
from arena.site.pages.common import snapshot_at, tournament_at, unchanged
from arena.site.views.parts import Head, Named, snapshot_head
from arena.site.views.parts import bot as named
from arena.store.rows import BotRow, BotState, TournamentRow, TournamentState
from arena.tournament import registration

blueprint = Blueprint("entries", __name__)
blueprint.register_error_handler(StoreError, refused)


@dataclass(frozen=True, slots=True)
class EntriesPage:
    """Who is in a tournament, in the order of the seeding.

    ``most``: how many may be. ``is_open``: owners may enter and leave. ``mine``: the reader's bots
    that could enter, or all for the organiser; ``mine_in``: those that could leave.
    """

    template: ClassVar[str] = "entries.html"
    section: ClassVar[str] = "entries"
    head: Head
    is_open: bool
    entrants: tuple[Named, ...]
    most: int
    mine: tuple[str, ...]
    mine_in: tuple[str, ...]


def _own_bots() -> list[BotRow]:
    """The bots that the reader may enter."""
    if viewer().organiser:
        found = store().bots.all()
    else:
        found = [bot for one in viewer().hashes for bot in store().bots.by_owner(one)]
    return [bot for bot in found if bot.state is BotState.ACCEPTED]


@route(blueprint, "/t/<slug:slug>/entries")
def entries(slug: str) -> Response:
    """Who has entered, with forms for owners while it is open."""
    snapshot = snapshot_at(slug)
    own = {bot.name: bot for bot in _own_bots()}
    same = unchanged(f"{snapshot.stamp}:{sorted(own)}")
    if same is not None:
        return same
    row = snapshot.tournament
    is_open = row.state is TournamentState.REGISTRATION
    changeable = is_open or (viewer().organiser and row.state in registration.BEFORE)
    config = TournamentConfig.from_json(row.config)
    variant = config.variant()
    inside = set(snapshot.names.values())
    return page(
        EntriesPage(
            head=snapshot_head(urls(), snapshot),
            is_open=is_open,
            entrants=tuple(named(urls(), snapshot, number) for number in snapshot.seeding),
            most=registration.most_entrants(row),
            mine=tuple(
                name
                for name, bot in sorted(own.items())
                if changeable
                and name not in inside
                and registration.plays(bot.info, *claims_of(variant))
            ),
            mine_in=tuple(sorted(inside & set(own))) if changeable else (),
        )
    )


def _named_bot() -> BotRow:
    """The bot that was named, if it is the reader's."""
    if not viewer().tokens:
        abort(401, "This needs the owner's token of the bot. Sign in first.")
    name = text(sent(("bot", "csrf")), "bot", 200)
    bot = store().bots.by_name(name)
    if bot is None:
        raise ConfigError(f"bot: there is no bot {name[:64]!r}")
    if not (viewer().organiser or viewer().owns(bot)):
        abort(403, "This needs the owner's token of this bot.")
    return bot


def _asked(slug: str) -> tuple[TournamentRow, BotRow, bool]:
    """The tournament, the bot to enter or to take out, and whether the organiser asks; counted."""
    row, bot = tournament_at(slug), _named_bot()
    current_app.config["CHANGES"].check()
    return row, bot, viewer().organiser


def _done(row: TournamentRow, said: str) -> Response | BaseResponse:
    if is_for_programs():
        return json_answer({"ok": True, "said": said})
    answer = redirect(urls().section(row.slug, "entries"), 303)
    leave_notice(answer, said)
    return answer


@blueprint.post("/t/<slug:slug>/enter")
def enter(slug: str) -> Response | BaseResponse:
    """Enter a bot with its newest version."""
    row, bot, organiser = _asked(slug)
    with writing() as changing:
        registration.enter(changing, row, bot, organiser=organiser)
    return _done(row, f"{bot.name} is in {row.name}.")


@blueprint.post("/t/<slug:slug>/leave")
def leave(slug: str) -> Response | BaseResponse:
    """Take a bot out before the start."""
    row, bot, organiser = _asked(slug)
    with writing() as changing:
        registration.leave(changing, row, bot.name, organiser=organiser)
    return _done(row, f"{bot.name} is not in {row.name} any more.")
