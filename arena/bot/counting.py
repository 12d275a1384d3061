"""Melds and values under the rules of one game, over card names. No opinions about play."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from arena.rules.base import Melds, Shown
from arena.rules.cards import BIT, NAMES, mask_of, names
from arena.rules.layoffs import defend
from arena.rules.melds import LOW, MeldTables, default_spread, meld_names, meld_tables


class Counting:
    """Counts cards for one way of counting aces. Obtain it with `counting_for`."""

    def __init__(self, tables: MeldTables) -> None:
        self.tables = tables

    def value(self, cards: Iterable[str]) -> int:
        """Points of these cards, melded or not."""
        return self.tables.value_of(_mask(cards))

    def deadwood(self, cards: Sequence[str]) -> int:
        """Least deadwood."""
        return self.tables.deadwood(_mask(cards))

    def expected_deadwood(self, cards: Sequence[str], draws: Sequence[str]) -> float:
        """Average of the least deadwood after drawing one of ``draws`` and the best discard."""
        hand = _mask(cards)
        now = self.tables.deadwood(hand)
        if not draws:
            return now
        best_discard = self.tables.best_discard
        total = 0
        for draw in draws:
            left = best_discard(hand | BIT[draw])[0]
            # Throwing the drawn card leaves what there was.
            total += left if left < now else now
        return total / len(draws)

    def melds(self, cards: Sequence[str]) -> Melds:
        """The default spread: least deadwood, then hardest to lay off on."""
        return meld_names(default_spread(mask_of(cards), self.tables))

    def defence(self, cards: Sequence[str], melds: Melds) -> Shown:
        """The least deadwood with lay-offs on these melds, and the arrangement that has it."""
        shown = [_mask(meld) for meld in melds]
        found = defend(mask_of(cards), shown, self.tables, may_lay_off=True)
        return Shown(
            meld_names(found.melds), names(found.deadwood), names(found.laid_off), found.value
        )


def _mask(cards: Iterable[str]) -> int:
    mask = 0
    for card in cards:
        mask |= BIT[card]
    return mask


@lru_cache(maxsize=8)
def _counting(ace_mode: str, ace_deadwood: int) -> Counting:
    return Counting(meld_tables(ace_mode, ace_deadwood))


def counting_for(rules: Mapping[str, Any]) -> Counting:
    """The counting that these rule values ask for."""
    return _counting(rules.get("ace_mode", LOW), rules.get("ace_deadwood", 1))


def deck_for(rules: Mapping[str, Any]) -> tuple[str, ...]:
    """Every card in play: one pack, or several with their printed jokers."""
    packs: int = rules.get("packs", 1)
    jokers: int = rules.get("printed_jokers", 0)
    return NAMES * packs + ("JK",) * jokers
