"""From an order of cards to the first turn of a deal. Nothing here shuffles."""

from __future__ import annotations

from collections.abc import Sequence

from arena.errors import InvalidCards
from arena.rules.indian.cards import JOKER, RANK_COUNT, faces_of
from arena.rules.indian.hand import IndianHand
from arena.rules.indian.moves import begin_turn
from arena.rules.indian.rules import IndianRules
from arena.rules.indian.state import Deal, Place, State


def deal_indian(rules: IndianRules, deck: Sequence[str], positions: int, dealer: int) -> IndianHand:
    """The hand dealt from this order of cards, top first.

    One card at a time, first to the position after the dealer, who also moves first; the next
    card opens the pile, the one after it is the wild joker, the rest is the stock.

    :raises InvalidCards: too few cards, or a name that is none.
    """
    faces = faces_of(deck)
    dealt = positions * rules.hand_size
    if len(faces) < dealt + 2:
        raise InvalidCards(
            f"{len(faces)} cards are too few; {positions} hands of {rules.hand_size}, the open"
            " card and the wild joker are"
            f" {dealt + 2}"
        )
    hands: list[list[int]] = [[] for _ in range(positions)]
    for at in range(dealt):
        hands[(dealer + 1 + at) % positions].append(faces[at])
    shown = faces[dealt + 1]
    wild: int | None = shown % RANK_COUNT
    if shown == JOKER:
        wild = 0 if rules.shown_joker == "aces_wild" else None
    state = State(
        deal=Deal(rules, dealer, shown, rules.group_rules(wild), tuple(deck)),
        places=tuple(Place(tuple(sorted(hand))) for hand in hands),
        stock=faces[dealt + 2 :],
        pile=(faces[dealt],),
        to_act=None,
    )
    return IndianHand(begin_turn(state, (dealer + 1) % positions))
