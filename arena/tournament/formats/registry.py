"""The table of tournament formats, by name. Pure."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from arena.errors import ConfigError
from arena.nearest import did_you_mean
from arena.tournament.formats.double_elimination import DoubleElimination
from arena.tournament.formats.format import SERIES, Format
from arena.tournament.formats.gauntlet import Gauntlet
from arena.tournament.formats.groups import Groups
from arena.tournament.formats.ladder import Ladder
from arena.tournament.formats.round_robin import RoundRobin
from arena.tournament.formats.single_elimination import SingleElimination
from arena.tournament.formats.swiss import Swiss
from arena.tournament.formats.tables import Tables
from arena.tournament.model import FormatOptions
from arena.tournament.statistics.comparison import Comparison

_ALL: tuple[Format, ...] = (
    RoundRobin(),
    SingleElimination(),
    DoubleElimination(),
    Swiss(),
    Groups(),
    Gauntlet(),
    Tables(),
    Ladder(),
)

FORMATS: dict[str, Format] = {format.name: format for format in _ALL}

ALIASES = {
    "bracket": "single_elimination",
    "knockout": "single_elimination",
    "league": "round_robin",
}
"""Names that people use for a format."""

_OF_SOME = frozenset(name for one in _ALL for name in one.uses) - frozenset(SERIES)


def check_used(format: Format, options: FormatOptions, given: Collection[str]) -> None:
    """Refuse what the format has no use for; what holds anyway may be said.

    ``given``: the options that somebody chose. Groups use games for the groups and best_of for the
    bracket, the others one of them.

    :raises ConfigError: naming the option, its value and what to use.
    """
    usual = FormatOptions()
    for name in sorted(_OF_SOME.intersection(given)):
        value = getattr(options, name)
        if name not in format.uses and value != getattr(usual, name):
            formats = [written(one.name) for one in _ALL if name in one.uses]
            leave = f"leave it out, it is for {', '.join(formats)}"
            raise ConfigError(
                f"{name} = {str(value).lower()}: the format {written(format.name)} does not use "
                f"it; {format.instead.get(name, leave)}"
            )
    if {"games", "best_of"} <= set(given) and not format.has_both:
        raise ConfigError(
            f"games = {options.games}: best_of = {options.best_of} says how many games a match "
            "has; choose one of them"
        )


def format_for(seats: int) -> Format:
    """The usual format for matches of so many."""
    return next(one for one in _ALL if one.many_seats == (seats > 2))


def check_seats(format: Format, seats: int) -> None:
    """Refuse matches of more than the format can have, or of fewer.

    :raises ConfigError: naming a format for so many.
    """
    if format.many_seats != (seats > 2):
        instead = written(format_for(seats).name)
        named = written(format.name)
        raise ConfigError(f"format = {named!r}: with {seats} at a table choose {instead}")


def written(name: str) -> str:
    """A format's name as the documentation writes it."""
    return name.replace("_", "-")


def stored_format(name: str, test: Mapping[str, float] | None) -> Format:
    """The format of a tournament. ``test``: what a comparison of two bots depends on.

    :raises ConfigError: there is no such format, or the numbers make no test.
    """
    if test is None:
        return find_format(name)
    return Comparison.of(test)


def find_format(name: str) -> Format:
    """The format of this name; case, spaces and hyphens do not matter.

    :raises ConfigError: naming the nearest format, or all.
    """
    wanted = name.strip().lower().replace("-", "_").replace(" ", "_")
    wanted = ALIASES.get(wanted, wanted)
    if wanted in FORMATS:
        return FORMATS[wanted]
    # As the documentation writes them.
    known = [written(one) for one in (*FORMATS, *ALIASES)]
    hint = did_you_mean(written(wanted), known)
    hint = hint or f"; known are: {', '.join(sorted(known[: len(FORMATS)]))}"
    raise ConfigError(f"unknown format {name!r}{hint}")
