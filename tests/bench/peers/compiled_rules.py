"""Hands a second of our own rules, compiled. Runs in the environment that they are installed in."""

from __future__ import annotations

import sys
from pathlib import Path

# Behind the installed package, which would else be hidden by the sources in the checkout.
sys.path.append(str(Path(__file__).parents[3]))

from arena.rules import cards
from tests.bench.bench_rules import PLAYERS, hands_a_second

if cards.__file__.endswith(".py"):
    sys.exit("the rules are not compiled here")

for line in sys.stdin:
    kind, duration = line.split()
    print(hands_a_second(PLAYERS[kind](), float(duration)), flush=True)
