"""The table of tournament formats, by name. Pure."""

from __future__ import annotations

from difflib import get_close_matches

from arena.errors import ConfigError
from arena.tournament.model import Format
from arena.tournament.round_robin import RoundRobin
from arena.tournament.single_elimination import SingleElimination

_ALL: tuple[Format, ...] = (RoundRobin(), SingleElimination())

FORMATS: dict[str, Format] = {format.name: format for format in _ALL}


def find_format(name: str) -> Format:
    """The format of this name; case, spaces and hyphens do not matter.

    :raises ConfigError: naming the nearest format and all others.
    """
    wanted = name.strip().lower().replace("-", "_").replace(" ", "_")
    if wanted in FORMATS:
        return FORMATS[wanted]
    near = get_close_matches(wanted, FORMATS, n=1, cutoff=0.4)
    hint = f"did you mean {near[0]}? " if near else ""
    raise ConfigError(f"unknown format {name!r}: {hint}Known are {', '.join(sorted(FORMATS))}")
