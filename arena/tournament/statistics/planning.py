"""How long a tournament takes and how sharp its answers will be, before it starts. Pure.

The figures rest on `Assumptions`, whose defaults are measured on the sample bots; whoever has
measured better ones passes them.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, sqrt

from arena.errors import ConfigError
from arena.tournament.formats.registry import find_format
from arena.tournament.formats.volume import Volume
from arena.tournament.model import FormatOptions
from arena.tournament.statistics.intervals import LEAST_DEGREES, PAIRS_FOR_INTERVAL
from arena.tournament.statistics.rating import SCALE
from arena.tournament.statistics.student import NORMAL, t_quantile

SMALLEST, LARGEST = 1e-6, 1e6
"""What a gap or a deviation may be, in points or shares."""

SUREST = 0.999999
"""The most that confidence and power may be."""


@dataclass(frozen=True, slots=True)
class Assumptions:
    """What a plan supposes.

    ``hands_per_game``: to 100 points; ``decisions_per_hand``: of all players together.
    ``decisions_per_second``: of the whole arena. ``hand_deviation``: standard deviation of the net
    points of a hand. ``mirror_gain``: how many times smaller mirrored deals make the variance of
    points per hand; ``game_gain``: the same for games won, where less is gained.

    Measured, but for the speed, with the sample bots keen, greedy and simple at gin in this
    process: 161 mirrored pairs of two games a half. By pairing there were 8.2 to 10.1 hands a game,
    25 to 31 decisions a hand, deviations of 21 to 25 points, gains of 1.5 to 2.4 in points and of
    1.3 to 1.7 in games. Over a match mirrored deals gain less than over a hand: once the halves
    have taken different ways, who deals and when the game ends differ too.
    """

    hands_per_game: float = 8.8
    decisions_per_hand: float = 28.0
    decisions_per_second: float = 1000.0
    hand_deviation: float = 23.5
    mirror_gain: float = 1.9
    game_gain: float = 1.4


@dataclass(frozen=True, slots=True)
class Plan:
    """What to expect.

    ``fixtures``: expected number, ``most_fixtures``: at most. ``games`` … ``decisions``: expected
    totals. ``hands_per_entrant`` and ``pairs_per_entrant``: for the entrant with the fewest.
    ``points_half_width``: half the 95 % interval of its points per hand; ``rating_half_width``:
    of its rating. Both None where there will be too few pairs for one. They are those of bots of
    much the same strength; a hopeless one adds little to what is known of the others.
    """

    fixtures: float
    most_fixtures: int
    games: float
    hands: float
    decisions: float
    seconds: float
    hands_per_entrant: float
    pairs_per_entrant: float
    points_half_width: float | None
    rating_half_width: float | None


def plan(
    format_name: str,
    entrants: int,
    options: FormatOptions,
    assumptions: Assumptions | None = None,
) -> Plan:
    """What a tournament of this format will take and tell.

    :raises ConfigError: for an unknown format, impossible options, or one without an end.
    """
    suppose = assumptions or Assumptions()
    format = find_format(format_name)
    # Asking for the first fixtures is what checks the options.
    format.fixtures(range(entrants), options, {})
    volume = format.volume(entrants, options)
    hands = volume.games * suppose.hands_per_game
    decisions = hands * suppose.decisions_per_hand
    own_hands = volume.own_games * suppose.hands_per_game
    own_pairs = volume.own_fixtures / volume.halves
    points = rating = None
    points_degrees, rating_degrees = _degrees(volume, entrants)
    if own_pairs >= PAIRS_FOR_INTERVAL and points_degrees >= LEAST_DEGREES:
        gain = suppose.mirror_gain if volume.halves > 1 else 1.0
        reach = t_quantile(0.975, points_degrees)
        points = reach * suppose.hand_deviation / sqrt(own_hands * gain)
    if own_pairs > LEAST_DEGREES and rating_degrees >= LEAST_DEGREES:
        gain = suppose.game_gain if volume.halves > 1 else 1.0
        reach = t_quantile(0.975, rating_degrees)
        # Near even odds a game tells 1/4 about a strength in log-odds: deviation 2 / sqrt(games);
        # the mean that the rating is the distance to goes along with it a little.
        to_mean = (entrants - 1) / entrants
        spread = sqrt(_sparseness(volume, entrants) / (volume.own_games * gain))
        rating = reach * SCALE * 2 * to_mean * spread
    return Plan(
        fixtures=volume.fixtures,
        most_fixtures=volume.most_fixtures,
        games=volume.games,
        hands=hands,
        decisions=decisions,
        seconds=decisions / suppose.decisions_per_second,
        hands_per_entrant=own_hands,
        pairs_per_entrant=own_pairs,
        points_half_width=points,
        rating_half_width=rating,
    )


def _degrees(volume: Volume, entrants: int) -> tuple[int, int]:
    """Degrees of freedom of the intervals of points and of ratings, as those reckon them."""
    own = volume.own_fixtures / volume.halves
    units = volume.fixtures / volume.halves
    if own > volume.opponents:
        points = int(own) - volume.opponents
    else:
        # Met once each: what opponents are worth has to come from everybody's results.
        points = int(own * max(0.0, 1 - (entrants - 1) / units))
    return points, int(units) - entrants


def _sparseness(volume: Volume, entrants: int) -> float:
    """By what ratings vary more than their games say where an entrant meets some of the others.

    How strong opponents are is uncertain too, the more so the fewer they are: with d opponents
    chosen at random by (d - 1) / (d - 2), and by less as they come to be all. That results choose
    them adds to that, see `sequential`: a fifth, in simulations.
    """
    opponents = volume.opponents
    if opponents >= entrants - 1 or opponents < LEAST_DEGREES:
        return 1.0
    return 1.2 * (1 + (1 - opponents / (entrants - 1)) / (opponents - 2))


def pairs_needed(
    gap: float, deviation: float, *, confidence: float = 0.95, power: float = 0.8
) -> int:
    """Mirrored pairs that show a gap of this size.

    ``gap``: true difference from nothing, ``deviation``: standard deviation of a pair's value, in
    the same unit (points per hand, or share of games). With so many pairs the interval at this
    confidence leaves out zero with probability ``power``.

    :raises ConfigError: when the numbers make no question.
    """
    if not (SMALLEST <= gap <= LARGEST and SMALLEST <= deviation <= LARGEST):
        raise ConfigError(
            f"gap = {gap}, deviation = {deviation}: both must be from {SMALLEST:g} to {LARGEST:g}"
        )
    if not (0 < confidence <= SUREST and 0 < power <= SUREST):
        raise ConfigError(
            f"confidence = {confidence}, power = {power}: both must be above 0, at most {SUREST}"
        )
    # With little confidence and power together any two pairs will do.
    reach = max(0.0, NORMAL.inv_cdf((1 + confidence) / 2) + NORMAL.inv_cdf(power))
    return max(2, ceil((reach * deviation / gap) ** 2))


def points_deviation(assumptions: Assumptions | None = None, games: int = 2) -> float:
    """Standard deviation of a pair's points per hand with so many games a fixture."""
    suppose = assumptions or Assumptions()
    hands = 2 * games * suppose.hands_per_game
    return suppose.hand_deviation / sqrt(hands * suppose.mirror_gain)
