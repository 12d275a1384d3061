"""What an organiser can choose, checked once and then frozen.

Defaults, then the TOML file, then options of the command line, end in one `TournamentConfig`.
Unknown keys are errors that name the nearest key. The whole effective configuration is stored with
the tournament.
"""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

from arena.errors import ConfigError, RulesError
from arena.launch import resolved
from arena.names import check_name, name_key
from arena.nearest import did_you_mean
from arena.referee.clock import ClockRules
from arena.rules.base import Variant
from arena.rules.games import variant_with
from arena.tournament.formats.format import Format
from arena.tournament.formats.groups import MOST_GROUPS
from arena.tournament.formats.registry import (
    check_seats,
    check_used,
    find_format,
    format_for,
    stored_format,
)
from arena.tournament.model import FormatOptions
from arena.wire.addresses import Network

MAX_BOTS = 1024
IN_FLIGHT = 16
"""Matches at a time unless told otherwise."""

BEST_OF, BRACKET_TARGET = 5, 250
"""How the matches of a bracket are played unless somebody chooses otherwise."""


class SeedBy(StrEnum):
    """What the places of the entrants follow from, unless from an earlier tournament."""

    GIVEN = "given"
    """The order in which the bots are named, the strongest first."""
    RATINGS = "ratings"
    """Their ratings from all that is in the database of this game; those without one come last."""


@dataclass(frozen=True, slots=True)
class BotSpec:
    """A contestant as the organiser names it.

    ``endpoint``: ``http(s)://…``, or a bot that the arena starts itself: ``python:FILE.py``,
    ``sample:NAME`` or ``cmd:COMMAND with {port}``. ``secret``: ``whsec_…`` for signed requests.
    """

    name: str
    endpoint: str
    secret: str | None = None


@dataclass(frozen=True, slots=True)
class TournamentConfig:
    """Everything that a tournament is played by."""

    name: str = ""
    format: str = "round-robin"
    rules: str = "gin"
    settings: Mapping[str, Any] = field(default_factory=dict)
    options: FormatOptions = field(default_factory=FormatOptions)
    clock: ClockRules = field(default_factory=ClockRules)
    network: Network = Network.LOCAL
    bots: tuple[BotSpec, ...] = ()
    seeded_from: str | None = None
    """Name of a tournament whose final standings are the seeding; it is played before."""
    seeding: SeedBy = SeedBy.GIVEN
    most_entrants: int | None = None
    """How many bots may be in it while it is open for entries, None for `MAX_BOTS`."""
    test: Mapping[str, float] | None = None
    """Bounds and error rates of a sequential test, for a comparison of two bots."""

    def variant(self) -> Variant:
        """The game with the organiser's settings.

        :raises InvalidSettings: an unknown game or setting, or an impossible value.
        """
        return variant_with(self.rules, self.settings)

    def find_format(self) -> Format:
        """The format, which for a comparison depends on its test.

        :raises ConfigError: there is no such format, or its test makes none.
        """
        return stored_format(self.format, self.test)

    def to_json(self) -> dict[str, Any]:
        """As the store keeps it: without bots, whose versions are stored as entrants."""
        values = asdict(self)
        del values["bots"]
        return values

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> TournamentConfig:
        """What `to_json` wrote.

        :raises ConfigError: it is none of that; a newer version wrote it, or it is damaged.
        """
        try:
            return cls(
                **{
                    **values,
                    "options": FormatOptions(**values["options"]),
                    "clock": ClockRules(**values["clock"]),
                    "network": Network(values["network"]),
                    "seeding": SeedBy(values.get("seeding", SeedBy.GIVEN)),
                }
            )
        except (KeyError, TypeError, ValueError) as error:
            raise ConfigError(f"the stored configuration cannot be read: {error!r}") from error


def _hint(key: str, known: Collection[str]) -> str:
    """The nearest key, or all keys where none is near."""
    return did_you_mean(key, known) or f"; known are: {', '.join(sorted(known))}"


def read_toml(path: Path) -> dict[str, Any]:
    """What a tournament file holds.

    :raises ConfigError: it cannot be read, or is no TOML.
    """
    try:
        with path.open("rb") as file:
            return tomllib.load(file)
    except OSError as error:
        raise ConfigError(f"cannot read {path}: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} is no valid TOML: {error}") from error


_TOP = {"name", "format", "rules", "set", "clock", "network", "bot", "seeded_from",
        "seeding", "most_entrants"}  # fmt: skip
_OPTIONS = {f.name for f in fields(FormatOptions)} - {"fewer_points_win"}
_CLOCK = {f.name for f in fields(ClockRules)}


