"""Indian rummy counted the slow and obvious way, straight from the rules. Cards are names.

Shares no code with the product: groups are found by trying every subset of a hand, jokers by
trying every choice of wild cards that stand for themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations, product

RANKS = "A23456789TJQK"
ROW = RANKS + "A"
WINDOWS = {
    size: [set(ROW[start : start + size]) for start in range(len(ROW) - size + 1)]
    for size in range(3, len(RANKS) + 1)
}
NOT_YET = 10**6


def value(card: str, wild: str | None) -> int:
    """Points of a loose card."""
    if card == "JK" or card[0] == wild:
        return 0
    return 10 if card[0] in "ATJQK" else int(card[0])


def kinds(group: Sequence[str], wild: str | None) -> set[str]:
    """Which of pure, impure and set these cards can be."""
    found: set[str] = set()
    if len(group) < 3:
        return found
    wilds = [card for card in group if card != "JK" and card[0] == wild]
    fixed = [card for card in group if card != "JK" and card[0] != wild]
    for own_place in product((False, True), repeat=len(wilds)):
        naturals = fixed + [card for card, stays in zip(wilds, own_place, strict=True) if stays]
        if not naturals:
            continue
        ranks = {card[0] for card in naturals}
        suits = {card[1] for card in naturals}
        if len(ranks) == 1 and len(suits) == len(naturals):
            found.add("set")
        is_run = any(ranks <= window for window in WINDOWS.get(len(group), []))
        if is_run and len(suits) == 1 and len(ranks) == len(naturals):
            found.add("pure" if len(naturals) == len(group) else "impure")
    return found


def least_points(hand: Sequence[str], wild: str | None) -> int:
    """Least value of loose cards over all groupings with a pure and a second sequence."""
    cards = range(len(hand))
    groups: list[list[tuple[int, bool, bool]]] = [[] for _ in cards]
    for size in range(3, len(hand) + 1):
        for chosen in combinations(cards, size):
            found = kinds([hand[at] for at in chosen], wild)
            if found:
                mask = sum(1 << at for at in chosen)
                groups[chosen[0]].append((mask, "pure" in found, bool(found - {"set"})))

    @cache
    def rest(at: int, used: int, pure: bool, sequences: int) -> int:
        if at == len(hand):
            return 0 if pure and sequences >= 2 else NOT_YET
        if used >> at & 1:
            return rest(at + 1, used, pure, sequences)
        best = value(hand[at], wild) + rest(at + 1, used, pure, sequences)
        for mask, is_pure, is_sequence in groups[at]:
            if not mask & used:
                after = min(2, sequences + is_sequence)
                best = min(best, rest(at + 1, used | mask, pure or is_pure, after))
        return best

    return min(rest(0, 0, False, 0), sum(value(card, wild) for card in hand))
