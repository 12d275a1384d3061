"""What is to be played and what came of it, as schedules, referees, store and pages exchange it.

Pure: no I/O, no clock. Below all that use it, so that none of them has to import another for it.

An *entrant* is a number 0…n-1 within one tournament. A *fixture* is a scheduled match. Fixtures
that share a ``deal_key`` are played with the same deals in different seat orders (mirrored).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


class FixtureKey(NamedTuple):
    """Names a fixture within its tournament. ``half`` tells mirrored fixtures apart (0, 1, …)."""

    stage: str
    round: int
    slot: int
    half: int = 0


@dataclass(frozen=True, slots=True)
class Fixture:
    """A match to be played.

    ``seats``: entrants by seat. One entrant alone is a bye: it is never called and nothing counts.
    ``deal_key``: the deals of every game are functions of this text and the tournament's secret.
    ``games``: most games to play. ``wins_needed``: stop when an entrant has won so many games,
    None to play all. ``label``: for people, e.g. ``Final`` or ``Round 3``.
    """

    key: FixtureKey
    seats: tuple[int, ...]
    deal_key: str
    games: int
    wins_needed: int | None = None
    label: str = ""


@dataclass(frozen=True, slots=True)
class FixtureResult:
    """How a fixture ended. Tuples are by seat of the fixture.

    ``winner``: the entrant that won the match, None for a draw or a double forfeit.
    ``games_won``: games; ``points``: hand points, what the rules count in play.
    ``hand_diffs``: for each finished hand, seat 0's points minus the others' (two-handed games
    only, else empty), the raw material of statistics. ``termination``: a `referee.Termination`.
    """

    key: FixtureKey
    seats: tuple[int, ...]
    winner: int | None
    games_won: tuple[int, ...]
    games_drawn: int
    points: tuple[int, ...]
    hands: int
    hands_won: tuple[int, ...]
    termination: str
    forfeited: tuple[int, ...] = ()
    """Entrants that forfeited the match (not merely a game)."""
    hand_diffs: tuple[int, ...] = ()
    places: tuple[int, ...] = ()
    """Places by seat, 1 the best, equal for a tie; empty where winner, games and points tell."""
    games: int | None = None
    """Most games that there were to play: where several win a game together and change from game
    to game, those won do not tell how many there were. None if that cannot be."""
