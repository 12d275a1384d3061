"""Adds up results per entrant and per pair: the figures under every table. Pure.

Units: a *match* is one fixture, a *game* runs to the target, a *hand* is one deal. Points are hand
points; *net* points are the leads over each opponent added up, positive always being better.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from arena.tournament.match import Sides, is_bye, match_points, net_points, opposing, places
from arena.tournament.model import FixtureResult


@dataclass(slots=True)
class Tally:
    """Sums of one entrant. Games and hands count only where they were played.

    ``won``: matches in which it was first, alone or together with some but not all others, as
    partners are; ``drawn``: matches in which all were level.
    """

    match_points: float = 0.0
    played: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0
    byes: int = 0
    forfeits: int = 0
    games: int = 0
    games_won: int = 0
    games_drawn: int = 0
    hands: int = 0
    hands_won: int = 0
    points: int = 0
    net_points: int = 0
    opponents: list[tuple[int, float]] = field(default_factory=list)
    """One for each meeting: the opponent, and the share of a win taken from it."""

    @property
    def games_lost(self) -> int:
        """Games that somebody else won."""
        return self.games - self.games_won - self.games_drawn

    @property
    def game_difference(self) -> int:
        """Games won less games lost."""
        return self.games_won - self.games_lost


@dataclass(slots=True)
class Meeting:
    """Sums of one entrant against one other, over all their fixtures together."""

    meetings: int = 0
    match_points: float = 0.0
    won: int = 0
    drawn: int = 0
    lost: int = 0
    games_won: int = 0
    games_lost: int = 0
    hands: int = 0
    net_points: int = 0


def add_up(
    results: Iterable[FixtureResult],
    entrants: Collection[int],
    *,
    bye_points: float = 0.0,
    void: Collection[int] = (),
    fewer_points_win: bool = False,
    sides: Sides = (),
) -> dict[int, Tally]:
    """Sums by entrant. Results of entrants that are not asked for are left out.

    ``void``: disqualified entrants. Their fixtures count for nobody, as if they had never been
    there: for the opponent such a fixture is a bye.
    """
    tallies = {entrant: Tally() for entrant in entrants}
    for result in results:
        if is_bye(result) or any(entrant in void for entrant in result.seats):
            for entrant in result.seats:
                if entrant in tallies and entrant not in void:
                    tallies[entrant].byes += 1
                    tallies[entrant].match_points += bye_points
            continue
        _add(result, tallies, fewer_points_win, sides)
    return tallies


def _add(
    result: FixtureResult, tallies: dict[int, Tally], fewer_points_win: bool, sides: Sides
) -> None:
    shares = match_points(result, fewer_points_win, sides)
    nets = net_points(result, fewer_points_win)
    order = places(result, fewer_points_win)
    games = games_played(result, order, sides)
    against = opposing(len(result.seats), sides)
    for seat, entrant in enumerate(result.seats):
        if entrant not in tallies:
            continue
        tally = tallies[entrant]
        forfeited = entrant in result.forfeited
        first = order[seat] == 1
        level = order.count(1) == len(order)
        tally.match_points += shares[seat]
        tally.played += 1
        tally.won += first and not level and not forfeited
        tally.drawn += first and level and not forfeited
        tally.lost += not first or forfeited
        tally.forfeits += forfeited
        tally.games += games
        tally.games_won += result.games_won[seat]
        tally.games_drawn += result.games_drawn
        tally.hands += result.hands
        tally.hands_won += result.hands_won[seat]
        tally.points += result.points[seat]
        tally.net_points += nets[seat]
        for other in against[seat]:
            tally.opponents.append((result.seats[other], _share(result, order, seat, other)))


def games_played(result: FixtureResult, order: tuple[int, ...], sides: Sides = ()) -> int:
    """Games of a match, of which ``order`` are the places. One that partners have won is one.

    Partners for the whole match have everything in common, but for games that one of them was out
    of. Where they change from game to game, as in Chouette, a game counts for each of its winners,
    and no more can have been played than there were to play.
    """
    if len(result.seats) == 2:
        return sum(result.games_won) + result.games_drawn
    if len(sides) == 2:
        won_by = (max(result.games_won[seat] for seat in side) for side in sides)
        return sum(won_by) + result.games_drawn
    alike = set(zip(order, result.games_won, result.points, strict=True))
    played = sum(won for _, won, _ in alike) + result.games_drawn
    return played if result.games is None else min(played, result.games)


def _share(result: FixtureResult, order: tuple[int, ...], seat: int, other: int) -> float:
    """1, ½ or 0 of the meeting of two seats; a double forfeit gives neither anything."""
    if result.seats[seat] in result.forfeited:
        return 0.0
    return (order[seat] < order[other]) + (order[seat] == order[other]) / 2


def crosstable(
    results: Iterable[FixtureResult],
    entrants: Collection[int],
    *,
    void: Collection[int] = (),
    fewer_points_win: bool = False,
    sides: Sides = (),
) -> dict[tuple[int, int], Meeting]:
    """Sums for each ordered pair that has met as opponents, all meetings together.

    At tables of more than two, net points are own points less that opponent's.
    """
    table: dict[tuple[int, int], Meeting] = {}
    sign = -1 if fewer_points_win else 1
    counted = set(entrants) - set(void)
    for result in results:
        order = places(result, fewer_points_win)
        against = opposing(len(result.seats), sides)
        for seat, entrant in enumerate(result.seats):
            for other_seat in against[seat]:
                other = result.seats[other_seat]
                pair = (entrant, other)
                if entrant not in counted or other not in counted:
                    continue
                share = _share(result, order, seat, other_seat)
                meeting = table.setdefault(pair, Meeting())
                meeting.meetings += 1
                meeting.match_points += share
                meeting.won += share == 1
                meeting.drawn += share == 0.5
                meeting.lost += share == 0
                meeting.games_won += result.games_won[seat]
                meeting.games_lost += result.games_won[other_seat]
                meeting.hands += result.hands
                meeting.net_points += sign * (result.points[seat] - result.points[other_seat])
    return table
