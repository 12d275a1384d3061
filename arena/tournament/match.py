"""What the result of one fixture means: who finished where, who goes on. Pure.

Written rules:

- A bye is never played; nobody is called and no game, hand or point counts. Whether it is worth
  match points is the format's rule (one in a Swiss, none elsewhere).
- A forfeit loses the match. What was really played before it stays; no games are invented.
- A double forfeit loses the match for both.
- A withdrawn entrant keeps its finished results; its open fixtures become forfeits. One that was
  in play and is broken off keeps its hands, its decided games and the points of the last game as
  they stood (see `unfinished`); one whose hands are all played is no forfeit.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from arena.referee.verdicts import Termination
from arena.tournament.model import Fixture, FixtureResult

Sides = tuple[tuple[int, ...], ...]
"""Seats by side: partners in one group. Empty where everybody plays for itself."""


def is_bye(item: Fixture | FixtureResult) -> bool:
    """Whether nobody plays here."""
    return len(item.seats) == 1


def forfeit_result(
    fixture: Fixture,
    forfeited: Sequence[int],
    termination: str = Termination.WITHDRAWN,
) -> FixtureResult:
    """The result of a fixture that was not played because these entrants were missing.

    With one entrant left it wins; with none left the match is a double forfeit; with several left
    (tables of three and more) what was played before ranks them, and without that they share the
    first place.
    """
    left = [entrant for entrant in fixture.seats if entrant not in forfeited]
    nothing = (0,) * len(fixture.seats)
    return FixtureResult(
        key=fixture.key,
        seats=fixture.seats,
        winner=left[0] if len(left) == 1 else None,
        games_won=nothing,
        games_drawn=0,
        points=nothing,
        hands=0,
        hands_won=nothing,
        termination=termination if left else Termination.DOUBLE_FORFEIT,
        forfeited=tuple(entrant for entrant in fixture.seats if entrant in forfeited),
        games=fixture.games,
    )


def left_sentence(names: Sequence[str], hands: int = 0) -> str:
    """Why a match was not played to its end, for people: these bots had left the tournament.

    ``hands``: how many were played before.
    """
    who = " and ".join(names)
    if not hands:
        return f"{who} left the tournament before this match."
    played = "the hand" if hands == 1 else f"the {hands} hands"
    return f"{who} left the tournament during this match; {played} played before stay."


def places(result: FixtureResult, fewer_points_win: bool = False) -> tuple[int, ...]:
    """Places by seat, 1 the best; equal for a tie.

    Entrants that forfeited come last. A match of two without a winner is a tie. At larger tables
    the winner is first and the others follow by games won, then by hand points.
    """
    if result.places:
        merits: list[tuple[float, ...]] = [(-place,) for place in result.places]
    elif len(result.seats) == 2:
        merits = [(float(entrant == result.winner),) for entrant in result.seats]
    else:
        sign = -1 if fewer_points_win else 1
        merits = [
            (float(entrant == result.winner), games, sign * points)
            for entrant, games, points in zip(
                result.seats, result.games_won, result.points, strict=True
            )
        ]
    keys = [
        (entrant not in result.forfeited, merit)
        for entrant, merit in zip(result.seats, merits, strict=True)
    ]
    return tuple(1 + sum(other > own for other in keys) for own in keys)


@lru_cache(maxsize=64)
def opposing(seats: int, sides: Sides) -> tuple[tuple[int, ...], ...]:
    """By seat, the seats that play against it: all others but its partners."""
    mates = {seat: side for side in sides for seat in side}
    return tuple(
        tuple(other for other in range(seats) if other not in mates.get(seat, (seat,)))
        for seat in range(seats)
    )


def match_points(
    result: FixtureResult, fewer_points_win: bool = False, sides: Sides = ()
) -> tuple[float, ...]:
    """Match points by seat: one for each opponent left behind, a half for each tied with.

    Between two that is 1 for a win and ½ for a draw. Whoever forfeits gets nothing, and of two
    that forfeit neither is ahead.
    """
    order = places(result, fewer_points_win)
    against = opposing(len(result.seats), sides)
    return tuple(
        0.0
        if entrant in result.forfeited
        else sum((order[other] > own) + (order[other] == own) / 2 for other in others)
        for entrant, own, others in zip(result.seats, order, against, strict=True)
    )


def net_points(result: FixtureResult, fewer_points_win: bool = False) -> tuple[int, ...]:
    """Hand points by seat as the sum of the leads over each opponent; larger is always better."""
    sign = -1 if fewer_points_win else 1
    total = sum(result.points)
    return tuple(sign * (own * len(result.seats) - total) for own in result.points)


def advancing(
    result: FixtureResult, seeding: Sequence[object], fewer_points_win: bool = False
) -> int | None:
    """Who goes on after a bracket match of two; None after a double forfeit.

    A bracket cannot stop for a draw, so when the games (all drawn, or dead, or equally shared)
    leave the match undecided, the better hand points of the match win it, and when they are equal
    too, the better seeding. Both are known in advance to everybody and need no further play: two
    bots that never finish a hand would draw a replay as well.
    """
    if result.winner is not None:
        return result.winner
    present = [entrant for entrant in result.seats if entrant not in result.forfeited]
    if not present:
        return None
    points = dict(zip(result.seats, result.points, strict=True))
    sign = -1 if fewer_points_win else 1
    return max(present, key=lambda entrant: (sign * points[entrant], -seeding.index(entrant)))
