"""The simple player, made to work for a millisecond on each decision, as served by the SDK.

Run as ``python -m tests.bench.busy_bots --port PORT``. Most bots that play well take longer.
"""

from __future__ import annotations

import time

from arena.bot import Bot, BotView, Chosen, run
from tests.samples import simple

WORK_S = 0.001
"""Processor time of one decision."""


class Busy(Bot):
    """Chooses as the simple player does, after some work."""

    name = "busy"
    author = "bench"

    def choose(self, view: BotView) -> Chosen:
        """Use up the time, whatever else the machine does, then choose."""
        over = time.thread_time() + WORK_S
        choice = simple.bot.choose(view)
        while time.thread_time() < over:
            pass
        return choice


if __name__ == "__main__":
    run(Busy())
