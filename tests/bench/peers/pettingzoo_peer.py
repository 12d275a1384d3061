"""Hands a second of PettingZoo's gin rummy, random players. Runs in its own environment."""

from __future__ import annotations

import importlib
import sys
import time
from typing import Any

gin_rummy: Any = importlib.import_module("pettingzoo.classic.gin_rummy_v4")
ENV = gin_rummy.env()


def play(seed: int) -> None:
    """One hand."""
    ENV.reset(seed=seed)
    for agent in ENV.agent_iter():
        observation, _, termination, truncation, _ = ENV.last()
        over = termination or truncation
        mask = observation["action_mask"]
        ENV.step(None if over else ENV.action_space(agent).sample(mask))


for line in sys.stdin:
    _, duration = line.split()
    hands, start = 0, time.process_time()
    while (passed := time.process_time() - start) < float(duration):
        play(hands)
        hands += 1
    print(hands / passed, flush=True)
