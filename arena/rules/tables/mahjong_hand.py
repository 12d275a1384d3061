"""One hand of Mahjong gin: melds go on the table during play and nobody knocks.

A turn is one draw, then any number of melds and additions, then one discard. Nothing here keeps a
score across hands, shuffles, or knows who sits where.

The melds on the table are numbered over the whole table: first the melds that position 0 laid, in
the order in which it laid them, then those of position 1. ``add:C:I`` uses these numbers, and the
melds of ``View.positions`` come in that order too. So a number may change when position 0 lays
another meld; within one request it is certain.

Drawing several cards of the discard pile obliges: the deepest card taken must come to the table
before the discard. The draw is offered only when that is possible, and afterwards only actions
that leave it possible. A single card taken obliges to nothing but may not be thrown in that turn.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

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
    Shown,
    View,
    action,
)
from arena.rules.cards import NAMES, card_index, indexes, mask_of, names, parse_cards
from arena.rules.gin.actions import DRAW_DISCARD, DRAW_STOCK, PASS
from arena.rules.melds import meld_names
from arena.rules.tables.mahjong_melds import additions, can_reach_table, melds_within
from arena.rules.tables.mahjong_rules import VOID, MahjongRules, card_points, hand_score

_OFFERS = (Phase.FIRST_UPCARD, Phase.FIRST_UPCARD_DEALER)


@dataclass(frozen=True)
class MahjongHand:
    """The state of a hand; immutable. Cards are masks or indexes, positions 0 and 1.

    ``laid``: melds by the position that laid them, additions of both included. ``credit``: cards
    on the table that count for each position. ``known``: cards everybody knows a position holds.
    ``drawn``: the card that this turn's draw marks while it is still in hand: the card from the
    stock, the single card taken, or the deepest of several. ``taken``: cards taken from the
    discard pile by this turn's draw. ``turns``: turns completed.
    """

    rules: MahjongRules
    dealer: int
    hands: tuple[int, int]
    stock: tuple[int, ...]
    pile: tuple[int, ...]
    mover: int
    phase: Phase = Phase.FIRST_UPCARD
    laid: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())
    credit: tuple[int, int] = (0, 0)
    known: tuple[int, int] = (0, 0)
    drawn: int | None = None
    taken: int = 0
    turns: int = 0
    log: tuple[LogEntry, ...] = ()
    outcome: HandOutcome | None = None

    @property
    def to_act(self) -> int | None:
        """The position to move, None when the hand is over."""
        return None if self.outcome else self.mover

    @property
    def turn(self) -> int:
        """Number of decisions already taken."""
        return len(self.log)

    @property
    def table(self) -> tuple[int, ...]:
        """Melds on the table by number, as masks."""
        return self.laid[0] + self.laid[1]

    def legal_actions(self) -> tuple[Action, ...]:
        """Everything the player to move may do.

        The first is the safe one: pass, draw from the stock, throw the card just drawn (or the
        dearest that fits no meld), or bring the card that must be used to the table.

        Before the discard every meld of the hand is listed, not only the shortest (at most 329
        with 52 cards, in play hardly ever more than a dozen), each card with every meld on the
        table that it fits (at most three: a set and two runs), and each card that may be thrown.
        """
        return self._legal

    def safe_action(self) -> tuple[Action, Melds | None]:
        """What the referee plays for a bot that failed to answer: the first legal action.

        :raises IllegalAction: the hand is over.
        """
        if not self._legal:
            raise IllegalAction("the hand is over, nobody is to move")
        return self._legal[0], None

    @cached_property
    def _legal(self) -> tuple[Action, ...]:
        if self.outcome:
            return ()
        if self.phase in _OFFERS:
            return (PASS, DRAW_DISCARD)
        if self.phase is Phase.FORCED_STOCK:
            return (DRAW_STOCK,)
        if self.phase is Phase.DRAW:
            return (DRAW_STOCK, DRAW_DISCARD, *self._takes())
        return self._table_actions()

    def _takes(self) -> list[Action]:
        """Draws of two or more cards whose deepest can be used at once."""
        found = []
        cards = self.hands[self.mover]
        for depth, card in enumerate(reversed(self.pile), start=1):
            cards |= 1 << card
            if depth > 1 and can_reach_table(1 << card, cards, self.table, self.rules.ace_mode):
                found.append(action(f"take:{depth}"))
        return found

    def _table_actions(self) -> tuple[Action, ...]:
        held = self.hands[self.mover]
        ace_mode = self.rules.ace_mode
        marked = 0 if self.drawn is None else 1 << self.drawn
        duty = marked if self.taken > 1 else 0
        laying: list[tuple[bool, Action]] = []
        for meld in melds_within(held, ace_mode):
            if self._may_leave(held ^ meld, (*self.table, meld)):
                name = action("meld:" + "".join(names(meld)))
                laying.append((bool(meld & duty), name))
        for card, number in additions(held, self.table, ace_mode):
            if self._may_leave(held ^ card, _added(self.table, number, card)):
                name = action(f"add:{NAMES[card.bit_length() - 1]}:{number}")
                laying.append((bool(card & duty), name))
        if duty:
            return tuple(name for _, name in sorted(laying, key=lambda each: not each[0]))
        return (*self._discards(held, marked), *(name for _, name in laying))

    def _discards(self, held: int, marked: int) -> list[Action]:
        """Cards that may be thrown: the one from the stock, then loose ones, the dearest first."""
        free = held & ~marked if self.taken else held
        melded = 0
        for meld in melds_within(held, self.rules.ace_mode):
            melded |= meld
        cards = sorted(
            indexes(free),
            key=lambda card: (
                not marked >> card & 1,
                melded >> card & 1,
                -card_points(self.rules, 1 << card),
                -card,
            ),
        )
        return [action("discard:" + NAMES[card]) for card in cards]

    def _may_leave(self, left: int, table: tuple[int, ...]) -> bool:
        """Whether the turn can still be ended with these cards in hand and melds on the table."""
        marked = 0 if self.drawn is None else 1 << self.drawn
        if not self.taken or not left & marked:
            return True
        if self.taken == 1 and left != marked:
            return True
        return can_reach_table(marked, left, table, self.rules.ace_mode)

    def apply(self, action: Action, melds: Melds | None = None) -> MahjongHand:
        """The hand after the player to move did this; ``melds`` is not used in this game.

        :raises IllegalAction: not allowed now.
        """
        if action not in self._legal:
            raise IllegalAction(self._refusal(action))
        log = (*self.log, LogEntry(self.mover, action.id))
        return _MOVES[action.kind](dataclasses.replace(self, log=log), action.arg)

    def _refusal(self, action: Action) -> str:
        if self.outcome:
            return f"{action.id} is not allowed: the hand is over"
        why = ""
        if action.kind is ActionKind.DISCARD and self.taken and self.drawn is not None:
            card = NAMES[self.drawn]
            why = (
                f", {card} must be melded or added before the discard"
                if self.taken > 1
                else f", {card} was taken from the discard pile in this turn"
            )
        some = ", ".join(each.id for each in self._legal[:6])
        return f"{action.id} is not allowed in phase {self.phase}{why}; allowed: {some}"

    def _pass(self, arg: str) -> MahjongHand:
        if self.phase is Phase.FIRST_UPCARD:
            return self._next(phase=Phase.FIRST_UPCARD_DEALER)
        return self._next(phase=Phase.FORCED_STOCK)

    def _draw(self, source: str) -> MahjongHand:
        if source == "discard":
            return self._take("1")
        from_bottom = self.rules.two_ended_stock and self.mover == self.dealer
        card = self.stock[-1 if from_bottom else 0]
        return dataclasses.replace(
            self,
            stock=self.stock[:-1] if from_bottom else self.stock[1:],
            hands=self._mine(self.hands, self.hands[self.mover] | 1 << card),
            drawn=card,
            phase=Phase.MELD,
        )

    def _take(self, count: str) -> MahjongHand:
        split = len(self.pile) - int(count)
        cards = sum(1 << card for card in self.pile[split:])
        return dataclasses.replace(
            self,
            hands=self._mine(self.hands, self.hands[self.mover] | cards),
            known=self._mine(self.known, self.known[self.mover] | cards),
            drawn=self.pile[split],
            taken=int(count),
            pile=self.pile[:split],
            phase=Phase.MELD,
        )

    def _meld(self, cards: str) -> MahjongHand:
        meld = mask_of(parse_cards(cards))
        mine = (*self.laid[self.mover], meld)
        laid = (mine, self.laid[1]) if self.mover == 0 else (self.laid[0], mine)
        return self._lay(meld, laid)

    def _add(self, arg: str) -> MahjongHand:
        name, _, number = arg.partition(":")
        card = 1 << card_index(name)
        table = _added(self.table, int(number), card)
        split = len(self.laid[0])
        return self._lay(card, (table[:split], table[split:]))

    def _lay(self, cards: int, laid: tuple[tuple[int, ...], tuple[int, ...]]) -> MahjongHand:
        """These cards of the mover are on the table now and count for the mover."""
        me = self.mover
        marked = self.drawn is not None and cards >> self.drawn & 1
        after = dataclasses.replace(
            self,
            hands=self._mine(self.hands, self.hands[me] & ~cards),
            known=self._mine(self.known, self.known[me] & ~cards),
            credit=self._mine(self.credit, self.credit[me] | cards),
            laid=laid,
            drawn=None if marked else self.drawn,
        )
        return after if after.hands[me] else after._finish(Ending.GIN)

    def _discard(self, name: str) -> MahjongHand:
        card = card_index(name)
        me = self.mover
        after = dataclasses.replace(
            self,
            hands=self._mine(self.hands, self.hands[me] & ~(1 << card)),
            known=self._mine(self.known, self.known[me] & ~(1 << card)),
            pile=(*self.pile, card),
            turns=self.turns + 1,
        )
        if not after.hands[me]:
            return after._finish(Ending.GIN)
        if len(after.stock) <= self.rules.wall_cards:
            return after._finish(Ending.DEAD_STOCK)
        if after.turns >= self.rules.max_turns:
            return after._finish(Ending.DEAD_TURNS)
        return after._next(phase=Phase.DRAW)

    def _next(self, *, phase: Phase) -> MahjongHand:
        return dataclasses.replace(self, mover=1 - self.mover, phase=phase, drawn=None, taken=0)

    def _mine(self, pair: tuple[int, int], value: int) -> tuple[int, int]:
        """The pair with the mover's part replaced."""
        return (value, pair[1]) if self.mover == 0 else (pair[0], value)

    def _finish(self, ending: Ending) -> MahjongHand:
        gin = ending is Ending.GIN
        winner = self.mover if gin else None
        counted = gin or self.rules.mahjong_dead_hand != VOID
        points = tuple(
            hand_score(self.rules, self.credit[at], self.hands[at], gin=at == winner)
            if counted
            else 0
            for at in (0, 1)
        )
        if gin:
            how = f"P{winner} has no card left, which is gin"
        elif ending is Ending.DEAD_STOCK:
            how = "The stock is down to its last cards: a dead hand"
        else:
            how = "The turn limit is reached: a dead hand"
        score = f"; P0 {points[0]:+d}, P1 {points[1]:+d}" if counted else ", nobody scores"
        outcome = HandOutcome(
            ending, points, winner, tuple(self._shown(at) for at in (0, 1)), how + score
        )
        return dataclasses.replace(self, phase=Phase.OVER, outcome=outcome, drawn=None, taken=0)

    def _shown(self, position: int) -> Shown:
        """Melds as they lie, additions of both included; ``laid_off`` repeats the cards that this
        position added to the other's melds."""
        own = sum(self.laid[position])
        cards = self.hands[position]
        return Shown(
            melds=meld_names(self.laid[position]),
            deadwood=names(cards),
            laid_off=names(self.credit[position] & ~own),
            value=card_points(self.rules, cards),
        )

    def view(self, position: int) -> View:
        """What this position may know now. The numbers of melds count over both positions."""
        moving = position == self.mover
        drawn = NAMES[self.drawn] if moving and self.drawn is not None else None
        return View(
            position=position,
            dealer=self.dealer,
            turn=self.turn,
            phase=self.phase,
            hand=names(self.hands[position]),
            drawn=drawn,
            taken=moving and self.taken > 0,
            discard_pile=tuple(NAMES[card] for card in self.pile),
            stock_count=len(self.stock),
            knock_limit=None,
            multiplier=1,
            wild=None,
            positions=tuple(
                PositionView(
                    card_count=self.hands[at].bit_count(),
                    known=names(self.known[at]),
                    melds=meld_names(self.laid[at]),
                )
                for at in (0, 1)
            ),
            log=self.log,
        )

    def cards_by_place(self) -> Mapping[str, tuple[str, ...]]:
        """Where every card is. Not for players."""
        return {
            "hand0": names(self.hands[0]),
            "hand1": names(self.hands[1]),
            "stock": tuple(NAMES[card] for card in self.stock),
            "discard": tuple(NAMES[card] for card in self.pile),
            "table0": names(sum(self.laid[0])),
            "table1": names(sum(self.laid[1])),
        }


def _added(table: tuple[int, ...], number: int, card: int) -> tuple[int, ...]:
    return (*table[:number], table[number] | card, *table[number + 1 :])


_MOVES = {
    ActionKind.PASS: MahjongHand._pass,
    ActionKind.DRAW: MahjongHand._draw,
    ActionKind.TAKE: MahjongHand._take,
    ActionKind.MELD: MahjongHand._meld,
    ActionKind.ADD: MahjongHand._add,
    ActionKind.DISCARD: MahjongHand._discard,
}
