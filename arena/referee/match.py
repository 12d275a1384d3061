"""The values a match is made of: what is played, and what came of each hand and game."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass

from arena.referee.asks import Ask, Notice, Reply
from arena.referee.clock import Book, ClockRules
from arena.referee.verdicts import FaultCode, Termination
from arena.rules.base import GameEnding, Variant


@dataclass(frozen=True, slots=True)
class MatchSetup:
    """One match to be refereed.

    ``tournament``, ``match``: opaque ids. ``names``: the bots by seat. ``games``: most games;
    ``wins_needed``: stop when a seat has won so many, None to play all. ``secret``, ``deal_key``:
    what the deals are functions of; mirrored matches share the key.
    """

    tournament: str
    match: str
    variant: Variant
    names: tuple[str, ...]
    games: int
    wins_needed: int | None
    secret: bytes
    deal_key: str
    clock: ClockRules


@dataclass(frozen=True, slots=True)
class Fault:
    """One failed call of a hand. ``turn`` counts decisions of the hand from 0."""

    seat: int
    turn: int
    code: FaultCode
    detail: str
    elapsed_ms: float


@dataclass(frozen=True, slots=True)
class HandPlayed:
    """A hand came to its end, or a seat forfeited in it.

    ``game``, ``number``: both from 1, the number within its game. ``record``: the line of text.
    ``winner``: a seat. ``points``: by position. ``times``: milliseconds of each decision, 0 where
    nobody was asked. ``books``: by seat, after the hand. ``notes``: what bots remarked, with the
    turn.
    """

    game: int
    number: int
    record: str
    ending: str
    winner: int | None
    points: tuple[int, ...]
    times: tuple[int, ...]
    books: tuple[Book, ...]
    faults: tuple[Fault, ...] = ()
    notes: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True, slots=True)
class GamePlayed:
    """A game came to its end. ``winners`` are seats; ``points`` decided, ``totals`` add bonuses.

    ``places``: by seat, 1 the best, equal for a tie. ``ending``: the rule by which it ended, None
    where the referee ended it. ``settlement``: what each seat receives or pays, by the rules of
    games that are settled between all; else empty.
    """

    number: int
    winners: tuple[int, ...]
    points: tuple[int, ...]
    totals: tuple[int, ...]
    places: tuple[int, ...]
    hands: int
    termination: Termination
    sentence: str
    ending: GameEnding | None = None
    settlement: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class MatchOutcome:
    """How a match ended. Tuples are by seat, ``winner`` and ``forfeited`` are seats.

    ``hand_diffs``: seat 0's points less seat 1's of each finished hand, two-handed games only.
    ``places``: of the whole match at tables of three and more, else empty.
    """

    winner: int | None
    games_won: tuple[int, ...]
    games_drawn: int
    points: tuple[int, ...]
    hands: int
    hands_won: tuple[int, ...]
    hand_diffs: tuple[int, ...]
    places: tuple[int, ...]
    forfeited: tuple[int, ...]
    termination: Termination
    sentence: str


Step = Ask | Notice | HandPlayed | GamePlayed
"""What a referee does next: ask, tell, or hand out what is to be kept."""

Refereeing = Generator[Step, Reply | None, MatchOutcome]
"""What `play_match` is: send a `Reply` for an `Ask`, None for everything else."""
