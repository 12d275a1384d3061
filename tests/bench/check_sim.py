"""Millions of simulated hands, checked: ``python -m tests.bench.check_sim [HANDS] [SAMPLE]``.

Plays HANDS hands (a million unless told otherwise) between six pairs of players, in chunks. Of all
of them it checks, in the midst of play, that every card is in one place and that what is chosen is
legal; and at the end that hands have their size and that points fit the deadwood. SAMPLE of them
(20,000 unless told otherwise), chosen at random, are played again decision by decision in the
rules engine, which has to come to the same cards, ending and points. Exit code 1 if anything is
wrong. Prints a line for each half million hands.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter

import numpy as np
import numpy.typing as npt

from arena.rules.base import Ending, action
from arena.rules.cards import FULL_DECK, NAMES
from arena.rules.gin.hand import GinHand, deal_gin
from arena.sim import (
    BIG_GIN,
    BITS,
    ENDINGS,
    KNOCK,
    NO_ACTION,
    Hands,
    Policy,
    action_id,
    deadwood,
    random_legal,
    shuffled_orders,
    simple,
)
from arena.sim.counting import Ints, Masks
from tests.sim.players import late, patient

Flags = npt.NDArray[np.bool_]
CHUNK = 20_000
LINE_EVERY = 25
CHECK_EVERY = 16
"""Of this many steps one is checked in all hands; which one differs from chunk to chunk."""
PLACES = np.arange(len(NAMES))


def erratic(hands: Hands, rng: np.random.Generator) -> Ints:
    """Does anything in one decision of seven."""
    odd = rng.random(len(hands)) < 0.15
    return np.where(odd, random_legal(hands, rng), simple(hands, rng))


PAIRS: tuple[tuple[Policy, Policy], ...] = (
    (simple, simple),
    (late, late),
    (patient, late),
    (random_legal, random_legal),
    (erratic, erratic),
    (random_legal, simple),
)


def cards_in_place(hands: Hands, out: Masks) -> Flags:
    """Whether every card is in one place: a hand, the pile, the stock, or ``out``."""
    in_pile = PLACES < hands.pile_size[:, None]
    in_stock = (hands.top[:, None] <= PLACES) & (hands.bottom[:, None] > PLACES)
    nothing = np.uint64(0)
    pile = np.where(in_pile, BITS[hands.pile], nothing).sum(axis=1, dtype=np.uint64)
    stock = np.where(in_stock, BITS[hands.order], nothing).sum(axis=1, dtype=np.uint64)
    parts = np.stack([hands.hands[:, 0], hands.hands[:, 1], pile, stock, out])
    every = np.bitwise_or.reduce(parts, axis=0) == np.uint64(FULL_DECK)
    result: Flags = every & (np.bitwise_count(parts).sum(axis=0) == len(NAMES))
    return result


def scored_right(hands: Hands, knocker: Ints) -> Flags:
    """Whether the ending and points of hands that are over fit their cards.

    Layoffs are the engine's business: here they may only lessen the defender's deadwood.
    """
    rows = np.arange(len(hands))
    left = np.stack([deadwood(hands.hands[:, position].copy()) for position in (0, 1)], axis=1)
    own, other = left[rows, knocker], left[rows, 1 - knocker]
    mine, theirs = hands.points[rows, knocker], hands.points[rows, 1 - knocker]
    size = np.bitwise_count(hands.hands).sum(axis=1)

    def ends(ending: Ending) -> Flags:
        return np.equal(hands.ending, ENDINGS.index(ending))

    gin = hands.rules.gin
    within = (own > 0) & (own <= gin.knock_limit)
    big_gin, bonus = ends(Ending.BIG_GIN), gin.undercut_bonus
    fits = ends(Ending.GIN) & (own == 0) & (mine == gin.gin_bonus + other) & (theirs == 0)
    fits |= big_gin & (own == 0) & (mine == (gin.big_gin_bonus or 0) + other) & (theirs == 0)
    fits |= ends(Ending.KNOCK) & within & (mine > 0) & (mine <= other - own) & (theirs == 0)
    undercut = within & (mine == 0) & (theirs >= bonus) & (theirs <= bonus + own)
    fits |= ends(Ending.UNDERCUT) & undercut
    at_the_wall = hands.bottom - hands.top == gin.wall_cards
    fits |= ends(Ending.DEAD_STOCK) & (hands.points == 0).all(axis=1) & at_the_wall
    known = (hands.known & ~hands.hands == 0).all(axis=1)
    result: Flags = fits & known & (size == 2 * gin.hand_size + big_gin)
    return result


class Chunk:
    """Hands played together, with what the checks need to know of them.

    ``actions``: for each step what was done in each of the hands ``watched``.
    """

    def __init__(self, pair: tuple[Policy, Policy], watched: int, rng: np.random.Generator) -> None:
        self.hands = Hands.deal(shuffled_orders(CHUNK, rng), np.arange(CHUNK) % 2)
        self.watched = rng.choice(CHUNK, watched, replace=False)
        self.actions: list[Ints] = []
        self.wrong = 0
        self._pair = pair
        self._rng = rng

    def play(self, check_at: int) -> None:
        """Play all hands to their end; every `CHECK_EVERY` steps look at all of them."""
        knocker, thrown = np.zeros(CHUNK, np.int64), np.zeros(CHUNK, np.uint64)
        while self.hands.live.any():
            chosen = self._choices()
            checked = len(self.actions) % CHECK_EVERY == check_at
            if checked:
                self.wrong += int((~cards_in_place(self.hands, thrown)).sum())
            shows = np.flatnonzero((chosen >= KNOCK) | (chosen == BIG_GIN))
            knocker[shows] = self.hands.to_act[shows]
            knocks = np.flatnonzero(chosen >= KNOCK)
            thrown[knocks] = BITS[chosen[knocks] - KNOCK]
            self.actions.append(chosen[self.watched])
            self.hands.apply(chosen, checked=checked)
        right = cards_in_place(self.hands, thrown) & scored_right(self.hands, knocker)
        self.wrong += int((~right).sum())

    def _choices(self) -> Ints:
        chosen = np.full(CHUNK, NO_ACTION, np.int64)
        for position, policy in enumerate(self._pair):
            at = np.flatnonzero(self.hands.live & (self.hands.to_act == position))
            if at.size:
                chosen[at] = policy(self.hands.take(at), self._rng)
        return chosen

    def replay(self) -> None:
        """Play the watched hands again in the engine and compare."""
        for number, row in enumerate(self.watched):
            cards = [NAMES[card] for card in self.hands.order[row]]
            hand = deal_gin(self.hands.rules.gin, cards, int(self.hands.dealer[row]))
            for step in self.actions:
                if step[number] != NO_ACTION:
                    hand = hand.apply(action(action_id(int(step[number]))))
            if not same(self.hands, int(row), hand):
                self.wrong += 1
                print(f"differs from the engine: {' '.join(cards)}, {hand.log}")


def same(hands: Hands, row: int, hand: GinHand) -> bool:
    """Whether the engine came to the same cards, ending and points."""
    pile = tuple(NAMES[card] for card in hands.pile[row, : hands.pile_size[row]])
    return (
        hand.outcome is not None
        and hand.outcome.ending is ENDINGS[hands.ending[row]]
        and hand.outcome.points == tuple(hands.points[row].tolist())
        and (hand.hands, hand.known) == tuple(map(tuple, (hands.hands[row], hands.known[row])))
        and (hand.turn, hand.turns) == (hands.turn[row], hands.turns[row])
        and hand.pile == pile
    )


def main(count: int, sample: int) -> bool:
    """Play and check all; whether all was right."""
    rng = np.random.default_rng(1)
    chunks = -(-count // CHUNK)
    watched = min(CHUNK, -(-sample // chunks))
    endings: Counter[str] = Counter()
    decisions = wrong = 0
    start, used = time.perf_counter(), time.process_time()
    for number in range(1, chunks + 1):
        chunk = Chunk(PAIRS[number % len(PAIRS)], watched, rng)
        chunk.play(number % CHECK_EVERY)
        chunk.replay()
        wrong += chunk.wrong
        decisions += int(chunk.hands.turn.sum())
        endings.update(ENDINGS[each] for each in chunk.hands.ending.tolist())
        if number % LINE_EVERY == 0 or number == chunks:
            print(
                f"{number * CHUNK:,} hands, {decisions:,} decisions, {number * watched:,} of the "
                f"hands compared, {wrong} wrong; {time.perf_counter() - start:.0f} s, "
                f"{time.process_time() - used:.0f} s of processor time",
                flush=True,
            )
    print(", ".join(f"{ending} {times:,}" for ending, times in endings.most_common()))
    return wrong == 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser("python -m tests.bench.check_sim", description=__doc__)
    parser.add_argument("hands", nargs="?", type=int, default=1_000_000)
    parser.add_argument("sample", nargs="?", type=int, default=20_000)
    given = parser.parse_args()
    sys.exit(0 if main(given.hands, given.sample) else 1)
