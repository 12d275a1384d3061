"""Dealing at random, players that choose for a whole batch, and batches played to their end.

All randomness comes from the generator that is passed in.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np
import numpy.typing as npt

from arena.sim.actions import DISCARD, DRAW_DISCARD, DRAW_STOCK, KNOCK, NO_ACTION, PASS
from arena.sim.counting import Ints, best_discard, deadwood
from arena.sim.hands import BITS, CARDS, Hands, PhaseNumber
from arena.sim.rules import SimRules

Policy = Callable[[Hands, np.random.Generator], Ints]
"""A player: one legal action for each hand that is not over (anything for the others).

It is handed the whole state. What the player to move may know of it: its own cards (``held``),
``known``, the discard ``pile`` and how many cards are left; not the other's hand, nor the order of
the stock.
"""

SHRINK: Final = 0.75
"""Hands that are over are put aside when no more than this share is still played."""


def shuffled_orders(count: int, rng: np.random.Generator) -> npt.NDArray[np.uint8]:
    """So many random orders of the pack, shape (count, 52)."""
    order: npt.NDArray[np.uint8] = rng.permuted(
        np.tile(np.arange(CARDS, dtype=np.uint8), (count, 1)), axis=1
    )
    return order


def random_legal(hands: Hands, rng: np.random.Generator) -> Ints:
    """Any legal action, each as likely as the others; -1 where a hand is over."""
    legal = hands.legal()
    nth = (rng.random(len(hands)) * legal.sum(axis=1)).astype(np.int64)
    # The columns that are set, hand by hand; hand i's begin where those of the hands before end.
    columns = np.flatnonzero(legal) % legal.shape[1]
    starts = np.cumsum(legal.sum(axis=1)) - legal.sum(axis=1)
    chosen = columns[np.minimum(starts + nth, max(columns.size - 1, 0))] if columns.size else 0
    return np.where(hands.live, chosen, NO_ACTION)


def simple(hands: Hands, rng: np.random.Generator) -> Ints:
    """Take an upcard that lowers the deadwood, throw the best card, knock as soon as possible."""
    chosen = np.full(len(hands), NO_ACTION, np.int64)
    at = np.flatnonzero(hands.phase == PhaseNumber.DISCARD)
    kept = np.where(hands.taken[at], hands.drawn[at], -1).astype(np.int8)
    least, card = best_discard(hands.held[at], kept, hands.tables)
    chosen[at] = card + np.where(least <= hands.rules.gin.knock_limit, KNOCK, DISCARD)
    phase = hands.phase
    chosen[phase == PhaseNumber.FORCED_STOCK] = DRAW_STOCK
    may_take = (phase == PhaseNumber.DRAW) | (phase <= PhaseNumber.FIRST_UPCARD_DEALER)
    at = np.flatnonzero(may_take)
    cards, upcard = hands.held[at], hands.upcard[at]
    after, _ = best_discard(cards | BITS[upcard], upcard.astype(np.int8), hands.tables)
    otherwise = np.where(phase[at] == PhaseNumber.DRAW, DRAW_STOCK, PASS)
    wanted = after < deadwood(cards, hands.tables)
    chosen[at] = np.where(wanted, DRAW_DISCARD, otherwise)
    return chosen


def play(
    order: npt.NDArray[np.integer],
    policies: tuple[Policy, Policy],
    rng: np.random.Generator,
    dealer: npt.NDArray[np.integer] | int = 0,
    rules: SimRules | None = None,
) -> Hands:
    """Deal and play all hands to their end. ``policies``: by position.

    >>> rng = np.random.default_rng(7)
    >>> over = play(shuffled_orders(1000, rng), (simple, random_legal), rng)
    >>> bool((over.points[:, 0].mean() > over.points[:, 1].mean()))
    True
    """
    hands = Hands.deal(order, dealer, rules or SimRules())
    return finish(hands, policies, rng)


def finish(hands: Hands, policies: tuple[Policy, Policy], rng: np.random.Generator) -> Hands:
    """The same hands, played to their end: what a search calls a rollout."""
    result = hands.take(slice(None))
    where = np.arange(len(result))
    playing = result
    while True:
        live = playing.live
        if not live.any():
            break
        if live.mean() <= SHRINK:
            result.put(where, playing)
            where = where[live]
            playing = playing.take(live)
        playing.apply(_choices(playing, policies, rng))
    result.put(where, playing)
    return result


def _choices(hands: Hands, policies: tuple[Policy, Policy], rng: np.random.Generator) -> Ints:
    """Each position's policy for the hands in which it is to move."""
    if policies[0] is policies[1]:
        return policies[0](hands, rng)
    chosen = np.full(len(hands), NO_ACTION, np.int64)
    for position, policy in enumerate(policies):
        at = np.flatnonzero(hands.live & (hands.to_act == position))
        if at.size:
            chosen[at] = policy(hands.take(at), rng)
    return chosen
