"""Every key of a tournament's file: what it means, what is allowed, what holds without it.

`arena keys` prints this table, the documentation has it, and what reads the file knows no other
keys.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields

from arena.config import MAX_BOTS, SeedBy, TournamentConfig
from arena.referee.clock import CLOCK_RANGES, ClockRules
from arena.tournament.formats.groups import MOST_GROUPS
from arena.tournament.formats.registry import ALIASES, FORMATS, written
from arena.tournament.model import FormatOptions
from arena.tournament.playing.absences import PATIENCE_S
from arena.wire.addresses import Network

BEST_OF, BRACKET_TARGET = 5, 250
"""How the matches of a bracket are played unless somebody chooses otherwise."""

RANGES: Mapping[str, tuple[int, int]] = {
    "games": (1, 999),
    "best_of": (1, 99),
    "legs": (1, 99),
    "rounds": (1, 999),
    "groups": (1, MOST_GROUPS),
    "advance": (1, 64),
    "champion": (0, MAX_BOTS - 1),
    "table_size": (2, 6),
    "most_entrants": (2, MAX_BOTS),
}
"""Least and most of whole numbers."""


@dataclass(frozen=True, slots=True)
class Key:
    """A key as it is written in the file, one of a table after the table's name and a dot.

    ``default``: what holds without it. ``option``: of ``arena run`` and ``arena draft``, empty if
    it has none. ``formats``: those that use it, empty for all.
    """

    name: str
    meaning: str
    allowed: str
    default: str
    option: str = ""
    formats: tuple[str, ...] = ()


def keys() -> tuple[Key, ...]:
    """All of them, in the order in which one thinks of them."""
    return (*_first(), *_format_keys(), *_last())


def _first() -> Iterator[Key]:
    usual = TournamentConfig()
    yield Key("name", "The tournament's name, by which commands and pages call it.",
              "a text of 1 to 64 characters", "the format and a number", "--name")  # fmt: skip
    formats = ", ".join(map(written, FORMATS))
    aliases = ", ".join(f"{alias} ({written(name)})" for alias, name in ALIASES.items())
    yield Key("format", "How the tournament goes; each format is described below.",
              f"{formats}; other names: {aliases}",
              f"{usual.format}; tables where table_size is more than 2", "--format")  # fmt: skip
    yield Key("rules", "The game; arena rules lists all.", "the name of a game", usual.rules,
              "--rules")  # fmt: skip
    yield Key("set.SETTING", "A rule of the game; arena rules GAME shows every setting.",
              "what arena rules GAME says of it",
              f"what arena rules GAME shows; in gin, formats with a bracket play to target = "
              f"{BRACKET_TARGET}", "--set, --target")  # fmt: skip


_MEANINGS: Mapping[str, tuple[str, str, str]] = {
    "games": ("Games of a match. Groups play so many in the groups, and best_of in the bracket.",
              "", "--games"),
    "best_of": ("A match is over when one bot has won more than half of so many games. Instead of "
                "games; only groups use both.",
                f"{BEST_OF} in a bracket, and as many as a game needs of which several wins make "
                "a match; else games counts", "--best-of"),
    "legs": ("How often each pair meets; at tables, each table.", "", "--legs"),
    "rounds": ("How many rounds are played.",
               "of a Swiss, as many as leave one bot unbeaten; a ladder goes on until arena finish",
               "--rounds"),
    "duplicate": ("Whether matches come in mirrored pairs: the same deals with seats swapped, so "
                  "that luck of the cards cancels. Without it every match has deals of its own.",
                  "", "--no-duplicate"),
    "groups": ("How many groups there are. Bots are put into them by seeding, in turn there and "
               "back (A B C, C B A, …), so that all are about as strong.", "", "--groups"),
    "advance": ("How many of each group go on to the bracket, the best of its table first; at most "
                "as many as the smallest group has.", "", "--advance"),
    "third_place": ("Whether the losers of the semifinals play for third place.", "",
                    "--no-third-place"),
    "champion": ("The one that meets all others.", "0, the first bot", "--champion"),
    "table_size": ("How many bots sit at a table; more than two make it a tournament of tables.",
                   "2, or as few as the game allows", "--table-size"),
    "all_orders": ("Whether a table plays each deal in every seat order: 24 for four, 120 for "
                   "five, 720 for six. Else in the rotations only.", "", "--all-orders"),
}  # fmt: skip
"""Of the options of formats: meaning, default where it is no fixed value, option."""


def _format_keys() -> Iterator[Key]:
    usual = FormatOptions()
    for name, (meaning, default, option) in _MEANINGS.items():
        value = getattr(usual, name)
        allowed = "true or false" if isinstance(value, bool) else _whole(*RANGES[name])
        if name == "best_of":
            allowed = allowed.replace("a whole", "an odd")
        if name == "champion":
            allowed = f"a bot's name, or its number: {_whole(*RANGES[name])}"
        using = tuple(written(format) for format in FORMATS if name in FORMATS[format].uses)
        shown = default or str(value).lower()
        yield Key(name, meaning, allowed, shown, option, using if len(using) < len(FORMATS) else ())


def _last() -> Iterator[Key]:
    usual = TournamentConfig()
    yield Key("seeding", "What the seeding goes by: the order of the bots, the strongest first, or "
              "their ratings from all that was played of this game in the database.",
              " or ".join(SeedBy), usual.seeding.value, "--seeding")  # fmt: skip
    yield Key("seeded_from", "An earlier tournament whose table is the seeding. Bots that were not "
              "in it come last, in their order.", "the name of a tournament in the same database",
              "none", "--seeded-from")  # fmt: skip
    yield Key("most_entrants", "How many bots may enter while it is open for entries.",
              _whole(*RANGES["most_entrants"]), str(MAX_BOTS), "--most of arena draft")  # fmt: skip
    yield Key("network", "Which addresses bots may have: any, or only globally routable ones.",
              " or ".join(Network), usual.network.value, "--network")  # fmt: skip
    yield Key("all_present", "Whether it begins only when every bot answers.", "true or false",
              str(usual.all_present).lower(), "--all-present")  # fmt: skip
    yield Key("patience_s", "How many seconds the matches of a bot that does not answer wait for "
              "it once nothing else is left to play; 0 forfeits them in their turn.",
              "a number from 0", f"{PATIENCE_S:g}", "--patience")  # fmt: skip
    clock = ClockRules()
    for field in fields(ClockRules):
        yield Key(f"clock.{field.name}", _CLOCK[field.name], _whole(*CLOCK_RANGES[field.name]),
                  str(getattr(clock, field.name)),
                  f"--{field.name.replace('_', '-')}")  # fmt: skip
    yield Key("bot.name", "A bot's name; each bot has a [[bot]] of its own.",
              "a text of 1 to 64 characters, unlike those of the others", "it must be given",
              "--bot NAME=URL")  # fmt: skip
    yield Key("bot.url", "Where it answers, or how the arena starts it on this machine: "
              "sample:NAME, python:FILE.py, or cmd:COMMAND with {port} where its port belongs.",
              "http://…, https://…, sample:…, python:… or cmd:…; files are relative to this one",
              "it must be given", "--bot NAME=URL")  # fmt: skip
    yield Key("bot.secret", "Its signing secret, if it checks signatures.", "whsec_…",
              "none, or the one it is registered with")  # fmt: skip


_CLOCK: Mapping[str, str] = {
    "deadline_ms": "Milliseconds a bot has for a decision.",
    "bank_ms": "Milliseconds of spare time that a bot has for a match; what an answer is late is "
    "taken from it.",
    "max_strikes": "Faults with which a bot loses a game.",
}


def _whole(least: int, most: int) -> str:
    return f"a whole number from {least} to {most}"
