"""Reads what an organiser chose, from a TOML file, from JSON or from the command line.

Unknown keys are errors that name the nearest key; `arena.config_keys` has all of them.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import fields, replace
from math import inf
from pathlib import Path
from typing import Any

from arena.config import BotSpec, SeedBy, TournamentConfig
from arena.config_keys import BEST_OF, BRACKET_TARGET, RANGES, keys
from arena.errors import ConfigError, RulesError
from arena.launch import resolved
from arena.nearest import did_you_mean
from arena.referee.clock import ClockRules
from arena.tournament.formats.registry import check_used, find_format, format_for
from arena.tournament.model import FormatOptions
from arena.wire.addresses import Network


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


_KNOWN = frozenset(key.name.partition(".")[0] for key in keys())
_OPTIONS = frozenset(key.name for key in keys()) & {f.name for f in fields(FormatOptions)}
_PARTS = {
    table: frozenset(
        key.name.partition(".")[2] for key in keys() if key.name.startswith(f"{table}.")
    )
    for table in ("clock", "bot")
}


def from_mapping(
    data: Mapping[str, Any], *, where: str, folder: Path | None = None
) -> TournamentConfig:
    """A configuration from nested mappings, as TOML, JSON and the command line give them.

    ``folder``: what the files of bots are relative to. What is not given follows from the rest:
    see `_completed`.

    :raises ConfigError: naming the key, the value and what is allowed.
    """
    for key in data:
        if key not in _KNOWN:
            raise ConfigError(f"{where}: unknown key {key!r}{_hint(key, _KNOWN)}")
    values: dict[str, Any] = {
        "settings": dict(_table(data, "set", where)),
        "clock": _clock(_table(data, "clock", where), where),
        "bots": tuple(
            _bot(entry, where, folder or Path.cwd()) for entry in _list(data, "bot", where)
        ),
    }
    for key, read in _SINGLE.items():
        if key in data:
            values[key] = read(key, data[key], where)
    options = {name: value for name, value in data.items() if name in _OPTIONS}
    if "champion" in options:
        options["champion"] = _champion(options["champion"], values["bots"], where)
    values["options"] = format_options(options, where)
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


def seed_by(key: str, value: object, where: str) -> SeedBy:
    """What a seeding follows from, by name.

    :raises ConfigError: it is none.
    """
    try:
        return SeedBy(str(value))
    except ValueError:
        raise ConfigError(
            f"{where}: {key} = {value!r}: choose {' or '.join(SeedBy)}, or give seeded_from"
        ) from None


def _network(key: str, value: object, where: str) -> Network:
    try:
        return Network(str(value))
    except ValueError:
        raise ConfigError(f"{where}: {key} = {value!r}: choose {' or '.join(Network)}") from None


def _text(key: str, value: object, where: str) -> str:
    if not isinstance(value, str):
        raise ConfigError(f"{where}: {key} = {value!r}: give a text in quotes")
    return value


def _switch(key: str, value: object, where: str) -> bool:
    if not isinstance(value, bool):
        raise ConfigError(f"{where}: {key} = {value!r}: give true or false")
    return value


def _seconds(key: str, value: object, where: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < inf:
        raise ConfigError(f"{where}: {key} = {value!r}: give a number of seconds from 0")
    return float(value)


def _whole(key: str, value: object, where: str) -> int:
    low, high = RANGES[key]
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise ConfigError(f"{where}: {key} = {value!r}: give a whole number from {low} to {high}")
    return value


_SINGLE: Mapping[str, Callable[[str, object, str], Any]] = {
    "name": _text,
    "format": _text,
    "rules": _text,
    "seeded_from": _text,
    "seeding": seed_by,
    "network": _network,
    "most_entrants": _whole,
    "all_present": _switch,
    "patience_s": _seconds,
}
"""How the value of a key is read that says one thing about the tournament."""


def _champion(value: object, bots: Sequence[BotSpec], where: str) -> object:
    """The number of a bot that is given by its name; a number as it is."""
    if not isinstance(value, str):
        return value
    names = [bot.name for bot in bots]
    if value in names:
        return names.index(value)
    if value.isdecimal():
        return int(value)
    hint = did_you_mean(value, names) or (
        f"; there are: {', '.join(names)}" if names else "; give its number, the first is 0"
    )
    raise ConfigError(f"{where}: champion = {value!r}: no bot of that name{hint}")


def format_options(
    values: Mapping[str, Any], where: str, base: FormatOptions | None = None
) -> FormatOptions:
    """Options of a format with these values, each checked for its type and range.

    :raises ConfigError: naming the option, the value and what is allowed.
    """
    base = base or FormatOptions()
    for name, value in values.items():
        if name in RANGES:
            _whole(name, value, where)
            if name == "best_of" and value % 2 == 0:
                raise ConfigError(f"{where}: best_of = {value}: give an odd number, such as 5")
        else:
            _switch(name, value, where)
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


def _clock(table: Mapping[str, Any], where: str) -> ClockRules:
    for key in table:
        if key not in _PARTS["clock"]:
            raise ConfigError(f"{where}: unknown key clock.{key}{_hint(key, _PARTS['clock'])}")
    try:
        return ClockRules(**table)
    except ConfigError as error:
        raise ConfigError(f"{where}: {error}") from error


def _bot(entry: Mapping[str, Any], where: str, folder: Path) -> BotSpec:
    for key in entry:
        if key not in _PARTS["bot"]:
            raise ConfigError(f"{where}: unknown key bot.{key}{_hint(key, _PARTS['bot'])}")
    for key in ("name", "url"):
        if not isinstance(entry.get(key), str):
            raise ConfigError(f"{where}: every [[bot]] needs a {key}, a text in quotes")
    secret = entry.get("secret")
    if secret is not None and not isinstance(secret, str):
        raise ConfigError(f"{where}: bot {entry['name']!r}: secret must be a text in quotes")
    return BotSpec(entry["name"], resolved(entry["url"], folder), secret)
