"""How fast the rules engine is: ``python -m tests.bench.bench_rules [SECONDS]``.

Prints hands a second for two ways of playing (engine, views and the players' own thinking, one
thread) and microseconds for the searches that every step rests on, on hands as they come up and
on dense ones, which have the most melds. All figures are processor time, so that other work on
the machine disturbs them little.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable, Sequence

from arena.rules.base import Action, DealPlan, Phase, View, action
from arena.rules.cards import BIT, NAMES, mask_of
from arena.rules.deal import deal_seed, shuffled
from arena.rules.games import find_variant
from arena.rules.gin_actions import DISCARDS, DRAW_DISCARD, DRAW_STOCK, KNOCKS, PASS
from arena.rules.layoffs import defend
from arena.rules.melds import MeldTables, default_spread, meld_tables

Chooser = Callable[[View, tuple[Action, ...]], Action]
TABLES = meld_tables()


def simple(view: View, legal: tuple[Action, ...]) -> Action:
    """Take an upcard that lowers the deadwood, throw the best card, knock when possible."""
    hand = 0
    for name in view.hand:
        hand |= BIT[name]
    if view.phase is Phase.DISCARD:
        drawn = view.drawn
        kept = BIT[drawn] if view.taken and drawn is not None else 0
        left, card = TABLES.best_discard(hand, kept)
        limit = view.knock_limit
        return KNOCKS[card] if limit is not None and left <= limit else DISCARDS[card]
    if len(legal) == 1:
        return legal[0]
    upcard = BIT[view.discard_pile[-1]]
    if TABLES.best_discard(hand | upcard, upcard)[0] < TABLES.deadwood(hand):
        return DRAW_DISCARD
    return PASS if legal[0] is PASS else DRAW_STOCK


def random_player(seed: int) -> Chooser:
    """A player who does anything that is legal."""
    draw = random.Random(seed).random

    def choose(view: View, legal: tuple[Action, ...]) -> Action:
        return legal[int(draw() * len(legal))]

    return choose


def hands_a_second(players: tuple[Chooser, Chooser], seconds: float) -> tuple[float, float]:
    """Hands and decisions a second, dealing included."""
    variant = find_variant("gin")
    family, rules = variant.family, variant.rules
    sheet = family.new_sheet(rules, 2, 0)
    deck = family.deck(rules)
    hands = decisions = 0
    start = time.process_time()
    while (passed := time.process_time() - start) < seconds:
        order = shuffled(deck, deal_seed(b"bench", "bench", 1, hands))
        hand = family.deal(rules, order, DealPlan((0, 1), hands & 1), sheet)
        position = hand.to_act
        while position is not None:
            legal = hand.legal_actions()
            chosen = players[position](hand.view(position), legal)
            hand = hand.apply(action(chosen.id))
            position = hand.to_act
        hands += 1
        decisions += hand.turn
    return hands / passed, decisions / passed


def microseconds(function: Callable[[int], object], hands: Sequence[int]) -> float:
    """Mean time of a call, in the best of five rounds."""
    best = float("inf")
    for _ in range(5):
        start = time.process_time()
        for hand in hands:
            function(hand)
        best = min(best, time.process_time() - start)
    return best / len(hands) * 1e6


def hands_of(count: int, size: int, ranks: str, seed: int) -> list[int]:
    """Random hands of cards of these ranks."""
    rng = random.Random(seed)
    pool = [name for name in NAMES if name[0] in ranks]
    return [mask_of(rng.sample(pool, size)) for _ in range(count)]


def search_lines(tables: MeldTables, label: str, ranks: str) -> list[str]:
    """The cost of the searches on hands drawn from these ranks."""
    ten, eleven = hands_of(3000, 10, ranks, 1), hands_of(3000, 11, ranks, 2)
    shown = default_spread(mask_of(["5H", "6H", "7H", "9C", "9D", "9H"]), tables)
    rows: list[tuple[str, Callable[[int], object], list[int]]] = [
        ("deadwood of 10", tables.deadwood, ten),
        ("best discard of 11", tables.best_discard, eleven),
        ("best discard, lowest kept", lambda hand: tables.best_discard(hand, hand & -hand), eleven),
        ("default spread of 10", lambda hand: default_spread(hand, tables), ten),
        (
            "defence against a knock",
            lambda hand: defend(hand, shown, tables, may_lay_off=True),
            ten,
        ),
    ]
    return [
        f"{label:<14} {name:<28} {microseconds(function, hands):8.2f} us"
        for name, function, hands in rows
    ]


def main(arguments: Sequence[str]) -> None:
    """Measure and print."""
    seconds = float(arguments[0]) if arguments else 3.0
    for label, players in (
        ("simple v simple", (simple, simple)),
        ("random v random", (random_player(1), random_player(2))),
    ):
        hands, decisions = hands_a_second(players, seconds)
        print(f"{label:<14} {hands:8.0f} hands/s {decisions:10.0f} decisions/s")
    for line in search_lines(TABLES, "any hand", "A23456789TJQK"):
        print(line)
    for line in search_lines(TABLES, "dense hand", "3456"):
        print(line)
    for line in search_lines(meld_tables("corner", 15), "dense corner", "QKA2"):
        print(line)


if __name__ == "__main__":
    main(sys.argv[1:])
