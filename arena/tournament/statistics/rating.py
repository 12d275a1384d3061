"""What is said of how strong an entrant is: the values, and the scale that they are on. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from math import log

from arena.tournament.statistics.intervals import LEAST_DEGREES

MEAN = 1500.0
SCALE = 400 / log(10)
CONFIDENCE = 0.95
LEAST_GAMES = 2
"""With fewer games there is no rating: one game says nothing but who won it."""

PAIRS_FOR_INTERVAL = LEAST_DEGREES + 1
"""With fewer pairs of its own an entrant's rating has no interval, whatever the field has shown."""


class Bound(StrEnum):
    """What a rating is that rests on wins only or on losses only."""

    AT_LEAST = "at_least"
    AT_MOST = "at_most"


@dataclass(frozen=True, slots=True)
class Rating:
    """The rating of an entrant; None where there is too little to tell.

    ``low`` and ``high``: 95 % interval of the distance to 1500; both None where there are too few
    pairs for one. ``bound``: set for an unbeaten or winless entrant, whose interval is open to that
    side (None). ``pairs``: units behind it. ``pool``: from 0, None before the first game.
    ``marks``: two entrants with letters share one exactly when the data do not separate them;
    empty for those that cannot be compared with the others, see `ratings._marks`.
    """

    entrant: int
    rating: float | None
    low: float | None
    high: float | None
    bound: Bound | None
    games: int
    games_won: float
    pairs: int
    pool: int | None
    marks: str


@dataclass(frozen=True, slots=True)
class SeatEffect:
    """Rating points that the first seat is worth; None where nothing can be said."""

    points: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Ratings:
    """``rows``: pool by pool, the best first, those without a rating last.

    ``likelihood``: for each ordered pair the probability that the first is stronger; None where
    the two cannot be compared, or have played too little. ``seat_effects``: rating points that the
    first seat is worth, by pool, with its interval. ``apart``: the pairs, smaller number first,
    that are told apart where all are compared at once.
    """

    rows: tuple[Rating, ...]
    likelihood: Mapping[tuple[int, int], float | None]
    seat_effects: tuple[SeatEffect, ...]
    apart: frozenset[tuple[int, int]]
