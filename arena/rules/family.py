"""A family of games put together from its parts.

A game brings plain functions that know its own rules: what its settings are, who may play, how a
sheet begins and how cards are dealt. What every family must refuse is refused here, once: rules of
another game, too many players, a dealer who is none of them. No game is named here.

Parts are named functions, not lambdas: a variant travels between processes, and its family with it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from arena.errors import InvalidSettings
from arena.rules.base import DealPlan, Hand, RulesRecord, Setting, Sheet
from arena.rules.cards import NAMES
from arena.rules.seating import check_seats

R = TypeVar("R", bound=RulesRecord)
S = TypeVar("S", bound=Sheet)
H = TypeVar("H", bound=Hand)


def one_pack(rules: RulesRecord) -> tuple[str, ...]:
    """The 52 cards in canonical order."""
    return NAMES


@dataclass(frozen=True, slots=True)
class GameFamily(Generic[R, S, H]):
    """One family; see `base.Family` for what its methods promise.

    ``title``: the game in messages. ``rules``: the type of its rules. ``listed``: its settings.
    ``changed``: rules with some settings changed. ``seats``: fewest and most players. ``start``:
    the sheet for so many players and this first dealer. ``dealt``: the hand from this order of
    cards. ``pack``: the cards it is played with.
    """

    name: str
    title: str
    rules: type[R]
    listed: Callable[[], Sequence[Setting]]
    changed: Callable[[R, Mapping[str, object]], R]
    seats: Callable[[R], tuple[int, int]]
    start: Callable[[R, int, int], S]
    dealt: Callable[[R, Sequence[str], DealPlan], H]
    pack: Callable[[R], tuple[str, ...]] = one_pack

    def settings(self) -> Sequence[Setting]:
        """Every rule setting."""
        return self.listed()

    def replace(self, rules: RulesRecord, changes: Mapping[str, object]) -> R:
        """The rules with these settings changed.

        :raises InvalidSettings: an unknown setting, a value not allowed, or a contradiction.
        """
        return self.changed(self._own(rules), changes)

    def players(self, rules: RulesRecord) -> tuple[int, int]:
        """Fewest and most seats of a game."""
        return self.seats(self._own(rules))

    def new_sheet(self, rules: RulesRecord, players: int, first_dealer: int) -> S:
        """The sheet before the first hand.

        :raises InvalidSettings: a number of players that the game does not take, or a dealer who
            is none of them.
        """
        own = self._own(rules)
        check_seats(self.title, players, self.seats(own), first_dealer)
        return self.start(own, players, first_dealer)

    def deck(self, rules: RulesRecord) -> tuple[str, ...]:
        """All cards in canonical order; names repeat where a game has several packs."""
        return self.pack(self._own(rules))

    def deal(self, rules: RulesRecord, deck: Sequence[str], plan: DealPlan) -> H:
        """The hand dealt from this order of cards, top first.

        :raises InvalidCards: the deck is not exactly the cards of the game.
        """
        return self.dealt(self._own(rules), deck, plan)

    def _own(self, rules: RulesRecord) -> R:
        if not isinstance(rules, self.rules):
            raise InvalidSettings(f"{self.title} has no rules of type {type(rules).__name__}")
        return rules
