"""What results say of who is stronger: the observations of a fit, and what each entrant has behind
it. Pure."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from arena.tournament.match import Sides, opposing, places
from arena.tournament.model import FixtureResult
from arena.tournament.ranking.tally import games_played
from arena.tournament.statistics.bradley_terry import Observation
from arena.tournament.statistics.pairs import Pair, game_share


@dataclass(slots=True)
class Record:
    """What an entrant has behind it.

    ``ahead`` of ``compared``: in how many comparisons it was the better one. Matches of two are
    compared game by game; at larger tables each opponent is one comparison, unless it came out
    level. Partners are no opponents, and one may be placed behind the other: if it forfeited.
    """

    games: int = 0
    won: float = 0.0
    pairs: int = 0
    ahead: float = 0.0
    compared: int = 0

    def add(
        self,
        result: FixtureResult,
        seat: int,
        order: Sequence[int],
        against: Sequence[int],
        games: int,
    ) -> None:
        """Count the games of a match that the entrant played in a seat, ``against`` others."""
        won = result.games_won[seat] + result.games_drawn / len(result.seats)
        self.games += games
        self.won += won
        if len(result.seats) == 2:
            self.ahead += won
            self.compared += games
        else:
            self.ahead += sum(order[other] > order[seat] for other in against)
            self.compared += sum(order[other] != order[seat] for other in against)


def gather(
    entrants: Collection[int],
    units: Iterable[Pair],
    fewer_points_win: bool,
    sides: Callable[[int], Sides],
) -> tuple[list[Observation], dict[int, Record]]:
    """The observations of all units that were played, numbered by unit, and a record of each
    entrant. ``sides``: who are partners at a table of so many."""
    observed: list[Observation] = []
    records = {entrant: Record() for entrant in entrants}
    for number, unit in enumerate(units):
        played = [result for result in unit if sum(result.games_won) + result.games_drawn]
        for result in played:
            order = places(result, fewer_points_win)
            partners = sides(len(order))
            against = opposing(len(order), partners)
            observed += _observations(result, number, order, against)
            games = games_played(result, order, partners)
            for seat, entrant in enumerate(result.seats):
                records[entrant].add(result, seat, order, against[seat], games)
        for entrant in played[0].seats if played else ():
            records[entrant].pairs += 1
    return observed, records


def _observations(
    result: FixtureResult, unit: int, order: Sequence[int], against: Sequence[Sequence[int]]
) -> Iterator[Observation]:
    """The games of a match of two; at larger tables, who came before whom of those that played
    against each other."""
    if len(result.seats) == 2:
        share = game_share(result)
        games = sum(result.games_won) + result.games_drawn
        if share is not None:
            yield Observation(*result.seats, share, games, True, unit)
        return
    for seat, entrant in enumerate(result.seats):
        for other in (one for one in against[seat] if one > seat):
            share = (order[seat] < order[other]) + (order[seat] == order[other]) / 2
            yield Observation(entrant, result.seats[other], share, 1.0, False, unit)
