"""What the store gives back: frozen values, JSON columns already decoded."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from arena.errors import StoreError
from arena.fixture import Fixture, FixtureKey, FixtureResult
from arena.referee.verdicts import Termination

RawRow = Mapping[str, Any]
"""A row as it is stored: plain values by name of the column."""


@contextmanager
def decoding(what: str) -> Iterator[None]:
    """Around turning a row into a value.

    :raises StoreError: the row holds what the arena never writes.
    """
    try:
        yield
    except (ValueError, TypeError, KeyError) as error:
        raise StoreError(f"{what} is damaged ({error}); restore a backup") from error


class TournamentState(StrEnum):
    """Where a tournament is in its life."""

    DRAFT = "draft"
    REGISTRATION = "registration"
    RUNNING = "running"
    PAUSED = "paused"
    FINISHED = "finished"
    CANCELLED = "cancelled"


class FixtureStatus(StrEnum):
    """Where a fixture is in its life; each is in exactly one state."""

    PENDING = "pending"
    PLAYING = "playing"
    FINISHED = "finished"
    VOID = "void"
    BYE = "bye"


OPEN = (FixtureStatus.PENDING, FixtureStatus.PLAYING)
"""A fixture that is still to be played, or to be played on."""


class BotState(StrEnum):
    """Whether a bot may take part in tournaments that are organised on the pages."""

    PENDING = "pending"
    ACCEPTED = "accepted"
    RETIRED = "retired"


class EntrantState(StrEnum):
    """Whether an entrant still takes part."""

    PLAYING = "playing"
    WITHDRAWN = "withdrawn"
    DISQUALIFIED = "disqualified"


@dataclass(frozen=True, slots=True)
class TournamentRow:
    """One tournament. ``secret`` is hex and must not leave the process before it is finished."""

    id: str
    name: str
    slug: str
    state: TournamentState
    format: str
    variant: str
    config: Mapping[str, Any]
    secret: str
    commitment: str
    created_at: str
    started_at: str | None
    finished_at: str | None
    digest: str | None
    revision: int

    @property
    def over(self) -> bool:
        """Whether no more will be played."""
        return self.state in (TournamentState.FINISHED, TournamentState.CANCELLED)


@dataclass(frozen=True, slots=True)
class EntrantRow:
    """A bot version in one tournament. ``rating``: before it began, None if it was not known.

    ``left_round``: of one that has left, the latest round that was scheduled by then, 0 if none
    was. None for one that still takes part, and in tournaments that were over before the arena
    noted this down.
    """

    tournament_id: str
    number: int
    seeding: int
    bot_version_id: int
    name: str
    state: EntrantState
    rating: float | None = None
    left_round: int | None = None


@dataclass(frozen=True, slots=True)
class BotRow:
    """A registered bot with its newest version. ``endpoint`` and secrets are for its owner only."""

    id: int
    name: str
    state: BotState
    created_at: str
    owner_hash: str | None
    homepage: str | None
    author: str | None
    version_id: int
    version: int
    endpoint: str
    secret: str | None
    old_secret: str | None
    info: Mapping[str, Any]
    report: Mapping[str, Any] | None


@dataclass(frozen=True, slots=True)
class FixtureRow:
    """A fixture with its result so far.

    Tuples are by seat; ``seats`` and ``winner`` are entrant numbers. ``faults``: how many there
    were, None until it is finished, and where it was before they were counted.
    """

    id: str
    tournament_id: str
    position: int
    key: FixtureKey
    replay: int
    label: str
    seats: tuple[int, ...]
    deal_key: str
    games: int
    wins_needed: int | None
    status: FixtureStatus
    winner: int | None
    games_won: tuple[int, ...]
    games_drawn: int
    points: tuple[int, ...]
    hands: int
    hands_won: tuple[int, ...]
    hand_diffs: tuple[int, ...]
    forfeited: tuple[int, ...]
    places: tuple[int, ...]
    termination: str | None
    sentence: str | None
    started_at: str | None
    finished_at: str | None
    digest: str | None
    faults: int | None = None

    @property
    def fixture(self) -> Fixture:
        """The fixture as the schedule made it."""
        return Fixture(
            self.key, self.seats, self.deal_key, self.games, self.wins_needed, self.label
        )

    @property
    def result(self) -> FixtureResult | None:
        """Its result, None until it is finished."""
        if self.status not in (FixtureStatus.FINISHED, FixtureStatus.BYE):
            return None
        nothing = (0,) * len(self.seats)
        return FixtureResult(
            key=self.key,
            seats=self.seats,
            winner=self.winner,
            games_won=self.games_won or nothing,
            games_drawn=self.games_drawn,
            points=self.points or nothing,
            hands=self.hands,
            hands_won=self.hands_won or nothing,
            termination=self.termination or Termination.NORMAL,
            forfeited=self.forfeited,
            hand_diffs=self.hand_diffs,
            places=self.places,
            games=self.games,
        )


@dataclass(frozen=True, slots=True)
class GameRow:
    """One finished game of a fixture. ``winner`` is a seat."""

    fixture_id: str
    number: int
    winner: int | None
    points: tuple[int, ...]
    totals: tuple[int, ...]
    hands: int
    termination: str
    sentence: str


@dataclass(frozen=True, slots=True)
class HandRow:
    """One finished hand. ``record`` is its one-line record; ``times`` milliseconds a decision.

    ``winner`` is a seat; ``points`` are by position of the hand. ``notes``: what bots remarked,
    with the turn.
    """

    fixture_id: str
    game: int
    number: int
    record: str
    ending: str
    winner: int | None
    points: tuple[int, ...]
    times: tuple[int, ...]
    books: tuple[Sequence[Any], ...]
    notes: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True, slots=True)
class FaultRow:
    """One failed call. ``detail`` is for the bot's owner and the organiser."""

    fixture_id: str
    game: int
    hand: int
    turn: int
    entrant: int
    code: str
    detail: str
    elapsed_ms: float


@dataclass(frozen=True, slots=True)
class OverheadRow:
    """Time books of an entrant over a tournament, bot's and arena's apart."""

    entrant: int
    decisions: int
    bot_ms: float
    arena_ms: float
