"""Groups results into the units of statistics. Pure.

The fixtures of one round and slot are played with the same deals, seats exchanged: luck that helped
a bot in one half helps its opponent in the other. Such results are not independent, so the unit of
every interval and test here is the *pair* (at larger tables: all seat orders of a table), never the
game. A fixture without a mirror is a unit of its own.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from arena.tournament.match import is_bye, net_points
from arena.tournament.model import FixtureResult

Pair = tuple[FixtureResult, ...]


def pairs(results: Iterable[FixtureResult]) -> list[Pair]:
    """The units in order of their keys, the halves of each in order; byes are left out."""
    units: dict[tuple[str, int, int], list[FixtureResult]] = {}
    for result in sorted(results, key=lambda result: result.key):
        if not is_bye(result):
            units.setdefault(result.key[:3], []).append(result)
    return [tuple(unit) for unit in units.values()]


def game_share(result: FixtureResult, seat: int = 0) -> float | None:
    """The share of the games that a seat won, drawn games half; None when none was played."""
    games = sum(result.games_won) + result.games_drawn
    return (result.games_won[seat] + result.games_drawn / 2) / games if games else None


@dataclass(frozen=True, slots=True)
class PairSums:
    """What one entrant made of one unit: net hand points, hands, games won (½ for a draw), games.

    ``halves``: fixtures of the unit with at least one hand.
    """

    net_points: int
    hands: int
    games_won: float
    games: int
    halves: int


def sums_for(unit: Pair, entrant: int, *, fewer_points_win: bool = False) -> PairSums:
    """Adds up the halves of a unit for one entrant."""
    net = hands = games = halves = 0
    won = 0.0
    for result in unit:
        seat = result.seats.index(entrant)
        net += net_points(result, fewer_points_win)[seat]
        hands += result.hands
        games += sum(result.games_won) + result.games_drawn
        won += result.games_won[seat] + result.games_drawn / 2
        halves += result.hands > 0
    return PairSums(net, hands, won, games, halves)


def units_by_entrant(units: Iterable[Pair]) -> dict[int, list[Pair]]:
    """The units of each entrant."""
    found: dict[int, list[Pair]] = {}
    for unit in units:
        for entrant in unit[0].seats:
            found.setdefault(entrant, []).append(unit)
    return found
