"""How a player would lay a hand out: melds together, loose cards apart, and what those count.

One function for every kind of hand, by its type; a new family of games registers its own.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, singledispatch
from typing import NamedTuple

from arena.rules.base import Hand, Melds
from arena.rules.cards import NAMES, mask_of, names
from arena.rules.gin import GinHand
from arena.rules.indian.cards import faces_of, names_of
from arena.rules.indian.groups import GroupRules
from arena.rules.indian.hand import IndianHand
from arena.rules.indian.points import best_grouping, best_throw
from arena.rules.mahjong_hand import MahjongHand
from arena.rules.melds import MeldTables, default_spread, meld_names, meld_tables
from arena.rules.royal_hand import RoyalHand


class Laid(NamedTuple):
    """Cards in order: ``melds``, then ``loose`` ones, which count ``value`` together.

    ``value`` of a hand with a card to throw is what would be left after the best throw.
    """

    melds: Melds
    loose: tuple[str, ...]
    value: int


Arranger = Callable[[tuple[str, ...], bool], Laid]
"""Lays cards out; the flag tells that one of them will still be thrown."""


@singledispatch
def arranger(hand: Hand) -> Arranger:
    """The way to lay out cards of this hand. Of an unknown family: as they are, worth nothing."""
    return lambda cards, throws: Laid((), cards, 0)


@lru_cache(maxsize=4096)
def _gin(cards: tuple[str, ...], throws: bool, ace_mode: str, ace_deadwood: int) -> Laid:
    tables = meld_tables(ace_mode, ace_deadwood)
    held = mask_of(cards)
    melds = default_spread(held, tables)
    loose = held & ~sum(melds)
    value = tables.value_of(loose)
    if throws and held:
        value = min(tables.deadwood(held ^ mask_of([card])) for card in cards)
    by_worth = sorted(names(loose), key=lambda card: (tables.card_value[NAMES.index(card)], card))
    return Laid(meld_names(melds), tuple(by_worth), value)


def _with_tables(tables: MeldTables) -> Arranger:
    return lambda cards, throws: _gin(cards, throws, tables.ace_mode, tables.ace_deadwood)


@arranger.register
def _of_gin(hand: GinHand) -> Arranger:
    return _with_tables(hand.table.melds)


@arranger.register
def _of_royal(hand: RoyalHand) -> Arranger:
    return _with_tables(hand.tables)


@arranger.register
def _of_mahjong(hand: MahjongHand) -> Arranger:
    return _with_tables(meld_tables(hand.rules.ace_mode, 1))


@lru_cache(maxsize=4096)
def _indian(cards: tuple[str, ...], throws: bool, rules: GroupRules) -> Laid:
    if throws and len(cards) > 1:
        throw = best_throw(cards, rules)
        left = list(cards)
        for card in (card for group in throw.melds for card in group):
            left.remove(card)
        return Laid(throw.melds, tuple(left), throw.points)
    found = best_grouping(faces_of(cards), rules)
    return Laid(found.melds, names_of(found.loose), found.points)


@arranger.register
def _of_indian(hand: IndianHand) -> Arranger:
    rules = hand.state.deal.grouping
    return lambda cards, throws: _indian(cards, throws, rules)
