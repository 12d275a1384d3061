"""Makes results of fixtures by hand or by a simple model, for the tests of this folder."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from arena.referee.verdicts import Termination
from arena.tournament.formats.format import Format
from arena.tournament.model import (
    Fixture,
    FixtureKey,
    FixtureResult,
    FormatOptions,
    Results,
)

Play = Callable[[Fixture], FixtureResult]


def result(
    seats: Sequence[int],
    winner: int | None = None,
    *,
    points: Sequence[int] | None = None,
    games: Sequence[int] | None = None,
    drawn: int = 0,
    hands: int = 10,
    forfeited: Sequence[int] = (),
    key: FixtureKey | None = None,
    places: Sequence[int] = (),
) -> FixtureResult:
    """A result with sensible figures for what is not given."""
    won = tuple(games or [int(entrant == winner) for entrant in seats])
    if key is None:
        key = FixtureKey("-".join(map(str, seats)), 1, 1)
    termination = Termination.DOUBLE_FORFEIT if len(forfeited) == len(seats) else Termination.NORMAL
    return FixtureResult(
        key=key,
        seats=tuple(seats),
        winner=winner,
        games_won=won,
        games_drawn=drawn,
        points=tuple(points or [100 * wins for wins in won]),
        hands=hands,
        hands_won=tuple(won),
        termination=termination,
        forfeited=tuple(forfeited),
        places=tuple(places),
    )


def bye_result(fixture: Fixture) -> FixtureResult:
    """The result of a bye as the store hands it out: nothing is counted."""
    (entrant,) = fixture.seats
    return FixtureResult(fixture.key, (entrant,), entrant, (0,), 0, (0,), 0, (0,), Termination.BYE)


def lower_number_wins(fixture: Fixture) -> FixtureResult:
    """The entrant with the smaller number wins every match."""
    if len(fixture.seats) == 1:
        return bye_result(fixture)
    return result(fixture.seats, min(fixture.seats), key=fixture.key)


def both_forfeit(fixture: Fixture) -> FixtureResult:
    """Nobody turned up."""
    return result(fixture.seats, None, key=fixture.key, forfeited=fixture.seats, hands=0)


def play_out(
    format: Format,
    seeding: Sequence[int],
    options: FormatOptions,
    play: Play = lower_number_wins,
    most_calls: int = 1000,
) -> tuple[tuple[Fixture, ...], Results]:
    """Play a tournament to its end, one fixture at a time, checking that fixtures never change."""
    results: dict[FixtureKey, FixtureResult] = {}
    known: dict[FixtureKey, Fixture] = {}
    for _ in range(most_calls):
        fixtures = format.fixtures(seeding, options, results)
        assert len({fixture.key for fixture in fixtures}) == len(fixtures)
        now = {fixture.key: fixture for fixture in fixtures}
        assert {key: now.get(key) for key in known} == known
        known = now
        todo = [f for f in fixtures if len(f.seats) > 1 and f.key not in results]
        if not todo:
            return fixtures, results
        for fixture in todo[:1]:
            results[fixture.key] = play(fixture)
    raise AssertionError(f"no end after {most_calls} results")
