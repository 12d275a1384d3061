"""What all tournament formats share: checks, series lengths, mirrored fixtures. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import permutations

from arena.errors import ConfigError
from arena.tournament.model import Fixture, FixtureKey, FormatOptions, Left

WALK_OVER_GAMES = 0


def series(options: FormatOptions) -> tuple[int, int | None]:
    """Most games of a fixture, and the wins that end it early (None: all games are played).

    :raises ConfigError: when the numbers make no series.
    """
    if options.best_of is None:
        if options.games < 1:
            raise ConfigError(f"games = {options.games}: a fixture needs at least 1 game")
        return options.games, None
    if options.best_of < 1 or options.best_of % 2 == 0:
        raise ConfigError(f"best_of = {options.best_of}: choose an odd number such as 1, 3 or 5")
    return options.best_of, options.best_of // 2 + 1


def check_entrants(seeding: Sequence[int], least: int, format_name: str) -> None:
    """Refuse a field that is too small or names an entrant twice.

    :raises ConfigError: saying how many entrants the format needs.
    """
    if len(seeding) < least:
        raise ConfigError(
            f"{len(seeding)} entrants: {format_name} needs at least {least}; register more bots"
        )
    if len(set(seeding)) != len(seeding):
        twice = sorted({entrant for entrant in seeding if seeding.count(entrant) > 1})
        raise ConfigError(f"seeding names entrants {twice} more than once; list each one once")


def check_legs(options: FormatOptions) -> None:
    """Refuse a schedule without legs.

    :raises ConfigError: when ``legs`` is below 1.
    """
    if options.legs < 1:
        raise ConfigError(
            f"legs = {options.legs}: each pair must meet at least once, use 1 or more"
        )


def fixture(key: FixtureKey, seats: tuple[int, ...], options: FormatOptions, label: str) -> Fixture:
    """A fixture whose deals are shared by every half of the same round and slot.

    A bye has no games to play.
    """
    games, wins_needed = series(options)
    if len(seats) == 1:
        games, wins_needed = WALK_OVER_GAMES, None
    deal_key = f"{key.stage}/{key.round}/{key.slot}"
    return Fixture(key, seats, deal_key, games, wins_needed, label)


def seat_orders(seats: tuple[int, ...], every: bool = False) -> tuple[tuple[int, ...], ...]:
    """The seat orders in which one deal is played, the given order first.

    Two seats: both orders. Three: all six, so that every bot holds every hand to the left and to
    the right of every other. More: only the rotations, because 24, 120 or 720 repeats of a deal
    would cost more new deals than the last of the balance is worth; each bot still holds each hand
    once, but always with the same neighbours (and, in games of two sides, the same partner).
    ``every``: all of them all the same.
    """
    if every or len(seats) <= 3:
        return tuple(permutations(seats))
    return tuple(seats[shift:] + seats[:shift] for shift in range(len(seats)))


def halves(seats: tuple[int, ...], options: FormatOptions) -> tuple[tuple[int, ...], ...]:
    """The seat orders to play: all of `seat_orders`, or the given one without ``duplicate``."""
    return seat_orders(seats, options.all_orders) if options.duplicate else (seats,)


def paired_round(
    stage: str, number: int, pairings: Iterable[tuple[int, ...]], options: FormatOptions
) -> list[Fixture]:
    """The fixtures of a round of matches of two, all first halves before all second halves."""
    fixtures = []
    for half in range(2 if options.duplicate else 1):
        label = f"Round {number}" + (", seats swapped" if half else "")
        for slot, seats in enumerate(pairings, start=1):
            order = seats[::-1] if half else seats
            fixtures.append(fixture(FixtureKey(stage, number, slot, half), order, options, label))
    return fixtures


def gone(left: Left, number: int) -> set[int]:
    """Who had left when the round of this number was paired."""
    return {entrant for entrant, latest in left.items() if latest < number}


def count_played(fixtures: Iterable[Fixture]) -> int:
    """Number of fixtures that are played, byes left out."""
    return sum(len(f.seats) > 1 for f in fixtures)
