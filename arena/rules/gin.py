"""Two-handed knock gin: one hand from the deal to its outcome.

`GinHand` is an immutable value; `apply` returns the next one. All that house rules change is in
`GinRules`; what cannot change within a hand (deck, dealer, knock limit…) is in one `Table` that
all states of the hand share, so that a step copies only what moves.

Each phase has one function for its legal actions and one that applies an action.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

from arena.errors import IllegalAction, InvalidCards
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
from arena.rules.cards import INDEX, NAMES, mask_of, names
from arena.rules.gin_rules import GinRules
from arena.rules.melds import (
    MeldTables,
    default_spread,
    meld_tables,
    stated_spread,
)
from arena.rules.scoring import knock_limit_of, multiplier_of
from arena.rules.showdown import settle_dead, settle_knock, settle_refused_double

PASS: Final = action("pass")
DRAW_STOCK: Final = action("draw:stock")
DRAW_DISCARD: Final = action("draw:discard")
BIG_GIN: Final = action("big_gin")
DOUBLE: Final = action("double")
ACCEPT: Final = action("accept")
REFUSE: Final = action("refuse")
DISCARDS: Final = tuple(action(f"discard:{name}") for name in NAMES)
KNOCKS: Final = tuple(action(f"knock:{name}") for name in NAMES)

_FIRST_UPCARD: Final = Phase.FIRST_UPCARD
_FIRST_UPCARD_DEALER: Final = Phase.FIRST_UPCARD_DEALER
_FORCED_STOCK: Final = Phase.FORCED_STOCK
_DRAW: Final = Phase.DRAW
_DISCARD: Final = Phase.DISCARD
_ANSWER_DOUBLE: Final = Phase.ANSWER_DOUBLE
_LAST_DISCARD: Final = Phase.LAST_DISCARD
_OVER: Final = Phase.OVER

NOBODY: Final = -1


class _ActionRow(dict[int, tuple[Action, ...]]):
    """The actions of a table of 52 for the cards of one suit, by the suit's 13-bit mask."""

    def __init__(self, actions: Sequence[Action]) -> None:
        super().__init__()
        self._actions = tuple(actions)

    def __missing__(self, mask: int) -> tuple[Action, ...]:
        found = tuple(each for rank, each in enumerate(self._actions) if mask >> rank & 1)
        self[mask] = found
        return found


_DISCARD_ROWS: Final = tuple(_ActionRow(DISCARDS[at : at + 13]) for at in (0, 13, 26, 39))
_KNOCK_ROWS: Final = tuple(_ActionRow(KNOCKS[at : at + 13]) for at in (0, 13, 26, 39))


def _actions(rows: tuple[_ActionRow, ...], mask: int) -> tuple[Action, ...]:
    return (
        rows[0][mask & 8191]
        + rows[1][mask >> 13 & 8191]
        + rows[2][mask >> 26 & 8191]
        + rows[3][mask >> 39]
    )


class _Log(dict[Action, LogEntry]):
    """The public log entries of one position; drawing from the stock shows no card."""

    def __init__(self, position: int) -> None:
        super().__init__()
        self._position = position

    def __missing__(self, key: Action) -> LogEntry:
        found = self[key] = LogEntry(self._position, key.id)
        return found


_LOG: Final = (_Log(0), _Log(1))


class Table:
    """What stays the same throughout one hand.

    ``deck``: card indexes in the order dealt. ``knock_card``: bit of a separate knock card that
    is out of play, else 0. ``factor``: what a spade upcard does to the score.
    """

    __slots__ = (
        "big_gin",
        "dealer",
        "deck",
        "factor",
        "knock_card",
        "limit",
        "melds",
        "rules",
    )

    def __init__(
        self,
        rules: GinRules,
        deck: tuple[int, ...],
        dealer: int,
        knock_card: int,
        limit: int,
        factor: int,
    ) -> None:
        self.rules = rules
        self.deck = deck
        self.dealer = dealer
        self.knock_card = knock_card
        self.limit = limit
        self.factor = factor
        self.big_gin = rules.big_gin_bonus is not None
        self.melds: MeldTables = meld_tables(rules.ace_mode, rules.ace_deadwood)


