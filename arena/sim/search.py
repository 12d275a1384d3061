"""A search in one function: try every legal action in many worlds, and play them all to the end.

Flat Monte Carlo: the simplest use of the simulator, and a measure for better ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from arena.sim.actions import action_id
from arena.sim.play import Policy, finish, simple
from arena.sim.worlds import worlds


def action_values(
    request: Mapping[str, Any],
    rng: np.random.Generator,
    *,
    count: int = 64,
    policy: Policy = simple,
) -> dict[str, float]:
    """For each legal action the points won by it, less points lost, on average over ``count``
    worlds in which both players go on by ``policy``. The worlds are the same for all actions.

    A bot's whole choice can be::

        values = action_values(view.request, np.random.default_rng(view.rng.getrandbits(64)))
        return max(values, key=values.__getitem__)

    :raises InvalidSettings: the rules are none that the simulator knows.
    """
    batch = worlds(request, count, rng)
    actions = np.flatnonzero(batch.take(slice(0, 1)).legal()[0])
    tried = batch.take(np.tile(np.arange(count), actions.size))
    tried.apply(np.repeat(actions, count))
    over = finish(tried, (policy, policy), rng)
    me: int = request["position"]
    gained = (over.points[:, me] - over.points[:, 1 - me]).reshape(actions.size, count)
    return {
        action_id(int(action)): float(mean)
        for action, mean in zip(actions, gained.mean(axis=1), strict=True)
    }
