"""What can be laid on the table at Mahjong gin, with nothing but bit masks.

Two questions: which melds and additions do some cards allow, and can one given card still be
brought to the table? The hand (`mahjong_hand`) asks both before it offers an action, so that no
action leads to a turn that cannot be ended.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Final

from arena.rules.cards import SUIT_MASK, SUIT_SIZE
from arena.rules.melds import meld_tables, open_ends

_RANK: Final = tuple(sum(1 << suit * SUIT_SIZE + rank for suit in range(4)) for rank in range(13))


def melds_within(cards: int, ace_mode: str) -> tuple[int, ...]:
    """Every meld that can be made of these cards: sets of three and four, runs of any length.

    At most 329 with low aces (65 sets, 264 runs), were all 52 cards in one hand. Sets come first,
    by rank; then runs by suit, shorter ones first.
    """
    found: list[int] = []
    for column in _RANK:
        group = cards & column
        if group.bit_count() >= 3:
            found.append(group)
            if group.bit_count() == 4:
                found += [group ^ bit for bit in _bits(group)]
    for suit in range(4):
        shift = suit * SUIT_SIZE
        found += [run << shift for run in _runs_within(cards >> shift & SUIT_MASK, ace_mode)]
    return tuple(found)


@cache
def _runs_within(suit_cards: int, ace_mode: str) -> tuple[int, ...]:
    runs = meld_tables(ace_mode).run_masks
    return tuple(run for run in runs if run & suit_cards == run)


def _bits(mask: int) -> list[int]:
    bits = []
    while mask:
        low = mask & -mask
        bits.append(low)
        mask ^= low
    return bits


def additions(cards: int, table: Sequence[int], ace_mode: str) -> tuple[tuple[int, int], ...]:
    """Every (card bit, meld number) such that the card fits directly on that meld."""
    return tuple(
        (bit, number)
        for number, meld in enumerate(table)
        for bit in _bits(open_ends(meld, ace_mode) & cards)
    )


def can_reach_table(card: int, cards: int, table: Iterable[int], ace_mode: str) -> bool:
    """Whether this card can come to the table with the help of these cards, itself among them.

    Either some meld of these cards holds it, or it fits a meld on the table, perhaps after other
    cards have continued a run up to it. Nothing else can help: a new meld that the card could be
    added to would be a meld with the card as well.
    """
    if any(meld & card for meld in melds_within(cards, ace_mode)):
        return True
    for meld in table:
        grown = meld
        while more := open_ends(grown, ace_mode) & cards:
            grown |= more
        if grown & card:
            return True
    return False
