"""From what an organiser typed to a checked configuration, and what it will take."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from arena.config import TournamentConfig, validate
from arena.config_file import from_mapping
from arena.errors import ConfigError
from arena.referee.clock import ClockRules
from arena.rules.games import find_variant
from arena.rules.settings import parse_setting
from arena.store.rows import BotRow
from arena.tournament.model import FormatOptions
from arena.tournament.statistics.planning import plan

NUMBERS = ("games", "best_of", "legs", "rounds", "groups", "advance", "table_size", "champion")
SWITCHES = ("duplicate", "all_orders", "third_place")
CLOCK = tuple(field.name for field in fields(ClockRules))
SETTING = "set_"
PLACE = "place_"
"""Before the number of a bot: the field for its place in the seeding."""

FROM = "from:"
"""Before the name of the tournament whose table is the seeding, in the field ``seeding``."""

JSON_FIELDS: Mapping[str, str] = {
    "name": "string",
    "format": "string",
    "rules": "string",
    "set": "object",
    "clock": "object",
    "bots": "array",
    "seeding": "string",
    "seeded_from": "string",
    "most_entrants": "integer",
    "all_present": "boolean",
    "patience_s": "integer",
    **dict.fromkeys(NUMBERS, "integer"),
    **dict.fromkeys(SWITCHES, "boolean"),
    "plan": "boolean",
    "open": "boolean",
}
"""What a program sends, with the JSON type of each. ``plan``: tell only what it will take.
``open``: owners may enter their bots until it starts."""


PAGE_WORDS = (
    ("add --bot NAME=URL", "tick more of them below"),
    ("tournament: ", ""),
)
"""What the command line says to do, and what a page says instead."""

FIELD = re.compile(r"^(\w+)(?= = )")


def for_pages(problem: str, labels: Mapping[str, str]) -> str:
    """A problem in the words of the form. ``labels``: what it calls its fields."""
    for said, instead in PAGE_WORDS:
        problem = problem.replace(said, instead)
    return FIELD.sub(lambda match: labels.get(match[1], match[1]), problem)


@dataclass(frozen=True, slots=True)
class Forecast:
    """What the tournament will take and tell; see `planning.Plan`."""

    matches: float
    most_matches: int
    hands: float
    seconds: float
    hands_per_bot: float
    points_half_width: float | None
    rating_half_width: float | None


def whole(name: str, text: str) -> int:
    """A whole number that was typed.

    :raises ConfigError: it is none.
    """
    try:
        return int(text)
    except ValueError:
        raise ConfigError(f"{name} = {text[:20]!r}: give a whole number") from None


def mapping_of(form: Mapping[str, str], chosen: Sequence[BotRow]) -> dict[str, Any]:
    """A form's fields in the shape of a tournament file.

    :raises ArenaError: a number is none, or the game is unknown.
    """
    rules = form.get("rules", "gin")
    find_variant(rules)
    mapping: dict[str, Any] = {
        "name": form.get("name", "").strip(),
        "format": form.get("format", "round_robin"),
        "rules": rules,
        "clock": {
            name: whole(name, form[name].strip()) for name in CLOCK if form.get(name, "").strip()
        },
        "set": {
            name.removeprefix(SETTING): parse_setting(name.removeprefix(SETTING), value)
            for name, value in form.items()
            if name.startswith(SETTING) and value.strip()
        },
        "bot": [bot_entry(bot) for bot in chosen],
    }
    for name in NUMBERS:
        if form.get(name, "").strip():
            mapping[name] = whole(name, form[name].strip())
    for name in SWITCHES:
        if f"has_{name}" in form:
            mapping[name] = name in form
    for name in ("most_entrants", "patience_s"):
        if form.get(name, "").strip():
            mapping[name] = whole(name, form[name].strip())
    if "has_all_present" in form:
        mapping["all_present"] = "all_present" in form
    seeding = form.get("seeding", "")
    if seeding.startswith(FROM):
        mapping["seeded_from"] = seeding.removeprefix(FROM)
    elif seeding:
        mapping["seeding"] = seeding
    return mapping


def in_places(form: Mapping[str, str], bots: Sequence[BotRow]) -> list[BotRow]:
    """The bots by the places that were typed for them; those without one follow as they are.

    :raises ConfigError: a place is no whole number.
    """
    typed = {bot.id: form.get(f"{PLACE}{bot.id}", "").strip() for bot in bots}
    places = {id: whole("place", place) for id, place in typed.items() if place}
    return sorted(bots, key=lambda bot: (bot.id not in places, places.get(bot.id, 0)))


def bot_entry(bot: BotRow) -> dict[str, str]:
    """A registered bot as a tournament file names it."""
    entry = {"name": bot.name, "url": bot.endpoint}
    return entry if bot.secret is None else {**entry, "secret": bot.secret}


def checked_config(mapping: Mapping[str, Any], *, entries_follow: bool = False) -> TournamentConfig:
    """The checked configuration. ``entries_follow``: it need not have its bots yet.

    :raises ArenaError: naming the field, the value and what is allowed.
    """
    config = from_mapping(mapping, where="tournament")
    validate(config, entries_follow=entries_follow)
    return config


def forecast(format_name: str, entrants: int, options: FormatOptions) -> Forecast:
    """What it will take.

    :raises ConfigError: the format cannot be played so, or has no end to plan for.
    """
    found = plan(format_name, entrants, options)
    return Forecast(
        matches=found.fixtures,
        most_matches=found.most_fixtures,
        hands=found.hands,
        seconds=found.seconds,
        hands_per_bot=found.hands_per_entrant,
        points_half_width=found.points_half_width,
        rating_half_width=found.rating_half_width,
    )
