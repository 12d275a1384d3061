"""An example: does it pay to wait for gin? ``python -m arena.sim [HANDS]``"""

from __future__ import annotations

import argparse
import time

import numpy as np

from arena.sim import BITS, DISCARD, KNOCK, Hands, deadwood, play, shuffled_orders, simple
from arena.sim.counting import Ints

ABOUT = """\
Plays hands of standard gin, all at once, between two players: `simple` knocks as soon as it may,
`patient` plays the same but ends a hand with gin only. Prints what each won, and how many decisions
a second were made. An example of the simulator; README.md beside it tells how to use it."""


def patient(hands: Hands, rng: np.random.Generator) -> Ints:
    """Play as `simple` does, but end a hand with gin only."""
    chosen = simple(hands, rng)
    knocks = np.flatnonzero(chosen >= KNOCK)
    left = deadwood(hands.held[knocks] ^ BITS[chosen[knocks] - KNOCK])
    chosen[knocks[left > 0]] -= KNOCK - DISCARD
    return chosen


def main(count: int) -> None:
    """Play so many hands, the same in each run, and print what each won."""
    rng = np.random.default_rng(1)
    start = time.process_time()
    over = play(shuffled_orders(count, rng), (simple, patient), rng, dealer=np.arange(count) % 2)
    used_s = time.process_time() - start
    for name, points in zip(("simple", "patient"), over.points.T, strict=True):
        print(f"{name:<8} {points.mean():6.2f} points a hand, won {np.mean(points > 0):.0%}")
    print(f"{over.turn.sum() / used_s:,.0f} decisions a second of processor time")


def _count(text: str) -> int:
    count = int(text)
    if count < 1:
        raise argparse.ArgumentTypeError(f"{count} hands cannot be played; give 1 or more")
    return count


if __name__ == "__main__":
    parser = argparse.ArgumentParser("python -m arena.sim", description=ABOUT)
    parser.add_argument(
        "hands", nargs="?", type=_count, default=20_000, help="hands to play (default: 20000)"
    )
    main(parser.parse_args().hands)
