"""One table for every format: by points in leagues, by how far each got in brackets, by rating in
ladders. Pure."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from arena.tournament.formats.bracket import Open
from arena.tournament.formats.bracket_tree import bracket_tree
from arena.tournament.formats.groups import group_tables, qualified
from arena.tournament.formats.registry import FORMATS, fits
from arena.tournament.match import Sides
from arena.tournament.model import Format, FormatOptions, Results
from arena.tournament.ranking.standings import (
    Presence,
    Row,
    by_rating,
    standings,
    table_rules,
    unplayed,
)
from arena.tournament.statistics.rating import Rating
from arena.tournament.statistics.ratings import rate


def tournament_table(
    format_name: str,
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
    table is the plain one by points. Disqualified entrants are last and have no rank. The name of
    the format may have hyphens; terminals and pages both take their table from here. ``ratings``:
    those of `rate`, if they are known already. ``sides``: who are partners in a match.
    """
    format_name = format_name.replace("-", "_")
    rules = table_rules(format_name, options, sides)
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
    if rules.by_rating:
        if ratings is None:
            ratings = rate(
                list(names),
                results.values(),
                fewer_points_win=options.fewer_points_win,
                void=disqualified,
            ).rows
        return by_rating(rows, ratings)
    format = FORMATS.get(format_name)
    if format is None or not _has_places(format, seeding, options, results):
        return rows
    return _by_bracket(format, seeding, options, results, rows)


def _has_places(
    format: Format, seeding: Sequence[int], options: FormatOptions, results: Results
) -> bool:
    """Whether there is a bracket that has places yet: the field fits it, groups before are over."""
    if not format.has_bracket or not (results or fits(format, seeding, options)):
        return False
    return not format.has_table or Open.TO_BE_DECIDED not in qualified(seeding, options, results)


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
        for placing in bracket_tree(seeding, options, results, format.name).placings
    ]
    if format.has_table:
        ranks += _not_qualified(seeding, options, results)
    row_of = {row.entrant: row for row in rows}
    table = [
        replace(row_of[entrant], rank=rank, decided_by=None, decided_value=None)
        for entrant, rank in ranks
        if row_of[entrant].presence is not Presence.DISQUALIFIED
    ]
    return (*table, *(row for row in rows if row.presence is Presence.DISQUALIFIED))


def ordered_by(format_name: str) -> str:
    """What the order of the table goes by: ``points``, ``share``, ``bracket`` or ``rating``."""
    name = format_name.replace("-", "_")
    rules = table_rules(name, FormatOptions())
    if rules.by_rating:
        return "rating"
    if rules.champion is not None:
        return "share"
    format = FORMATS.get(name)
    return "bracket" if format is not None and format.has_bracket else "points"


def _not_qualified(
    seeding: Sequence[int], options: FormatOptions, results: Results
) -> list[tuple[int, int]]:
    """Entrants and places after the bracket: by place in the group, equal places shared."""
    tables = group_tables(seeding, options, results)
    ranks: list[tuple[int, int]] = []
    better = options.groups * options.advance
    for place in range(options.advance, max(map(len, tables))):
        tier = [table[place] for table in tables if place < len(table)]
        tier.sort(key=lambda row: -row.match_points)
        ranks += [(row.entrant, better + 1) for row in tier]
        better += len(tier)
    return ranks
