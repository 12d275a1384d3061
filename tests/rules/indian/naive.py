"""Indian rummy counted the slow and obvious way, straight from the rules. Cards are names.

Shares no code with the product: groups are found by trying every subset of a hand, jokers by
trying every choice of wild cards that stand for themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations, product
from typing import NamedTuple

RANKS = "A23456789TJQK"
NOT_YET = 10**6


class House(NamedTuple):
    """House rules for groups; the defaults are the usual ones."""

    ace_high: bool = True
    wild_natural_pure: bool = True
    min_natural: int = 1
    min_pure: int = 1
    min_sequences: int = 2


USUAL = House()


@cache
def windows(size: int, ace_high: bool) -> tuple[set[str], ...]:
    """The ranks of all runs of this size."""
    row = RANKS + "A" * ace_high
    if size > len(RANKS):
        return ()
    return tuple(set(row[start : start + size]) for start in range(len(row) - size + 1))


def value(card: str, wild: str | None) -> int:
    """Points of a loose card."""
    if card == "JK" or card[0] == wild:
        return 0
    return 10 if card[0] in "ATJQK" else int(card[0])


def kinds(group: Sequence[str], wild: str | None, house: House = USUAL) -> set[str]:
    """Which of pure, impure and set these cards can be."""
    found: set[str] = set()
    if len(group) < 3:
        return found
    wilds = [card for card in group if card != "JK" and card[0] == wild]
    fixed = [card for card in group if card != "JK" and card[0] != wild]
    for own_place in product((False, True), repeat=len(wilds)):
        naturals = fixed + [card for card, stays in zip(wilds, own_place, strict=True) if stays]
        if len(naturals) < house.min_natural:
            continue
        ranks = {card[0] for card in naturals}
        suits = {card[1] for card in naturals}
        if len(ranks) <= 1 and len(suits) == len(naturals):
            found.add("set")
        is_run = any(ranks <= window for window in windows(len(group), house.ace_high))
        if is_run and len(suits) <= 1 and len(ranks) == len(naturals):
            is_whole = len(naturals) == len(group)
            barred = any(own_place) and not house.wild_natural_pure
            if not is_whole:
                found.add("impure")
            elif not barred:
                found.add("pure")
    return found


def least_points(hand: Sequence[str], wild: str | None, house: House = USUAL) -> int:
    """Least value of loose cards over all groupings with the sequences that are needed."""
    cards = range(len(hand))
    groups: list[list[tuple[int, bool, bool]]] = [[] for _ in cards]
    for size in range(3, len(hand) + 1):
        for chosen in combinations(cards, size):
            found = kinds([hand[at] for at in chosen], wild, house)
            if found:
                mask = sum(1 << at for at in chosen)
                groups[chosen[0]].append((mask, "pure" in found, bool(found - {"set"})))

    @cache
    def rest(at: int, used: int, pure: int, sequences: int) -> int:
        if at == len(hand):
            enough = pure == house.min_pure and sequences == house.min_sequences
            return 0 if enough else NOT_YET
        if used >> at & 1:
            return rest(at + 1, used, pure, sequences)
        best = value(hand[at], wild) + rest(at + 1, used, pure, sequences)
        for mask, is_pure, is_sequence in groups[at]:
            if not mask & used:
                pures = min(house.min_pure, pure + is_pure)
                runs = min(house.min_sequences, sequences + is_sequence)
                best = min(best, rest(at + 1, used | mask, pures, runs))
        return best

    return min(rest(0, 0, 0, 0), sum(value(card, wild) for card in hand))
