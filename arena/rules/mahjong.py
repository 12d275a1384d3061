"""Mahjong gin as a game: its score sheet, its family, and the variant one can choose.

Both players score in every hand that somebody ends by having no card left, and a score may be
negative. The state of a hand is in `mahjong_hand`; this module never looks at a card.
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
from arena.rules.mahjong_hand import MahjongHand
from arena.rules.mahjong_rules import MahjongRules, mahjong_settings, replace_mahjong
from arena.rules.race import Race, grouped
from arena.rules.seating import check_seats, deal_round

SEATS: Final = 2


@dataclass(frozen=True, slots=True)
class MahjongSheet:
    """The score of one game of Mahjong gin between seats 0 and 1.

    Points may be negative and both seats may pass the target in one hand: the higher wins, level
    scores play on. A hand is won by the seat that had no card left, even if the other scored more.
    There are no bonuses at the end, so ``total`` equals ``points``.
    """

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
        """Points and hands won by seat."""
        return tuple(
            SheetLine(points, won, points)
            for points, won in zip(self.race.points, self.race.hands_won, strict=True)
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
        """Seats in groups from best to worst; level seats share a group."""
        return grouped(self.race.points)

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


class MahjongFamily:
    """Deals, score sheets and settings of Mahjong gin."""

    name = "mahjong"

    def settings(self) -> Sequence[Setting]:
        """Every setting with its meaning, what it may be, and its default."""
        return mahjong_settings()

    def replace(self, rules: RulesRecord, changes: Mapping[str, object]) -> MahjongRules:
        """The rules with these settings changed.

        :raises InvalidSettings: an unknown setting, or a value not allowed.
        """
        return replace_mahjong(_mine(rules), changes)

    def players(self, rules: RulesRecord) -> tuple[int, int]:
        """Always two."""
        return SEATS, SEATS

    def new_sheet(self, rules: RulesRecord, players: int, first_dealer: int) -> MahjongSheet:
        """The sheet before the first hand.

        :raises InvalidSettings: not two players, or a dealer who is none of them.
        """
        check_seats("Mahjong gin", players, (SEATS, SEATS), first_dealer)
        mine = _mine(rules)
        return MahjongSheet(Race.start(SEATS, mine.target, mine.max_hands), first_dealer)

    def deck(self, rules: RulesRecord) -> tuple[str, ...]:
        """The 52 cards in canonical order."""
        return NAMES

    def deal(
        self, rules: RulesRecord, deck: Sequence[str], plan: DealPlan, sheet: object
    ) -> MahjongHand:
        """Cards go out in turn, non-dealer first; then the upcard; the rest is the stock.

        :raises InvalidCards: the deck is not the 52 cards, each once.
        """
        mine = _mine(rules)
        hands, rest = deal_round(deck, mine.hand_size, 2, plan.dealer)
        return MahjongHand(
            rules=mine,
            dealer=plan.dealer,
            hands=(hands[0], hands[1]),
            stock=rest[1:],
            pile=rest[:1],
            mover=1 - plan.dealer,
        )


def _mine(rules: RulesRecord) -> MahjongRules:
    if not isinstance(rules, MahjongRules):
        raise InvalidSettings(f"Mahjong gin has no rules of type {type(rules).__name__}")
    return rules


FAMILY: Final = MahjongFamily()

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