class GinHand(NamedTuple):
    """A two-handed gin hand in progress. Make the first one with `deal_gin`.

    ``hands``, ``known``: cards held, and those of them that everybody knows, by position, as
    masks. ``pile``: the discard pile, bottom first. ``top``, ``bottom``: the stock is
    ``table.deck[top:bottom]``. ``turns``: turns completed, ``turn``: decisions taken. ``drawn``:
    index of the card just drawn, -1 outside the discard phase. ``double_right``: position that may
    offer to double, -1 for both. ``resume``: in ANSWER_DOUBLE the phase to go back to; in DISCARD
    it is LAST_DISCARD when only a knock may follow. ``out``: the card thrown with a knock.
    """

    table: Table
    phase: Phase
    to_act: int | None
    turn: int
    hands: tuple[int, int]
    known: tuple[int, int]
    pile: tuple[str, ...]
    top: int
    bottom: int
    turns: int
    drawn: int
    taken: bool
    factor: int
    double_right: int
    resume: Phase
    out: int
    log: tuple[LogEntry, ...]
    outcome: HandOutcome | None

    @property
    def stock_count(self) -> int:
        """Cards left in the stock."""
        return self.bottom - self.top

    def legal_actions(self) -> tuple[Action, ...]:
        """Everything the player to move may do, the safe action first; empty when over."""
        if self.to_act is None:
            return ()
        return _LEGAL[self.phase](self, self.to_act)

    def apply(self, action: Action, melds: Melds | None = None) -> GinHand:
        """The hand after the player to move did this.

        ``melds`` counts with a knock or big gin and may leave deadwood that could be melded, up
        to the knock limit; left out, the default spread is shown.

        :raises IllegalAction: not allowed now, or the melds stated with it do not hold.
        """
        if self.to_act is None:
            raise IllegalAction(f"{action.id}: the hand is over")
        return _APPLY[self.phase](self, self.to_act, action, melds)

    def safe_action(self) -> tuple[Action, Melds | None]:
        """What the referee plays for a bot that failed to answer: the first legal action.

        Pass an upcard, draw from the stock; throw the card just drawn, or, when that came from the
        discard pile, the card whose loss leaves the least deadwood; accept a double, because
        refusing one would give the hand away; never knock unless nothing else is allowed.

        :raises IllegalAction: the hand is over.
        """
        legal = self.legal_actions()
        if not legal:
            raise IllegalAction("the hand is over, nobody is to move")
        return legal[0], None

    def view(self, position: int) -> View:
        """What this position may know: its own cards and what everybody saw."""
        table = self.table
        hands = self.hands
        known = self.known
        drawn = self.drawn
        mine = drawn >= 0 and position == self.to_act
        return View(
            position,
            table.dealer,
            self.turn,
            self.phase,
            names(hands[position]),
            NAMES[drawn] if mine else None,
            mine and self.taken,
            self.pile,
            self.bottom - self.top,
            table.limit,
            table.factor * self.factor,
            None,
            (
                PositionView(hands[0].bit_count(), names(known[0])),
                PositionView(hands[1].bit_count(), names(known[1])),
            ),
            self.log,
        )

    def cards_by_place(self) -> Mapping[str, tuple[str, ...]]:
        """Where every card is. Not for players.

        ``out``: the card thrown with a knock; ``knock_card``: a separate knock card.
        """
        table = self.table
        return {
            "hand0": names(self.hands[0]),
            "hand1": names(self.hands[1]),
            "stock": tuple(NAMES[index] for index in table.deck[self.top : self.bottom]),
            "discard": self.pile,
            "out": names(self.out),
            "knock_card": names(table.knock_card),
        }


