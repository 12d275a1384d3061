"""Two-handed knock gin: one hand from the deal to its outcome.

`GinHand` is an immutable value; `apply` returns the next one. All that house rules change is in
`GinRules`; what cannot change within a hand (deck, dealer, knock limit…) is in one `Table` that
all states of the hand share, so that a step copies only what moves.

What an action does is in `steps` and `moves`, which check by themselves whether it is
allowed; `legal` lists the actions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from arena.errors import IllegalAction, InvalidCards
from arena.rules.base import (
    Action,
    Ending,
    HandOutcome,
    LogEntry,
    Melds,
    Phase,
    PositionView,
    View,
)
from arena.rules.cards import INDEX, NAMES, mask_of, names
from arena.rules.gin.legal import EITHER, LEGAL
from arena.rules.gin.moves import NO_INDEX, dead
from arena.rules.gin.rules import GinRules
from arena.rules.gin.scoring import knock_limit_of, multiplier_of
from arena.rules.gin.steps import MOVES, unknown
from arena.rules.melds import MeldTables, meld_tables

NOBODY: Final = -1
"""In place of a position."""


class Table(NamedTuple):
    """What stays the same throughout one hand.

    ``deck``: card indexes in the order dealt. ``knock_card``: a separate knock card, out of play,
    as a mask, else 0. ``turned``: name of the card that set ``limit``, the most deadwood one may
    knock with; None if no card did. ``factor``: what a spade that was turned does to the score.
    ``big_gin``: whether it is played. ``from_bottom``: the position that draws from the bottom of
    the stock, -1 for neither.
    """

    rules: GinRules
    melds: MeldTables
    deck: tuple[int, ...]
    dealer: int
    knock_card: int
    turned: str | None
    limit: int
    factor: int
    big_gin: bool
    from_bottom: int


@lru_cache(1024)
def _seen(count: int, known: int) -> PositionView:
    """What everybody sees of a position: how many cards, and which of them are known."""
    return PositionView(count, names(known))


class GinHand(NamedTuple):
    """A two-handed gin hand in progress. Make the first one with `deal_gin`.

    ``hands``, ``known``: cards held, and those of them that everybody knows, by position, as
    masks. ``pile``: the discard pile, bottom first. ``top``, ``bottom``: the stock is
    ``table.deck[top:bottom]``. ``turn``: decisions taken; ``turns``: turns completed. ``drawn``:
    index of the card just drawn, -1 outside the discard phase. ``factor``: accepted doubles;
    ``double_right``: position that may offer the next one, -1 for both. ``resume``: in
    ANSWER_DOUBLE the phase to go back to; in DISCARD it is LAST_DISCARD when only a knock may
    follow. ``out``: the card thrown with a knock, as a mask.
    """

    table: Table
    phase: Phase
    to_act: int | None
    turn: int
    turns: int
    hands: tuple[int, int]
    known: tuple[int, int]
    pile: tuple[str, ...]
    top: int
    bottom: int
    drawn: int
    taken: bool
    factor: int
    double_right: int
    resume: Phase
    out: int
    log: tuple[LogEntry, ...]
    outcome: HandOutcome | None

    def legal_actions(self) -> tuple[Action, ...]:
        """Everything the player to move may do, the safe action first; empty when over."""
        if self.to_act is None:
            return ()
        return LEGAL[self.phase](self, self.to_act)

    def apply(self, action: Action, melds: Melds | None = None) -> GinHand:
        """The hand after the player to move did this.

        ``melds`` counts with a knock or big gin and may leave deadwood that could be melded, up
        to the knock limit; left out, the default spread is shown.

        :raises IllegalAction: not allowed now, or the melds stated with it do not hold.
        """
        if self.to_act is None:
            raise IllegalAction(f"{action.id}: the hand is over")
        return MOVES.get(action, unknown)(self, self.to_act, action, melds)

    def safe_action(self) -> tuple[Action, Melds | None]:
        """What the referee plays for a bot that failed to answer: the first legal action.

        :raises IllegalAction: the hand is over.
        """
        legal = self.legal_actions()
        if not legal:
            raise IllegalAction("the hand is over, nobody is to move")
        return legal[0], None

    def view(self, position: int) -> View:
        """What this position may know: its own cards and what everybody saw."""
        (
            table, phase, to_act, turn, _, hands, (known_0, known_1), pile, top, bottom,
            drawn, taken, doubled, _, _, _, log, _,
        ) = self  # fmt: skip
        mine = drawn >= 0 and position == to_act
        return View(
            position,
            table.dealer,
            turn,
            phase,
            names(hands[position]),
            NAMES[drawn] if mine else None,
            mine and taken,
            pile,
            bottom - top,
            table.limit,
            table.factor * doubled,
            None,
            (_seen(hands[0].bit_count(), known_0), _seen(hands[1].bit_count(), known_1)),
            log,
            None,
            table.turned,
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
    size = rules.hand_size
    if mask_of(deck).bit_count() <= 2 * size + rules.wall_cards + 1:
        raise InvalidCards(
            f"a deck of {len(deck)} cards is too small to deal {size} each and leave a stock"
        )
    order = tuple([INDEX[name] for name in deck])
    first = second = 0
    for index in order[0 : 2 * size : 2]:
        first |= 1 << index
    for index in order[1 : 2 * size : 2]:
        second |= 1 << index
    separate = rules.knock_card_source == "separate"
    card = deck[-1] if separate else deck[2 * size]
    table = Table(
        rules=rules,
        melds=meld_tables(rules.ace_mode, rules.ace_deadwood),
        deck=order,
        dealer=dealer,
        knock_card=1 << order[-1] if separate else 0,
        turned=None if rules.knock_card_source == "none" else card,
        limit=knock_limit_of(rules, card),
        factor=multiplier_of(rules, card),
        big_gin=rules.big_gin_bonus is not None,
        from_bottom=dealer if rules.two_ended_stock else NOBODY,
    )
    hand = GinHand(
        table=table,
        phase=Phase.FORCED_STOCK if separate else Phase.FIRST_UPCARD,
        to_act=1 - dealer,
        turn=0,
        turns=0,
        hands=(first, second) if dealer else (second, first),
        known=(0, 0),
        pile=() if separate else (card,),
        top=2 * size if separate else 2 * size + 1,
        bottom=len(order) - 1 if separate else len(order),
        drawn=NO_INDEX,
        taken=False,
        factor=1,
        double_right=EITHER,
        resume=Phase.DRAW,
        out=0,
        log=(),
        outcome=None,
    )
    if rules.misdeal_if_knockable:
        least = min(table.melds.deadwood(first), table.melds.deadwood(second))
        if least <= table.limit:
            return dead(hand, Ending.MISDEAL)
    return hand
