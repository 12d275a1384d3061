"""Hands a second of RLCard's gin rummy. Runs in its own environment."""

from __future__ import annotations

import importlib
import random
import sys
import time
from typing import Any

rlcard: Any = importlib.import_module("rlcard")
agents: Any = importlib.import_module("rlcard.agents")
rules: Any = importlib.import_module("rlcard.models.gin_rummy_rule_models")


def env_of(who: str) -> Any:
    """The environment with two equal players in it."""
    env = rlcard.make("gin-rummy")
    if who == "random":
        env.set_agents([agents.RandomAgent(env.num_actions) for _ in range(2)])
    else:
        env.set_agents([rules.GinRummyNoviceRuleAgent() for _ in range(2)])
    return env


def play_engine(env: Any) -> None:
    """One hand of random players on the engine itself, without observations."""
    game = env.game
    game.init_game()
    while not game.is_over():
        game.step(random.choice(game.judge.get_legal_actions()))


def hands_a_second(what: str, seconds: float) -> float:
    """Hands for each second of processor time."""
    who, _, how = what.partition("-")
    env = env_of(who)
    hands, start = 0, time.process_time()
    while (passed := time.process_time() - start) < seconds:
        if how == "engine":
            play_engine(env)
        else:
            env.run()
        hands += 1
    return hands / passed


for line in sys.stdin:
    kind, duration = line.split()
    print(hands_a_second(kind, float(duration)), flush=True)