def deal_gin(rules: GinRules, deck: Sequence[str], dealer: int) -> GinHand:
    """Deal a hand from this order of cards, top first.

    The non-dealer gets the first card, the dealer the second and so on; the next card is the
    upcard and the rest the stock. With a separate knock card that is the last card of the deck;
    there is no upcard then and the non-dealer draws first.

    :raises InvalidCards: the deck holds a card twice, no card, or too few cards.
    """
    cards = mask_of(deck)
    size = rules.hand_size
    if cards.bit_count() <= 2 * size + rules.wall_cards + 1:
        raise InvalidCards(
            f"a deck of {len(deck)} cards is too small to deal {size} each and leave a stock"
        )
    order = tuple([INDEX[name] for name in deck])
    dealt = [0, 0]
    for at, index in enumerate(order[: 2 * size]):
        dealt[1 - dealer if at % 2 == 0 else dealer] |= 1 << index
    separate = rules.knock_card_source == "separate"
    card = deck[-1] if separate else deck[2 * size]
    table = Table(
        rules,
        order,
        dealer,
        1 << order[-1] if separate else 0,
        knock_limit_of(rules, card),
        multiplier_of(rules, card),
    )
    hand = GinHand(
        table=table,
        phase=_FORCED_STOCK if separate else _FIRST_UPCARD,
        to_act=1 - dealer,
        turn=0,
        hands=(dealt[0], dealt[1]),
        known=(0, 0),
        pile=() if separate else (card,),
        top=2 * size if separate else 2 * size + 1,
        bottom=len(order) - 1 if separate else len(order),
        turns=0,
        drawn=NOBODY,
        taken=False,
        factor=1,
        double_right=NOBODY,
        resume=_DRAW,
        out=0,
        log=(),
        outcome=None,
    )
    if rules.misdeal_if_knockable and (
        min(table.melds.deadwood(dealt[0]), table.melds.deadwood(dealt[1])) <= table.limit
    ):
        return _dead(hand, Ending.MISDEAL)
    return hand


def _dead(hand: GinHand, ending: Ending) -> GinHand:
    outcome = settle_dead(hand.table.melds, ending, hand.hands)
    return hand._replace(phase=_OVER, to_act=None, drawn=NOBODY, taken=False, outcome=outcome)


def _may_double(hand: GinHand, mover: int) -> bool:
    rules = hand.table.rules
    return (
        rules.doubling
        and hand.double_right in (NOBODY, mover)
        and hand.factor * 2 <= rules.max_factor
    )


_UPCARD: Final = (PASS, DRAW_DISCARD)
_UPCARD_OR_DOUBLE: Final = (PASS, DRAW_DISCARD, DOUBLE)
_STOCK: Final = (DRAW_STOCK,)
_STOCK_OR_DOUBLE: Final = (DRAW_STOCK, DOUBLE)
_EITHER: Final = (DRAW_STOCK, DRAW_DISCARD)
_EITHER_OR_DOUBLE: Final = (DRAW_STOCK, DRAW_DISCARD, DOUBLE)
_ANSWERS: Final = (ACCEPT, REFUSE)
_ONLY_PASS: Final = (PASS,)


def _legal_upcard(hand: GinHand, mover: int) -> tuple[Action, ...]:
    return _UPCARD_OR_DOUBLE if _may_double(hand, mover) else _UPCARD


def _legal_forced(hand: GinHand, mover: int) -> tuple[Action, ...]:
    return _STOCK_OR_DOUBLE if _may_double(hand, mover) else _STOCK


def _legal_draw(hand: GinHand, mover: int) -> tuple[Action, ...]:
    return _EITHER_OR_DOUBLE if _may_double(hand, mover) else _EITHER


def _legal_answer(hand: GinHand, mover: int) -> tuple[Action, ...]:
    return _ANSWERS


def _legal_last(hand: GinHand, mover: int) -> tuple[Action, ...]:
    return _UPCARD if _could_knock_with_upcard(hand, mover) else _ONLY_PASS


