"""Drives one match: gives the referee's asks to the bots' lanes and what is played to a ledger.

A drive is at any moment in one place: with the thread that advances it, or waiting in a lane. The
lane's thread that brings a reply advances the match itself, up to its next ask.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Protocol

from arena.referee.asks import Answer, Ask, Event, Notice, Reply
from arena.referee.clock import Book, ClockRules
from arena.referee.match import GamePlayed, HandPlayed, MatchOutcome, MatchSetup
from arena.referee.table import play_match
from arena.rules.base import Variant
from arena.store import Store
from arena.store.rows import FaultRow, FixtureRow, GameRow, HandRow
from arena.tournament.model import FixtureResult
from arena.tournament.playing.ledger import Ledger


class Contact(Protocol):
    """Whoever answers for one bot: a lane over HTTP, or a function in this process."""

    def ask(self, ask: Ask, done: Callable[[Reply], None]) -> None:
        """Get a reply and call ``done`` with it, soon, from any thread, exactly once."""
        ...

    def tell(self, notice: Notice) -> None:
        """Pass something on, if it can be; never blocks."""
        ...

    def answers(self) -> bool | None:
        """Whether it answers a greeting, outside any clock; None if it cannot be greeted now."""
        ...


class Drive:
    """One match in flight. ``finished`` is called once: with None, or with what went wrong.

    ``result`` is None then if the match was put to rest between two hands.
    """

    def __init__(
        self,
        fixture: FixtureRow,
        setup: MatchSetup,
        contacts: Sequence[Contact],
        ledger: Ledger,
        finished: Callable[[Drive, BaseException | None], None],
        note_overhead: Callable[[float], None],
        history: Sequence[HandPlayed] = (),
    ) -> None:
        self.fixture = fixture
        self.result: FixtureResult | None = None
        self.sentence = ""
        self._contacts = contacts
        self._ledger = ledger
        self._finished = finished
        self._note_overhead = note_overhead
        self._books: Sequence[Book] = history[-1].books if history else ()
        self._stopped = False
        self._resting = False
        self._between_hands = True
        self._reviewing = bool(history)
        self._match = play_match(setup, history)

    def start(self) -> None:
        """Begin, or go on after the history. Replies are handled in the lanes' threads."""
        self._advance(None)

    def stop(self) -> None:
        """Let go of the match: the next reply is dropped and its hand will be dealt again."""
        self._stopped = True

    def rest(self) -> None:
        """End with the hand in play, from any thread; the match can go on from its hands."""
        self._resting = True

    def _advance(self, reply: Reply | None) -> None:
        if self._stopped:
            return
        if isinstance(reply, Answer):
            self._note_overhead(reply.overhead_ms)
        try:
            while True:
                step = self._match.send(reply)
                reply = None
                if isinstance(step, Ask):
                    if self._resting and self._between_hands:
                        self._finished(self, None)
                        return
                    self._between_hands = self._reviewing = False
                    self._contacts[step.seat].ask(step, self._advance)
                    return
                if isinstance(step, Notice):
                    # Of the games in the history its bots have been told already.
                    if not (self._reviewing and step.event is Event.GAME):
                        self._contacts[step.seat].tell(step)
                elif isinstance(step, HandPlayed):
                    self._keep_hand(step)
                else:
                    self._keep_game(step)
        except StopIteration as end:
            self._end(end.value)
        except BaseException as error:
            self._stopped = True
            self._finished(self, error)

    def _keep_hand(self, hand: HandPlayed) -> None:
        self._books = hand.books
        self._between_hands = True
        self._ledger.hand(hand_to_row(self.fixture, hand), faults_to_rows(self.fixture, hand))

    def _keep_game(self, game: GamePlayed) -> None:
        self._ledger.game(game_to_row(self.fixture.id, game))

    def _end(self, outcome: MatchOutcome) -> None:
        try:
            self.result = result_of(self.fixture, outcome)
            self.sentence = outcome.sentence
            self._ledger.result(self.result, self.sentence, self._books)
        except BaseException as error:
            self._finished(self, error)
        else:
            self._finished(self, None)


def setup_of(
    tournament_id: str,
    variant: Variant,
    secret: bytes,
    clock: ClockRules,
    fixture: FixtureRow,
    names: Mapping[int, str],
) -> MatchSetup:
    """The match that a fixture stands for.

    A replay of a voided match gets new deals: the old ones have been shown to both.
    """
    replay = f"|replay {fixture.replay}" if fixture.replay else ""
    return MatchSetup(
        tournament=tournament_id,
        match=fixture.id,
        variant=variant,
        names=tuple(names[entrant] for entrant in fixture.seats),
        games=fixture.games,
        wins_needed=fixture.wins_needed,
        secret=secret,
        deal_key=fixture.deal_key + replay,
        clock=clock,
    )


def game_to_row(fixture_id: str, game: GamePlayed) -> GameRow:
    """A finished game as the store keeps it."""
    return GameRow(
        fixture_id,
        game.number,
        game.winners[0] if len(game.winners) == 1 else None,
        game.points,
        game.totals,
        game.hands,
        game.termination,
        game.sentence,
    )


def result_of(fixture: FixtureRow, outcome: MatchOutcome) -> FixtureResult:
    """A match's outcome by seat as a fixture's result by entrant."""
    seats = fixture.seats
    return FixtureResult(
        key=fixture.key,
        seats=seats,
        winner=None if outcome.winner is None else seats[outcome.winner],
        games_won=outcome.games_won,
        games_drawn=outcome.games_drawn,
        points=outcome.points,
        hands=outcome.hands,
        hands_won=outcome.hands_won,
        termination=outcome.termination,
        forfeited=tuple(seats[seat] for seat in outcome.forfeited),
        hand_diffs=outcome.hand_diffs,
        places=outcome.places,
        games=fixture.games,
    )


def hand_to_row(fixture: FixtureRow, hand: HandPlayed) -> HandRow:
    """A finished hand as the store keeps it."""
    return HandRow(
        fixture.id,
        hand.game,
        hand.number,
        hand.record,
        hand.ending,
        hand.winner,
        hand.points,
        hand.times,
        tuple(book.to_row() for book in hand.books),
        hand.notes,
    )


def faults_to_rows(fixture: FixtureRow, hand: HandPlayed) -> list[FaultRow]:
    """The faults of a hand as the store keeps them."""
    return [
        FaultRow(
            fixture.id,
            hand.game,
            hand.number,
            fault.turn,
            fixture.seats[fault.seat],
            fault.code,
            fault.detail[:400],
            round(fault.elapsed_ms, 3),
        )
        for fault in hand.faults
    ]


def stored_hands(store: Store, fixture_id: str) -> list[HandPlayed]:
    """What was played of a match before, as the referee wants it back."""
    return hands_played(store.hands.of(fixture_id))


def hands_played(rows: Iterable[HandRow]) -> list[HandPlayed]:
    """Stored hands as the referee made them."""
    return [
        HandPlayed(
            row.game,
            row.number,
            row.record,
            row.ending,
            row.winner,
            row.points,
            row.times,
            tuple(Book.from_row(values) for values in row.books),
        )
        for row in rows
    ]