def from_mapping(
    data: Mapping[str, Any], *, where: str, folder: Path | None = None
) -> TournamentConfig:
    """A configuration from nested mappings, as TOML, JSON and the command line give them.

    ``folder``: what the files of bots are relative to. What is not given follows from the rest:
    see `_completed`.

    :raises ConfigError: naming the key, the value and what is allowed.
    """
    for key in data:
        if key not in _TOP | _OPTIONS:
            raise ConfigError(f"{where}: unknown key {key!r}{_hint(key, _TOP | _OPTIONS)}")
    clock = _table(data, "clock", where)
    for key in clock:
        if key not in _CLOCK:
            raise ConfigError(f"{where}: unknown key clock.{key}{_hint(key, _CLOCK)}")
    values: dict[str, Any] = {
        "settings": dict(_table(data, "set", where)),
        "clock": ClockRules(**clock),
        "bots": tuple(
            _bot(entry, where, folder or Path.cwd()) for entry in _list(data, "bot", where)
        ),
    }
    for key in ("name", "format", "rules", "seeded_from"):
        if key in data:
            if not isinstance(data[key], str):
                raise ConfigError(f"{where}: {key} = {data[key]!r}: give a text in quotes")
            values[key] = data[key]
    if "network" in data:
        values["network"] = network(data["network"])
    if "most_entrants" in data:
        values["most_entrants"] = limit(data["most_entrants"], where)
    if "seeding" in data:
        values["seeding"] = seed_by(data["seeding"], where)
    values["options"] = format_options({k: v for k, v in data.items() if k in _OPTIONS}, where)
    config = _completed(TournamentConfig(**values), data.keys())
    try:
        check_used(config.find_format(), config.options, data.keys())
    except ConfigError as error:
        raise ConfigError(f"{where}: {error}") from error
    return config


def _completed(config: TournamentConfig, given: Collection[str]) -> TournamentConfig:
    """The configuration with what follows from it, as far as nobody has chosen otherwise.

    A table seats at least as many as the game needs, and more than two make it a tournament of
    tables. A bracket is played best of five, of the plain game to 250 points; a game of which
    several wins are needed makes a match best of so many.
    """
    try:
        variant = config.variant()
    except RulesError as error:
        raise ConfigError(str(error)) from error
    options, settings = config.options, dict(config.settings)
    if "table_size" not in given:
        fewest, _ = variant.family.players(variant.rules)
        options = replace(options, table_size=max(options.table_size, fewest))
    if "format" in given or options.table_size <= 2:
        format = find_format(config.format)
    else:
        format = format_for(options.table_size)
    if not {"best_of", "games"} & set(given) or (format.has_both and "best_of" not in given):
        wins = variant.rules.as_dict().get("games_to_win")
        if isinstance(wins, int) and wins > 1:
            options = replace(options, best_of=2 * wins - 1)
        elif format.has_bracket:
            options = replace(options, best_of=BEST_OF)
    if format.has_bracket and variant.name == "gin" and "target" not in settings:
        settings["target"] = BRACKET_TARGET
    return replace(config, format=format.name, options=options, settings=settings)


def network(text: object) -> Network:
    """A network mode by name.

    :raises ConfigError: it is none.
    """
    try:
        return Network(str(text))
    except ValueError:
        raise ConfigError(f"network = {text!r}: choose {' or '.join(Network)}") from None


def limit(value: object, where: str) -> int:
    """How many bots may be in a tournament.

    :raises ConfigError: it is no number of bots.
    """
    if isinstance(value, bool) or not isinstance(value, int) or not 2 <= value <= MAX_BOTS:
        raise ConfigError(
            f"{where}: most_entrants = {value!r}: give a whole number from 2 to {MAX_BOTS}"
        )
    return value


def seed_by(text: object, where: str) -> SeedBy:
    """What a seeding follows from, by name.

    :raises ConfigError: it is none.
    """
    try:
        return SeedBy(str(text))
    except ValueError:
        raise ConfigError(
            f"{where}: seeding = {text!r}: choose {' or '.join(SeedBy)}, or give seeded_from"
        ) from None


