"""From one position to a batch: the hand itself many times, or all that it may really be.

A search knows what one player knows. `worlds` makes a batch of hands that this player cannot tell
apart from the one in play, out of a decision request alone; play them to their end and average.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from arena.errors import InvalidSettings
from arena.rules.base import Phase
from arena.rules.cards import INDEX, mask_of
from arena.rules.gin.hand import GinHand
from arena.rules.gin.rules import GinRules, replace_rules
from arena.sim.hands import BITS, CARDS, Hands, PhaseNumber
from arena.sim.rules import SimRules

_PHASES: Final = {
    Phase.FIRST_UPCARD: PhaseNumber.FIRST_UPCARD,
    Phase.FIRST_UPCARD_DEALER: PhaseNumber.FIRST_UPCARD_DEALER,
    Phase.FORCED_STOCK: PhaseNumber.FORCED_STOCK,
    Phase.DRAW: PhaseNumber.DRAW,
    Phase.DISCARD: PhaseNumber.DISCARD,
}


def from_hand(hand: GinHand, copies: int = 1) -> Hands:
    """A batch of equal hands, each at the point where this one is, its hidden cards included.

    :raises InvalidSettings: it is over, or played by rules that the simulator does not know.
    """
    table = hand.table
    batch = Hands.deal(np.array([table.deck], np.uint8), table.dealer, SimRules(table.rules))
    _set_position(batch, hand.phase, hand.to_act, hand.pile)
    batch.turn[:], batch.turns[:] = hand.turn, hand.turns
    batch.hands[0], batch.known[0] = hand.hands, hand.known
    batch.top[:], batch.bottom[:] = hand.top, hand.bottom
    batch.drawn[:], batch.taken[:] = hand.drawn, hand.taken
    return batch.take(np.zeros(copies, np.int64))


def worlds(request: Mapping[str, Any], count: int, rng: np.random.Generator) -> Hands:
    """So many hands that fit what a decision request says; all unseen cards are equally likely.

    ``request``: as a bot gets it (``BotView.request``). The player to move is the one asked.

    :raises InvalidSettings: the rules are none that the simulator knows.
    """
    rules = SimRules(replace_rules(GinRules(), request["rules"]))
    me: int = request["position"]
    other = next(seat for seat in request["players"] if seat["position"] == 1 - me)
    own, known = mask_of(request["cards"]), mask_of(other["known"])
    seen = own | known | mask_of(request["discard_pile"])
    unseen = np.array([card for card in range(CARDS) if not seen >> card & 1], np.uint8)
    hidden: int = other["cards"] - len(other["known"])
    stock: int = request["stock_count"]

    batch = Hands.deal(np.arange(CARDS, dtype=np.uint8)[None], request["dealer"], rules)
    _set_position(batch, request["phase"], me, request["discard_pile"])
    batch.turn[:] = request["turn"]
    batch.turns[:] = sum(entry["action"].startswith("discard:") for entry in request["log"])
    batch.drawn[:] = -1 if request["drawn"] is None else INDEX[request["drawn"]]
    batch.taken[:] = request["taken"]
    batch.known[0, 1 - me] = known
    batch.known[0, me] = mask_of(request["players"][request["seat"]]["known"])
    batch.top[:], batch.bottom[:] = 0, stock
    batch = batch.take(np.zeros(count, np.int64))
    guess = rng.permuted(np.tile(unseen, (count, 1)), axis=1)
    batch.hands[:, me] = own
    batch.hands[:, 1 - me] = BITS[guess[:, :hidden]].sum(axis=1, dtype=np.uint64) | np.uint64(known)
    batch.order[:, :stock] = guess[:, hidden : hidden + stock]
    return batch


def _set_position(batch: Hands, phase: str, to_act: int | None, pile: Sequence[str]) -> None:
    number = _PHASES.get(Phase(phase))
    if number is None or to_act is None:
        raise InvalidSettings(f"the simulator cannot go on from phase {phase}")
    batch.phase[:] = number
    batch.to_act[:] = to_act
    batch.pile_size[:] = len(pile)
    batch.pile[0, : len(pile)] = [INDEX[name] for name in pile]
