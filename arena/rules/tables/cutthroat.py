"""Cutthroat: three players around two-handed gin, each for itself.

Two seats play a hand of two-handed gin, the third sits it out: it is in no `DealPlan`, is never
asked and sees nothing. What is here decides who plays next and keeps the score; how a hand is
played is `gin`'s business alone.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from arena.rules.base import DealPlan, HandOutcome, Setting, SheetLine, Variant
from arena.rules.family import GameFamily
from arena.rules.gin.family import deal_two_handed
from arena.rules.gin.hand import GinHand
from arena.rules.race import Race, RaceSheet, settle
from arena.rules.settings import settings_of
from arena.rules.tables.settings import CUTTHROAT_ROWS, CutthroatRules

SEATS: Final = 3


@dataclass(frozen=True, slots=True)
class CutthroatSheet(RaceSheet):
    """The score of one game of Cutthroat between seats 0, 1 and 2, each for itself.

    The loser of a hand sits out the next one; the seat that sat out comes in as dealer against
    the winner. After a hand that nobody won the same two play again with the same dealer.

    ``dealer``, ``other``: the seats of the next hand. The first is dealt by the first dealer to
    the seat on its left; the third seat sits out. ``total`` of a line adds the line bonus of every
    hand won and, for the winner, the game bonus; shutouts count in the `settlement`, which is told
    when the game is over.
    """

    rules: CutthroatRules
    dealer: int
    other: int

    @property
    def lines(self) -> tuple[SheetLine, ...]:
        """Points, hands won and total by seat; a seat that sits out a hand is still active."""
        race = self.race
        totals = cutthroat_totals(self.rules, race.points, race.hands_won, race.winner)
        return tuple(
            SheetLine(points, won, total)
            for points, won, total in zip(race.points, race.hands_won, totals, strict=True)
        )

    @property
    def idle(self) -> int:
        """The seat that sits out the next hand."""
        return SEATS - self.dealer - self.other

    def settlement(self) -> tuple[int, ...]:
        """What each seat receives (or pays, negative); sums to 0."""
        return cutthroat_net(self.rules, self.race.points, self.race.hands_won, self.race.winner)

    def next_deal(self) -> DealPlan | None:
        """The two seats that play, the lower one at position 0."""
        if self.over:
            return None
        seats = tuple(sorted((self.dealer, self.other)))
        return DealPlan(seats, seats.index(self.dealer))

    def add(self, outcome: HandOutcome) -> CutthroatSheet:
        """The sheet after one more hand.

        :raises ValueError: the game is over.
        """
        gains = [0] * SEATS
        seats = sorted((self.dealer, self.other))
        for seat, points in zip(seats, outcome.points, strict=True):
            gains[seat] = points
        if outcome.winner is None:
            return dataclasses.replace(self, race=self.race.post(gains, ()))
        winner = seats[outcome.winner]
        return dataclasses.replace(
            self, race=self.race.post(gains, (winner,)), dealer=self.idle, other=winner
        )


def cutthroat_totals(
    rules: CutthroatRules, points: Sequence[int], hands_won: Sequence[int], winner: int | None
) -> tuple[int, ...]:
    """Totals with the line bonus for each hand won and the winner's game bonus."""
    return tuple(
        score + rules.gin.line_bonus * won + (rules.gin.game_bonus if seat == winner else 0)
        for seat, (score, won) in enumerate(zip(points, hands_won, strict=True))
    )


def cutthroat_net(
    rules: CutthroatRules, points: Sequence[int], hands_won: Sequence[int], winner: int | None
) -> tuple[int, ...]:
    """What each seat receives when every pair settles the difference of their totals.

    Who won no hand pays the winner a bonus besides. Sums to 0.
    """
    net = list(settle(cutthroat_totals(rules, points, hands_won, winner)))
    if winner is not None:
        for seat, won in enumerate(hands_won):
            if not won and seat != winner:
                net[seat] -= rules.shutout_bonus
                net[winner] += rules.shutout_bonus
    return tuple(net)


def _settings() -> tuple[Setting, ...]:
    return settings_of(CUTTHROAT_ROWS, CutthroatRules())


def _seats(rules: CutthroatRules) -> tuple[int, int]:
    return SEATS, SEATS


def _start(rules: CutthroatRules, players: int, first_dealer: int) -> CutthroatSheet:
    """In the first hand the seat left of the dealer plays."""
    race = Race.start(SEATS, rules.gin.target, rules.gin.max_hands)
    return CutthroatSheet(race, rules, first_dealer, (first_dealer + 1) % SEATS)


def _deal(rules: CutthroatRules, deck: Sequence[str], plan: DealPlan) -> GinHand:
    return deal_two_handed(rules.gin, deck, plan)


FAMILY: Final = GameFamily(
    name="cutthroat",
    title="Cutthroat",
    rules=CutthroatRules,
    listed=_settings,
    changed=CutthroatRules.replaced,
    seats=_seats,
    start=_start,
    dealt=_deal,
)

VARIANTS: Final[tuple[Variant, ...]] = (
    Variant(
        name="cutthroat",
        title="Cutthroat",
        summary="Gin for three, two at a time: the loser of a hand sits out the next, who sat out "
        "deals to the winner. To 100.",
        family=FAMILY,
        rules=CutthroatRules(),
        aliases=("round_robin_gin", "cutthroat_gin"),
    ),
)