def format_options(
    values: Mapping[str, Any], where: str, base: FormatOptions | None = None
) -> FormatOptions:
    """Options of a format with these values, each checked for its type and range.

    :raises ConfigError: naming the option, the value and what is allowed.
    """
    base = base or FormatOptions()
    limits = {"games": (1, 999), "best_of": (1, 99), "legs": (1, 99), "rounds": (1, 999),
              "groups": (1, MOST_GROUPS), "advance": (1, 64), "champion": (0, MAX_BOTS - 1),
              "table_size": (2, 6)}  # fmt: skip
    for name, value in values.items():
        if name in limits:
            low, high = limits[name]
            if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
                raise ConfigError(
                    f"{where}: {name} = {value!r}: give a whole number from {low} to {high}"
                )
            if name == "best_of" and value % 2 == 0:
                raise ConfigError(f"{where}: best_of = {value}: give an odd number, such as 5")
        elif not isinstance(value, bool):
            raise ConfigError(f"{where}: {name} = {value!r}: give true or false")
    return replace(base, **values)


def _table(data: Mapping[str, Any], key: str, where: str) -> Mapping[str, Any]:
    value = data.get(key, {})
    if not isinstance(value, Mapping):
        raise ConfigError(f"{where}: {key} must be a table, written [{key}]")
    return value


def _list(data: Mapping[str, Any], key: str, where: str) -> list[Any]:
    value = data.get(key, [])
    if not isinstance(value, list) or not all(isinstance(entry, Mapping) for entry in value):
        raise ConfigError(f"{where}: bots are tables, each written [[{key}]]")
    return value


def _bot(entry: Mapping[str, Any], where: str, folder: Path) -> BotSpec:
    known = {"name", "url", "secret"}
    for key in entry:
        if key not in known:
            raise ConfigError(f"{where}: unknown key bot.{key}{_hint(key, known)}")
    for key in ("name", "url"):
        if not isinstance(entry.get(key), str):
            raise ConfigError(f"{where}: every [[bot]] needs a {key}, a text in quotes")
    secret = entry.get("secret")
    if secret is not None and not isinstance(secret, str):
        raise ConfigError(f"{where}: bot {entry['name']!r}: secret must be a text in quotes")
    return BotSpec(entry["name"], resolved(entry["url"], folder), secret)


def options_for(config: TournamentConfig, variant: Variant) -> FormatOptions:
    """The format's options with what follows from the game: whether fewer points are better."""
    sheet = variant.family.new_sheet(variant.rules, config.options.table_size, 0)
    return replace(config.options, fewer_points_win=sheet.lower_is_better)


def check_seeding(config: TournamentConfig) -> None:
    """Refuse two sources of a seeding at once.

    :raises ConfigError: saying which.
    """
    if config.seeded_from is not None and config.seeding is not SeedBy.GIVEN:
        raise ConfigError(
            f"seeded_from = {config.seeded_from!r} and seeding = {config.seeding.value!r}: "
            "choose one of them"
        )


def validate(config: TournamentConfig, *, entries_follow: bool = False) -> Variant:
    """Check all of it before any bot is called. Returns the game to be played.

    ``entries_follow``: more bots can enter before it starts, so there need not be enough yet, and
    whether the format can be played by them is found out when it starts.

    :raises ConfigError: naming the field, the value and what to do.
    """
    check_name(config.name, "name")
    check_seeding(config)
    format = config.find_format()
    try:
        variant = config.variant()
    except RulesError as error:
        raise ConfigError(str(error)) from error
    seats = config.options.table_size
    fewest, most = variant.family.players(variant.rules)
    if not fewest <= seats <= most:
        allowed = f"{fewest}" if fewest == most else f"{fewest} to {most}"
        raise ConfigError(f"table_size = {seats}: {variant.name} is played by {allowed}")
    try:
        variant.family.new_sheet(variant.rules, seats, 0)
    except RulesError as error:
        raise ConfigError(f"table_size = {seats}: {error}") from error
    if len(config.bots) < seats and not entries_follow:
        raise ConfigError(
            f"{len(config.bots)} bot{'s' * (len(config.bots) != 1)} given; "
            f"a tournament of {variant.name} needs at least {seats}: add --bot NAME=URL"
        )
    most = config.most_entrants or MAX_BOTS
    if len(config.bots) > most:
        raise ConfigError(f"{len(config.bots)} bots given; at most {most} are possible")
    check_seats(format, seats)
    seen: dict[str, str] = {}
    for bot in config.bots:
        check_name(bot.name, "bot name")
        key = name_key(bot.name)
        if seen.get(key) == bot.name:
            raise ConfigError(f"two bots are called {bot.name!r}; give one another name")
        if key in seen:
            raise ConfigError(f"bot names {seen[key]!r} and {bot.name!r} look the same; change one")
        seen[key] = bot.name
    if not entries_follow:
        format.fixtures(range(len(config.bots)), config.options, {})
    return variant
