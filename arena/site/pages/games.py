"""The rules of every game, from the registry that the referee plays by."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from flask import Blueprint, Response

from arena.rules.base import Variant
from arena.rules.games import all_variants
from arena.rules.texts import rule_text
from arena.site.http.reading import store
from arena.site.http.respond import page, route, urls
from arena.site.pages.common import variant_at
from arena.site.views.formatting import words
from arena.site.views.parts import Named

blueprint = Blueprint("games", __name__)


@dataclass(frozen=True, slots=True)
class GameLine:
    """A game in the list. ``players``: ``2`` or ``3 to 6``."""

    name: str
    title: str
    url: str
    summary: str
    players: str


@dataclass(frozen=True, slots=True)
class Family:
    """Games that share their rules but for settings."""

    name: str
    games: tuple[GameLine, ...]


@dataclass(frozen=True, slots=True)
class GamesPage:
    """Every game by family."""

    template: ClassVar[str] = "games.html"
    families: tuple[Family, ...]


@dataclass(frozen=True, slots=True)
class SettingLine:
    """A setting: its value here, what it means, and what it may be.

    ``special``: it differs from the plain game of its family.
    """

    name: str
    value: str
    meaning: str
    allowed: str
    special: bool


@dataclass(frozen=True, slots=True)
class GamePage:
    """The rules in force for one game."""

    template: ClassVar[str] = "game.html"
    game: GameLine
    text: tuple[str, ...]
    family: str
    aliases: tuple[str, ...]
    settings: tuple[SettingLine, ...]
    tournaments: tuple[Named, ...]


def players_text(variant: Variant) -> str:
    """How many play it."""
    fewest, most = variant.family.players(variant.rules)
    return str(fewest) if fewest == most else f"{fewest} to {most}"


def game_line(variant: Variant) -> GameLine:
    """A game in a list."""
    return GameLine(
        variant.name, variant.title, urls().game(variant.name), variant.summary,
        players_text(variant),
    )  # fmt: skip


def plain(value: Any) -> str:
    """A value of a setting for people."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None:
        return "not played"
    if isinstance(value, (list, tuple)):
        return ", ".join(map(plain, value))
    return words(value) if isinstance(value, str) else str(value)


@route(blueprint, "/games")
def games() -> Response:
    """All games."""
    families: dict[str, list[GameLine]] = {}
    for variant in all_variants():
        families.setdefault(variant.family.name, []).append(game_line(variant))
    return page(
        GamesPage(tuple(Family(words(name), tuple(lines)) for name, lines in families.items()))
    )


@route(blueprint, "/games/<name>")
def game(name: str) -> Response:
    """One game; an alias leads to its name."""
    name = name.removesuffix(".json")
    variant = variant_at(name, urls().game)
    values = variant.rules.as_dict()
    return page(
        GamePage(
            game=game_line(variant),
            text=rule_text(variant),
            family=words(variant.family.name),
            aliases=variant.aliases,
            settings=tuple(
                SettingLine(
                    name=one.name,
                    value=plain(values.get(one.name, one.default)),
                    meaning=one.meaning,
                    allowed=one.allowed,
                    special=values.get(one.name, one.default) != one.default,
                )
                for one in variant.family.settings()
            ),
            tournaments=tuple(
                Named(row.name, urls().tournament(row.slug))
                for row in store().tournaments.all()
                if row.variant == variant.name
            )[:10],
        )
    )
