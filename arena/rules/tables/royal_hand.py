"""One hand of Battle Royal: three active players, one pack.

A player draws from the stock, takes the discard that the previous player just made
(``draw:discard``), or the latest discard of the player before that one (``draw:under``), which
lies directly below it. A discard stays available until somebody takes it or its owner makes a
newer one. The first upcard is nobody's discard: once all three have refused it, nobody can take
it.

Nothing here keeps a score across hands, shuffles, or knows who sits where.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from arena.errors import IllegalAction
from arena.rules.base import (
    Action,
    ActionKind,
    Ending,
    HandOutcome,
    LogEntry,
    Melds,
    Phase,
    PositionView,
    View,
    action,
)
from arena.rules.cards import INDEX, NAMES, indexes, names
from arena.rules.gin.actions import DISCARDS, DRAW_DISCARD, DRAW_STOCK, KNOCKS, PASS
from arena.rules.melds import MeldTables, default_spread, meld_tables, stated_spread
from arena.rules.seating import deal_round
from arena.rules.tables.royal_rules import RoyalRules
from arena.rules.tables.royal_showdown import settle_royal, settle_royal_dead

POSITIONS: Final = 3
DRAW_UNDER: Final = action("draw:under")

_OFFERS: Final = (Phase.FIRST_UPCARD, Phase.FIRST_UPCARD_DEALER)


class RoyalHand(NamedTuple):
    """The state of a hand; immutable. Make the first one with `deal_royal`.

    ``hands``, ``known``: cards held, and those of them that everybody knows, by position, as
    masks. ``stock``: card indexes, top first. ``pile``: card indexes, bottom first. ``latest``:
    by position, the card it last discarded while that can still be taken, else None. ``drawn``:
    the card just drawn. ``turns``: turns completed, ``turn``: decisions taken. ``out``: the card
    thrown with a knock.
    """

    rules: RoyalRules
    dealer: int
    to_act: int | None
    phase: Phase
    hands: tuple[int, ...]
    stock: tuple[int, ...]
    pile: tuple[int, ...]
    latest: tuple[int | None, ...] = (None,) * POSITIONS
    known: tuple[int, ...] = (0,) * POSITIONS
    drawn: int | None = None
    taken: bool = False
    turn: int = 0
    turns: int = 0
    out: int = 0
    log: tuple[LogEntry, ...] = ()
    outcome: HandOutcome | None = None

    @property
    def tables(self) -> MeldTables:
        """The meld tables of these rules."""
        return meld_tables(self.rules.ace_mode, self.rules.ace_deadwood)

    def legal_actions(self) -> tuple[Action, ...]:
        """Everything the player to move may do, the safe action first; empty when over."""
        if self.to_act is None:
            return ()
        if self.phase in _OFFERS:
            return (PASS, DRAW_DISCARD)
        if self.phase is Phase.FORCED_STOCK:
            return (DRAW_STOCK,)
        if self.phase is Phase.DRAW:
            under = (DRAW_UNDER,) if self._under(self.to_act) is not None else ()
            return (DRAW_STOCK, DRAW_DISCARD, *under)
        return self._throws(self.to_act)

    def _under(self, mover: int) -> int | None:
        """The latest discard of the player before the previous one, if it can be taken."""
        return self.latest[(mover + 1) % POSITIONS]

    def _throws(self, mover: int) -> tuple[Action, ...]:
        tables = self.tables
        cards = self.hands[mover]
        kept = self._kept()
        least, best = tables.best_discard(cards, kept)
        first = best if self.taken or self.drawn is None else self.drawn
        free = tuple(indexes(cards & ~kept))
        discards = (DISCARDS[first], *(DISCARDS[card] for card in free if card != first))
        limit = self.rules.knock_limit
        if least > limit:
            return discards
        knocks = (KNOCKS[card] for card in free if tables.deadwood(cards ^ 1 << card) <= limit)
        return (*discards, *knocks)

    def _kept(self) -> int:
        """Bit of the card that may not be thrown in this turn, 0 if there is none."""
        if self.drawn is None or not self.taken or self.rules.redraw_discard:
            return 0
        return 1 << self.drawn

    def safe_action(self) -> tuple[Action, Melds | None]:
        """What the referee plays for a bot that failed to answer: the first legal action.

        Pass an upcard, draw from the stock; throw the card just drawn, or, when that came from the
        discard pile, the card whose loss leaves the least deadwood; never knock.

        :raises IllegalAction: the hand is over.
        """
        legal = self.legal_actions()
        if not legal:
            raise IllegalAction("the hand is over, nobody is to move")
        return legal[0], None

    def apply(self, action: Action, melds: Melds | None = None) -> RoyalHand:
        """The hand after the player to move did this.

        ``melds`` counts with a knock and may leave deadwood that could be melded, up to the knock
        limit; left out, the default spread is shown.

        :raises IllegalAction: not allowed now, or the melds stated with it do not hold.
        """
        mover = self.to_act
        if mover is None:
            raise IllegalAction(f"{action.id}: the hand is over")
        if action not in self.legal_actions():
            raise IllegalAction(self._refusal(action, mover))
        after = self._replace(turn=self.turn + 1, log=(*self.log, LogEntry(mover, action.id)))
        if action is PASS:
            return after._pass(mover)
        if action is DRAW_STOCK:
            return after._draw_stock(mover)
        if action.kind is ActionKind.DRAW:
            return after._take(mover, 2 if action is DRAW_UNDER else 1)
        if action.kind is ActionKind.DISCARD:
            return after._discard(mover, INDEX[action.arg])
        return after._knock(mover, action, melds)

    def _refusal(self, action: Action, mover: int) -> str:
        if self.phase is Phase.DISCARD and action.kind in (ActionKind.DISCARD, ActionKind.KNOCK):
            card = INDEX.get(action.arg, -1)
            if card < 0 or not self.hands[mover] >> card & 1:
                return f"{action.id}: {action.arg or 'no card'} is not in the hand"
            if 1 << card == self._kept():
                return (
                    f"{action.id}: {action.arg} was just taken from the discard pile and may not "
                    "go back in the same turn"
                )
            least = self.tables.deadwood(self.hands[mover] ^ 1 << card)
            return (
                f"{action.id} leaves deadwood {least}, over the knock limit of "
                f"{self.rules.knock_limit}"
            )
        legal = ", ".join(each.id for each in self.legal_actions())
        return f"{action.id} is not allowed in phase {self.phase}; allowed: {legal}"

    def _pass(self, mover: int) -> RoyalHand:
        after = (mover + 1) % POSITIONS
        if mover == self.dealer:
            phase = Phase.FORCED_STOCK
        elif after == self.dealer:
            phase = Phase.FIRST_UPCARD_DEALER
        else:
            phase = Phase.FIRST_UPCARD
        return self._replace(to_act=after, phase=phase)

    def _draw_stock(self, mover: int) -> RoyalHand:
        card = self.stock[0]
        return self._replace(
            stock=self.stock[1:],
            hands=_with(self.hands, mover, self.hands[mover] | 1 << card),
            drawn=card,
            taken=False,
            phase=Phase.DISCARD,
        )

    def _take(self, mover: int, depth: int) -> RoyalHand:
        """Take the top card of the pile, or the one below it."""
        at = len(self.pile) - depth
        card = self.pile[at]
        return self._replace(
            pile=self.pile[:at] + self.pile[at + 1 :],
            latest=tuple(None if own == card else own for own in self.latest),
            hands=_with(self.hands, mover, self.hands[mover] | 1 << card),
            known=_with(self.known, mover, self.known[mover] | 1 << card),
            drawn=card,
            taken=True,
            phase=Phase.DISCARD,
        )

    def _discard(self, mover: int, card: int) -> RoyalHand:
        after = self._replace(
            hands=_with(self.hands, mover, self.hands[mover] ^ 1 << card),
            known=_with(self.known, mover, self.known[mover] & ~(1 << card)),
            pile=(*self.pile, card),
            latest=(*self.latest[:mover], card, *self.latest[mover + 1 :]),
            drawn=None,
            taken=False,
            turns=self.turns + 1,
            to_act=(mover + 1) % POSITIONS,
            phase=Phase.DRAW,
        )
        if len(after.stock) <= self.rules.wall_cards:
            return after._dead(Ending.DEAD_STOCK)
        if after.turns >= self.rules.max_turns:
            return after._dead(Ending.DEAD_TURNS)
        return after

    def _dead(self, ending: Ending) -> RoyalHand:
        outcome = settle_royal_dead(self.rules, ending, self.hands)
        return self._replace(to_act=None, phase=Phase.OVER, outcome=outcome)

    def _knock(self, mover: int, action: Action, melds: Melds | None) -> RoyalHand:
        out = 1 << INDEX[action.arg]
        cards = self.hands[mover] ^ out
        tables = self.tables
        if melds is None:
            spread = default_spread(cards, tables)
        else:
            spread = stated_spread(cards, melds, tables)
        loose = cards ^ sum(spread)
        count = tables.value_of(loose)
        if count > self.rules.knock_limit:
            raise IllegalAction(
                f"{action.id} leaves deadwood {count} with the melds stated, over the knock limit "
                f"of {self.rules.knock_limit}"
            )
        hands = _with(self.hands, mover, cards)
        known = tuple(seen & held for seen, held in zip(self.known, hands, strict=True))
        return self._replace(
            to_act=None,
            phase=Phase.OVER,
            hands=hands,
            known=known,
            drawn=None,
            taken=False,
            turns=self.turns + 1,
            out=out,
            outcome=settle_royal(self.rules, hands, mover, spread),
        )

    def view(self, position: int) -> View:
        """What this position may know: its own cards and what everybody saw."""
        mine = position == self.to_act and self.drawn is not None
        return View(
            position=position,
            dealer=self.dealer,
            turn=self.turn,
            phase=self.phase,
            hand=names(self.hands[position]),
            drawn=NAMES[self.drawn] if mine and self.drawn is not None else None,
            taken=mine and self.taken,
            discard_pile=tuple(NAMES[card] for card in self.pile),
            stock_count=len(self.stock),
            knock_limit=self.rules.knock_limit,
            multiplier=1,
            wild=None,
            positions=tuple(
                PositionView(hand.bit_count(), names(known))
                for hand, known in zip(self.hands, self.known, strict=True)
            ),
            log=self.log,
        )

    def cards_by_place(self) -> Mapping[str, tuple[str, ...]]:
        """Where every card is; ``out`` is the card thrown with a knock. Not for players."""
        places = {f"hand{at}": names(hand) for at, hand in enumerate(self.hands)}
        return {
            **places,
            "stock": tuple(NAMES[card] for card in self.stock),
            "discard": tuple(NAMES[card] for card in self.pile),
            "out": names(self.out),
        }


def deal_royal(rules: RoyalRules, deck: Sequence[str], dealer: int) -> RoyalHand:
    """Deal a hand from this order of cards, top first.

    Cards go out one at a time, beginning at the dealer's left; the next card is the upcard.

    :raises InvalidCards: the deck is not the 52 cards, each once.
    """
    hands, rest = deal_round(deck, rules.hand_size, POSITIONS, dealer)
    return RoyalHand(
        rules=rules,
        dealer=dealer,
        to_act=(dealer + 1) % POSITIONS,
        phase=Phase.FIRST_UPCARD,
        hands=hands,
        stock=rest[1:],
        pile=rest[:1],
    )


def _with(values: tuple[int, ...], at: int, value: int) -> tuple[int, ...]:
    return (*values[:at], value, *values[at + 1 :])
