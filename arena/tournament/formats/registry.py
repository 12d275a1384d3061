"""The table of tournament formats, by name. Pure."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from arena.errors import ConfigError
from arena.nearest import did_you_mean
from arena.tournament.formats.double_elimination import DoubleElimination
from arena.tournament.formats.gauntlet import Gauntlet
from arena.tournament.formats.groups import Groups
from arena.tournament.formats.ladder import Ladder
from arena.tournament.formats.round_robin import RoundRobin
from arena.tournament.formats.single_elimination import SingleElimination
from arena.tournament.formats.swiss import Swiss
from arena.tournament.formats.tables import Tables
from arena.tournament.model import Format, FormatOptions

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


_SERIES = ("games", "best_of")

USES: Mapping[str, tuple[str, ...]] = {
    "round_robin": (*_SERIES, "legs", "duplicate"),
    "single_elimination": (*_SERIES, "third_place"),
    "double_elimination": _SERIES,
    "swiss": (*_SERIES, "rounds", "duplicate"),
    "groups": (*_SERIES, "legs", "groups", "advance", "duplicate", "third_place"),
    "gauntlet": (*_SERIES, "legs", "champion", "duplicate"),
    "tables": (*_SERIES, "legs", "table_size", "duplicate", "all_orders"),
    "ladder": (*_SERIES, "rounds", "duplicate"),
}
"""The options that mean something in each format. A format that is not here has all of them."""

_NUMBERS = ("legs", "rounds", "groups", "advance", "champion", "table_size")
_MEETINGS = "use legs, how often each pair meets"
_INSTEAD = {
    ("rounds", "round_robin"): _MEETINGS,
    ("rounds", "groups"): _MEETINGS,
    ("rounds", "gauntlet"): _MEETINGS,
    ("rounds", "tables"): _MEETINGS,
    ("legs", "swiss"): "use rounds",
    ("legs", "ladder"): "use rounds",
    ("legs", "single_elimination"): "use best_of",
    ("legs", "double_elimination"): "use best_of",
}


def check_used(format: Format, options: FormatOptions, given: Collection[str]) -> None:
    """Refuse what the format has no use for; what holds anyway may be said.

    ``given``: the options that somebody chose. Groups use games for the groups and best_of for the
    bracket, the others one of them.

    :raises ConfigError: naming the option, its value and what to use.
    """
    usual = FormatOptions()
    for name in (*_NUMBERS, "all_orders"):
        value = getattr(options, name)
        used = USES.get(format.name, (name,))
        if name in given and name not in used and value != getattr(usual, name):
            formats = [one for one, names in USES.items() if name in names]
            leave = f"leave it out, it is for {' and '.join(map(_written, formats))}"
            raise ConfigError(
                f"{name} = {str(value).lower()}: the format {_written(format.name)} does not use "
                f"it; {_INSTEAD.get((name, format.name), leave)}"
            )
    if {"games", "best_of"} <= set(given) and format.name != "groups":
        raise ConfigError(
            f"games = {options.games}: best_of = {options.best_of} says how many games a match "
            "has; choose one of them"
        )


def _written(name: str) -> str:
    """A format's name as the documentation writes it."""
    return name.replace("_", "-")


def fits(format: Format, seeding: Sequence[int], options: FormatOptions) -> bool:
    """Whether the format can be played by so many; while entries are open there may be too few."""
    try:
        format.fixtures(seeding, options, {})
    except ConfigError:
        return False
    return True


def find_format(name: str) -> Format:
    """The format of this name; case, spaces and hyphens do not matter.

    :raises ConfigError: naming the nearest format, or all.
    """
    wanted = name.strip().lower().replace("-", "_").replace(" ", "_")
    wanted = ALIASES.get(wanted, wanted)
    if wanted in FORMATS:
        return FORMATS[wanted]
    # As the documentation writes them.
    known = [_written(one) for one in (*FORMATS, *ALIASES)]
    hint = did_you_mean(_written(wanted), known)
    hint = hint or f"; known are: {', '.join(sorted(known[: len(FORMATS)]))}"
    raise ConfigError(f"unknown format {name!r}{hint}")
