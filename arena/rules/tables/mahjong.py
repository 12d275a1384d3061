"""Mahjong gin as a game: its score sheet, its family, and the variant one can choose.

Both players score in every hand that somebody ends by having no card left, and a score may be
negative. The state of a hand is in `mahjong_hand`; this module never looks at a card.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from arena.rules.base import (
    DealPlan,
    HandOutcome,
    SheetLine,
    Variant,
)
from arena.rules.family import GameFamily
from arena.rules.race import Race, RaceSheet
from arena.rules.seating import deal_round
from arena.rules.tables.mahjong_hand import MahjongHand
from arena.rules.tables.mahjong_rules import MahjongRules, mahjong_settings, replace_mahjong

SEATS: Final = 2


@dataclass(frozen=True, slots=True)
class MahjongSheet(RaceSheet):
    """The score of one game of Mahjong gin between seats 0 and 1.

    Points may be negative and both seats may pass the target in one hand: the higher wins, level
    scores play on. A hand is won by the seat that had no card left, even if the other scored more.
    There are no bonuses at the end, so ``total`` equals ``points``.
    """

    dealer: int

    @property
    def lines(self) -> tuple[SheetLine, ...]:
        """Points and hands won by seat."""
        return tuple(
            SheetLine(points, won, points)
            for points, won in zip(self.race.points, self.race.hands_won, strict=True)
        )

    def next_deal(self) -> DealPlan | None:
        """Seats sit at the positions of their numbers; the deal alternates after a scored hand."""
        return None if self.over else DealPlan((0, 1), self.dealer)

    def add(self, outcome: HandOutcome) -> MahjongSheet:
        """The sheet after one more hand. After a dead hand the same dealer deals again.

        :raises ValueError: the game is over.
        """
        dead = outcome.winner is None
        race = self.race.post(outcome.points, () if outcome.winner is None else (outcome.winner,))
        return dataclasses.replace(self, race=race, dealer=self.dealer if dead else 1 - self.dealer)


def _seats(rules: MahjongRules) -> tuple[int, int]:
    return SEATS, SEATS


def _start(rules: MahjongRules, players: int, first_dealer: int) -> MahjongSheet:
    return MahjongSheet(Race.start(SEATS, rules.target, rules.max_hands), first_dealer)


def _deal(rules: MahjongRules, deck: Sequence[str], plan: DealPlan) -> MahjongHand:
    """Cards go out in turn, non-dealer first; then the upcard; the rest is the stock."""
    hands, rest = deal_round(deck, rules.hand_size, SEATS, plan.dealer)
    return MahjongHand(
        rules=rules,
        dealer=plan.dealer,
        hands=(hands[0], hands[1]),
        stock=rest[1:],
        pile=rest[:1],
        mover=1 - plan.dealer,
    )


FAMILY: Final = GameFamily(
    name="mahjong",
    title="Mahjong gin",
    rules=MahjongRules,
    listed=mahjong_settings,
    changed=replace_mahjong,
    seats=_seats,
    start=_start,
    dealt=_deal,
)

VARIANTS: Final[tuple[Variant, ...]] = (
    Variant(
        name="mahjong",
        title="Mahjong gin",
        summary="Melds go on the table during play, several discards may be taken at once, nobody "
        "knocks; who has no card left ends the hand and everybody's cards count. To 250.",
        family=FAMILY,
        rules=MahjongRules(),
        aliases=("mahjong_gin",),
    ),
)
