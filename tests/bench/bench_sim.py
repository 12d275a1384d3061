"""How fast the simulator is, thousands of hands at once on one thread; a part of ``rules``."""

from __future__ import annotations

import time
from functools import partial

import numpy as np

from arena.sim import Hands, Policy, play, random_legal, shuffled_orders, simple
from tests.bench.suite import Claim, Contest, Side

SIM = "arena.sim"
AT_ONCE = 20_000
"""Hands in a batch; the more, the less a step costs each of them."""


def _played(policy: Policy, seconds: float) -> tuple[int, int, float]:
    """Hands, decisions, and seconds of processor time, dealing included."""
    rng = np.random.default_rng(1)
    hands = decisions = 0
    start = time.process_time()
    while (passed := time.process_time() - start) < seconds:
        over: Hands = play(
            shuffled_orders(AT_ONCE, rng), (policy, policy), rng, np.arange(AT_ONCE) % 2
        )
        hands += AT_ONCE
        decisions += int(over.turn.sum())
    return hands, decisions, passed


def simulated_hands(policy: Policy, seconds: float) -> float:
    """Hands a second between two equal players."""
    hands, _, passed = _played(policy, seconds)
    return hands / passed


def simulated_decisions(policy: Policy, seconds: float) -> float:
    """Decisions a second of two equal players: legal masks, choices, and what they do."""
    _, decisions, passed = _played(policy, seconds)
    return decisions / passed


def contest_of_simulator(rounds: int, seconds: float) -> Contest:
    """Decisions a second of the simulator's own players."""
    return Contest(
        f"{SIM}, {AT_ONCE:,} hands at once",
        "decisions/s",
        [
            Side("random", partial(simulated_decisions, random_legal)),
            Side("simple", partial(simulated_decisions, simple)),
        ],
        [Claim("random", least=100_000), Claim("simple", least=100_000)],
        seconds,
        rounds,
    )
