"""How a tournament is played, and how anybody can check it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from flask import Blueprint, Response

from arena.site.http.reading import store
from arena.site.http.respond import page, route, urls
from arena.site.pages.common import snapshot_at, unchanged
from arena.site.pages.games import plain
from arena.site.views.options_text import clock_text, options_text
from arena.site.views.parts import Head, Named, bot, game, snapshot_head
from arena.tournament.ranking.table_text import unit_of

blueprint = Blueprint("fairness", __name__)


@dataclass(frozen=True, slots=True)
class LookLine:
    """Whether a bot gains, in points a hand, when it meets a deal for the second time."""

    bot: Named
    gain: float | None
    low: float | None
    high: float | None
    pairs: int
    stands_out: bool


@dataclass(frozen=True, slots=True)
class TimeLine:
    """A bot's decisions and the mean of its own and of the arena's time for one, milliseconds."""

    bot: Named
    decisions: int
    bot_ms: float | None
    arena_ms: float | None


@dataclass(frozen=True, slots=True)
class FairnessPage:
    """How it is played and how anybody can check it.

    ``secret``, and ``digest``, which is of the whole record, are None until it is over.
    ``secret_given``: whether the organiser gave the secret, None where nobody noted it.
    ``unit``: what shares its deals, ``pairs``, ``tables`` or ``matches``, those of a bracket apart.
    ``looks``: the audit of second meetings of deals. ``times``: both sides of the clock.
    """

    template: ClassVar[str] = "fairness.html"
    section: ClassVar[str] = "fairness"
    head: Head
    game: Named
    commitment: str
    secret: str | None
    secret_given: bool | None
    digest: str | None
    unit: str
    also_bracket: bool
    settings: tuple[tuple[str, str], ...]
    clock: tuple[tuple[str, str], ...]
    options: tuple[tuple[str, str], ...]
    looks: tuple[LookLine, ...]
    times: tuple[TimeLine, ...]


def listed(values: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    """Configured values for people; what is not set is left out."""
    return tuple(
        (name.replace("_", " "), plain(value))
        for name, value in values.items()
        if value is not None
    )


@route(blueprint, "/t/<slug:slug>/fairness")
def fairness(slug: str) -> Response:
    """The rules in force, and how to verify every deal."""
    snapshot = snapshot_at(slug)
    same = unchanged(snapshot.stamp)
    if same is not None:
        return same
    tournament = snapshot.tournament
    config = tournament.config
    return page(
        FairnessPage(
            head=snapshot_head(urls(), snapshot),
            game=game(urls(), tournament.variant),
            commitment=tournament.commitment,
            secret=tournament.secret if tournament.over else None,
            secret_given=config.get("secret_given"),
            digest=tournament.digest,
            unit=unit_of(snapshot.format, snapshot.options),
            also_bracket=snapshot.format.has_both and snapshot.options.duplicate,
            settings=listed(config.get("settings") or {}),
            clock=clock_text(config.get("clock") or {}),
            options=options_text(snapshot.format, snapshot.options, snapshot.names),
            looks=tuple(
                LookLine(
                    bot(urls(), snapshot, look.entrant),
                    look.gain.mean,
                    look.gain.low,
                    look.gain.high,
                    look.gain.pairs,
                    look.stands_out,
                )
                for look in snapshot.known.second_looks
            ),
            times=tuple(
                TimeLine(
                    bot(urls(), snapshot, row.entrant),
                    row.decisions,
                    row.bot_ms / row.decisions if row.decisions else None,
                    row.arena_ms / row.decisions if row.decisions else None,
                )
                for row in store().tournaments.times(tournament.id)
            ),
        )
    )
