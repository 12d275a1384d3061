"""The table of a tournament: who stands where, with what, and which tie-break decided. Pure.

Written rules:

- a fixture is one result: win 1 match point, draw ½; at tables of more than two, one for each
  opponent left behind and ½ for each tied with; partners are no opponents;
- byes: see `TableRules.bye_points`; no games, hands or hand points are counted for them;
- a forfeit is a lost match, a double forfeit is lost by both; only what was played counts;
- a withdrawn entrant keeps its place by the points it has, and is marked;
- a disqualified entrant has no rank and is listed last; its fixtures count for nobody;
- entrants that were at the same tables in all their matches and came out of each with the same
  place, games and points, as partners do who always play together, share a place: nothing was
  played that could tell them apart.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from arena.tournament.match import Sides, is_bye, places
from arena.tournament.model import FixtureResult
from arena.tournament.ranking.tally import Tally, add_up, crosstable
from arena.tournament.ranking.tie_breaks import (
    LEAGUE_CHAIN,
    Reason,
    TieBreak,
    Value,
    break_ties,
    direct_encounter,
    overall_values,
    points_per_hand,
)
from arena.tournament.statistics.rating import Rating


class Presence(StrEnum):
    """Whether an entrant is still in the tournament."""

    PLAYING = "playing"
    WITHDRAWN = "withdrawn"
    DISQUALIFIED = "disqualified"


@dataclass(frozen=True, slots=True)
class TableRules:
    """How to make a table.

    ``bye_points``: match points for a bye, 1 in a Swiss, where it stands for a won match, and 0
    elsewhere, where all have equally many. ``fewer_points_win``: hand points are penalties.
    ``champion``: of a gauntlet, in which it alone plays every match: the table goes by the share of
    points that each took from it, and it stands where that is a half.
    ``sides``: who are partners in a match.
    """

    chain: tuple[TieBreak, ...] = LEAGUE_CHAIN
    bye_points: float = 0.0
    fewer_points_win: bool = False
    seeding: tuple[int, ...] = ()
    """Needed by chains that end with the seeding."""
    champion: int | None = None
    sides: Sides = ()


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the table.

    ``decided_by``: the tie-break that gave this place among those with equal match points, None
    where the points alone did. ``points_per_hand``: net, None before the first hand.
    ``decided_value``: what it had there, None for a lot and for the seeding. ``tie_breaks``: the
    values of the steps that do not depend on who is tied. ``partners``: who shares the place, as it
    always played together with this one.
    """

    rank: int | None
    entrant: int
    presence: Presence
    match_points: float
    played: int
    won: int
    drawn: int
    lost: int
    byes: int
    forfeits: int
    games: int
    games_won: int
    games_drawn: int
    games_lost: int
    hands: int
    hands_won: int
    points: int
    net_points: int
    points_per_hand: float | None
    decided_by: TieBreak | None
    tie_breaks: tuple[tuple[TieBreak, float], ...]
    decided_value: float | None = None
    partners: tuple[int, ...] = ()


def standings(
    names: Mapping[int, str],
    results: Iterable[FixtureResult],
    rules: TableRules,
    secret: bytes,
    *,
    withdrawn: Collection[int] = (),
    disqualified: Collection[int] = (),
) -> tuple[Row, ...]:
    """The table, best first: a total order that does not depend on the order of the input.

    ``names``: the entrants of this table; results of others are left out (a group's table is made
    from the results of the whole tournament). ``secret`` settles what no play has settled.
    """
    played = tuple(results)
    tallies = add_up(
        played,
        names,
        bye_points=rules.bye_points,
        void=disqualified,
        fewer_points_win=rules.fewer_points_win,
        sides=rules.sides,
    )
    ranked = {e: tally for e, tally in tallies.items() if e not in disqualified}
    overall = overall_values(rules.chain, tallies, names, secret, rules.seeding)

    table = crosstable(played, ranked, fewer_points_win=rules.fewer_points_win, sides=rules.sides)

    def meet(tied: Collection[int]) -> Mapping[int, Value] | None:
        return direct_encounter(table, tied)

    teams = _inseparable(played, ranked, rules.fewer_points_win)
    levels: dict[float, list[int]] = {}
    for entrant, tally in ranked.items():
        if entrant == teams[entrant][0]:
            levels.setdefault(_merit(rules, entrant, tally), []).append(entrant)
    order = [
        decided
        for level in sorted(levels, reverse=True)
        for decided in break_ties(levels[level], rules.chain, overall, meet)
    ]
    rows: list[Row] = []
    for leader, reason in order:
        rank = len(rows) + 1
        for entrant in teams[leader]:
            presence = Presence.WITHDRAWN if entrant in withdrawn else Presence.PLAYING
            row = _row(rank, entrant, presence, tallies[entrant], reason, overall)
            partners = tuple(other for other in teams[leader] if other != entrant)
            rows.append(replace(row, partners=partners))
    rows += [
        _row(None, entrant, Presence.DISQUALIFIED, tallies[entrant], None, overall)
        for entrant in sorted(tallies, key=lambda e: (names[e], e))
        if entrant in disqualified
    ]
    return tuple(rows)


