"""Mahjong gin word for word, by trying everything: too slow to be used, too simple to be wrong.

Cards are names, and nothing is shared with `arena.rules` but the texts of actions. Whether an
action may be offered is decided by its definition: some way of going on must end the turn. The
engine decides the same by reasoning; tests compare the two.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations

RANKS = "A23456789TJQK"
SUITS = "CDHS"


def order(card: str) -> tuple[int, int]:
    """Place of a card in the canonical order."""
    return SUITS.index(card[1]), RANKS.index(card[0])


def is_meld(cards: frozenset[str]) -> bool:
    """Three or four of a rank, or three or more in a row of one suit, aces low."""
    if len(cards) < 3:
        return False
    ranks = sorted(RANKS.index(card[0]) for card in cards)
    if ranks[0] == ranks[-1]:
        return True
    in_a_row = ranks == list(range(ranks[0], ranks[0] + len(ranks)))
    return in_a_row and len({card[1] for card in cards}) == 1


@dataclass(frozen=True)
class Position:
    """A hand of Mahjong gin. ``table``: melds by the position that laid them.

    ``bound``: the card that must come to the table, or that may not be thrown; ``duty`` tells.
    """

    dealer: int
    mover: int
    hands: tuple[frozenset[str], frozenset[str]]
    stock: tuple[str, ...]
    pile: tuple[str, ...]
    table: tuple[tuple[frozenset[str], ...], tuple[frozenset[str], ...]] = ((), ())
    drawing: bool = True
    bound: str | None = None
    duty: bool = False
    wall: int = 2
    over: bool = False

    def draws(self) -> list[str]:
        """Legal draws."""
        found = ["draw:stock", "draw:discard"]
        for count in range(2, len(self.pile) + 1):
            if self.after(f"take:{count}").can_end():
                found.append(f"take:{count}")
        return found

    def melds(self) -> list[str]:
        """Melds that could be laid from the hand, whatever comes of it."""
        held = sorted(self.hands[self.mover], key=order)
        return [
            "meld:" + "".join(cards)
            for size in range(3, len(held) + 1)
            for cards in combinations(held, size)
            if is_meld(frozenset(cards))
        ]

    def adds(self) -> list[str]:
        """Cards that could be added to a meld on the table, whatever comes of it."""
        return [
            f"add:{card}:{number}"
            for card in self.hands[self.mover]
            for number, meld in enumerate(self.table[0] + self.table[1])
            if is_meld(meld | {card})
        ]

    def throws(self) -> list[str]:
        """Discards: none while a duty is open, and never the single card just taken."""
        if self.bound and self.duty:
            return []
        return [f"discard:{card}" for card in self.hands[self.mover] if card != self.bound]

    def can_end(self) -> bool:
        """Whether the turn can be ended from here."""
        if self.over or self.throws():
            return True
        return any(self.after(each).can_end() for each in (*self.melds(), *self.adds()))

    def legal(self) -> set[str]:
        """Ids of the legal actions."""
        if self.over:
            return set()
        if self.drawing:
            return set(self.draws())
        laying = {each for each in (*self.melds(), *self.adds()) if self.after(each).can_end()}
        return laying | set(self.throws())

    def after(self, action: str) -> Position:
        """The position after an action."""
        kind, _, arg = action.partition(":")
        me = self.mover
        hand = self.hands[me]
        if action == "draw:stock":
            card = self.stock[-1 if me == self.dealer else 0]
            stock = self.stock[:-1] if me == self.dealer else self.stock[1:]
            return replace(self._holding(hand | {card}), stock=stock, drawing=False)
        if kind in ("draw", "take"):
            count = int(arg) if kind == "take" else 1
            taken = self.pile[-count:]
            return replace(
                self._holding(hand | set(taken)),
                pile=self.pile[:-count],
                drawing=False,
                bound=taken[0],
                duty=count > 1,
            )
        if kind == "meld":
            cards = frozenset(arg[at : at + 2] for at in range(0, len(arg), 2))
            mine = (*self.table[me], cards)
            table = (mine, self.table[1]) if me == 0 else (self.table[0], mine)
            return replace(self._holding(hand - cards), table=table)._rid_of(cards)
        if kind == "add":
            card, _, number = arg.partition(":")
            melds = list(self.table[0] + self.table[1])
            melds[int(number)] |= {card}
            split = len(self.table[0])
            table = (tuple(melds[:split]), tuple(melds[split:]))
            return replace(self._holding(hand - {card}), table=table)._rid_of({card})
        after = replace(self._holding(hand - {arg}), pile=(*self.pile, arg), bound=None, duty=False)
        over = after.over or len(after.stock) <= self.wall
        return replace(after, over=over, mover=1 - me, drawing=True)

    def _holding(self, hand: frozenset[str]) -> Position:
        hands = (hand, self.hands[1]) if self.mover == 0 else (self.hands[0], hand)
        return replace(self, hands=hands, over=not hand)

    def _rid_of(self, cards: frozenset[str] | set[str]) -> Position:
        return replace(self, bound=None, duty=False) if self.bound in cards else self


def count_sequences(position: Position, depth: int) -> int:
    """Number of legal sequences of this length, or shorter ones that end the hand."""
    if depth == 0 or position.over:
        return 1
    return sum(count_sequences(position.after(each), depth - 1) for each in position.legal())