def _could_knock_with_upcard(hand: GinHand, mover: int) -> bool:
    upcard = 1 << INDEX[hand.pile[-1]]
    table = hand.table
    cards = hand.hands[mover] | upcard
    kept = 0 if table.rules.redraw_discard else upcard
    return table.melds.best_discard(cards, kept)[0] <= table.limit


def _legal_discard(hand: GinHand, mover: int) -> tuple[Action, ...]:
    table = hand.table
    melds = table.melds
    cards = hand.hands[mover]
    drawn = 1 << hand.drawn
    kept = drawn if hand.taken and not table.rules.redraw_discard else 0
    least, best = melds.best_discard(cards, kept)
    throwable = cards & ~kept
    if least > table.limit:
        return _discards(hand, throwable, best)
    knocks = 0
    rest = throwable
    while rest:
        bit = rest & -rest
        rest ^= bit
        if melds.deadwood(cards ^ bit) <= table.limit:
            knocks |= bit
    if hand.resume is _LAST_DISCARD:
        actions = (KNOCKS[best], *_actions(_KNOCK_ROWS, knocks & ~(1 << best)))
    else:
        actions = _discards(hand, throwable, best) + _actions(_KNOCK_ROWS, knocks)
    if least == 0 and table.big_gin and melds.deadwood(cards) == 0:
        return (*actions, BIG_GIN)
    return actions


def _discards(hand: GinHand, throwable: int, best: int) -> tuple[Action, ...]:
    """Every discard, the safe one first: the card just drawn unless it came from the pile."""
    safe = best if hand.taken else hand.drawn
    return (DISCARDS[safe], *_actions(_DISCARD_ROWS, throwable & ~(1 << safe)))


def _refuse(hand: GinHand, action: Action) -> IllegalAction:
    legal = ", ".join([each.id for each in hand.legal_actions()])
    return IllegalAction(f"{action.id} is not allowed in phase {hand.phase}; allowed: {legal}")


def _apply_draw(hand: GinHand, mover: int, action: Action, melds: Melds | None) -> GinHand:
    """All phases before a draw: which of the four actions are allowed depends on the phase."""
    if action is DRAW_STOCK:
        if hand.phase is not _DRAW and hand.phase is not _FORCED_STOCK:
            raise _refuse(hand, action)
        return _draw_stock(hand, mover)
    if action is DRAW_DISCARD:
        if hand.phase is _FORCED_STOCK:
            raise _refuse(hand, action)
        return _draw_discard(hand, mover, _DRAW)
    if action is PASS:
        if hand.phase is _FIRST_UPCARD:
            phase = _FIRST_UPCARD_DEALER
        elif hand.phase is _FIRST_UPCARD_DEALER:
            phase = _FORCED_STOCK
        else:
            raise _refuse(hand, action)
        return hand._replace(
            phase=phase,
            to_act=1 - mover,
            turn=hand.turn + 1,
            log=(*hand.log, _LOG[mover][action]),
        )
    if action is DOUBLE and _may_double(hand, mover):
        return hand._replace(
            phase=_ANSWER_DOUBLE,
            to_act=1 - mover,
            turn=hand.turn + 1,
            resume=hand.phase,
            log=(*hand.log, _LOG[mover][action]),
        )
    raise _refuse(hand, action)


def _draw_stock(hand: GinHand, mover: int) -> GinHand:
    (
        table, _, _, turn, hands, known, pile, top, bottom, turns, _, _, factor, right, _, out,
        log, _,
    ) = hand  # fmt: skip
    if mover == table.dealer and table.rules.two_ended_stock:
        bottom -= 1
        index = table.deck[bottom]
    else:
        index = table.deck[top]
        top += 1
    bit = 1 << index
    return GinHand(
        table,
        _DISCARD,
        mover,
        turn + 1,
        (hands[0] | bit, hands[1]) if mover == 0 else (hands[0], hands[1] | bit),
        known,
        pile,
        top,
        bottom,
        turns,
        index,
        False,
        factor,
        right,
        _DRAW,
        out,
        (*log, _LOG[mover][DRAW_STOCK]),
        None,
    )


