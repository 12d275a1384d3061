"""From stored fixtures to tables: the bridge between the store and the pure modules."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from arena.config import TournamentConfig
from arena.errors import ConfigError
from arena.rules.games import sides_of
from arena.store import Store
from arena.store.rows import EntrantRow, EntrantState, TournamentRow, TournamentState
from arena.tournament.formats.bracket_tree import TreeMatch, bracket_tree
from arena.tournament.formats.format import Format
from arena.tournament.formats.registry import stored_format
from arena.tournament.formats.schedule import series
from arena.tournament.model import FixtureKey, FixtureResult, Left
from arena.tournament.ranking.final_table import tournament_table
from arena.tournament.ranking.standings import Presence, Row, Winners, winners_of
from arena.tournament.ranking.table_text import TableText, group_order_text, table_text
from arena.tournament.statistics.intervals import Estimate, points_per_hand
from arena.tournament.statistics.odds import favourite
from arena.tournament.statistics.rating import Rating
from arena.tournament.statistics.ratings import rate

PLAYED = (TournamentState.RUNNING, TournamentState.PAUSED)


def format_of(tournament: TournamentRow) -> Format:
    """The format that a tournament is played in.

    :raises ConfigError: this version of the arena does not know it.
    """
    return stored_format(tournament.format, tournament.config.get("test"))


def entrant_names(store: Store, tournament_id: str) -> dict[int, str]:
    """Names by entrant number."""
    return {row.number: row.name for row in store.tournaments.entrants(tournament_id)}


def left_of(entrants: Iterable[EntrantRow]) -> Left:
    """Who has left, and after which round."""
    return {row.number: row.left_round for row in entrants if row.left_round is not None}


def stored_results(store: Store, tournament_id: str) -> dict[FixtureKey, FixtureResult]:
    """Every result so far, by key, in order of play."""
    return {
        row.key: result
        for row in store.fixtures.of(tournament_id)
        if (result := row.result) is not None
    }


def standings_of(
    store: Store, tournament: TournamentRow, strength: Strength | None = None
) -> tuple[Row, ...]:
    """A tournament's table as it stands; of a bracket, the places it has decided.

    ``strength``: if it is known already; the table of a ladder goes by it.
    """
    config = TournamentConfig.from_json(tournament.config)
    entrants = store.tournaments.entrants(tournament.id)
    return tournament_table(
        format_of(tournament),
        [row.number for row in sorted(entrants, key=lambda row: row.seeding)],
        config.options,
        stored_results(store, tournament.id),
        {row.number: row.name for row in entrants},
        bytes.fromhex(tournament.secret),
        withdrawn={r.number for r in entrants if r.state is EntrantState.WITHDRAWN},
        disqualified={r.number for r in entrants if r.state is EntrantState.DISQUALIFIED},
        ratings=None if strength is None else tuple(strength.ratings.values()),
        sides=sides_of(tournament.variant, config.options.table_size),
    )


@dataclass(frozen=True, slots=True)
class GroupTable:
    """The table of a group. ``order``: what it goes by, and who goes on from it."""

    name: str
    order: str
    rows: tuple[Row, ...]


def groups_of(store: Store, tournament: TournamentRow) -> tuple[GroupTable, ...]:
    """The table of each group as it stands, nothing where the field is not split."""
    options = TournamentConfig.from_json(tournament.config).options
    entrants = store.tournaments.entrants(tournament.id)
    seeding = [row.number for row in sorted(entrants, key=lambda row: row.seeding)]
    tables = format_of(tournament).group_tables(
        seeding,
        options,
        stored_results(store, tournament.id),
        {row.number: row.name for row in entrants},
    )
    order = group_order_text(seeding, options) if tables else ""
    return tuple(GroupTable(name, order, rows) for name, rows in tables)


def bracket_json(store: Store, tournament: TournamentRow) -> dict[str, Any]:
    """The matches of a bracket for programs, round by round. Unknown values are null.

    ``favourite``: who was rated better when the tournament began; ``chance``: its probability to
    win the match, see `arena.tournament.statistics.odds`.

    :raises ConfigError: it is of a format without a bracket.
    """
    config = TournamentConfig.from_json(tournament.config)
    entrants = store.tournaments.entrants(tournament.id)
    seeding = [row.number for row in sorted(entrants, key=lambda row: row.seeding)]
    results = stored_results(store, tournament.id)
    format = format_of(tournament)
    if format.has_bracket and not results and not format.fits(seeding, config.options):
        raise ConfigError(f"{tournament.name!r} has too few entrants for a bracket yet")
    tree = bracket_tree(format, seeding, config.options, results)
    matches = [match for column in tree.rounds for match in column.matches]
    if tree.third_place is not None:
        matches.append(tree.third_place)
    rows = {row.number: row for row in entrants}
    return {
        "tournament": tournament.name,
        "id": tournament.id,
        "state": tournament.state,
        "format": tournament.format,
        "champion": None if tree.champion is None else rows[tree.champion].name,
        "matches": [_bracket_match(match, rows, series(config.options)) for match in matches],
    }


def _bracket_match(
    match: TreeMatch, rows: Mapping[int, EntrantRow], length: tuple[int, int | None]
) -> dict[str, Any]:
    sides = [None if side.entrant is None else rows[side.entrant] for side in match.sides]
    one, other = (row.rating if row else None for row in sides)
    found = favourite(one, other, *length)
    better = sides[found.side] if found else None
    return {
        "stage": match.key.stage,
        "round": match.key.round,
        "slot": match.key.slot,
        "label": match.label,
        "state": match.state,
        "sides": [
            {
                "name": row.name if row else None,
                "text": side.text,
                "seeding": side.seed,
                "rating": row.rating if row else None,
                "games": side.games,
            }
            for side, row in zip(match.sides, sides, strict=True)
        ],
        "winner": None if match.winner is None else rows[match.winner].name,
        "note": match.note,
        "favourite": better.name if better else None,
        "chance": found.chance if found else None,
    }


@dataclass(frozen=True, slots=True)
class Strength:
    """What a tournament says about strength: net points a hand and ratings, with intervals."""

    points: Mapping[int, Estimate]
    ratings: Mapping[int, Rating]


def strength_of(store: Store, tournament: TournamentRow) -> Strength:
    """Points a hand and ratings of all entrants; disqualified ones count for nobody."""
    config = TournamentConfig.from_json(tournament.config)
    fewer = config.options.fewer_points_win
    entrants = store.tournaments.entrants(tournament.id)
    out = {row.number for row in entrants if row.state is EntrantState.DISQUALIFIED}
    results = list(stored_results(store, tournament.id).values())
    rated = rate(
        [row.number for row in entrants],
        results,
        fewer_points_win=fewer,
        void=out,
        sides=partial(sides_of, tournament.variant),
    )
    return Strength(
        points_per_hand(results, fewer_points_win=fewer, void=out),
        {row.entrant: row for row in rated.rows},
    )


def state_in(row: Row, state: TournamentState) -> str:
    """The state of an entrant of a tournament in this state: nobody plays in one that has not begun
    or is over."""
    plays = row.presence is Presence.PLAYING
    return state if plays and state not in PLAYED else row.presence


def counts(row: Row, name: str, state: TournamentState) -> dict[str, Any]:
    """What a line of the table counts, under the names that all exports give it, in their order.

    ``state``: of the tournament.
    """
    return {
        "rank": row.rank,
        "name": name,
        "state": state_in(row, state),
        "points": row.match_points,
        "played": row.played,
        "won": row.won,
        "drawn": row.drawn,
        "lost": row.lost,
        "byes": row.byes,
        "games": row.games,
        "games_won": row.games_won,
        "games_lost": row.games_lost,
        "hands": row.hands,
        "hands_won": row.hands_won,
        "hand_points": row.points,
        "points_per_hand": row.points_per_hand,
    }


def standings_json(store: Store, tournament: TournamentRow) -> dict[str, Any]:
    """A tournament's table for programs, in table order. Unknown numbers are null.

    ``ranked_by``: ``points``, ``share`` (of the points, in a gauntlet), ``bracket`` or ``rating``;
    ``order`` says it in a sentence. ``legend``: what the numbers mean, and the tie-breaks that
    decided a place. ``remarks``: what is true of all rows. ``winners``: who won it, once it is
    finished; partners win together. ``no_winner``: why nobody did, else null. ``rating_bound``:
    ``at_least`` or ``at_most`` of a bot that only won or only lost. ``groups``: the table of each
    group, where there are any.
    """
    names = entrant_names(store, tournament.id)
    strength = strength_of(store, tournament)
    rows = standings_of(store, tournament, strength)
    winners = finished_winners(tournament, rows)
    groups = groups_of(store, tournament)
    text = text_of(tournament, rows, strength, groups)
    return {
        "tournament": tournament.name,
        "id": tournament.id,
        "state": tournament.state,
        "format": tournament.format,
        "rules": tournament.variant,
        "commitment": tournament.commitment,
        "ranked_by": format_of(tournament).ranked_by,
        "order": text.order,
        "interval_unit": text.unit,
        "legend": {term.word: term.meaning for term in text.legend},
        "remarks": list(text.remarks),
        "winners": [names[entrant] for entrant in winners.entrants],
        "no_winner": winners.reason,
        "standings": [
            {
                **counts(row, names[row.entrant], tournament.state),
                **_strength_json(strength, row.entrant),
                "decided_by": row.decided_by,
                "decided_value": row.decided_value,
                "partners": [names[other] for other in row.partners],
            }
            for row in rows
        ],
        "groups": [
            {
                "name": group.name,
                "order": group.order,
                "standings": [
                    {
                        **counts(row, names[row.entrant], tournament.state),
                        "decided_by": row.decided_by,
                        "decided_value": row.decided_value,
                    }
                    for row in group.rows
                ],
            }
            for group in groups
        ],
    }


def text_of(
    tournament: TournamentRow,
    rows: Sequence[Row],
    strength: Strength,
    groups: Sequence[GroupTable] = (),
) -> TableText:
    """What is said about a tournament's table, and of its groups."""
    options = TournamentConfig.from_json(tournament.config).options
    every = (*rows, *(row for group in groups for row in group.rows))
    return table_text(format_of(tournament), options, every, strength.ratings, strength.points)


def finished_winners(tournament: TournamentRow, rows: Sequence[Row]) -> Winners:
    """Who won, with this table; nobody as long as it is not finished, without a reason."""
    if tournament.state is not TournamentState.FINISHED:
        return Winners((), None)
    return winners_of(rows, format_of(tournament).nobody_wins)


def _strength_json(strength: Strength, entrant: int) -> dict[str, Any]:
    points, rating = strength.points.get(entrant), strength.ratings.get(entrant)
    return {
        "points_per_hand_low": points.low if points else None,
        "points_per_hand_high": points.high if points else None,
        "rating": rating.rating if rating else None,
        "rating_bound": rating.bound if rating else None,
        "rating_low": rating.low if rating else None,
        "rating_high": rating.high if rating else None,
        "alike": rating.marks if rating else "",
    }
