"""The plain values that schedules, standings and the store exchange. Pure: no I/O, no clock.

An *entrant* is a number 0…n-1 within one tournament. A *fixture* is a scheduled match. Fixtures
that share a ``deal_key`` are played with the same deals in different seat orders (mirrored).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol


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


Results = Mapping[FixtureKey, FixtureResult]


@dataclass(frozen=True, slots=True)
class FormatOptions:
    """What an organiser chooses about a format.

    ``games``: games of a fixture where it is not a best-of match. ``best_of``: odd, None to play
    ``games``. ``legs``: how often each pair meets (each leg is a mirrored pair of fixtures when
    ``duplicate``). ``rounds``: Swiss rounds, None for the usual number. ``groups``, ``advance``:
    groups then bracket. ``third_place``: play for it. ``champion``: entrant of a gauntlet.
    ``table_size``: seats of a table (2 but for three-handed and Indian games).
    ``fewer_points_win``: hand points are penalties, as in Indian rummy.
    """

    games: int = 2
    best_of: int | None = None
    legs: int = 1
    duplicate: bool = True
    rounds: int | None = None
    groups: int = 2
    advance: int = 2
    third_place: bool = True
    champion: int = 0
    table_size: int = 2
    fewer_points_win: bool = False


class Format(Protocol):
    """A tournament format: a pure function from results so far to fixtures.

    ``seeding``: entrants from the strongest to the weakest. `fixtures` returns every fixture known
    so far, in the order in which they should be played; called again with more results it returns
    the same fixtures and perhaps more. The stage is over when all of them have results and a
    further call adds none.

    ``title``: the name for people. ``has_table``: points are counted in a table. ``has_bracket``:
    who loses is out, or moves to the other half. Groups have both, one after the other.
    """

    name: str
    title: str
    has_table: bool
    has_bracket: bool

    def fixtures(
        self, seeding: Sequence[int], options: FormatOptions, results: Results
    ) -> tuple[Fixture, ...]: ...

    def total(self, entrants: int, options: FormatOptions) -> int | None:
        """Number of fixtures in all, byes not counted; None where it depends on the results."""
        ...
