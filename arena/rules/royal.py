"""Battle Royal as a game: its score sheet, its family, and the variant one can choose.

The state of a hand is in `royal_hand`; this module never looks at a card.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from arena.errors import InvalidSettings
from arena.rules.base import (
    DealPlan,
    GameEnding,
    HandOutcome,
    RulesRecord,
    Setting,
    SheetLine,
    Variant,
)
from arena.rules.cards import NAMES
from arena.rules.race import Race, grouped
from arena.rules.royal_hand import RoyalHand, deal_royal
from arena.rules.royal_rules import RoyalRules, replace_royal, royal_settings
from arena.rules.royal_showdown import hand_winners
from arena.rules.scoring import game_totals
from arena.rules.seating import check_seats

SEATS: Final = 3


@dataclass(frozen=True, slots=True)
class RoyalSheet:
    """The score of one game of Battle Royal between seats 0, 1 and 2.

    ``points`` of a line may be negative. ``total`` adds the line bonus of every hand won and, for
    the winner, the game bonus; shutouts count only in the `settlement`, because they lie between
    two players. Two seats that share a hand have both won it.
    """

    rules: RoyalRules
    race: Race
    dealer: int

    @property
    def lower_is_better(self) -> bool:
        """Points are won, not penalties."""
        return False

    @property
    def over(self) -> bool:
        """Whether the game is finished."""
        return self.race.ending is not None

    @property
    def winners(self) -> tuple[int, ...]:
        """The seat that won; nobody while the game runs or when it was drawn."""
        return () if self.race.winner is None else (self.race.winner,)

    @property
    def target(self) -> int:
        """Points that end the game."""
        return self.race.target

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

    @property
    def columns(self) -> tuple[tuple[int, ...], ...]:
        """One column: the points by seat."""
        return (self.race.points,)

    @property
    def ending(self) -> GameEnding | None:
        """Why the game ended."""
        return self.race.ending

    def ranking(self) -> tuple[tuple[int, ...], ...]:
        """Seats in groups from best to worst by points; level seats share a group."""
        return grouped(self.race.points)

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


class RoyalFamily:
    """Deals, score sheets and settings of Battle Royal."""

    name = "battle_royal"

    def settings(self) -> Sequence[Setting]:
        """Every rule setting."""
        return royal_settings()

    def replace(self, rules: RulesRecord, changes: Mapping[str, object]) -> RoyalRules:
        """The rules with these settings changed.

        :raises InvalidSettings: an unknown setting, or a value not allowed.
        """
        return replace_royal(_royal(rules), changes)

    def players(self, rules: RulesRecord) -> tuple[int, int]:
        """Three, always."""
        return SEATS, SEATS

    def new_sheet(self, rules: RulesRecord, players: int, first_dealer: int) -> RoyalSheet:
        """The sheet before the first hand.

        :raises InvalidSettings: not three players, or a dealer who is none of them.
        """
        check_seats("Battle Royal", players, (SEATS, SEATS), first_dealer)
        mine = _royal(rules)
        return RoyalSheet(mine, Race.start(SEATS, mine.target, mine.max_hands), first_dealer)

    def deck(self, rules: RulesRecord) -> tuple[str, ...]:
        """The 52 cards in canonical order."""
        return NAMES

    def deal(
        self, rules: RulesRecord, deck: Sequence[str], plan: DealPlan, sheet: object
    ) -> RoyalHand:
        """The hand dealt from this order of cards, top first; the sheet does not matter here.

        :raises InvalidCards: the deck is not the 52 cards, each once.
        """
        return deal_royal(_royal(rules), deck, plan.dealer)


def _royal(rules: RulesRecord) -> RoyalRules:
    if not isinstance(rules, RoyalRules):
        raise InvalidSettings(f"Battle Royal has no rules of type {type(rules).__name__}")
    return rules


FAMILY: Final = RoyalFamily()

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
