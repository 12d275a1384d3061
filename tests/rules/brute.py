"""The rules by exhaustion, too simple to be wrong and too slow to be used.

Cards are names. Nothing here shares code with `arena.rules.melds` or `arena.rules.layoffs`: melds
are found by testing every small subset, and every set of disjoint melds is tried.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import combinations

RANKS = "A23456789TJQK"

Cards = frozenset[str]


def card_value(card: str, ace: int) -> int:
    """Points of a loose card."""
    if card[0] == "A":
        return ace
    return 10 if card[0] in "TJQK" else int(card[0])


def value(cards: Iterable[str], ace: int) -> int:
    """Points of loose cards."""
    return sum(card_value(card, ace) for card in cards)


def is_meld(cards: Cards, corner: bool) -> bool:
    """Whether these cards are a set or a run."""
    if len(cards) < 3:
        return False
    ranks = [RANKS.index(card[0]) for card in cards]
    if len(set(ranks)) == 1:
        return True
    if len({card[1] for card in cards}) != 1:
        return False
    starts = range(13) if corner else range(13 - len(cards) + 1)
    windows = [{(start + step) % 13 for step in range(len(cards))} for start in starts]
    return set(ranks) in windows


@cache
def all_melds(corner: bool) -> frozenset[Cards]:
    """Every meld of the pack."""
    found: set[Cards] = set()
    for suit in "CDHS":
        whole = [rank + suit for rank in RANKS]
        for length in range(3, 14):
            for start in range(13):
                cards = frozenset(whole[(start + step) % 13] for step in range(length))
                if is_meld(cards, corner):
                    found.add(cards)
    for rank in RANKS:
        for length in (3, 4):
            found.update(
                frozenset(rank + suit for suit in suits) for suits in combinations("CDHS", length)
            )
    return frozenset(found)


def melds_in(cards: Cards, corner: bool) -> list[Cards]:
    """Every meld that can be made of these cards."""
    return [meld for meld in all_melds(corner) if meld <= cards]


def arrangements(cards: Cards, corner: bool) -> Iterator[tuple[Cards, ...]]:
    """Every set of disjoint melds, the empty one included."""

    def extend(chosen: tuple[Cards, ...], rest: list[Cards]) -> Iterator[tuple[Cards, ...]]:
        yield chosen
        for at, meld in enumerate(rest):
            yield from extend((*chosen, meld), [each for each in rest[at + 1 :] if not each & meld])

    yield from extend((), melds_in(cards, corner))


def loose(cards: Cards, melds: Iterable[Cards]) -> Cards:
    """The cards in none of the melds."""
    return cards.difference(*melds)


def deadwood(cards: Cards, corner: bool, ace: int) -> int:
    """Least deadwood over all arrangements."""
    return min(value(loose(cards, melds), ace) for melds in arrangements(cards, corner))


def optimal(cards: Cards, corner: bool, ace: int) -> set[frozenset[Cards]]:
    """All arrangements with the least deadwood."""
    least = deadwood(cards, corner, ace)
    return {
        frozenset(melds)
        for melds in arrangements(cards, corner)
        if value(loose(cards, melds), ace) == least
    }


def layoffs(cards: Cards, shown: tuple[Cards, ...], corner: bool) -> set[Cards]:
    """Every set of cards that can be laid off on these melds, one card after the other."""
    seen: set[tuple[Cards, tuple[Cards, ...]]] = set()
    found: set[Cards] = set()

    def go(laid: Cards, melds: tuple[Cards, ...]) -> None:
        if (laid, melds) in seen:
            return
        seen.add((laid, melds))
        found.add(laid)
        for card in cards - laid:
            for at, meld in enumerate(melds):
                if is_meld(meld | {card}, corner):
                    go(laid | {card}, (*melds[:at], meld | {card}, *melds[at + 1 :]))

    go(frozenset(), shown)
    return found


def defend(cards: Cards, shown: tuple[Cards, ...], corner: bool, ace: int, allowed: bool) -> int:
    """Least deadwood of a defender over all ways of laying off and melding."""
    choices = layoffs(cards, shown, corner) if allowed else {frozenset[str]()}
    return min(deadwood(cards - laid, corner, ace) for laid in choices)
