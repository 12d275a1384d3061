"""One table for every format: by points in leagues, by how far each got in brackets, by rating in
ladders. Pure."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from arena.tournament.formats.bracket import Open
from arena.tournament.formats.bracket_tree import bracket_tree
from arena.tournament.formats.format import Format, RankedBy
from arena.tournament.match import Sides
from arena.tournament.model import FormatOptions, Results
from arena.tournament.ranking.standings import (
    Presence,
    Row,
    by_rating,
    standings,
    unplayed,
)
from arena.tournament.statistics.rating import Rating
from arena.tournament.statistics.ratings import rate


def tournament_table(
    format: Format,
    seeding: Sequence[int],
    options: FormatOptions,
    results: Results,
    names: Mapping[int, str],
    secret: bytes,
    *,
    withdrawn: Collection[int] = (),
    disqualified: Collection[int] = (),
    ratings: Sequence[Rating] | None = None,
    sides: Sides = (),
) -> tuple[Row, ...]:
    """The table of a tournament of any format, best first; nobody has a rank before the first hand.

    Of a bracket the rank is the best place that an entrant shares (5 for places 5 to 8), None
    while it is open. After groups come the entrants of the bracket as they finished there, then
    the third of each group, and so on, who share their places; until the last group is over the
    table is the plain one by points. Disqualified entrants are last and have no rank. Terminals
    and pages both take their table from here. ``ratings``: those of `rate`, if they are known
    already. ``sides``: who are partners in a match.
    """
    rules = replace(format.table_rules(options), sides=sides)
    rows = standings(
        names,
        results.values(),
        rules,
        secret,
        withdrawn=withdrawn,
        disqualified=disqualified,
    )
    if not any(row.hands for row in rows):
        return unplayed(rows)
    if format.ranked_by is RankedBy.RATING:
        if ratings is None:
            ratings = rate(
                list(names),
                results.values(),
                fewer_points_win=options.fewer_points_win,
                void=disqualified,
            ).rows
        return by_rating(rows, ratings)
    if not format.has_bracket or not _has_places(format, seeding, options, results):
        return rows
    return _by_bracket(format, seeding, options, results, rows)


def _has_places(
    format: Format, seeding: Sequence[int], options: FormatOptions, results: Results
) -> bool:
    """Whether its bracket has places yet: the field fits it, groups before are over."""
    if not results and not format.fits(seeding, options):
        return False
    return Open.TO_BE_DECIDED not in format.bracket(seeding, options, results).seeding


def _by_bracket(
    format: Format,
    seeding: Sequence[int],
    options: FormatOptions,
    results: Results,
    rows: Sequence[Row],
) -> tuple[Row, ...]:
    """The rows by the places of the bracket, then by those in the groups before it."""
    ranks = [
        (placing.entrant, placing.first)
        for placing in bracket_tree(format, seeding, options, results).placings
    ]
    ranks += format.places_behind(seeding, options, results)
    row_of = {row.entrant: row for row in rows}
    table = [
        replace(row_of[entrant], rank=rank, decided_by=None, decided_value=None)
        for entrant, rank in ranks
        if row_of[entrant].presence is not Presence.DISQUALIFIED
    ]
    return (*table, *(row for row in rows if row.presence is Presence.DISQUALIFIED))
