"""The end of hands in which somebody knocked: endings and points.

Gin is settled by table. A knock depends on the melds shown and on what the other can lay off;
that happens once a hand, so it is the rules engine's own code that decides it.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from arena.rules.base import Ending
from arena.rules.gin.rules import GinRules
from arena.rules.gin.scoring import score_knock
from arena.rules.layoffs import defend
from arena.rules.meld_tables import LOW, meld_tables
from arena.rules.melds import default_spread
from arena.sim.counting import Masks, Tables, deadwood

ENDINGS: Final = (
    Ending.KNOCK,
    Ending.UNDERCUT,
    Ending.GIN,
    Ending.BIG_GIN,
    Ending.TIE,
    Ending.DEAD_STOCK,
    Ending.DEAD_TURNS,
)
"""How a hand can end, by number."""


def settle(
    rules: GinRules,
    tables: Tables,
    knocker: npt.NDArray[np.int8],
    hands: Masks,
    *,
    big_gin: npt.NDArray[np.bool_],
) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.int16]]:
    """Endings (numbers in `ENDINGS`) and points by position, shape (n, 2).

    ``hands``, shape (n, 2): what is left after the discard. The default spread is shown, and the
    other's melds and layoffs are the best there are.
    """
    rows = np.arange(knocker.size)
    own, other = hands[rows, knocker], hands[rows, 1 - knocker]
    loose = deadwood(own, tables)
    against = deadwood(other, tables)
    ending = np.full(knocker.size, ENDINGS.index(Ending.GIN), np.int8)
    ending[big_gin] = ENDINGS.index(Ending.BIG_GIN)
    gained = np.zeros((knocker.size, 2), np.int16)
    gained[:, 0] = against + np.where(big_gin, rules.big_gin_bonus or 0, rules.gin_bonus)
    for row in np.flatnonzero(loose > 0):
        ending[row], gained[row] = _knock(rules, int(loose[row]), int(own[row]), int(other[row]))
    points = np.zeros_like(gained)
    points[rows, knocker] = gained[:, 0]
    points[rows, 1 - knocker] = gained[:, 1]
    return ending, points


def _knock(rules: GinRules, loose: int, own: int, other: int) -> tuple[int, tuple[int, int]]:
    """Ending, and points of knocker and defender."""
    melds = meld_tables(LOW, rules.ace_deadwood)
    defence = defend(other, default_spread(own, melds), melds, may_lay_off=True)
    score = score_knock(rules, loose, defence.value, laid_off=defence.laid_off != 0)
    return ENDINGS.index(score.ending), (score.knocker, score.defender)
