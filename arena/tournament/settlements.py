"""What players have paid each other at the end of games, made again from the hands.

Only some games are settled between all (see `arena.rules.base.Settling`); the store keeps it in a
game's sentence alone. Part of no result: nothing is ranked by it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from arena.errors import RulesError
from arena.referee.verdicts import Termination
from arena.rules.base import Settling
from arena.rules.games import variant_with
from arena.rules.record import parse, sheets, variant_of

SETTLED = (Termination.NORMAL, Termination.DRAW)
"""How a game has ended that is settled; one that bots broke off is not."""

Settlement = tuple[int, ...]
"""What each seat received, or paid where it is negative; sums to 0."""


@lru_cache(maxsize=64)
def is_settled(variant: str, seats: int) -> bool:
    """Whether the players of this game pay each other at its end."""
    try:
        found = variant_with(variant)
        return isinstance(found.family.new_sheet(found.rules, seats, 0), Settling)
    except RulesError:
        return False


def settlement(records: Sequence[str], seats: int, termination: str) -> Settlement | None:
    """That of one game, from the records of all its hands; None where nothing was settled, or where
    they do not make a game."""
    if termination not in SETTLED or not records:
        return None
    try:
        hands = [parse(record) for record in records]
        found = sheets(variant_of(hands[0]), hands, seats)
    except RulesError:
        return None
    last = found[-1] if found else None
    return last.settlement() if isinstance(last, Settling) else None


def settlements(
    terminations: Mapping[int, str], records: Sequence[tuple[int, str]], seats: int
) -> dict[int, Settlement]:
    """Those of the games of a match by number. ``records``: of its hands, each with its game."""
    made = {
        number: settlement([text for game, text in records if game == number], seats, termination)
        for number, termination in terminations.items()
    }
    return {number: found for number, found in made.items() if found is not None}


def together(found: Mapping[int, Settlement]) -> Settlement | None:
    """All games of a match together; None where nothing was settled."""
    return tuple(map(sum, zip(*found.values(), strict=True))) if found else None
