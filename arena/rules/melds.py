"""Melds: what they are, which of them make the most of a hand, and what a knocker shows.

All hands and melds are bit masks (see `cards`); the search for the least deadwood itself is in
`meld_tables`, whose names are offered here too.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import product
from typing import Final

from arena.errors import IllegalAction, InvalidCards
from arena.rules.cards import SUIT_MASK, SUIT_SIZE, indexes, mask_of, names
from arena.rules.meld_tables import (
    CORNER,
    LOW,
    NO_CARD,
    MeldTables,
    meld_tables,
    run_masks,
    without_sets,
)

__all__ = [
    "CORNER",
    "LOW",
    "NO_CARD",
    "MeldTables",
    "deadwood",
    "default_spread",
    "is_run",
    "is_set",
    "meld_names",
    "meld_tables",
    "open_cards",
    "open_ends",
    "optimal_arrangements",
    "stated_spread",
]

_RANK_IN_ALL_SUITS: Final = tuple(
    sum(1 << (suit * SUIT_SIZE + rank) for suit in range(4)) for rank in range(SUIT_SIZE)
)


def deadwood(hand: int, ace_mode: str = LOW, ace_deadwood: int = 1) -> int:
    """Least deadwood of a hand."""
    return meld_tables(ace_mode, ace_deadwood).deadwood(hand)


def optimal_arrangements(hand: int, tables: MeldTables) -> list[tuple[int, ...]]:
    """Every set of disjoint melds that leaves the least deadwood; melds as masks, sorted."""
    suits = hand & 8191, hand >> 13 & 8191, hand >> 26 & 8191, hand >> 39
    clubs, diamonds, hearts, spades = suits
    three = clubs & diamonds & (hearts | spades) | (clubs | diamonds) & hearts & spades
    least = tables.deadwood(hand)
    found: list[tuple[int, ...]] = []
    runs = tables.runs
    for way in without_sets(*suits, three):
        if runs[way[0]] + runs[way[1]] + runs[way[2]] + runs[way[3]] != least:
            continue
        left = way[0] | way[1] << 13 | way[2] << 26 | way[3] << 39
        sets = _by_rank(hand ^ left) if left != hand else ()
        for parts in product(*(tables.run_partitions(suit) for suit in way)):
            in_runs = [run << at * SUIT_SIZE for at, part in enumerate(parts) for run in part]
            found.append(tuple(sorted((*sets, *in_runs), key=_lowest)))
    return found


def _by_rank(cards: int) -> tuple[int, ...]:
    return tuple(group for column in _RANK_IN_ALL_SUITS if (group := cards & column))


def _lowest(meld: int) -> int:
    # Disjoint melds are in canonical order when their lowest cards are.
    return meld & -meld


def default_spread(hand: int, tables: MeldTables) -> tuple[int, ...]:
    """The melds a knocker shows when it named none; it does not look at the defender.

    Least deadwood; then the fewest cards, of those not in this hand, that could be laid off
    directly; then the fewest melds; then the lowest cards in canonical order.
    """
    spreads = optimal_arrangements(hand, tables)
    if len(spreads) == 1:
        return spreads[0]
    return min(
        spreads,
        key=lambda melds: (
            (open_cards(melds, tables.ace_mode) & ~hand).bit_count(),
            len(melds),
            tuple(tuple(indexes(meld)) for meld in melds),
        ),
    )


def open_cards(melds: Iterable[int], ace_mode: str) -> int:
    """The cards that could be laid off directly on one of these melds."""
    cards = 0
    for meld in melds:
        cards |= open_ends(meld, ace_mode)
    return cards


@cache
def open_ends(meld: int, ace_mode: str) -> int:
    """The cards that fit a meld directly: the fourth of a set, or those beside a run."""
    suit = ((meld & -meld).bit_length() - 1) // SUIT_SIZE
    in_suit = meld >> suit * SUIT_SIZE
    if in_suit > SUIT_MASK:
        return _rank_column(meld) & ~meld
    if ace_mode == CORNER:
        beside = in_suit << 1 | in_suit >> 1 | in_suit >> 12 | (in_suit & 1) << 12
    else:
        beside = in_suit << 1 | in_suit >> 1
    return (beside & SUIT_MASK & ~in_suit) << suit * SUIT_SIZE


def _rank_column(meld: int) -> int:
    return _RANK_IN_ALL_SUITS[((meld & -meld).bit_length() - 1) % SUIT_SIZE]


def is_set(meld: int) -> bool:
    """Three or four cards of one rank."""
    return meld.bit_count() in (3, 4) and meld & ~_rank_column(meld) == 0


def is_run(meld: int, tables: MeldTables) -> bool:
    """Three or more neighbours of one suit."""
    if not meld:
        return False
    suit = ((meld & -meld).bit_length() - 1) // SUIT_SIZE
    return meld >> suit * SUIT_SIZE in _run_set(tables.ace_mode)


@cache
def _run_set(ace_mode: str) -> frozenset[int]:
    return frozenset(run_masks(ace_mode))


def stated_spread(hand: int, melds: Sequence[Sequence[str]], tables: MeldTables) -> tuple[int, ...]:
    """The melds that a player stated, as masks in canonical order.

    :raises IllegalAction: a group is no meld, uses a card twice or one that is not in the hand.
    """
    used = 0
    found = []
    for group in melds:
        text = " ".join(group)
        try:
            meld = mask_of(group)
        except InvalidCards as error:
            raise IllegalAction(f"stated meld {text!r}: {error}") from None
        if not (is_set(meld) if meld else False) and not is_run(meld, tables):
            raise IllegalAction(
                f"stated meld {text!r} is neither three or four of a rank "
                f"nor three or more in a row of one suit"
            )
        if meld & ~hand:
            raise IllegalAction(f"stated meld {text!r} uses {names(meld & ~hand)[0]}, not held")
        if meld & used:
            raise IllegalAction(f"{names(meld & used)[0]} is in two stated melds")
        used |= meld
        found.append(meld)
    return tuple(sorted(found, key=_lowest))


def meld_names(melds: Iterable[int]) -> tuple[tuple[str, ...], ...]:
    """Names of the cards of each meld."""
    return tuple(names(meld) for meld in melds)
