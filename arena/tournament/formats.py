"""The table of tournament formats, by name. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from arena.errors import ConfigError
from arena.nearest import did_you_mean
from arena.tournament.double_elimination import DoubleElimination
from arena.tournament.gauntlet import Gauntlet
from arena.tournament.groups import Groups
from arena.tournament.ladder import Ladder
from arena.tournament.model import Format, FormatOptions
from arena.tournament.round_robin import RoundRobin
from arena.tournament.single_elimination import SingleElimination
from arena.tournament.swiss import Swiss
from arena.tournament.tables import Tables

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
    known = [one.replace("_", "-") for one in (*FORMATS, *ALIASES)]
    hint = did_you_mean(wanted.replace("_", "-"), known)
    hint = hint or f"; known are: {', '.join(sorted(known[: len(FORMATS)]))}"
    raise ConfigError(f"unknown format {name!r}{hint}")
