"""The moves of two-handed gin that end a hand or move no card, and what every move shares.

Draws and discards, which make up nearly all of play, are in `steps`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from arena.errors import IllegalAction
from arena.rules.base import Action, Ending, Melds, Phase
from arena.rules.cards import INDEX, names
from arena.rules.gin.actions import ACCEPT, BIG_GIN, LOG
from arena.rules.gin.legal import BEFORE_DRAW, may_double
from arena.rules.gin.showdown import settle_dead, settle_knock, settle_refused_double
from arena.rules.melds import default_spread, stated_spread

if TYPE_CHECKING:
    from arena.rules.gin.hand import GinHand

NO_INDEX: Final = -1
"""In place of the index of a card."""


def dead(hand: GinHand, ending: Ending) -> GinHand:
    """The hand, over, with nobody the winner."""
    outcome = settle_dead(hand.table.melds, ending, hand.hands)
    return hand._replace(phase=Phase.OVER, to_act=None, outcome=outcome)


def step(hand: GinHand, mover: int, action: Action, phase: Phase, to_act: int) -> GinHand:
    """The hand after an action that moves no card."""
    return hand._replace(
        phase=phase, to_act=to_act, turn=hand.turn + 1, log=hand.log + LOG[mover][action]
    )


def not_allowed(hand: GinHand, action: Action) -> IllegalAction:
    """The error for an action of another phase; it lists what is allowed."""
    legal = ", ".join([each.id for each in hand.legal_actions()])
    return IllegalAction(f"{action.id} is not allowed in phase {hand.phase}; allowed: {legal}")


def pass_upcard(hand: GinHand, mover: int, action: Action, melds: Melds | None) -> GinHand:
    """Leave the upcard to the other, or let the hand end at the wall.

    :raises IllegalAction: there is nothing to pass.
    """
    phase = hand.phase
    if phase is Phase.FIRST_UPCARD:
        return step(hand, mover, action, Phase.FIRST_UPCARD_DEALER, 1 - mover)
    if phase is Phase.FIRST_UPCARD_DEALER:
        return step(hand, mover, action, Phase.FORCED_STOCK, 1 - mover)
    if phase is Phase.LAST_DISCARD:
        return dead(step(hand, mover, action, Phase.OVER, mover), Ending.DEAD_STOCK)
    raise not_allowed(hand, action)


def double(hand: GinHand, mover: int, action: Action, melds: Melds | None) -> GinHand:
    """Offer to double.

    :raises IllegalAction: no offer is possible now.
    """
    phase = hand.phase
    if phase not in BEFORE_DRAW or not may_double(hand, mover):
        raise not_allowed(hand, action)
    return step(hand, mover, action, Phase.ANSWER_DOUBLE, 1 - mover)._replace(resume=phase)


def answer(hand: GinHand, mover: int, action: Action, melds: Melds | None) -> GinHand:
    """Accept a double and play on, or refuse it and lose the hand.

    :raises IllegalAction: nothing was offered.
    """
    if hand.phase is not Phase.ANSWER_DOUBLE:
        raise not_allowed(hand, action)
    if action is ACCEPT:
        accepted = step(hand, mover, action, hand.resume, 1 - mover)
        return accepted._replace(factor=hand.factor * 2, double_right=mover, resume=Phase.DRAW)
    table = hand.table
    outcome = settle_refused_double(table.melds, 1 - mover, hand.hands, table.factor * hand.factor)
    return step(hand, mover, action, Phase.OVER, mover)._replace(to_act=None, outcome=outcome)


def card_to_throw(hand: GinHand, mover: int, action: Action) -> int:
    """Index of the card that a discard or knock throws.

    :raises IllegalAction: it is not held, or was just taken from the discard pile.
    """
    index = INDEX.get(action.arg, NO_INDEX)
    if index < 0 or not hand.hands[mover] >> index & 1:
        raise IllegalAction(f"{action.id}: {action.arg or 'no card'} is not in the hand")
    if index == hand.drawn and hand.taken and not hand.table.rules.redraw_discard:
        raise IllegalAction(
            f"{action.id}: {action.arg} was just taken from the discard pile and may not go back "
            "in the same turn"
        )
    return index


def knock(hand: GinHand, mover: int, action: Action, melds: Melds | None) -> GinHand:
    """Knock with the melds stated or the default spread; without deadwood it is gin.

    :raises IllegalAction: nothing was drawn yet, the card may not be thrown, the melds do not
        hold, or the deadwood is over the limit.
    """
    if hand.phase is not Phase.DISCARD:
        raise not_allowed(hand, action)
    table = hand.table
    index = card_to_throw(hand, mover, action)
    cards = hand.hands[mover] ^ 1 << index
    spread = None if melds is None else stated_spread(cards, melds, table.melds)
    if spread is None:
        deadwood = table.melds.deadwood(cards)
    else:
        deadwood = table.melds.value_of(cards ^ sum(spread))
    if deadwood > table.limit:
        stated = "" if melds is None else " with the melds stated"
        raise IllegalAction(
            f"{action.id} leaves deadwood {deadwood}{stated}, "
            f"but the knock limit of this hand is {table.limit}"
        )
    if spread is None:
        spread = default_spread(cards, table.melds)
    return _show(hand, mover, action, cards, spread, 1 << index)


def big_gin(hand: GinHand, mover: int, action: Action, melds: Melds | None) -> GinHand:
    """Show all cards melded, without a discard.

    :raises IllegalAction: nothing was drawn yet, it is not played under these rules, or some card
        is not melded.
    """
    if hand.phase is not Phase.DISCARD:
        raise not_allowed(hand, action)
    table = hand.table
    cards = hand.hands[mover]
    if not table.big_gin:
        raise IllegalAction("big_gin is not played under these rules (big_gin_bonus is none)")
    if melds is None:
        spread = default_spread(cards, table.melds)
    else:
        spread = stated_spread(cards, melds, table.melds)
    loose = cards ^ sum(spread)
    if loose:
        raise IllegalAction(f"big_gin: {' '.join(names(loose))} would not be melded")
    return _show(hand, mover, action, cards, spread, 0)


def _show(
    hand: GinHand, mover: int, action: Action, cards: int, spread: tuple[int, ...], out: int
) -> GinHand:
    """The hand after somebody showed these melds and threw the card ``out``."""
    table = hand.table
    hands = (hand.hands[0], cards) if mover else (cards, hand.hands[1])
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
        phase=Phase.OVER,
        to_act=None,
        turn=hand.turn + 1,
        turns=hand.turns + 1,
        hands=hands,
        known=(hand.known[0] & hands[0], hand.known[1] & hands[1]),
        drawn=NO_INDEX,
        taken=False,
        resume=Phase.DRAW,
        out=out,
        log=hand.log + LOG[mover][action],
        outcome=outcome,
    )
