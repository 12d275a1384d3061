"""What a defender can do against a knock: the joint optimum of own melds and layoffs.

Melding first and laying off what is left is wrong: a card may be worth more on the knocker's run
than in a run of one's own. Every way of laying off is tried and the rest is melded at best, so the
answer is exact. Fewer points are never worse for a defender, so nobody is asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from arena.rules.cards import SUIT_SIZE
from arena.rules.melds import CORNER, LOW, MeldTables, default_spread, is_set, open_cards, open_ends


class Defence(NamedTuple):
    """The defender's best answer; cards as masks, melds in canonical order."""

    value: int
    melds: tuple[int, ...]
    laid_off: int
    deadwood: int


def defend(hand: int, shown: Sequence[int], tables: MeldTables, *, may_lay_off: bool) -> Defence:
    """The least deadwood a defender can reach, with its arrangement.

    Of equally good answers the one that lays off the fewest cards is chosen, then the one that
    lays off the lowest cards; own melds follow the default spread. A card that fits both a set
    and a run of the knocker is laid off once; on which of them makes no difference to the count.
    """
    laid_off = 0
    least = tables.deadwood(hand)
    if may_lay_off and least and open_cards(shown, tables.ace_mode) & hand:
        rank = (least, 0, 0)
        for cards in layoff_choices(hand, shown, tables.ace_mode):
            found = (tables.deadwood(hand ^ cards), cards.bit_count(), cards)
            if found < rank:
                rank = found
        least, _, laid_off = rank
    rest = hand ^ laid_off
    melds = default_spread(rest, tables)
    loose = rest
    for meld in melds:
        loose ^= meld
    return Defence(least, melds, laid_off, loose)


def layoff_choices(hand: int, shown: Sequence[int], ace_mode: str) -> set[int]:
    """Every set of cards of this hand that can be laid off on these melds, none included."""
    choices = {0}
    for meld in shown:
        if open_ends(meld, ace_mode) & hand:
            extra = _set_choices(meld, hand) if is_set(meld) else _run_choices(meld, hand, ace_mode)
            choices |= {old | new for old in choices for new in extra if not old & new}
    return choices


def _set_choices(meld: int, hand: int) -> list[int]:
    fourth = open_ends(meld, LOW) & hand
    return [fourth] if fourth else []


def _run_choices(meld: int, hand: int, ace_mode: str) -> list[int]:
    """Cards that continue a run at its low end, its high end or both."""
    suit = ((meld & -meld).bit_length() - 1) // SUIT_SIZE
    below = _neighbours(meld, hand, suit, -1, ace_mode)
    above = _neighbours(meld, hand, suit, 1, ace_mode)
    # Where the two ends meet in a ring they overlap; together they are still cards laid off once.
    return [low | high for low in below for high in above if low | high]


def _neighbours(meld: int, hand: int, suit: int, step: int, ace_mode: str) -> list[int]:
    """None, one, two… cards that continue the run in one direction.

    The run is not the whole suit: that has no end, and nothing fits it.
    """
    in_suit = meld >> suit * SUIT_SIZE
    rank = next(
        rank
        for rank in range(SUIT_SIZE)
        if in_suit >> rank & 1 and not in_suit >> (rank + step) % SUIT_SIZE & 1
    )
    found = [0]
    cards = 0
    while True:
        rank += step
        if ace_mode == CORNER:
            rank %= SUIT_SIZE
        bit = 1 << suit * SUIT_SIZE + rank if 0 <= rank < SUIT_SIZE else 0
        if not hand & bit:
            return found
        cards |= bit
        found.append(cards)
