"""Hands a second of OpenSpiel's gin rummy, called from Python. Runs in its own environment."""

from __future__ import annotations

import importlib
import random
import sys
import time
from typing import Any

pyspiel: Any = importlib.import_module("pyspiel")
GAME = pyspiel.load_game("gin_rummy")
INITIAL = GAME.new_initial_state()
BOTS = [pyspiel.make_simple_gin_rummy_bot(GAME.get_parameters(), player) for player in (0, 1)]


def play(state: Any, *, simple: bool) -> None:
    """One hand. Observers' strings are built by the library for every action."""
    for bot in BOTS:
        bot.restart()
    while not state.is_terminal():
        if state.is_chance_node():
            actions, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(random.choices(actions, chances)[0])
        elif simple:
            state.apply_action(BOTS[state.current_player()].step(state))
        else:
            state.apply_action(random.choice(state.legal_actions()))


def hands_a_second(what: str, seconds: float) -> float:
    """Hands for each second of processor time."""
    who, _, how = what.partition("-")
    hands, start = 0, time.process_time()
    while (passed := time.process_time() - start) < seconds:
        play(
            INITIAL.clone() if how == "clone" else GAME.new_initial_state(), simple=who == "simple"
        )
        hands += 1
    return hands / passed


for line in sys.stdin:
    kind, duration = line.split()
    print(hands_a_second(kind, float(duration)), flush=True)
