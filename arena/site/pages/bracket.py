"""The bracket, drawn as one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from flask import Blueprint, Response, abort

from arena.site.http.respond import page, route, urls
from arena.site.pages.common import snapshot_at, unchanged
from arena.site.views.bracket_view import BracketSection, sections
from arena.site.views.parts import Head, Named, bot, snapshot_head
from arena.site.views.standings import won_by

blueprint = Blueprint("bracket", __name__)


@dataclass(frozen=True, slots=True)
class BracketPage:
    """The tree with what is known of each match. ``winners``: who won, once it is finished."""

    template: ClassVar[str] = "bracket.html"
    live: ClassVar[Mapping[str, str]] = {"head": "_head.html", "bracket": "_bracket.html"}
    section: ClassVar[str] = "bracket"
    head: Head
    winners: tuple[Named, ...]
    sections: tuple[BracketSection, ...]


@route(blueprint, "/t/<slug:slug>/bracket")
def bracket(slug: str) -> Response:
    """The bracket; 404 for formats without one."""
    snapshot = snapshot_at(slug)
    same = unchanged(snapshot.stamp)
    if same is not None:
        return same
    if not snapshot.format.has_bracket:
        abort(404, "This tournament has no bracket.")
    return page(
        BracketPage(
            head=snapshot_head(urls(), snapshot),
            winners=tuple(bot(urls(), snapshot, entrant) for entrant in won_by(snapshot).entrants),
            sections=sections(urls(), snapshot),
        )
    )
