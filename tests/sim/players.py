"""Players that end hands in ways that random and simple ones seldom do."""

from __future__ import annotations

import numpy as np

from arena.sim import BIG_GIN, BITS, DISCARD, KNOCK, Hands, deadwood, simple
from arena.sim.counting import Ints


def patient(hands: Hands, rng: np.random.Generator) -> Ints:
    """Plays as `simple` does, but ends a hand with gin or big gin only."""
    chosen = simple(hands, rng)
    knocks = np.flatnonzero(chosen >= KNOCK)
    left = deadwood(hands.held[knocks] ^ BITS[chosen[knocks] - KNOCK], hands.tables)
    chosen[knocks[left > 0]] -= KNOCK - DISCARD
    chosen[hands.legal()[:, BIG_GIN]] = BIG_GIN
    return chosen


def late(hands: Hands, rng: np.random.Generator) -> Ints:
    """Knocks seldom, so that the other has time to meld: many layoffs and undercuts."""
    chosen = simple(hands, rng)
    waits = (chosen >= KNOCK) & (rng.random(len(hands)) < 0.8)
    return np.where(waits, chosen - KNOCK + DISCARD, chosen)
