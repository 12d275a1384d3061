"""A deal of Indian rummy as plain values: what is fixed, what a position has, what changes.

Nothing here moves a card; see `moves`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from arena.rules.base import HandOutcome, LogEntry, Melds, Phase
from arena.rules.indian.cards import Cards, is_joker
from arena.rules.indian.groups import GroupRules
from arena.rules.indian.rules import IndianRules


@dataclass(frozen=True, slots=True)
class Deal:
    """The facts that every turn of a deal shares.

    ``dealer``: a position. ``shown``: face of the card shown as wild joker, out of play.
    ``grouping``: what makes groups in this deal, the wild rank included. ``deck``: card names in
    the order they were dealt from, top first; a reshuffle is derived from it.
    """

    rules: IndianRules
    dealer: int
    shown: int
    grouping: GroupRules
    deck: tuple[str, ...]


class Left(StrEnum):
    """Why a position is no longer in the deal."""

    DROPPED = "dropped"
    MISSED = "missed too many turns"
    WRONG = "wrong declaration"


class Place(NamedTuple):
    """One position of a deal.

    ``cards``: its hand, sorted; kept, out of play, once it has left. ``known``: cards taken from
    the open pile and not thrown since, sorted. ``turns``: turns it has ended. ``misses``: turns
    missed in a row. ``penalty``: points once it has left the deal, None while it plays; ``left``
    says why. ``laid``: groups of a wrong declaration, open to all.
    """

    cards: Cards
    known: Cards = ()
    turns: int = 0
    misses: int = 0
    has_drawn: bool = False
    penalty: int | None = None
    left: Left | None = None
    laid: Melds = ()

    @property
    def active(self) -> bool:
        """Whether it still plays."""
        return self.penalty is None


@dataclass(frozen=True, slots=True)
class State:
    """A moment of a deal.

    ``stock``: top first. ``pile``: the open pile, bottom first. ``opening``: the bottom of the
    pile is the card that opened it. ``finish``: cards that declarations put on the finish slot.
    ``drawn``: card of the player to move, once drawn; ``taken``: from the open pile. ``turn``:
    decisions taken. ``shuffles``: how often the open pile became the stock.
    """

    deal: Deal
    places: tuple[Place, ...]
    stock: Cards
    pile: Cards
    to_act: int | None
    phase: Phase = Phase.DRAW
    opening: bool = True
    finish: Cards = ()
    drawn: int | None = None
    taken: bool = False
    turn: int = 0
    shuffles: int = 0
    log: tuple[LogEntry, ...] = ()
    outcome: HandOutcome | None = None


def can_take(state: State) -> bool:
    """Whether the top of the open pile may be taken: a joker only as ``open_joker`` says."""
    if not state.pile:
        return False
    if not is_joker(state.pile[-1], state.deal.grouping.wild):
        return True
    which = state.deal.rules.open_joker
    return which == "always" or (which == "opening_only" and state.opening and len(state.pile) == 1)


def can_drop(state: State, at: int) -> bool:
    """Whether this position, about to draw, may drop instead."""
    rules = state.deal.rules
    return (rules.middle_drop if state.places[at].has_drawn else rules.first_drop) is not None


def can_throw(state: State, at: int, face: int) -> bool:
    """Whether this card of the hand may be thrown, which only ``redraw_discard`` can forbid."""
    if state.deal.rules.redraw_discard or not state.taken or face != state.drawn:
        return True
    return state.places[at].cards.count(face) > 1
