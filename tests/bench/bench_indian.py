"""How fast Indian rummy is: ``python -m tests.bench.bench_indian [HANDS]``.

Prints microseconds of processor time (median, 99th percentile, slowest) to count the least points
of thirteen cards with 0 to 4 jokers and to weigh every throw of fourteen, without any memory of
earlier hands. Hands are of three kinds: as they are dealt, dense ones (seven neighbouring ranks),
and hands built from a pure sequence and pieces of groups, as they are late in a deal. Then
decisions a second of deals in which both players draw from the stock and throw what leaves the
fewest points. Exit code 1 if a count took longer than 5 ms.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable

from arena.rules.base import Phase, action
from arena.rules.cards import RANKS
from arena.rules.deal import shuffled
from arena.rules.indian.cards import RANK_COUNT, Cards, deck_of, faces_of, is_joker
from arena.rules.indian.dealing import deal_indian
from arena.rules.indian.groups import GroupRules
from arena.rules.indian.points import best_throw, throws
from arena.rules.indian.rules import IndianRules
from arena.rules.indian.search import Search

DECK = faces_of(deck_of(2, 2))
LIMIT_US = 5000


def dealt(rng: random.Random, natural: list[int], count: int) -> list[int]:
    """Cards as they come."""
    return rng.sample(natural, count)


def dense(rng: random.Random, natural: list[int], count: int) -> list[int]:
    """Cards of seven neighbouring ranks."""
    low = rng.randrange(RANK_COUNT)
    near = [face for face in natural if (face - low) % RANK_COUNT < 7]
    return rng.sample(near, min(count, len(near)))


def late(rng: random.Random, natural: list[int], count: int) -> list[int]:
    """A pure sequence, then pairs of neighbours in a suit or of a rank."""
    left = list(natural)
    hand: list[int] = []
    starts = [f for f in left if f % RANK_COUNT < 11 and f + 1 in left and f + 2 in left]
    first = rng.choice(starts)
    wanted = [first, first + 1, first + 2]
    while len(hand) < count:
        for face in wanted:
            if face in left and len(hand) < count:
                left.remove(face)
                hand.append(face)
        face = rng.choice(left)
        other = rng.choice((face + 1, face + 2, face + RANK_COUNT, face + 2 * RANK_COUNT))
        wanted = [face, other]
    return hand


Maker = Callable[[random.Random, list[int], int], list[int]]


def hand_of(rng: random.Random, make: Maker, size: int, jokers: int) -> tuple[Cards, GroupRules]:
    """A hand of this kind with so many jokers, and what is wild."""
    wild = rng.randrange(RANK_COUNT)
    natural = [face for face in DECK if not is_joker(face, wild)]
    wilds = [face for face in DECK if is_joker(face, wild)]
    cards = make(rng, natural, size - jokers) + rng.sample(wilds, jokers)
    return tuple(sorted(cards)), GroupRules(wild)


def times_us(
    work: Callable[[Cards, GroupRules], object], make: Maker, size: int, jokers: int, hands: int
) -> list[float]:
    """Sorted microseconds of processor time of this work on so many hands."""
    rng = random.Random(jokers)
    found = []
    for _ in range(hands):
        cards, rules = hand_of(rng, make, size, jokers)
        start = time.thread_time()
        work(cards, rules)
        found.append((time.thread_time() - start) * 1e6)
    return sorted(found)


def count_points(cards: Cards, rules: GroupRules) -> object:
    """Least points, from nothing."""
    return Search(cards, rules).least()


def weigh_throws(cards: Cards, rules: GroupRules) -> object:
    """Every throw with its grouping, from nothing."""
    return throws.__wrapped__(cards, rules)


def decisions_a_second(seconds: float) -> float:
    """Decisions of two players who throw what leaves the fewest points, their thinking included."""
    rng, rules = random.Random(1), IndianRules()
    done, start = 0, time.perf_counter()
    while time.perf_counter() - start < seconds:
        hand = deal_indian(rules, shuffled(deck_of(2, 2), rng.randbytes(32)), 2, 0)
        while hand.to_act is not None:
            view = hand.view(hand.to_act)
            legal = hand.legal_actions()
            if view.phase is Phase.DRAW:
                hand = hand.apply(legal[0])
            else:
                wild = None if view.wild is None else RANKS.index(view.wild)
                throw = best_throw(view.hand, rules.group_rules(wild))
                act = "declare" if throw.is_complete else "discard"
                hand = hand.apply(action(f"{act}:{throw.card}"), throw.melds)
            done += 1
    return done / (time.perf_counter() - start)


def main(hands: int) -> bool:
    """Print all figures; whether the slowest count kept its limit."""
    slowest = 0.0
    for title, work, size in (
        ("least points of 13", count_points, 13),
        ("all throws of 14", weigh_throws, 14),
    ):
        print(f"{title} (us)        median    99 %   slowest")
        for make in (dealt, dense, late):
            for jokers in range(5):
                found = times_us(work, make, size, jokers, hands)
                middle, high, top = found[hands // 2], found[hands * 99 // 100], found[-1]
                print(f"  {make.__name__:6} {jokers} jokers {middle:15.0f} {high:7.0f} {top:9.0f}")
                if work is count_points:
                    slowest = max(slowest, top)
    print(f"decisions a second of simple play: {decisions_a_second(3.0):.0f}")
    return slowest <= LIMIT_US


if __name__ == "__main__":
    sys.exit(0 if main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000) else 1)
