"""Least deadwood of many hands at once, exactly; the best discard of many hands at once.

The method is that of `arena.rules.meld_tables`, whose tables are used: runs by table, and every
way of making sets tried. Hands are arrays of 64-bit masks. What comes out is the same, down to
which of two equally good cards is thrown.
"""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from arena.rules.cards import SUIT_MASK, SUIT_SIZE
from arena.rules.meld_tables import LOW, NO_CARD, meld_tables

Masks = npt.NDArray[np.uint64]
"""Hands: bit i is card i."""
Ints = npt.NDArray[np.int64]
Suits = npt.NDArray[np.int64]
"""Shape (4, n): the 13 bits of each suit, in the order C D H S."""

NOTHING_KEPT: Final = SUIT_SIZE
"""In place of the rank of a card that may not be thrown."""
_PLACE_BITS: Final = 10
"""Enough for the ways of a hand with four ranks of four."""
_SHIFTS: Final = np.arange(4, dtype=np.uint64)[:, None] * np.uint64(SUIT_SIZE)


class Tables(NamedTuple):
    """By 13-bit mask of a suit. ``runs``: least deadwood by runs alone.

    ``change``, ``drop``: by the rank that may not be thrown (13 for none) and by mask, what
    throwing the best card does to the least deadwood, and the rank of that card.
    """

    runs: npt.NDArray[np.int16]
    change: npt.NDArray[np.int16]
    drop: npt.NDArray[np.int8]


@cache
def tables(ace_deadwood: int = 1) -> Tables:
    """The tables for one value of a loose ace, built at the first call."""
    lists = meld_tables(LOW, ace_deadwood)
    runs = np.array(lists.runs, np.int16)
    masks = np.arange(SUIT_MASK + 1)
    change = np.full((SUIT_SIZE + 1, SUIT_MASK + 1), NO_CARD, np.int16)
    drop = np.zeros((SUIT_SIZE + 1, SUIT_MASK + 1), np.int8)
    for rank in range(SUIT_SIZE):
        holds = masks >> rank & 1 == 1
        after = runs[masks & ~(1 << rank)] - runs
        for kept in range(SUIT_SIZE + 1):
            # "<=": of equally good cards the highest goes.
            better = holds & (after <= change[kept]) & (kept != rank)
            change[kept, better] = after[better]
            drop[kept, better] = rank
    return Tables(runs, change, drop)


def suits_of(hands: Masks) -> Suits:
    """The hands suit by suit."""
    return (hands >> _SHIFTS & np.uint64(SUIT_MASK)).astype(np.int64)


def triples(suits: Suits) -> Ints:
    """The ranks of which a hand has three cards or more."""
    clubs, diamonds, hearts, spades = suits
    found: Ints = clubs & diamonds & (hearts | spades) | (clubs | diamonds) & hearts & spades
    return found


class _Ways(NamedTuple):
    """What is left of hands for each way of making sets, no set at all included.

    ``owner``: the hand it is a way of. ``suits``: what is left. ``place``: its number among the
    ways of its hand, in the order of `arena.rules.meld_tables.without_sets`.
    """

    owner: Ints
    suits: Suits
    place: Ints


def _ways(suits: Suits, three: Ints) -> _Ways:
    """All ways for hands; ``three``: the ranks of which each has three cards or more."""
    owner = np.arange(three.size)
    place = np.zeros(three.size, np.int64)
    rows = suits
    count = np.ones(three.size, np.int64)
    left = three.copy()
    while left.any():
        bit = left & -left
        left ^= bit
        four = (suits & bit == bit).all(axis=0)
        variants = np.where(four, 5, 1)
        old = np.flatnonzero(bit[owner])
        of_four = old[four[owner[old]]]
        taken = [(old, slice(None), 0)]
        # Four of a rank are a set with any one of them kept out of it, too.
        taken += [(of_four, np.arange(4) != suit, 1 + suit) for suit in range(4)]
        parts = []
        for each, columns, variant in taken:
            whose = owner[each]
            part = rows[:, each]
            part[columns] &= ~bit[whose]
            where = count[whose] + place[each] * variants[whose] + variant
            parts.append((whose, part, where))
        owner = np.concatenate([owner, *(whose for whose, _, _ in parts)])
        rows = np.concatenate([rows, *(part for _, part, _ in parts)], axis=1)
        place = np.concatenate([place, *(where for _, _, where in parts)])
        count *= np.where(bit != 0, 1 + variants, 1)
    return _Ways(owner, rows, place)


def deadwood(hands: Masks, table: Tables | None = None) -> Ints:
    """Least deadwood of each hand, over all arrangements."""
    table = table or tables()
    suits = suits_of(hands)
    best: Ints = table.runs[suits].sum(axis=0, dtype=np.int64)
    three = triples(suits)
    some = np.flatnonzero((three != 0) & (best > 0))
    if some.size:
        ways = _ways(suits[:, some], three[some])
        found = table.runs[ways.suits].sum(axis=0, dtype=np.int64)
        least = best[some]
        np.minimum.at(least, ways.owner, found)
        best[some] = least
    return best


def best_discard(
    hands: Masks, kept: npt.NDArray[np.int8] | None = None, table: Tables | None = None
) -> tuple[Ints, Ints]:
    """Least deadwood of each hand after throwing one card, and the index of that card.

    ``kept``: for each hand the card that may not be thrown, -1 for none. Which of equally good
    cards goes is as in `MeldTables.best_discard`; -1 where there is nothing to throw.
    """
    table = table or tables()
    suits = suits_of(hands)
    ranks = np.full(suits.shape, NOTHING_KEPT)
    if kept is not None:
        some = np.flatnonzero(kept >= 0)
        ranks[kept[some] // SUIT_SIZE, some] = kept[some] % SUIT_SIZE
    three = triples(suits)
    ways = _ways(suits, three)
    whole = table.runs[ways.suits].sum(axis=0, dtype=np.int64)
    found = whole + table.change[ranks[:, ways.owner], ways.suits]
    # One number to find the first of the least by: deadwood, then way, then suit.
    keys = (found << _PLACE_BITS + 2) + (ways.place << 2) + np.arange(4)[:, None]
    of_way = keys.min(axis=0)
    best = np.full(hands.size, np.iinfo(np.int64).max)
    np.minimum.at(best, ways.owner, of_way)
    row = np.empty(hands.size, np.int64)
    chosen = np.flatnonzero(of_way == best[ways.owner])
    row[ways.owner[chosen]] = chosen
    suit = best & 3
    drop = table.drop[ranks[suit, np.arange(hands.size)], ways.suits[suit, row]]
    least = best >> _PLACE_BITS + 2
    nothing = least >= NO_CARD
    return np.where(nothing, NO_CARD, least), np.where(nothing, -1, suit * SUIT_SIZE + drop)
