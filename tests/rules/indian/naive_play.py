"""A second, plain implementation of a deal of Indian rummy, to count what can be played.

Written from the rules alone: mutable lists, no tables, nothing shared with the product. For small
hands: a declaration without stated groups is tried in every grouping.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from copy import deepcopy
from itertools import combinations
from typing import Any

from tests.rules.indian import naive

Tally = dict[str, int]


def groupings(cards: tuple[str, ...], rank: str | None) -> Iterator[list[set[str]]]:
    """The kinds of the groups, for every way to put all these cards into groups."""
    if not cards:
        yield []
        return
    for size in range(3, len(cards) + 1):
        for others in combinations(range(1, len(cards)), size - 1):
            found = naive.kinds([cards[0], *(cards[at] for at in others)], rank)
            if found:
                rest = tuple(c for at, c in enumerate(cards) if at and at not in others)
                for more in groupings(rest, rank):
                    yield [found, *more]


class Table:
    """One deal; `moves` lists what may be done, `do` does it."""

    def __init__(self, deck: Sequence[str], positions: int, rules: dict[str, Any]) -> None:
        size = rules["hand_size"]
        self.rules, self.deck = rules, list(deck)
        self.hands = [sorted(deck[at : positions * size : positions]) for at in range(positions)]
        self.pile = [deck[positions * size]]
        shown = deck[positions * size + 1]
        self.wild = "A" if shown == "JK" else shown[0]
        self.stock = list(deck[positions * size + 2 :])
        self.out = [False] * positions
        self.drawn_once = [False] * positions
        self.turns = [0] * positions
        self.opening_there = True
        self.drawn = False
        self.shuffles = 0
        self.mover = positions - 1
        self.ending = ""
        self.pass_on()

    def pass_on(self) -> None:
        self.drawn = False
        while True:
            self.mover = (self.mover + 1) % len(self.hands)
            if not self.out[self.mover]:
                break
        if self.turns[self.mover] == self.rules["max_turns"]:
            self.ending = "dead_turns"
            return
        if not self.stock and len(self.pile) > 1:
            self.shuffles += 1
            text = f"reshuffle|{self.shuffles}|" + " ".join(self.deck)
            below = self.pile[:-1]
            stream = hashlib.shake_256(text.encode()).digest(8 * len(below))
            keys = [int.from_bytes(stream[8 * at : 8 * at + 8], "big") for at in range(len(below))]
            self.stock = [card for _, _, card in sorted(zip(keys, range(99), below, strict=False))]
            self.pile = self.pile[-1:]
            self.opening_there = False
        if not self.stock and not self.takeable():
            self.ending = "dead_stock"

    def takeable(self) -> bool:
        if not self.pile:
            return False
        top = self.pile[-1]
        return (top != "JK" and top[0] != self.wild) or (self.opening_there and len(self.pile) == 1)

    def moves(self) -> list[str]:
        if self.ending:
            return []
        hand = sorted(set(self.hands[self.mover]))
        if self.drawn:
            return [f"{act}:{card}" for act in ("discard", "declare") for card in hand]
        drop = "middle_drop" if self.drawn_once[self.mover] else "first_drop"
        return (
            ["draw:stock"] * bool(self.stock)
            + ["draw:discard"] * self.takeable()
            + ["drop"] * (self.rules[drop] is not None)
        )

    def do(self, move: str) -> None:
        me = self.mover
        act, _, card = move.partition(":")
        if act == "draw":
            self.drawn = self.drawn_once[me] = True
            if card == "stock":
                self.hands[me].append(self.stock.pop(0))
            else:
                self.opening_there = self.opening_there and len(self.pile) > 1
                self.hands[me].append(self.pile.pop())
            return
        self.turns[me] += 1
        if act == "discard":
            self.hands[me].remove(card)
            self.pile.append(card)
            self.pass_on()
            return
        if act == "declare":
            self.hands[me].remove(card)
            if self.can_win(tuple(self.hands[me])):
                self.ending = "declared"
                return
        self.out[me] = True
        if self.out.count(False) == 1:
            self.ending = "wrong_declaration" if act == "declare" else "last_player"
        else:
            self.pass_on()

    def can_win(self, cards: tuple[str, ...]) -> bool:
        return any(
            sum("pure" in kinds for kinds in groups) >= self.rules["min_pure"]
            and sum(bool(kinds - {"set"}) for kinds in groups) >= self.rules["min_sequences"]
            for groups in groupings(cards, self.wild)
        )


def count(table: Table, depth: int) -> Tally:
    """Lines of play of this length, and shorter ones that end before, by how they end."""
    if table.ending:
        return {table.ending: 1}
    if depth == 0:
        return {"running": 1}
    total: Counter[str] = Counter()
    for move in table.moves():
        after = deepcopy(table)
        after.do(move)
        total.update(count(after, depth - 1))
    return dict(total)
