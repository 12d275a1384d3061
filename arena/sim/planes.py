"""What the player to move may know, as planes of 52 booleans: the input of a learner.

Nothing here shows the other's hidden cards or the order of the stock.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from arena.sim.hands import BITS, Hands, cards_of

PLANES: Final = (
    "own cards",
    "card just drawn",
    "upcard",
    "other discards",
    "known of the other",
)
"""What each plane shows."""


def planes(hands: Hands) -> npt.NDArray[np.bool_]:
    """Shape (n, 5, 52), in the order of `PLANES`, cards as in `arena.rules.cards`.

    The phase is no plane: `Hands.legal` tells it, and more.
    """
    rows = np.arange(len(hands))
    nothing = np.uint64(0)
    upcard = hands.upcard
    top = np.where(upcard >= 0, BITS[upcard], nothing)
    in_pile = np.arange(hands.pile.shape[1]) < hands.pile_size[:, None]
    discards = np.where(in_pile, BITS[hands.pile], nothing).sum(axis=1, dtype=np.uint64)
    masks = [
        hands.held,
        np.where(hands.drawn >= 0, BITS[hands.drawn], nothing),
        top,
        discards & ~top,
        hands.known[rows, 1 - hands.to_act],
    ]
    return np.stack([cards_of(mask) for mask in masks], axis=1)