def _draw_discard(hand: GinHand, mover: int, resume: Phase) -> GinHand:
    (
        table, _, _, turn, hands, known, pile, top, bottom, turns, _, _, factor, right, _, out,
        log, _,
    ) = hand  # fmt: skip
    index = INDEX[pile[-1]]
    bit = 1 << index
    return GinHand(
        table,
        _DISCARD,
        mover,
        turn + 1,
        (hands[0] | bit, hands[1]) if mover == 0 else (hands[0], hands[1] | bit),
        (known[0] | bit, known[1]) if mover == 0 else (known[0], known[1] | bit),
        pile[:-1],
        top,
        bottom,
        turns,
        index,
        True,
        factor,
        right,
        resume,
        out,
        (*log, _LOG[mover][DRAW_DISCARD]),
        None,
    )


def _apply_last(hand: GinHand, mover: int, action: Action, melds: Melds | None) -> GinHand:
    if action is PASS:
        log = (*hand.log, _LOG[mover][action])
        return _dead(hand._replace(turn=hand.turn + 1, log=log), Ending.DEAD_STOCK)
    if action is DRAW_DISCARD:
        if _could_knock_with_upcard(hand, mover):
            return _draw_discard(hand, mover, _LAST_DISCARD)
        raise IllegalAction("draw:discard: the last discard may be taken only in order to knock")
    raise _refuse(hand, action)


def _apply_answer(hand: GinHand, mover: int, action: Action, melds: Melds | None) -> GinHand:
    log = (*hand.log, _LOG[mover][action])
    if action is ACCEPT:
        return hand._replace(
            phase=hand.resume,
            to_act=1 - mover,
            turn=hand.turn + 1,
            factor=hand.factor * 2,
            double_right=mover,
            resume=_DRAW,
            log=log,
        )
    if action is REFUSE:
        table = hand.table
        outcome = settle_refused_double(
            table.melds, 1 - mover, hand.hands, table.factor * hand.factor
        )
        return hand._replace(phase=_OVER, to_act=None, turn=hand.turn + 1, log=log, outcome=outcome)
    raise _refuse(hand, action)


def _apply_discard(hand: GinHand, mover: int, action: Action, melds: Melds | None) -> GinHand:
    kind = action.kind
    if kind is ActionKind.DISCARD:
        return _discard(hand, mover, action)
    if kind is ActionKind.KNOCK:
        return _knock(hand, mover, action, melds)
    if action is BIG_GIN:
        return _big_gin(hand, mover, melds)
    raise _refuse(hand, action)


def _card_to_throw(hand: GinHand, mover: int, action: Action) -> int:
    """Index of the card that a discard or knock throws.

    :raises IllegalAction: it is not held, or was just taken from the discard pile.
    """
    index = INDEX.get(action.arg, NOBODY)
    if index < 0 or not hand.hands[mover] >> index & 1:
        raise IllegalAction(f"{action.id}: {action.arg or 'no card'} is not in the hand")
    if index == hand.drawn and hand.taken and not hand.table.rules.redraw_discard:
        raise IllegalAction(
            f"{action.id}: {action.arg} was just taken from the discard pile and may not go back "
            "in the same turn"
        )
    return index


def _discard(hand: GinHand, mover: int, action: Action) -> GinHand:
    (
        table, _, _, turn, hands, known, pile, top, bottom, turns, _, _, factor, right, resume, out,
        log, _,
    ) = hand  # fmt: skip
    index = _card_to_throw(hand, mover, action)
    if resume is _LAST_DISCARD:
        raise IllegalAction(
            f"{action.id}: after the last discard was taken only a knock may follow"
        )
    bit = 1 << index
    rules = table.rules
    turns += 1
    known_0, known_1 = known
    if mover == 0:
        hands = (hands[0] ^ bit, hands[1])
        known_0 &= ~bit
    else:
        hands = (hands[0], hands[1] ^ bit)
        known_1 &= ~bit
    ending = None
    phase = _DRAW
    if bottom - top <= rules.wall_cards:
        if rules.wall_rule == "end":
            ending = Ending.DEAD_STOCK
        else:
            phase = _LAST_DISCARD
    elif turns >= rules.max_turns:
        ending = Ending.DEAD_TURNS
    after = GinHand(
        table,
        phase,
        1 - mover,
        turn + 1,
        hands,
        (known_0, known_1),
        (*pile, NAMES[index]),
        top,
        bottom,
        turns,
        NOBODY,
        False,
        factor,
        right,
        _DRAW,
        out,
        (*log, _LOG[mover][action]),
        None,
    )
    return after if ending is None else _dead(after, ending)


