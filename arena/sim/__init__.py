"""Thousands of hands of gin at once, as arrays: for search, for learning, for statistics.

`Hands` is a batch of hands in progress. Deal one, choose a legal action for every hand, apply
them, and look at the points when all are over::

    import numpy as np
    from arena.sim import Hands, planes, random_legal, shuffled_orders

    rng = np.random.default_rng(1)
    hands = Hands.deal(shuffled_orders(10_000, rng))
    while hands.live.any():
        legal = hands.legal()               # (10000, 108) booleans; columns are actions
        seen = planes(hands)                # (10000, 5, 52) booleans; what the mover may know
        hands.apply(random_legal(hands, rng))
    print(hands.points.mean(axis=0))

`play` does that with two policies and drops what is over; `finish` plays on from a position;
`worlds` makes a batch that fits a bot's decision request, and `action_values` searches with it.
``python -m arena.sim`` runs an example.

Results are those of the rules engine, decision by decision; `arena.rules` stays the authority.
Played are the rules of standard gin and those that differ from it in plain numbers (see
`SimRules`). Nothing else in the arena imports this package. ``README.md`` beside this file has
more examples, and the limits.
"""

from arena.sim.actions import (
    ACTIONS,
    BIG_GIN,
    DISCARD,
    DRAW_DISCARD,
    DRAW_STOCK,
    KNOCK,
    NO_ACTION,
    PASS,
    action_id,
    action_number,
)
from arena.sim.counting import best_discard, deadwood
from arena.sim.hands import BITS, Hands, PhaseNumber, cards_of
from arena.sim.planes import PLANES, planes
from arena.sim.play import Policy, finish, play, random_legal, shuffled_orders, simple
from arena.sim.rules import SimRules
from arena.sim.search import action_values
from arena.sim.showdown import ENDINGS
from arena.sim.worlds import from_hand, worlds

__all__ = [
    "ACTIONS",
    "BIG_GIN",
    "BITS",
    "DISCARD",
    "DRAW_DISCARD",
    "DRAW_STOCK",
    "ENDINGS",
    "KNOCK",
    "NO_ACTION",
    "PASS",
    "PLANES",
    "Hands",
    "PhaseNumber",
    "Policy",
    "SimRules",
    "action_id",
    "action_number",
    "action_values",
    "best_discard",
    "cards_of",
    "deadwood",
    "finish",
    "from_hand",
    "planes",
    "play",
    "random_legal",
    "shuffled_orders",
    "simple",
    "worlds",
]
