"""Where a match's hands, games and result go: into the store, or into plain values that travel.

A drive does not know which of the two it writes to, so a match is played the same in the process
that owns the database and in a worker far from it. Nothing here calls a bot.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from arena.referee.clock import Book
from arena.store import Store
from arena.store.rows import FaultRow, FixtureRow, GameRow, HandRow
from arena.tournament.model import FixtureResult


class Ledger(Protocol):
    """Takes down one match as it goes. Calls come one at a time, in order."""

    def hand(self, hand: HandRow, faults: Sequence[FaultRow]) -> None:
        """A hand came to its end."""
        ...

    def game(self, game: GameRow) -> None:
        """A game came to its end."""
        ...

    def result(self, result: FixtureResult, sentence: str, books: Sequence[Book]) -> None:
        """The match came to its end. ``books``: the clocks by seat, empty if nobody was asked."""
        ...


@dataclass(frozen=True, slots=True)
class StoreLedger:
    """Writes a match into the store at once. What is there already stays as it is.

    Nothing is written of a match that is not being played any more: it was voided, or the
    tournament cancelled, and with that its secret published.
    """

    store: Store
    fixture: FixtureRow

    def hand(self, hand: HandRow, faults: Sequence[FaultRow]) -> None:
        """Store a hand with its faults as one unit."""
        with self.store.transaction():
            if self.store.fixtures.is_open(self.fixture.id):
                self.store.hands.add(hand, faults)

    def game(self, game: GameRow) -> None:
        """Store a game."""
        with self.store.transaction():
            if self.store.fixtures.is_open(self.fixture.id):
                self.store.fixtures.add_game(game)

    def result(self, result: FixtureResult, sentence: str, books: Sequence[Book]) -> None:
        """Store the result and the time books as one unit."""
        fixture = self.fixture
        with self.store.transaction():
            if not self.store.fixtures.finish(fixture.id, result, sentence):
                return
            for entrant, book in zip(fixture.seats, books, strict=False):
                # As in the books after the last hand, so that anybody can add them up again.
                bot_ms, arena_ms = round(book.bot_ms), round(book.arena_ms)
                self.store.tournaments.add_time(
                    fixture.tournament_id, entrant, book.decisions, bot_ms, arena_ms
                )


@dataclass(frozen=True, slots=True)
class Begun:
    """What was played of a match that is not over. ``hands`` and ``games``: not stored before."""

    fixture: FixtureRow
    hands: tuple[tuple[HandRow, tuple[FaultRow, ...]], ...]
    games: tuple[GameRow, ...]


@dataclass(frozen=True, slots=True)
class Played:
    """A match that is over. ``books``: the clocks by seat at its end."""

    begun: Begun
    result: FixtureResult
    sentence: str
    books: tuple[Book, ...]

    @property
    def fixture(self) -> FixtureRow:
        """Which it was."""
        return self.begun.fixture


class Notebook:
    """Keeps a match in memory; ``played`` is the whole of it once it has ended."""

    def __init__(self, fixture: FixtureRow) -> None:
        self.played: Played | None = None
        self._fixture = fixture
        self._hands: list[tuple[HandRow, tuple[FaultRow, ...]]] = []
        self._games: list[GameRow] = []

    @property
    def begun(self) -> Begun:
        """What there is of it so far."""
        return Begun(self._fixture, tuple(self._hands), tuple(self._games))

    def hand(self, hand: HandRow, faults: Sequence[FaultRow]) -> None:
        """Note a hand."""
        self._hands.append((hand, tuple(faults)))

    def game(self, game: GameRow) -> None:
        """Note a game."""
        self._games.append(game)

    def result(self, result: FixtureResult, sentence: str, books: Sequence[Book]) -> None:
        """Note the result."""
        self.played = Played(self.begun, result, sentence, tuple(books))


def enter(store: Store, match: Played | Begun) -> bool:
    """Store what was played of a match elsewhere, as one unit.

    False, and nothing is changed, when its fixture has a result already or was voided: the same
    match played twice may differ where bots do, and the first to come counts.
    """
    begun = match.begun if isinstance(match, Played) else match
    ledger = StoreLedger(store, begun.fixture)
    with store.transaction():
        if not store.fixtures.is_open(begun.fixture.id):
            return False
        for hand, faults in begun.hands:
            ledger.hand(hand, faults)
        for game in begun.games:
            ledger.game(game)
        if isinstance(match, Played):
            ledger.result(match.result, match.sentence, match.books)
    return True
