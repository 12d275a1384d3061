"""What is played, from a file and from options: for ``arena run`` and ``arena draft``."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from arena.cli.options import Seconds, options_of, parse_bots, parse_changes
from arena.errors import ConfigError

if TYPE_CHECKING:
    from arena.config import TournamentConfig


WAITING = [
    click.option("--patience", "patience_s", type=Seconds(), metavar="SECONDS",
                 help="How long the matches of a bot that does not answer wait for it once "
                 "nothing else is left to play (60); 0 forfeits them in their turn."),
    click.option("--all-present/--any-present", default=None,
                 help="Begin only when every bot answers, or when any two do (the default)."),
]  # fmt: skip
"""Options that say which bots have to be there, and how long they are waited for."""


CLOCKS = [
    click.option("--deadline-ms", type=int, metavar="MS", help="Time for a decision (1000)."),
    click.option("--bank-ms", type=int, metavar="MS", help="Spare time for a match (10000)."),
    click.option("--max-strikes", type=int, metavar="N", help="Faults that lose a game (3)."),
]


def clock_options(command: Any) -> Any:
    """The clock for ``compare``."""
    return options_of(command, CLOCKS)


def waiting_options(command: Any) -> Any:
    """Those options for ``resume``, where they go before what the tournament says."""
    return options_of(command, WAITING)


def tournament_options(command: Any) -> Any:
    """The options that say what is played, for ``run`` and ``draft``."""
    options = [
        click.option("--bot", "bots", metavar="NAME=URL", multiple=True,
                     help="A contestant: an address, sample:NAME, python:FILE.py or "
                     "cmd:COMMAND with {port}. Repeat it."),
        click.option("--name", help="The tournament's name."),
        click.option("--format", "format_name", metavar="FORMAT",
                     help="round-robin (default), bracket, double-elimination, swiss, groups, "
                     "gauntlet, tables or ladder; arena keys format says what each is."),
        click.option("--rules", metavar="GAME", help="The game; arena rules lists them."),
        click.option("--set", "changes", metavar="SETTING=VALUE", multiple=True,
                     help="Change a rule setting. Repeat it."),
        click.option("--best-of", type=int, metavar="N", help="A match is best of so many games."),
        click.option("--games", type=int, metavar="N", help="Games of a match (2)."),
        click.option("--legs", type=int, metavar="N", help="How often each pair meets (1)."),
        click.option("--rounds", type=int, metavar="N", help="Rounds of a Swiss or a ladder."),
        click.option("--groups", type=int, metavar="N",
                     help="Groups before the bracket, filled by seeding (2)."),
        click.option("--advance", type=int, metavar="N",
                     help="Bots of each group that go on to the bracket (2)."),
        click.option("--champion", metavar="BOT",
                     help="Who meets all others in a gauntlet (the first bot)."),
        click.option("--table-size", type=int, metavar="N", help="Bots at a table."),
        click.option("--target", type=int, metavar="POINTS", help="Hand points that win a game."),
        *CLOCKS,
        click.option("--network", type=click.Choice(["local", "public"]),
                     help="Which addresses bots may have."),
        click.option("--no-duplicate", is_flag=True,
                     help="Do not mirror the deals: every match has its own."),
        click.option("--no-third-place", is_flag=True,
                     help="No match for third place in a bracket."),
        click.option("--all-orders", is_flag=True,
                     help="Tables of four to six: every seat order, not the rotations only."),
        click.option("--seeded-from", metavar="NAME",
                     help="Seed by another tournament's table; who was not in it comes last."),
        click.option("--seeding", metavar="HOW",
                     help="given: the order of the bots (default); ratings: those in the "
                     "database."),
        *WAITING,
    ]  # fmt: skip
    return options_of(command, options)


PLAIN = ("name", "rules", "network", "seeded_from", "seeding", "games", "best_of", "legs",
         "rounds", "groups", "advance", "champion", "table_size", "most_entrants", "all_present",
         "patience_s")  # fmt: skip
"""Options that a file has under the same name."""

CLOCK = ("deadline_ms", "bank_ms", "max_strikes")


def chosen(file: Path | None, options: Mapping[str, Any]) -> TournamentConfig:
    """What a tournament file says, with the command line's options over it.

    :raises ConfigError: naming the file, the key or option, and what is allowed.
    """
    from arena.config_file import from_mapping, read_toml

    data = with_options(read_toml(file) if file else {}, options)
    where, folder = (str(file), file.parent) if file else ("command line", None)
    return from_mapping(data, where=where, folder=folder)


def clock_of(options: Mapping[str, Any]) -> dict[str, int]:
    """What was chosen of the clock."""
    return {name: options[name] for name in CLOCK if options[name] is not None}


def with_options(data: Mapping[str, Any], options: Mapping[str, Any]) -> dict[str, Any]:
    """What a tournament file holds, with the command line's options over it.

    :raises ConfigError: an option is not of its form.
    """
    chosen = {
        **{name: options.get(name) for name in PLAIN},
        "format": options["format_name"],
        "duplicate": False if options["no_duplicate"] else None,
        "third_place": False if options["no_third_place"] else None,
        "all_orders": True if options["all_orders"] else None,
    }
    clock = clock_of(options)
    settings = parse_changes(options["changes"])
    if options["target"] is not None:
        settings["target"] = options["target"]
    bots = [{"name": bot.name, "url": bot.endpoint} for bot in parse_bots(options["bots"])]
    merged = {**data, **{name: value for name, value in chosen.items() if value is not None}}
    # Of these two an option replaces the file's, where the format does not use both.
    for name, other in (("games", "best_of"), ("best_of", "games")):
        if chosen[name] is not None and chosen[other] is None and not _has_both(merged):
            merged.pop(other, None)
    # What is no table or list in the file is left for the one who checks it all.
    for name, more in (("clock", clock), ("set", settings)):
        if more and isinstance(merged.get(name, {}), dict):
            merged[name] = {**merged.get(name, {}), **more}
    if bots and isinstance(merged.get("bot", []), list):
        merged["bot"] = [*merged.get("bot", []), *bots]
    return merged


def _has_both(data: Mapping[str, Any]) -> bool:
    """Whether its format uses both; an unknown one is refused by the one who checks it all."""
    from arena.tournament.formats.registry import find_format

    try:
        return find_format(str(data.get("format", ""))).has_both
    except ConfigError:
        return False
