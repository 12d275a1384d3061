"""Prints hands of every game: views, legal actions and records, the same wherever it runs.

It needs nothing but the arena, so that a process may run it with any copy of that.
"""

from __future__ import annotations

import random

from arena.rules.base import Variant
from arena.rules.deal import deal_seed, shuffled
from arena.rules.games import all_variants
from arena.rules.record import HandRecord, Play, write

HANDS = 2
"""Most of a game."""


def play(variant: Variant, game: int) -> None:
    """Print some hands of one game between players who prefer what is safe, else anything."""
    rng = random.Random(f"{variant.name} {game}")
    family, rules = variant.family, variant.rules
    seats = family.players(rules)[game % 2]
    sheet = family.new_sheet(rules, seats, game % seats)
    for number in range(1, HANDS + 1):
        plan = sheet.next_deal()
        if plan is None:
            break
        deck = shuffled(family.deck(rules), deal_seed(b"every game", variant.name, game, number))
        hand, plays = family.deal(rules, deck, plan), []
        while hand.to_act is not None:
            legal = hand.legal_actions()
            print(hand.view(hand.to_act), *(action.id for action in legal))
            chosen = legal[0] if rng.random() < 0.3 else rng.choice(legal)
            plays.append(Play(chosen.id))
            hand = hand.apply(chosen)
        assert hand.outcome is not None
        print(write(HandRecord.of(variant, plan, deck, plays, hand.outcome)))
        sheet = sheet.add(hand.outcome)


if __name__ == "__main__":
    for each in all_variants():
        for number in (0, 1):
            play(each, number)
