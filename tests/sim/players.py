"""Players that end hands in ways that random and simple ones seldom do."""

from __future__ import annotations

from typing import Any

import numpy as np

from arena.referee.asks import Answer, Ask, Reply
from arena.referee.clock import ClockRules
from arena.referee.match import MatchSetup
from arena.referee.players import run_match
from arena.rules.games import find_variant
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


def requests_of_a_game() -> list[dict[str, Any]]:
    """The decision requests of a game, one decision in which cards are known among them."""
    found: list[dict[str, Any]] = []

    def player(ask: Ask) -> Reply:
        found.append(ask.request)
        legal: Any = ask.request["legal"]
        ids = [each["id"] for each in legal]
        wanted = [id for id in ids if id.startswith(("knock", "draw:discard"))]
        return Answer((wanted or ids)[0])

    setup = MatchSetup(
        "t_1", "m_1", find_variant("gin"), ("a", "b"), 1, None, b"secret", "key", ClockRules()
    )
    run_match(setup, [player, player])
    return found
