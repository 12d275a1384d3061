"""Ratings on an Elo-like scale with honest intervals. Pure.

From all results at once (never step by step, so nothing drifts and order does not matter). The
quantity is the chance to win a *game*; games lost by strikes count, matches that were not played do
not. 400 points are odds of ten to one. 1500 is the mean of the bots of a pool that have both won
and lost (of all, if those are fewer than two): how weak a bot is that never won nobody knows, and
the others' ratings should not hang on it. Bots that have never met, not even through others, are in
different *pools*, and their ratings cannot be compared.

Likelihoods, intervals and marks come from one fit and one measure of its uncertainty. Where results
decide who meets whom, as in a Swiss or a ladder, luck adds up, and intervals allow for that (see
`sequential`). Marks are stricter than the likelihoods: they hold for all pairs of bots together, so
that among equals any false separation is as rare as 5 %.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from arena.tournament.match import Sides
from arena.tournament.model import FixtureResult
from arena.tournament.statistics.connected import pools_of
from arena.tournament.statistics.evidence import gather
from arena.tournament.statistics.marks import letters, shaffer
from arena.tournament.statistics.pairs import pairs
from arena.tournament.statistics.rated_pool import RatedPool
from arena.tournament.statistics.rating import CONFIDENCE, Rating, Ratings


def rate(
    entrants: Collection[int],
    results: Iterable[FixtureResult],
    *,
    fewer_points_win: bool = False,
    void: Collection[int] = (),
    sides: Callable[[int], Sides] = lambda seats: (),
) -> Ratings:
    """Ratings of all entrants.

    ``void``: disqualified ones, whose results count for nobody. ``sides``: who are partners at a
    table of so many seats; that they are level says nothing of who is stronger.
    """
    counted = set(entrants) - set(void)
    units = [unit for unit in pairs(results) if set(unit[0].seats) <= counted]
    observed, records = gather(entrants, units, fewer_points_win, sides)
    likelihood: dict[tuple[int, int], float | None] = {
        (a, b): None for a in entrants for b in entrants if a != b
    }
    pools = [
        RatedPool(pool, [o for o in observed if o.first in set(pool)], records)
        for pool in pools_of(observed)
    ]
    for rated in pools:
        likelihood.update(rated.likelihood)
    apart = _apart(likelihood)
    marks = _marks([[e for e in rated.order if rated.is_rated(e)] for rated in pools], apart)
    rows = [
        rated.row(entrant, number, marks.get(entrant, ""))
        for number, rated in enumerate(pools)
        for entrant in rated.order
    ]
    rows.sort(key=lambda row: row.rating is None)
    seen = {row.entrant for row in rows}
    rows += [
        Rating(entrant, None, None, None, None, 0, 0.0, 0, None, "")
        for entrant in sorted(entrants)
        if entrant not in seen
    ]
    return Ratings(tuple(rows), likelihood, tuple(pool.seat_effect() for pool in pools), apart)


def _apart(likelihood: Mapping[tuple[int, int], float | None]) -> frozenset[tuple[int, int]]:
    """The pairs that are told apart, at one level for all comparisons of the field together."""
    doubts = {
        (a, b): 2 * min(chance, 1 - chance)
        for (a, b), chance in likelihood.items()
        if chance is not None and a < b
    }
    return frozenset(shaffer(doubts, 1 - CONFIDENCE))


def _marks(pools: Sequence[Sequence[int]], apart: Collection[tuple[int, int]]) -> Mapping[int, str]:
    """Letters for the rated entrants of each pool, the best first.

    A letter less in common says that two are apart, and of bots in different pools nobody knows.
    So where no two are apart all have one letter; else those of a pool larger than every other
    have letters, and whoever cannot be compared with them has none.
    """
    rated = [pool for pool in pools if pool]
    if not apart:
        return letters([entrant for pool in rated for entrant in pool], lambda a, b: False)
    sizes = sorted(map(len, pools), reverse=True)
    if len(sizes) > 1 and sizes[0] == sizes[1]:
        return {}
    return letters(max(pools, key=len), lambda a, b: (min(a, b), max(a, b)) in apart)
