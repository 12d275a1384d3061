"""What an organiser chose about a format and a clock, in words. Pure.

Only what has a meaning in the format is said.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from arena.site.views.formatting import duration, plural
from arena.tournament.formats.format import Format
from arena.tournament.formats.schedule import seat_orders
from arena.tournament.model import FormatOptions

TIMES = {1: "once", 2: "twice"}


def options_text(
    format: Format, options: FormatOptions, names: Mapping[int, str]
) -> tuple[tuple[str, str], ...]:
    """Headings and what to say under them. ``names``: entrants by number."""
    said = [("A match", _match_text(options))]
    if format.has_both and options.best_of is not None:
        said = [
            ("A match of a group", plural(options.games, "game")),
            ("A match of the bracket", _match_text(options)),
        ]
    if "champion" in format.uses and options.champion in names:
        said.append(("Champion", f"{names[options.champion]} meets everybody"))
    if "legs" in format.uses and not format.many_seats:
        said.append(("Meetings", f"each pair {TIMES.get(options.legs, f'{options.legs} times')}"))
    if format.many_seats:
        said.append(("Tables", f"of {options.table_size}"))
    if "rounds" in format.uses:
        if options.rounds:
            said.append(("Rounds", plural(options.rounds, "round")))
        elif not format.runs_on:
            said.append(("Rounds", "as many as is usual"))
    if "duplicate" in format.uses:
        text = _mirrored_text(format, options) if options.duplicate else "no"
        said.append(("Mirrored", text))
    if "groups" in format.uses:
        on = "the first" if options.advance == 1 else f"the first {options.advance}"
        said.append(("Groups", f"{options.groups}; {on} of each go on to the bracket"))
    if "third_place" in format.uses:
        said.append(("Third place", "played for" if options.third_place else "shared"))
    if options.fewer_points_win:
        said.append(("Points", "are penalties: who has fewer is better"))
    return tuple(said)


def _mirrored_text(format: Format, options: FormatOptions) -> str:
    if not format.many_seats:
        return "the same deals again with the seats exchanged"
    orders = len(seat_orders(tuple(range(options.table_size)), options.all_orders))
    which = "every seat order" if orders > options.table_size else "every bot on every seat once"
    return f"the same deals {orders} times, {which}"


def _match_text(options: FormatOptions) -> str:
    if options.best_of is None:
        return plural(options.games, "game")
    return "1 game" if options.best_of == 1 else f"best of {options.best_of} games"


def clock_text(clock: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    """The time a bot has and what happens without an answer."""
    said = []
    if "deadline_ms" in clock:
        said.append(("A decision", duration(clock["deadline_ms"])))
    if "bank_ms" in clock:
        said.append(
            ("Reserve for a match", duration(clock["bank_ms"]) if clock["bank_ms"] else "none")
        )
    if "max_strikes" in clock:
        said.append(("Strikes", f"a game is lost with {clock['max_strikes']} of them"))
    return tuple(said)
