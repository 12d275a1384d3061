"""Battle Royal word for word, by trying everything: too slow to be used, too simple to be wrong.

Cards are names, and nothing is shared with `arena.rules` but the texts of actions.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import combinations

from tests.rules.tables.naive_mahjong import is_meld

PIPS = {"A": 1, "T": 10, "J": 10, "Q": 10, "K": 10}


def value(cards: Iterable[str]) -> int:
    """Points of loose cards."""
    return sum(PIPS.get(card[0]) or int(card[0]) for card in cards)


def arrangements(cards: frozenset[str]) -> list[tuple[frozenset[str], ...]]:
    """Every set of disjoint melds of these cards, none included."""
    melds = [
        frozenset(some)
        for size in range(3, len(cards) + 1)
        for some in combinations(sorted(cards), size)
        if is_meld(frozenset(some))
    ]
    found: list[tuple[frozenset[str], ...]] = [()]
    for meld in melds:
        found += [(*some, meld) for some in found if not any(meld & other for other in some)]
    return found


def deadwood(cards: frozenset[str]) -> int:
    """Least value of the cards outside melds."""
    return min(value(cards.difference(*melds)) for melds in arrangements(cards))


def count_after_layoffs(cards: frozenset[str], shown: Iterable[frozenset[str]]) -> int:
    """Least count of a defender who lays single cards on melds just as the knocker showed them."""
    fits = {card for card in cards if any(is_meld(meld | {card}) for meld in shown)}
    return min(value(cards.difference(fits, *melds)) for melds in arrangements(cards))


@dataclass(frozen=True)
class Position:
    """A hand of Battle Royal. ``offers``: how many players were offered the upcard, None when
    that is over. ``made``: the latest discard of each player, taken or not. ``kept``: the card
    that may not be thrown."""

    dealer: int
    mover: int
    hands: tuple[frozenset[str], frozenset[str], frozenset[str]]
    stock: tuple[str, ...]
    pile: tuple[str, ...]
    limit: int = 10
    wall: int = 3
    offers: int | None = 0
    forced: bool = False
    drawing: bool = True
    made: tuple[str | None, str | None, str | None] = (None, None, None)
    kept: str | None = None
    over: bool = False

    def legal(self) -> set[str]:
        """Ids of the legal actions."""
        if self.over:
            return set()
        if self.offers is not None:
            return {"pass", "draw:discard"}
        if self.forced:
            return {"draw:stock"}
        if self.drawing:
            found = {"draw:stock"}
            for back, name in ((1, "draw:discard"), (2, "draw:under")):
                if self.made[(self.mover - back) % 3] in self.pile:
                    found.add(name)
            return found
        cards = self.hands[self.mover]
        free = cards - {self.kept}
        knocks = {f"knock:{card}" for card in free if deadwood(cards - {card}) <= self.limit}
        return knocks | {f"discard:{card}" for card in free}

    def after(self, act: str) -> Position:
        """The position after an action."""
        kind, _, arg = act.partition(":")
        me = self.mover
        following = (me + 1) % 3
        if kind == "pass":
            offers = (self.offers or 0) + 1
            done = offers == 3
            return replace(self, mover=following, offers=None if done else offers, forced=done)
        if kind == "draw":
            if arg == "stock":
                card, stock, pile = self.stock[0], self.stock[1:], self.pile
            else:
                back = 1 if arg == "discard" else 2
                card = self.pile[-1] if self.offers is not None else self._made(back)
                stock, pile = self.stock, tuple(each for each in self.pile if each != card)
            return replace(
                self,
                hands=self._with(self.hands[me] | {card}),
                stock=stock,
                pile=pile,
                offers=None,
                forced=False,
                drawing=False,
                kept=None if arg == "stock" else card,
            )
        hands = self._with(self.hands[me] - {arg})
        if kind == "knock":
            return replace(self, hands=hands, over=True)
        made = list(self.made)
        made[me] = arg
        return replace(
            self,
            hands=hands,
            pile=(*self.pile, arg),
            made=(made[0], made[1], made[2]),
            drawing=True,
            kept=None,
            mover=following,
            over=len(self.stock) <= self.wall,
        )

    def _made(self, back: int) -> str:
        card = self.made[(self.mover - back) % 3]
        assert card is not None
        return card

    def _with(self, hand: frozenset[str]) -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
        hands = list(self.hands)
        hands[self.mover] = hand
        return hands[0], hands[1], hands[2]
