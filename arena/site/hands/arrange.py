"""How a player would lay a hand out: melds together, loose cards apart, and what those count.

By the type of the hand: one of one pack has tables of melds; any other family of games registers
its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache, singledispatch
from typing import NamedTuple

from arena.rules.base import Hand, Melds
from arena.rules.cards import NAMES, SUIT_SIZE, indexes, mask_of
from arena.rules.gin.hand import GinHand
from arena.rules.indian.cards import Cards, faces_of, is_joker, names_of, without
from arena.rules.indian.groups import GroupRules
from arena.rules.indian.hand import IndianHand
from arena.rules.indian.points import best_grouping, best_throw, in_order
from arena.rules.melds import MeldTables, default_spread, meld_tables
from arena.rules.tables.mahjong_hand import MahjongHand
from arena.rules.tables.mahjong_rules import MahjongRules, card_points
from arena.rules.tables.royal_hand import RoyalHand


class Laid(NamedTuple):
    """Cards in order: ``melds``, then ``loose`` ones, which count ``value`` together.

    Of a hand with a card to throw, ``value`` is what would be left after the best throw.
    """

    melds: Melds
    loose: tuple[str, ...]
    value: int


Arranger = Callable[[tuple[str, ...], bool], Laid]
"""Lays cards out; the flag tells that one of them will still be thrown."""


def by_worth(cards: Iterable[str], tables: MeldTables) -> tuple[str, ...]:
    """Loose cards of one pack from the cheapest to the dearest, those of a rank together."""

    def place(card: str) -> tuple[int, int, int]:
        index = NAMES.index(card)
        return tables.card_value[index], index % SUIT_SIZE, index

    return tuple(sorted(cards, key=place))


def as_laid(meld: int) -> tuple[str, ...]:
    """The cards of a meld as a person lays them: a run that goes on after its king ends low."""
    cards = list(indexes(meld))
    gaps = [at for at in range(1, len(cards)) if cards[at] - cards[at - 1] > 1]
    if len(gaps) == 1 and cards[0] // SUIT_SIZE == cards[-1] // SUIT_SIZE:
        cards = cards[gaps[0] :] + cards[: gaps[0]]
    return tuple(NAMES[card] for card in cards)


@lru_cache(maxsize=4096)
def _gin(cards: tuple[str, ...], throws: bool, ace_mode: str, ace_deadwood: int) -> Laid:
    tables = meld_tables(ace_mode, ace_deadwood)
    held = mask_of(cards)
    melds = default_spread(held, tables)
    melded = sum(melds)
    value = tables.value_of(held ^ melded)
    if throws and held:
        value = min(tables.deadwood(held ^ mask_of([card])) for card in cards)
    loose = [card for card in cards if not mask_of([card]) & melded]
    return Laid(tuple(map(as_laid, melds)), by_worth(loose, tables), value)


@singledispatch
def tables_of(hand: Hand) -> MeldTables | None:
    """What melds are and loose cards count in a hand of one pack, None for any other."""
    return None


@tables_of.register
def _gin_tables(hand: GinHand) -> MeldTables:
    return hand.table.melds


@tables_of.register
def _royal_tables(hand: RoyalHand) -> MeldTables:
    return hand.tables


@tables_of.register
def _mahjong_tables(hand: MahjongHand) -> MeldTables:
    return meld_tables(hand.rules.ace_mode, 1)


def by_suit(faces: Iterable[int], wild: int | None) -> tuple[str, ...]:
    """Loose cards of two packs by suit and rank, jokers of both kinds last."""
    return names_of(sorted(faces, key=lambda face: (is_joker(face, wild), face)))


def grouped(melds: Melds, rules: GroupRules) -> Melds:
    """Groups of two packs as a person lays them."""
    return tuple(names_of(in_order(tuple(sorted(faces_of(meld))), rules)) for meld in melds)


@lru_cache(maxsize=4096)
def _indian(cards: tuple[str, ...], throws: bool, rules: GroupRules) -> Laid:
    faces: Cards = tuple(sorted(faces_of(cards)))
    thrown: Cards = ()
    if throws and len(cards) > 1:
        thrown = faces_of([best_throw(cards, rules).card])
        faces = without(faces, thrown[0])
    found = best_grouping(faces, rules)
    return Laid(found.melds, by_suit((*found.loose, *thrown), rules.wild), found.points)


@singledispatch
def arranger(hand: Hand) -> Arranger:
    """The way to lay out cards of this hand. Of an unknown family: as they are, worth nothing."""
    tables = tables_of(hand)
    if tables is None:
        return lambda cards, throws: Laid((), cards, 0)
    ace_mode, ace_deadwood = tables.ace_mode, tables.ace_deadwood
    return lambda cards, throws: _gin(cards, throws, ace_mode, ace_deadwood)


@lru_cache(maxsize=4096)
def _mahjong(cards: tuple[str, ...], throws: bool, rules: MahjongRules) -> Laid:
    """Nobody knocks with few points here: loose cards count as at the end of the hand."""
    laid = _gin(cards, False, rules.ace_mode, 1)
    worth = sorted(card_points(rules, mask_of([card])) for card in laid.loose)
    return laid._replace(value=sum(worth[:-1] if throws else worth))


@arranger.register
def _of_mahjong(hand: MahjongHand) -> Arranger:
    return lambda cards, throws: _mahjong(cards, throws, hand.rules)


@arranger.register
def _of_indian(hand: IndianHand) -> Arranger:
    rules = hand.state.deal.grouping
    return lambda cards, throws: _indian(cards, throws, rules)
