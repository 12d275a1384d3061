"""Audit: does a bot do better the second time it meets a deal? Pure.

In the second half of a mirrored pair a bot plays cards that its opponent held before. One that
remembers (against the rules of the arena, where requests are meant to be enough) would gain points
there. For each bot the difference of its points per hand, second half less first, is averaged over
its pairs. The luck of the deal cancels on the average, and so does what a seat is worth: pairs that
began on the first seat and pairs that began on the second are averaged apart, then together.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import fsum, sqrt

from arena.tournament.match import net_points
from arena.tournament.model import FixtureResult
from arena.tournament.statistics.intervals import CONFIDENCE, Estimate
from arena.tournament.statistics.marks import holm
from arena.tournament.statistics.pairs import Pair, pairs, units_by_entrant
from arena.tournament.statistics.student import t_cdf, t_quantile


@dataclass(frozen=True, slots=True)
class SecondLook:
    """Gain in points per hand at the second meeting of a deal, with its 95 % interval.

    ``stands_out``: the gain is established even when all bots are looked at together.
    """

    entrant: int
    gain: Estimate
    stands_out: bool


def second_look(
    results: Iterable[FixtureResult], *, fewer_points_win: bool = False
) -> tuple[SecondLook, ...]:
    """The audit of each entrant that has finished a mirrored pair, by number."""
    gains: dict[int, Estimate] = {}
    doubts: dict[tuple[int, int], float] = {}
    for entrant, units in sorted(units_by_entrant(pairs(results)).items()):
        starts: tuple[list[float], list[float]] = ([], [])
        for unit in units:
            difference = _difference(unit, entrant, fewer_points_win)
            if difference is not None:
                starts[unit[0].seats.index(entrant)].append(difference)
        count = sum(map(len, starts))
        if not count:
            continue
        gains[entrant], doubt = _estimate(starts, count)
        if doubt is not None:
            doubts[entrant, entrant] = doubt
    found = holm(doubts, 1 - CONFIDENCE)
    return tuple(
        SecondLook(entrant, gain, (entrant, entrant) in found and (gain.mean or 0) > 0)
        for entrant, gain in gains.items()
    )


def _difference(unit: Pair, entrant: int, fewer_points_win: bool) -> float | None:
    """Points per hand in the second half less those in the first; None without both halves."""
    if len(unit) != 2 or len(unit[0].seats) != 2 or not all(half.hands for half in unit):
        return None
    before, after = (
        net_points(half, fewer_points_win)[half.seats.index(entrant)] / half.hands for half in unit
    )
    return after - before


def _estimate(starts: tuple[list[float], list[float]], count: int) -> tuple[Estimate, float | None]:
    """The mean of both starts' means, and the two-sided doubt that it is only chance."""
    if min(map(len, starts)) < 2:
        return Estimate(None, None, None, count, count), None
    means = [fsum(values) / len(values) for values in starts]
    gain = sum(means) / 2
    # One variance for both starts, as the luck of the cards scatters alike on either seat. Two
    # estimates would take that of a start with only two pairs for well known.
    degrees = count - 2
    squares = fsum(
        (value - mean) ** 2 for values, mean in zip(starts, means, strict=True) for value in values
    )
    variance = squares / degrees * fsum(1 / len(values) for values in starts) / 4
    if variance < 1e-18:
        return Estimate(gain, None, None, count, count), None
    error = sqrt(variance)
    reach = t_quantile((1 + CONFIDENCE) / 2, degrees) * error
    doubt = 2 * (1 - t_cdf(abs(gain) / error, degrees))
    return Estimate(gain, gain - reach, gain + reach, count, count), doubt
