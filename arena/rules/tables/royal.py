"""Battle Royal as a game: its score sheet, its family, and the variant one can choose.

The state of a hand is in `royal_hand`; this module never looks at a card.
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
from arena.rules.gin.scoring import game_totals
from arena.rules.race import Race, RaceSheet
from arena.rules.tables.royal_hand import RoyalHand, deal_royal
from arena.rules.tables.royal_rules import RoyalRules, replace_royal, royal_settings
from arena.rules.tables.royal_showdown import hand_winners

SEATS: Final = 3


@dataclass(frozen=True, slots=True)
class RoyalSheet(RaceSheet):
    """The score of one game of Battle Royal between seats 0, 1 and 2.

    ``points`` of a line may be negative. ``total`` adds the line bonus of every hand won and, for
    the winner, the game bonus; shutouts count in the `settlement`, because they lie between
    two players. Two seats that share a hand have both won it.
    """

    rules: RoyalRules
    dealer: int

    @property
    def lines(self) -> tuple[SheetLine, ...]:
        """Points, hands won and total by seat."""
        bonus = self.rules.line_bonus
        return tuple(
            SheetLine(
                points,
                won,
                points + bonus * won + (self.rules.game_bonus if seat in self.winners else 0),
            )
            for seat, (points, won) in enumerate(
                zip(self.race.points, self.race.hands_won, strict=True)
            )
        )

    def settlement(self) -> tuple[int, ...]:
        """What each seat receives (or pays, negative) when every pair settles by itself.

        A pair settles like a two-handed game: line bonuses for both; with the winner in the pair
        the game bonus as well, and the shutout bonus when the other won no hand. Sums to 0.
        """
        race = self.race
        net = [0] * SEATS
        for one in range(SEATS):
            for two in range(one + 1, SEATS):
                pair = (one, two)
                totals = game_totals(
                    self.rules.bonuses(),
                    [race.points[seat] for seat in pair],
                    [race.hands_won[seat] for seat in pair],
                    pair.index(self.winners[0])
                    if self.winners and self.winners[0] in pair
                    else None,
                )
                net[one] += totals[0] - totals[1]
                net[two] += totals[1] - totals[0]
        return tuple(net)

    def next_deal(self) -> DealPlan | None:
        """Seats sit at the positions of their numbers; the deal moves to the left."""
        return None if self.over else DealPlan((0, 1, 2), self.dealer)

    def add(self, outcome: HandOutcome) -> RoyalSheet:
        """The sheet after one more hand.

        :raises ValueError: the game is over.
        """
        winners = hand_winners(outcome)
        stays = not winners and self.rules.dealer_after_dead == "same"
        return dataclasses.replace(
            self,
            race=self.race.post(outcome.points, winners),
            dealer=self.dealer if stays else (self.dealer + 1) % SEATS,
        )


def _seats(rules: RoyalRules) -> tuple[int, int]:
    return SEATS, SEATS


def _start(rules: RoyalRules, players: int, first_dealer: int) -> RoyalSheet:
    return RoyalSheet(Race.start(SEATS, rules.target, rules.max_hands), rules, first_dealer)


def _deal(rules: RoyalRules, deck: Sequence[str], plan: DealPlan) -> RoyalHand:
    return deal_royal(rules, deck, plan.dealer)


FAMILY: Final = GameFamily(
    name="battle_royal",
    title="Battle Royal",
    rules=RoyalRules,
    listed=royal_settings,
    changed=replace_royal,
    seats=_seats,
    start=_start,
    dealt=_deal,
)

VARIANTS: Final[tuple[Variant, ...]] = (
    Variant(
        name="battle_royal",
        title="Battle Royal",
        summary="Gin for three active players: the discards of both others are within reach, gin "
        "40, a beaten knocker loses 20. To 200.",
        family=FAMILY,
        rules=RoyalRules(),
        aliases=("royal", "battle_royal_gin"),
    ),
)
