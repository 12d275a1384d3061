"""The score of one game of Indian rummy: points, pool or deals.

- *Points*: one deal. The winner gains what all losers count, each loser loses that much. Whoever
  won the deal has won the game, even where no loser counts anything. A void deal is dealt again,
  up to ``max_hands``; then the game is drawn.
- *Pool*: points of all deals add up and fewer is better. A seat that reaches ``pool_limit`` is
  out; the last one in wins. (They cannot all reach it together: the winner of a deal counts 0.)
  After ``max_hands`` deals the fewest points win.
- *Deals*: each seat begins with ``cap`` chips a deal. The winner of a deal takes from each loser
  chips for its points. After ``deals`` deals, void ones included, most chips win; seats that tie
  for most play one more deal among themselves, up to ``max_hands`` deals in all.

The first player moves on by one seat each deal, passing over seats that do not play.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Final, NamedTuple

from arena.errors import RulesError
from arena.rules.base import DealPlan, GameEnding, HandOutcome, SheetLine
from arena.rules.indian.rules import Format, IndianRules

Ranking = tuple[tuple[int, ...], ...]
"""Groups of seats from best to worst; seats of one group are equal."""


@dataclass(frozen=True, slots=True)
class IndianSheet:
    """The score of one game; see `base.Sheet`. Tuples are by seat.

    ``first``: seat that moves first in the next deal. ``points``: penalty points in a pool, chips
    in a game of deals, gains and losses in a points game. ``won``: deals won. ``last``: number of
    the last deal (from 1) that the seat took part in. ``hands``: deals so far.
    """

    rules: IndianRules
    first: int
    points: tuple[int, ...]
    won: tuple[int, ...]
    last: tuple[int, ...]
    hands: int = 0

    @property
    def lower_is_better(self) -> bool:
        """Whether fewer ``points`` are better, as in a pool."""
        return self._way.lower_is_better

    @property
    def over(self) -> bool:
        """Whether no deal follows."""
        return len(self._playing) < 2 or self.hands >= self.rules.max_hands

    @property
    def winners(self) -> tuple[int, ...]:
        """The seat that won; empty while the game runs or when it is a draw."""
        best = self.ranking()[0]
        return best if self.over and len(best) == 1 else ()

    @property
    def target(self) -> int | None:
        """In a pool the points that put a seat out."""
        return self.rules.pool_limit if self.rules.format == Format.POOL else None

    @property
    def lines(self) -> tuple[SheetLine, ...]:
        """A line a seat; a seat that is out, or not in a deciding deal, is not active."""
        playing = self._playing
        return tuple(
            SheetLine(points, won, points, seat in playing)
            for seat, (points, won) in enumerate(zip(self.points, self.won, strict=True))
        )

    @property
    def columns(self) -> tuple[tuple[int, ...], ...]:
        """The points as one column."""
        return (self.points,)

    @property
    def ending(self) -> GameEnding | None:
        """Why the game is over."""
        if not self.over:
            return None
        if not self.winners:
            return GameEnding.DRAW
        return self._way.ending(self)

    def ranking(self) -> Ranking:
        """All seats from best to worst, those equal together, also while the game runs.

        A seat that lasted longer is better (in a pool, or in deciding deals); then, where one deal
        is the game, the seat that won it; then points decide.
        """
        sign = 1 if self.lower_is_better else -1

        def place(seat: int) -> tuple[int, bool, int]:
            won = self._way.deal_decides and self.won[seat] > 0
            return -self.last[seat], not won, sign * self.points[seat]

        seats = sorted(range(len(self.points)), key=place)
        return tuple(tuple(group) for _, group in groupby(seats, key=place))

    def next_deal(self) -> DealPlan | None:
        """The seats that still play, in seat order; who moves first sits after the dealer."""
        if self.over:
            return None
        seats = self._playing
        return DealPlan(seats, (seats.index(self.first) - 1) % len(seats))

    def add(self, outcome: HandOutcome) -> IndianSheet:
        """The sheet after the deal that `next_deal` planned ended so.

        :raises RulesError: the game is over.
        """
        plan = self.next_deal()
        if plan is None:
            raise RulesError("the game is over; no deal can be added to its sheet")
        points, won, last = list(self.points), list(self.won), list(self.last)
        for seat, change in zip(plan.seats, self._way.changes(outcome), strict=True):
            points[seat] += change
            last[seat] = self.hands + 1
        if outcome.winner is not None:
            won[plan.seats[outcome.winner]] += 1
        after = replace(
            self, points=tuple(points), won=tuple(won), last=tuple(last), hands=self.hands + 1
        )
        return after._moved_on()

    def _moved_on(self) -> IndianSheet:
        """With the next seat that plays as first player."""
        count = len(self.points)
        order = [(self.first + step) % count for step in range(1, count + 1)]
        playing = [seat for seat in order if seat in self._playing]
        return replace(self, first=playing[0]) if playing else self

    @property
    def _way(self) -> _Way:
        return _WAYS[self.rules.format]

    @property
    def _playing(self) -> tuple[int, ...]:
        """Seats of the next deal; fewer than two when the game is decided."""
        return self._way.playing(self)


def new_indian_sheet(rules: IndianRules, players: int, first_dealer: int) -> IndianSheet:
    """An empty sheet; the seat after the first dealer moves first."""
    start = _WAYS[rules.format].start(rules)
    zeros = (0,) * players
    return IndianSheet(rules, (first_dealer + 1) % players, (start,) * players, zeros, zeros)


class _Way(NamedTuple):
    """What tells one format from another.

    ``deal_decides``: whoever wins a deal has won the game, whatever it was worth.
    """

    start: Callable[[IndianRules], int]
    changes: Callable[[HandOutcome], tuple[int, ...]]
    playing: Callable[[IndianSheet], tuple[int, ...]]
    ending: Callable[[IndianSheet], GameEnding]
    lower_is_better: bool = False
    deal_decides: bool = False


def _paid(outcome: HandOutcome) -> tuple[int, ...]:
    """What each position gains when the losers pay the winner."""
    if outcome.winner is None:
        return (0,) * len(outcome.points)
    total = sum(outcome.points)
    return tuple(
        total if position == outcome.winner else -points
        for position, points in enumerate(outcome.points)
    )


def _all_until_won(sheet: IndianSheet) -> tuple[int, ...]:
    return () if any(sheet.won) else tuple(range(len(sheet.points)))


def _below_limit(sheet: IndianSheet) -> tuple[int, ...]:
    limit = sheet.rules.pool_limit
    return tuple(seat for seat, points in enumerate(sheet.points) if points < limit)


def _all_then_tied(sheet: IndianSheet) -> tuple[int, ...]:
    if sheet.hands < sheet.rules.deals:
        return tuple(range(len(sheet.points)))
    return tuple(sorted(sheet.ranking()[0]))


def _pool_ending(sheet: IndianSheet) -> GameEnding:
    return GameEnding.LAST_PLAYER if len(_below_limit(sheet)) == 1 else GameEnding.HAND_LIMIT


def _deals_ending(sheet: IndianSheet) -> GameEnding:
    decided = sheet.hands > sheet.rules.deals
    return GameEnding.SUDDEN_DEATH if decided else GameEnding.DEALS_PLAYED


_WAYS: Final[dict[str, _Way]] = {
    Format.POINTS: _Way(
        lambda rules: 0,
        _paid,
        _all_until_won,
        lambda sheet: GameEnding.DEALS_PLAYED,
        deal_decides=True,
    ),
    Format.POOL: _Way(
        lambda rules: 0,
        lambda outcome: outcome.points,
        _below_limit,
        _pool_ending,
        lower_is_better=True,
    ),
    Format.DEALS: _Way(lambda rules: rules.cap * rules.deals, _paid, _all_then_tied, _deals_ending),
}