def _merit(rules: TableRules, entrant: int, tally: Tally) -> float:
    """What the table goes by before any tie-break. Who has not met the champion is last."""
    if rules.champion is None:
        return tally.match_points
    if entrant == rules.champion:
        return 0.5
    return tally.match_points / tally.played if tally.played else -1.0


def _inseparable(
    results: Sequence[FixtureResult], entrants: Collection[int], fewer_points_win: bool
) -> dict[int, list[int]]:
    """For each entrant all that share its place, itself among them."""
    came_out: dict[int, list[tuple[object, ...]]] = {entrant: [] for entrant in entrants}
    for result in results:
        if len(result.seats) == 2 or is_bye(result):
            alone: Sequence[object] = result.seats
        else:
            alone = [None] * len(result.seats)
        order = places(result, fewer_points_win)
        for seat, entrant in enumerate(result.seats):
            if entrant in came_out:
                came_out[entrant].append(
                    (
                        result.key, alone[seat], order[seat], entrant in result.forfeited,
                        result.games_won[seat], result.points[seat],
                    )
                )  # fmt: skip
    teams: dict[tuple[object, ...], list[int]] = {}
    for entrant, matches in sorted(came_out.items()):
        teams.setdefault(tuple(matches) or (entrant,), []).append(entrant)
    return {entrant: team for team in teams.values() for entrant in team}


def unplayed(rows: Iterable[Row]) -> tuple[Row, ...]:
    """The table before the first hand, and of a tournament without one: nobody has a rank."""
    return tuple(replace(row, rank=None, decided_by=None, decided_value=None) for row in rows)


def by_rating(rows: Sequence[Row], ratings: Sequence[Rating]) -> tuple[Row, ...]:
    """The table of a ladder: by rating, as it may be easy to win many matches there.

    Entrants of the largest pool whose rating has an interval are ranked; equal ratings share a
    rank. The others follow without a rank, as nobody knows where they belong; those with a rating
    come first.
    """
    found = {rating.entrant: (place, rating) for place, rating in enumerate(ratings)}
    placed: list[tuple[float, int, Row]] = []
    open_: list[tuple[int, Row]] = []
    for row in unplayed(rows):
        place, rating = found[row.entrant]
        known = rating.low is not None or rating.high is not None
        if row.presence is Presence.DISQUALIFIED:
            open_.append((len(found) + 1, row))
        elif rating.rating is not None and known and rating.pool == 0:
            placed.append((-round(rating.rating, 3), place, row))
        else:
            open_.append((place, row))
    placed.sort(key=lambda item: item[:2])
    table = [
        replace(row, rank=1 + sum(other < value for other, _, _ in placed))
        for value, _, row in placed
    ]
    open_.sort(key=lambda item: item[0])
    return (*table, *(row for _, row in open_))


@dataclass(frozen=True, slots=True)
class Winners:
    """Who won a finished tournament; partners win together. ``reason``: why nobody did."""

    entrants: tuple[int, ...]
    reason: str | None


NO_HAND = "no hand was played"
NONE_COUNTS = "no hand was played without a bot that is disqualified"
BY_LOT = "first place was level and is only in an order drawn by lot"
SHARED = "first place is shared"
OPEN_PLACE = "nobody came first"


def winners_of(rows: Sequence[Row], nobody_wins: str | None = None) -> Winners:
    """Who won a tournament that ended with this table.

    ``nobody_wins``: why nobody can win one of its format, None where somebody can.
    """
    if not any(row.hands for row in rows):
        shut_out = any(row.presence is Presence.DISQUALIFIED for row in rows)
        return Winners((), NONE_COUNTS if shut_out else NO_HAND)
    if nobody_wins is not None:
        return Winners((), nobody_wins)
    first = [row for row in rows if row.rank == 1]
    if not first:
        return Winners((), OPEN_PLACE)
    if any(row.decided_by is TieBreak.LOT for row in first):
        return Winners((), BY_LOT)
    if len(first) > 1 and len(first) != 1 + len(first[0].partners):
        return Winners((), SHARED)
    return Winners(tuple(row.entrant for row in first), None)


def _row(
    rank: int | None,
    entrant: int,
    presence: Presence,
    tally: Tally,
    reason: Reason | None,
    overall: Mapping[TieBreak, Mapping[int, Value]],
) -> Row:
    shown: Sequence[TieBreak] = [
        step for step in overall if step not in (TieBreak.LOT, TieBreak.SEEDING)
    ]
    return Row(
        rank=rank,
        entrant=entrant,
        presence=presence,
        match_points=tally.match_points,
        played=tally.played,
        won=tally.won,
        drawn=tally.drawn,
        lost=tally.lost,
        byes=tally.byes,
        forfeits=tally.forfeits,
        games=tally.games,
        games_won=tally.games_won,
        games_drawn=tally.games_drawn,
        games_lost=tally.games_lost,
        hands=tally.hands,
        hands_won=tally.hands_won,
        points=tally.points,
        net_points=tally.net_points,
        points_per_hand=points_per_hand(tally) if tally.hands else None,
        decided_by=reason.step if reason else None,
        tie_breaks=tuple((step, overall[step][entrant][0]) for step in shown),
        decided_value=reason.value if reason else None,
    )
