"""The score of a two-handed game: plain, Hollywood, or played to a game target.

A plain game is a sheet of one column, Hollywood one of three; both follow the same rule of entry.
Points are what decides; bonuses are added to the totals at the end and help nobody to the target.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

from arena.rules.base import DealPlan, GameEnding, HandOutcome, SheetLine
from arena.rules.gin.rules import GinRules
from arena.rules.gin.scoring import game_totals
from arena.rules.race import SUDDEN_DEATH_HANDS

_SEATS: Final = (0, 1)


class Column(NamedTuple):
    """One column: points and hands entered by seat, and the seat that closed it."""

    points: tuple[int, int] = (0, 0)
    won: tuple[int, int] = (0, 0)
    winner: int | None = None

    def enter(self, seat: int, points: int, target: int) -> Column:
        """The column with a won hand entered."""
        score = _plus(self.points, seat, points)
        return Column(score, _plus(self.won, seat, 1), seat if score[seat] >= target else None)

    def leader(self) -> int | None:
        """The seat that won the column or is ahead in it."""
        if self.winner is not None or self.points[0] == self.points[1]:
            return self.winner
        return 0 if self.points[0] > self.points[1] else 1


def _plus(pair: tuple[int, int], seat: int, amount: int) -> tuple[int, int]:
    return (pair[0] + amount, pair[1]) if seat == 0 else (pair[0], pair[1] + amount)


@dataclass(frozen=True, slots=True)
class GinSheet:
    """The sheet of one game between two seats; immutable.

    Who reaches the target wins. With several columns each is a game of its own: who closed more of
    them wins, then the higher points. At the limit of hands, who leads in more columns or points.

    ``dealer``: seat that deals the next hand. ``hands``: hands played, dead ones included.
    ``won``: hands won by seat. ``book``: the columns. ``banked``, ``games``: totals of the plays
    to the target that are done, where rules have a ``game_target``.
    """

    rules: GinRules
    dealer: int
    hands: int = 0
    won: tuple[int, int] = (0, 0)
    book: tuple[Column, ...] = field(default=(Column(),))
    banked: tuple[int, int] = (0, 0)
    games: tuple[tuple[int, int], ...] = ()
    ending: GameEnding | None = None
    winners: tuple[int, ...] = ()

    @property
    def lower_is_better(self) -> bool:
        """Points are won, not penalties."""
        return False

    @property
    def over(self) -> bool:
        """Whether the game is decided or drawn."""
        return self.ending is not None

    @property
    def target(self) -> int | None:
        """Points that end the game; in Hollywood, that close a column."""
        return self.rules.game_target or self.rules.target

    @property
    def _plain(self) -> bool:
        """Whether one play to the target, in one column, is the whole game."""
        return len(self.book) == 1 and self.rules.game_target is None

    @property
    def columns(self) -> tuple[tuple[int, ...], ...]:
        """Points by column and seat."""
        return tuple(column.points for column in self.book)

    @property
    def lines(self) -> tuple[SheetLine, ...]:
        """Points, hands won and total with bonuses of each seat."""
        points = self._points()
        totals = self._totals()
        return tuple(SheetLine(points[seat], self.won[seat], totals[seat]) for seat in _SEATS)

    def next_deal(self) -> DealPlan | None:
        """Both seats at their own position and the dealer; None when the game is over."""
        return None if self.over else DealPlan(_SEATS, self.dealer)

    def ranking(self) -> tuple[tuple[int, ...], ...]:
        """The seats from first to last as the game stands; equal seats share a place."""
        first = self.winners if self.over else self._ahead()
        return (first, (1 - first[0],)) if first else (_SEATS,)

    def add(self, outcome: HandOutcome) -> GinSheet:
        """The sheet after a hand. A hand that nobody won changes no score.

        :raises ValueError: the game is over.
        """
        if self.over:
            raise ValueError("the game is over; no hand can be added")
        winner = outcome.winner
        after = replace(self, hands=self.hands + 1, dealer=self._next_dealer(winner))
        if winner is not None:
            won = _plus(self.won, winner, 1)
            book = after._entered(winner, outcome.points[winner])
            after = replace(after, won=won, book=book)._settled()
        return after if after.over else after._limited()

    def _next_dealer(self, winner: int | None) -> int:
        rules = self.rules
        if winner is None:
            return self.dealer if rules.dealer_after_dead == "same" else 1 - self.dealer
        if rules.dealer_next == "winner":
            return winner
        if rules.dealer_next == "loser":
            return 1 - winner
        return 1 - self.dealer

    def _entered(self, seat: int, points: int) -> tuple[Column, ...]:
        """The columns after a won hand.

        The first win counts in the first column, the second in the first two, and so on. Under
        ``next_open`` a player who is shut out of a closed column starts in the next open one.
        """
        book = list(self.book)
        if self.rules.hollywood_shutout == "literal":
            places = list(range(min(len(book), self.won[seat] + 1)))
        else:
            places = [at for at, column in enumerate(book) if column.won[seat]]
            fresh = [
                at
                for at, column in enumerate(book)
                if column.winner is None and not column.won[seat]
            ]
            places += fresh[:1]
        for at in places:
            if book[at].winner is None:
                book[at] = book[at].enter(seat, points, self.rules.target)
        return tuple(book)

    def _settled(self) -> GinSheet:
        """The sheet with the end of the game noted, if every column is closed."""
        if any(column.winner is None for column in self.book):
            return self
        if len(self.book) > 1:
            return replace(self, ending=GameEnding.EVERY_COLUMN, winners=self._ahead())
        column = self._closed(self.book[0])
        if self.rules.game_target is None:
            winner = column.winner
            assert winner is not None
            return replace(self, book=(column,), ending=GameEnding.TARGET, winners=(winner,))
        return self._bank(column)

    def _closed(self, column: Column) -> Column:
        """The column of a single one, given to the seat that wins it by the forbidden margin."""
        winner = column.winner
        assert winner is not None
        return column._replace(winner=self._unforbidden(column, winner))

    def _unforbidden(self, column: Column, ahead: int) -> int:
        """The seat that is ahead, or the other one where it is ahead by the forbidden margin."""
        lead = column.points[ahead] - column.points[1 - ahead]
        return 1 - ahead if lead == self.rules.forfeit_margin else ahead

    def _bank(self, column: Column) -> GinSheet:
        totals = game_totals(self.rules, column.points, column.won, column.winner)
        banked = (self.banked[0] + totals[0], self.banked[1] + totals[1])
        games = (*self.games, (totals[0], totals[1]))
        after = replace(self, banked=banked, games=games, book=(Column(),))
        target = self.rules.game_target
        assert target is not None
        if max(banked) < target or banked[0] == banked[1]:
            return after
        winner = 0 if banked[0] > banked[1] else 1
        return replace(after, ending=GameEnding.TARGET, winners=(winner,))

    def _limited(self) -> GinSheet:
        """The sheet with its end noted, if the limit of hands is reached."""
        over_limit = self.hands - self.rules.max_hands
        if over_limit < 0:
            return self
        winners = self._ahead()
        if winners:
            if self._plain:
                winners = (self._unforbidden(self.book[0], winners[0]),)
            ending = GameEnding.SUDDEN_DEATH if over_limit else GameEnding.HAND_LIMIT
            return replace(self, ending=ending, winners=winners)
        if over_limit >= SUDDEN_DEATH_HANDS:
            return replace(self, ending=GameEnding.DRAW)
        return self

    def _ahead(self) -> tuple[int, ...]:
        """The seat that is ahead: by columns, then by points; empty when equal."""
        leaders = [column.leader() for column in self.book]
        points = self._points()
        first, second = (
            (0 if self.rules.game_target else leaders.count(seat), points[seat]) for seat in _SEATS
        )
        if first == second:
            return ()
        return (0,) if first > second else (1,)

    def _points(self) -> tuple[int, int]:
        first, second = (
            self.banked[seat] + sum(column.points[seat] for column in self.book) for seat in _SEATS
        )
        return first, second

    def _totals(self) -> tuple[int, int]:
        totals = list(self.banked)
        for column in self.book:
            winner = column.winner
            # A plain game that the hand limit decided has a winner though nobody closed its column.
            if winner is None and self._plain and self.winners:
                winner = self.winners[0]
            added = game_totals(self.rules, column.points, column.won, winner)
            totals = [totals[seat] + added[seat] for seat in _SEATS]
        return totals[0], totals[1]


def new_gin_sheet(rules: GinRules, first_dealer: int) -> GinSheet:
    """An empty sheet; this seat deals first."""
    return GinSheet(rules, first_dealer, book=(Column(),) * rules.columns)
