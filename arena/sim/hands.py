"""A batch of gin hands in progress, as arrays of which row i is hand i.

`Hands.apply` changes the batch in place, all hands at once; copy it (`Hands.take`) to try something
out. Which actions a hand may take is `Hands.legal`; giving another one breaks that hand, unless
``checked``. Nothing here deals at random or chooses.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Final, Self

import numpy as np
import numpy.typing as npt

from arena.errors import IllegalAction, InvalidCards
from arena.rules.base import Ending
from arena.rules.cards import NAMES
from arena.sim.actions import (
    ACTIONS,
    BIG_GIN,
    DISCARD,
    DRAW_DISCARD,
    DRAW_STOCK,
    KNOCK,
    NO_ACTION,
    PASS,
    action_id,
)
from arena.sim.counting import Ints, Masks, Tables, best_discard, deadwood, tables
from arena.sim.rules import SimRules
from arena.sim.showdown import ENDINGS, settle

Legal = npt.NDArray[np.bool_]
"""Shape (n, ACTIONS)."""
Actions = npt.NDArray[np.integer]

CARDS: Final = len(NAMES)
BITS: Final[Masks] = np.uint64(1) << np.arange(CARDS, dtype=np.uint64)
"""The mask of each card."""
STANDARD: Final = SimRules()


class PhaseNumber(IntEnum):
    """What the player to move is being asked; as `arena.rules.base.Phase`."""

    FIRST_UPCARD = 0
    FIRST_UPCARD_DEALER = 1
    FORCED_STOCK = 2
    DRAW = 3
    DISCARD = 4
    OVER = 5


_OF_HAND: Final = (
    *("order", "dealer", "phase", "to_act", "turn", "turns", "hands", "known", "pile"),
    *("pile_size", "top", "bottom", "drawn", "taken", "ending", "points"),
)


class Hands:
    """A batch of ``len(hands)`` hands. Make one with `deal`, `take` or `arena.sim.from_hand`.

    All arrays may be read; only `apply` should write to them.

    ``order`` (n, 52): cards as dealt, ``dealer``, ``to_act``: positions 0 and 1. ``phase``: a
    `PhaseNumber`. ``turn``: decisions taken, ``turns``: turns completed. ``hands``, ``known``
    (n, 2): cards held by position, and those of them that everybody knows, as masks. ``pile``
    (n, 52): the discard pile, bottom first, of which ``pile_size`` cards count. ``top``,
    ``bottom``: the stock is ``order[i, top:bottom]``. ``drawn``: the card just drawn, -1 outside
    the discard phase; ``taken``: it came from the pile. ``ending``: number in `ENDINGS`, -1 while
    a hand is played. ``points`` (n, 2): by position, when it is over.
    """

    __slots__ = (*_OF_HAND, "rules", "tables")

    rules: SimRules
    tables: Tables
    order: npt.NDArray[np.uint8]
    dealer: npt.NDArray[np.int8]
    phase: npt.NDArray[np.int8]
    to_act: npt.NDArray[np.int8]
    turn: npt.NDArray[np.int16]
    turns: npt.NDArray[np.int16]
    hands: Masks
    known: Masks
    pile: npt.NDArray[np.uint8]
    pile_size: npt.NDArray[np.int8]
    top: npt.NDArray[np.int8]
    bottom: npt.NDArray[np.int8]
    drawn: npt.NDArray[np.int8]
    taken: npt.NDArray[np.bool_]
    ending: npt.NDArray[np.int8]
    points: npt.NDArray[np.int16]

    @classmethod
    def deal(
        cls,
        order: npt.NDArray[np.integer],
        dealer: npt.NDArray[np.integer] | int = 0,
        rules: SimRules = STANDARD,
    ) -> Self:
        """Deal a hand from each row of card indexes, top first.

        :raises InvalidCards: a row is no order of the 52 cards.
        """
        is_table = order.ndim == 2 and order.shape[1] == CARDS
        if not is_table or (np.sort(order, axis=1) != np.arange(CARDS)).any():
            raise InvalidCards("order has to be an array (n, 52) of orders of the cards 0 to 51")
        count, size = len(order), rules.gin.hand_size
        hands = cls()
        hands.rules, hands.tables = rules, tables(rules.gin.ace_deadwood)
        hands.order = order.astype(np.uint8)
        hands.dealer = np.broadcast_to(np.asarray(dealer, np.int8), count).copy()
        hands.phase = np.full(count, PhaseNumber.FIRST_UPCARD, np.int8)
        hands.to_act = (1 - hands.dealer).astype(np.int8)
        hands.turn, hands.turns = np.zeros(count, np.int16), np.zeros(count, np.int16)
        dealt = (
            BITS[hands.order[:, : 2 * size]].reshape(count, size, 2).sum(axis=1, dtype=np.uint64)
        )
        # The non-dealer gets the first card.
        hands.hands = np.where(hands.dealer[:, None] == 1, dealt, dealt[:, ::-1])
        hands.known = np.zeros((count, 2), np.uint64)
        hands.pile = np.zeros((count, CARDS), np.uint8)
        hands.pile[:, 0] = hands.order[:, 2 * size]
        hands.pile_size = np.ones(count, np.int8)
        hands.top = np.full(count, 2 * size + 1, np.int8)
        hands.bottom = np.full(count, CARDS, np.int8)
        hands.drawn = np.full(count, -1, np.int8)
        hands.taken = np.zeros(count, np.bool_)
        hands.ending = np.full(count, -1, np.int8)
        hands.points = np.zeros((count, 2), np.int16)
        return hands

    def __len__(self) -> int:
        return len(self.phase)

    def take(self, which: npt.NDArray[np.integer] | npt.NDArray[np.bool_] | slice) -> Hands:
        """A new batch of these hands: indexes (one may come several times), a mask or a slice."""
        chosen = Hands()
        chosen.rules, chosen.tables = self.rules, self.tables
        for name in _OF_HAND:
            setattr(chosen, name, getattr(self, name)[which].copy())
        return chosen

    def put(self, where: Ints, hands: Hands) -> None:
        """Write these hands over those of this batch at ``where``."""
        for name in _OF_HAND:
            getattr(self, name)[where] = getattr(hands, name)

    @property
    def live(self) -> npt.NDArray[np.bool_]:
        """Which hands are not over."""
        return np.not_equal(self.phase, PhaseNumber.OVER)

    @property
    def upcard(self) -> npt.NDArray[np.int64]:
        """Top of each discard pile, -1 where it is empty."""
        top = self.pile[np.arange(len(self)), np.maximum(self.pile_size - 1, 0)]
        return np.where(self.pile_size > 0, top.astype(np.int64), -1)

    @property
    def held(self) -> Masks:
        """The cards of whoever is to move."""
        return self.hands[np.arange(len(self)), self.to_act]

    def legal(self) -> Legal:
        """What the player to move may do in each hand; nothing where it is over."""
        found = np.zeros((len(self), ACTIONS), np.bool_)
        phase = self.phase
        first = phase <= PhaseNumber.FIRST_UPCARD_DEALER
        found[:, PASS] = first
        found[:, DRAW_DISCARD] = first | (phase == PhaseNumber.DRAW)
        found[:, DRAW_STOCK] = (phase == PhaseNumber.DRAW) | (phase == PhaseNumber.FORCED_STOCK)
        at = np.flatnonzero(phase == PhaseNumber.DISCARD)
        if at.size:
            self._add_throws(found, at)
        return found

    def _add_throws(self, found: Legal, at: Ints) -> None:
        """Discards, knocks and big gin of the hands ``at``, which are in the discard phase."""
        gin = self.rules.gin
        cards = self.hands[at, self.to_act[at]]
        kept = np.where(self.taken[at], self.drawn[at], -1).astype(np.int8)
        throwable = cards & ~np.where(kept >= 0, BITS[kept], np.uint64(0))
        found[at, DISCARD:KNOCK] = cards_of(throwable)
        least, _ = best_discard(cards, kept, self.tables)
        some = np.flatnonzero(least <= gin.knock_limit)
        which, card = np.nonzero(cards_of(throwable[some]))
        left = deadwood(cards[some[which]] ^ BITS[card], self.tables)
        found[at[some[which]], KNOCK + card] = left <= gin.knock_limit
        if gin.big_gin_bonus is not None:
            melded = some[least[some] == 0]
            found[at[melded], BIG_GIN] = deadwood(cards[melded], self.tables) == 0

    def apply(self, actions: Actions, *, checked: bool = False) -> None:
        """Let the player to move do this in each hand; ignored (-1, say) where it is over.

        ``checked``: look first whether all are legal.

        :raises IllegalAction: one is not; nothing was changed.
        """
        if checked:
            self._check(actions)
        number = np.where(self.live, actions, NO_ACTION)
        self._pass(np.flatnonzero(number == PASS))
        self._draw_stock(np.flatnonzero(number == DRAW_STOCK))
        self._draw_discard(np.flatnonzero(number == DRAW_DISCARD))
        thrown = np.flatnonzero((number >= DISCARD) & (number < KNOCK))
        self._discard(thrown, number[thrown] - DISCARD)
        knocked = np.flatnonzero(number >= KNOCK)
        self._show(knocked, BITS[number[knocked] - KNOCK])
        big = np.flatnonzero(number == BIG_GIN)
        self._show(big, np.zeros(big.size, np.uint64))

    def _check(self, actions: Actions) -> None:
        legal = self.legal()
        known = (actions >= 0) & (actions < ACTIONS)
        right = legal[np.arange(len(self)), np.where(known, actions, 0)] & known
        wrong = np.flatnonzero(self.live & ~right)
        if wrong.size:
            number = int(actions[wrong[0]])
            name = action_id(number) if known[wrong[0]] else str(number)
            raise IllegalAction(
                f"hand {wrong[0]}: {name} is not allowed in this phase; see legal()"
            )

    def _pass(self, at: Ints) -> None:
        self.phase[at] += 1  # the phases follow one another
        self.to_act[at] ^= 1
        self.turn[at] += 1

    def _draw_stock(self, at: Ints) -> None:
        mover = self.to_act[at]
        below = (mover == self.dealer[at]) & self.rules.gin.two_ended_stock
        self.bottom[at] -= below
        card = self.order[at, np.where(below, self.bottom[at], self.top[at])]
        self.top[at] += ~below
        self._drew(at, card, taken=False)

    def _draw_discard(self, at: Ints) -> None:
        self.pile_size[at] -= 1
        card = self.pile[at, self.pile_size[at]]
        self.known[at, self.to_act[at]] |= BITS[card]
        self._drew(at, card, taken=True)

    def _drew(self, at: Ints, card: npt.NDArray[np.uint8], *, taken: bool) -> None:
        self.hands[at, self.to_act[at]] |= BITS[card]
        self.drawn[at] = card
        self.taken[at] = taken
        self.phase[at] = PhaseNumber.DISCARD
        self.turn[at] += 1

    def _discard(self, at: Ints, card: Ints) -> None:
        gin = self.rules.gin
        mover = self.to_act[at]
        self.hands[at, mover] ^= BITS[card]
        self.known[at, mover] &= ~BITS[card]
        self.pile[at, self.pile_size[at]] = card
        self.pile_size[at] += 1
        self._end_turn(at)
        self.phase[at] = PhaseNumber.DRAW
        self.to_act[at] ^= 1
        wall = self.bottom[at] - self.top[at] <= gin.wall_cards
        late = ~wall & (self.turns[at] >= gin.max_turns)
        self._end(at[wall], Ending.DEAD_STOCK)
        self._end(at[late], Ending.DEAD_TURNS)

    def _end_turn(self, at: Ints) -> None:
        self.drawn[at] = -1
        self.taken[at] = False
        self.turn[at] += 1
        self.turns[at] += 1

    def _end(self, at: Ints, ending: Ending) -> None:
        self.phase[at] = PhaseNumber.OVER
        self.ending[at] = ENDINGS.index(ending)

    def _show(self, at: Ints, thrown: Masks) -> None:
        """Somebody lays down the cards, with this card thrown (none for big gin)."""
        if not at.size:
            return
        mover = self.to_act[at]
        self.hands[at, mover] ^= thrown
        self.known[at] &= self.hands[at]
        self._end_turn(at)
        self.phase[at] = PhaseNumber.OVER
        self.ending[at], self.points[at] = settle(
            self.rules.gin, self.tables, mover, self.hands[at], big_gin=thrown == 0
        )


def cards_of(masks: Masks) -> npt.NDArray[np.bool_]:
    """Masks as rows of 52 booleans."""
    octets = np.ascontiguousarray(masks, "<u8").view(np.uint8).reshape(-1, 8)
    return np.unpackbits(octets, axis=1, count=CARDS, bitorder="little").view(np.bool_)
