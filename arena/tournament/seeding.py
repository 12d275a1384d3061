"""Who is seeded where, and what the entrants are rated, fixed when a tournament begins.

The order is that in which the bots were named, or that of an earlier tournament's table, or that of
their ratings. Ratings are those of the earlier tournament, or else of all that the bots have played
of this game in the database. They stay with the entrants, so that what is said about a match that
is to come does not change with what is played elsewhere meanwhile. Part of the I/O edge.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial

from arena.config import SeedBy, TournamentConfig, check_seeding
from arena.errors import ConfigError, StoreError
from arena.fixture import FixtureResult
from arena.rules.games import sides_of
from arena.store import Store
from arena.store.pages import Pages
from arena.store.rows import EntrantRow, EntrantState, TournamentRow
from arena.tournament.bot_results import played_of
from arena.tournament.registration import BEFORE
from arena.tournament.results import entrant_names, standings_of, stored_results
from arena.tournament.statistics.rating import Ratings
from arena.tournament.statistics.ratings import rate

SHOWN = 8
"""So many bots are named in one line."""


def check_source_is_over(store: Store, tournament: TournamentRow) -> None:
    """Whether the tournament that gives the seeding has a final table.

    :raises ConfigError: it is not over yet.
    """
    source = TournamentConfig.from_json(tournament.config).seeded_from
    if source is not None and not store.tournaments.find(source).over:
        raise ConfigError(
            f"{tournament.name!r} is seeded from {source!r}; play that to its end first"
        )


def seed(store: Store, tournament: TournamentRow) -> list[str]:
    """Fix order and ratings, unless something has been scheduled already.

    Returns the names of bots about which the seeding knows nothing, having no place in the earlier
    tournament or no rating; they are seeded last, in the order in which they were named.

    :raises ConfigError: the tournament that gives the seeding is not over yet.
    """
    if Pages(store).fixture_counts(tournament.id)[0]:
        return []
    check_source_is_over(store, tournament)
    config = TournamentConfig.from_json(tournament.config)
    entrants = store.tournaments.entrants(tournament.id)
    by_ratings = config.seeding is SeedBy.RATINGS
    ratings: Mapping[int, float] = {}
    order = sorted(entrants, key=lambda row: row.seeding)
    new: set[int] = set()
    if config.seeded_from is not None:
        earlier = store.tournaments.find(config.seeded_from)
        ratings = _earlier_ratings(store, earlier, entrants)
        names = entrant_names(store, earlier.id)
        place = {names[row.entrant]: at for at, row in enumerate(standings_of(store, earlier))}
        new = {row.number for row in entrants if row.name not in place}
        order = sorted(order, key=lambda row: place.get(row.name, len(place)))
    elif by_ratings or config.find_format().has_bracket:
        ratings = _known_ratings(store, tournament, entrants)
    if by_ratings:
        # Stable, so that those without a rating keep the order they were named in.
        order = sorted(order, key=lambda row: -ratings.get(row.number, float("-inf")))
        new = {row.number for row in entrants if row.number not in ratings}
    with store.transaction():
        store.tournaments.set_seeding(tournament.id, [row.number for row in order])
        store.tournaments.set_ratings(tournament.id, ratings)
    return [row.name for row in order if row.number in new]


def seeded_last(tournament: TournamentRow, new: Sequence[str]) -> str:
    """The sentence about bots of which the seeding knows nothing. ``new``: their names."""
    source = TournamentConfig.from_json(tournament.config).seeded_from
    of = "no place in {source!r}" if source is not None else "no rating yet"
    more = len(new) - SHOWN
    names = ", ".join(new[:SHOWN]) + (f" and {more} more" if more > 0 else "")
    have = "has" if len(new) == 1 else "have"
    return f"{names} {have} {of.format(source=source)}: seeded last, in the order given"


def _earlier_ratings(
    store: Store, earlier: TournamentRow, entrants: Sequence[EntrantRow]
) -> dict[int, float]:
    """What an earlier tournament rates these, by their number in this one."""
    before = store.tournaments.entrants(earlier.id)
    numbers = {row.name: row.number for row in before}
    out = {row.number for row in before if row.state is EntrantState.DISQUALIFIED}
    results = stored_results(store, earlier.id).values()
    fewer = TournamentConfig.from_json(earlier.config).options.fewer_points_win
    sides = partial(sides_of, earlier.variant)
    rated = rate(list(numbers.values()), results, fewer_points_win=fewer, void=out, sides=sides)
    own = {row.number: numbers[row.name] for row in entrants if row.name in numbers}
    found = comparable(rated, own.values())
    return {number: found[other] for number, other in own.items() if other in found}


def _known_ratings(
    store: Store, tournament: TournamentRow, entrants: Sequence[EntrantRow]
) -> dict[int, float]:
    """What all other tournaments of this game rate these bots, whatever their version."""
    own = {n: entry.bot_id for n, entry in Pages(store).versions(tournament.id).items()}
    bots: set[int] = set(own.values())
    results: list[FixtureResult] = []
    for played in played_of(store, tournament.variant):
        if played.tournament.id != tournament.id:
            bots |= {entry.bot_id for entry in played.entries.values()}
            results += [result for _, result in played.results]
    fewer = TournamentConfig.from_json(tournament.config).options.fewer_points_win
    sides = partial(sides_of, tournament.variant)
    found = comparable(rate(bots, results, fewer_points_win=fewer, sides=sides), own.values())
    return {number: found[bot] for number, bot in own.items() if bot in found}


def comparable(rated: Ratings, wanted: Collection[int]) -> dict[int, float]:
    """Ratings by entrant, of the pool that most of these are in; others mean nothing beside them.

    Rounded to a tenth: they are kept, and the last digits differ from machine to machine.
    """
    pools = Counter(
        row.pool for row in rated.rows if row.rating is not None and row.entrant in set(wanted)
    )
    if not pools:
        return {}
    most = max(pools.values())
    pool = min(number for number, count in pools.items() if count == most and number is not None)
    return {
        row.entrant: round(row.rating, 1)
        for row in rated.rows
        if row.pool == pool and row.rating is not None
    }


def reseed(
    store: Store,
    row: TournamentRow,
    *,
    by: SeedBy = SeedBy.GIVEN,
    source: str | None = None,
    order: Sequence[str] = (),
) -> None:
    """Choose the seeding of a tournament that has not started.

    ``order``: bots from the strongest to the weakest; those left out follow as they were.

    :raises StoreError: it has started, or there is no such tournament as ``source``.
    :raises ConfigError: a bot is named that is not in it, or twice.
    """
    with store.transaction():
        row = store.tournaments.get(row.id)
        if row.state not in BEFORE:
            raise StoreError(f"{row.name!r} is {row.state}; seedings are fixed when it starts")
        entrants = store.tournaments.entrants(row.id)
        if source is not None:
            store.tournaments.find(source)
        numbers = {entrant.name: entrant.number for entrant in entrants}
        for name in order:
            if name not in numbers:
                raise ConfigError(
                    f"{name!r} is not in {row.name!r}; there are: {', '.join(numbers)}"
                )
        first = [numbers[name] for name in order]
        if len(set(first)) < len(first):
            raise ConfigError("seeding names a bot twice; give each one place")
        rest = sorted(entrants, key=lambda entrant: entrant.seeding)
        left = [entrant.number for entrant in rest if entrant.number not in first]
        store.tournaments.set_seeding(row.id, [*first, *left])
        config = TournamentConfig.from_json(row.config)
        changed = replace(config, seeding=by, seeded_from=source)
        check_seeding(changed)
        store.tournaments.set_config(row.id, changed.to_json())
