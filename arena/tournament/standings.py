"""The table of a tournament: who stands where, with what, and which tie-break decided. Pure.

Written rules:

- a fixture is one result: win 1 match point, draw ½; at tables of more than two, one for each
  opponent left behind and ½ for each tied with;
- byes: see `TableRules.bye_points`; no games, hands or hand points are counted for them;
- a forfeit is a lost match, a double forfeit is lost by both; only what was played counts;
- a withdrawn entrant keeps its place by the points it has, and is marked;
- a disqualified entrant has no rank and is listed last; its fixtures count for nobody.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from arena.tournament.model import FixtureResult, FormatOptions
from arena.tournament.tally import Tally, add_up, crosstable
from arena.tournament.tie_breaks import (
    LEAGUE_CHAIN,
    PLAIN_CHAIN,
    SWISS_CHAIN,
    TieBreak,
    Value,
    break_ties,
    direct_encounter,
    overall_values,
    points_per_hand,
)


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
    """

    chain: tuple[TieBreak, ...] = LEAGUE_CHAIN
    bye_points: float = 0.0
    fewer_points_win: bool = False
    seeding: tuple[int, ...] = ()
    """Needed by chains that end with the seeding."""


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the table.

    ``decided_by``: the tie-break that gave this place among those with equal match points, None
    where the points alone did. ``points_per_hand``: net, None before the first hand.
    ``tie_breaks``: the values of the steps that do not depend on who is tied.
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


def table_rules(format_name: str, options: FormatOptions) -> TableRules:
    """The rules that a format's table follows (of groups: `groups.group_rules`)."""
    chains = {"round_robin": LEAGUE_CHAIN, "swiss": SWISS_CHAIN}
    return TableRules(
        chain=chains.get(format_name, PLAIN_CHAIN),
        bye_points=1.0 if format_name == "swiss" else 0.0,
        fewer_points_win=options.fewer_points_win,
    )


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
    )
    ranked = {e: tally for e, tally in tallies.items() if e not in disqualified}
    overall = overall_values(rules.chain, tallies, names, secret, rules.seeding)

    table = crosstable(played, ranked, fewer_points_win=rules.fewer_points_win)

    def meet(tied: Collection[int]) -> Mapping[int, Value] | None:
        return direct_encounter(table, tied)

    levels: dict[float, list[int]] = {}
    for entrant, tally in ranked.items():
        levels.setdefault(tally.match_points, []).append(entrant)
    order = [
        decided
        for level in sorted(levels, reverse=True)
        for decided in break_ties(levels[level], rules.chain, overall, meet)
    ]
    rows = [
        _row(
            rank,
            entrant,
            Presence.WITHDRAWN if entrant in withdrawn else Presence.PLAYING,
            tallies[entrant],
            step,
            overall,
        )
        for rank, (entrant, step) in enumerate(order, start=1)
    ]
    rows += [
        _row(None, entrant, Presence.DISQUALIFIED, tallies[entrant], None, overall)
        for entrant in sorted(tallies, key=lambda e: (names[e], e))
        if entrant in disqualified
    ]
    return tuple(rows)


def _row(
    rank: int | None,
    entrant: int,
    presence: Presence,
    tally: Tally,
    decided_by: TieBreak | None,
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
        decided_by=decided_by,
        tie_breaks=tuple((step, overall[step][entrant][0]) for step in shown),
    )