def _knock(hand: GinHand, mover: int, action: Action, melds: Melds | None) -> GinHand:
    table = hand.table
    index = _card_to_throw(hand, mover, action)
    cards = hand.hands[mover] ^ 1 << index
    if melds is None:
        deadwood = table.melds.deadwood(cards)
    else:
        spread = stated_spread(cards, melds, table.melds)
        deadwood = table.melds.value_of(cards ^ sum(spread))
    if deadwood > table.limit:
        stated = "" if melds is None else " with the melds stated"
        raise IllegalAction(
            f"{action.id} leaves deadwood {deadwood}{stated}, over the knock limit of {table.limit}"
        )
    if melds is None:
        spread = default_spread(cards, table.melds)
    return _show(hand, mover, action, cards, spread, 1 << index)


def _big_gin(hand: GinHand, mover: int, melds: Melds | None) -> GinHand:
    table = hand.table
    cards = hand.hands[mover]
    if not table.big_gin:
        raise IllegalAction("big_gin is not played under these rules (big_gin_bonus is none)")
    spread = (
        default_spread(cards, table.melds)
        if melds is None
        else stated_spread(cards, melds, table.melds)
    )
    loose = cards ^ sum(spread)
    if loose:
        raise IllegalAction(f"big_gin: {' '.join(names(loose))} would not be melded")
    return _show(hand, mover, BIG_GIN, cards, spread, 0)


def _show(
    hand: GinHand, mover: int, action: Action, cards: int, spread: tuple[int, ...], out: int
) -> GinHand:
    """The hand after somebody showed these melds and threw the card ``out``."""
    table = hand.table
    hands = (cards, hand.hands[1]) if mover == 0 else (hand.hands[0], cards)
    outcome = settle_knock(
        table.rules,
        table.melds,
        mover,
        hands,
        spread,
        big_gin=action is BIG_GIN,
        multiplier=table.factor * hand.factor,
    )
    return hand._replace(
        phase=_OVER,
        to_act=None,
        turn=hand.turn + 1,
        hands=hands,
        known=(hand.known[0] & hands[0], hand.known[1] & hands[1]),
        turns=hand.turns + 1,
        drawn=NOBODY,
        taken=False,
        out=out,
        log=(*hand.log, _LOG[mover][action]),
        outcome=outcome,
    )


_LEGAL: Final[dict[Phase, Callable[[GinHand, int], tuple[Action, ...]]]] = {
    _FIRST_UPCARD: _legal_upcard,
    _FIRST_UPCARD_DEALER: _legal_upcard,
    _FORCED_STOCK: _legal_forced,
    _DRAW: _legal_draw,
    _DISCARD: _legal_discard,
    _ANSWER_DOUBLE: _legal_answer,
    _LAST_DISCARD: _legal_last,
}

_APPLY: Final[dict[Phase, Callable[[GinHand, int, Action, Melds | None], GinHand]]] = {
    _FIRST_UPCARD: _apply_draw,
    _FIRST_UPCARD_DEALER: _apply_draw,
    _FORCED_STOCK: _apply_draw,
    _DRAW: _apply_draw,
    _DISCARD: _apply_discard,
    _ANSWER_DOUBLE: _apply_answer,
    _LAST_DISCARD: _apply_last,
}
