"""Positions of real hands: what a bot can be asked, found by dealing and playing.

Whoever checks or practises with bots needs decisions of every phase. They are made by the rules
and the referee's own wording of requests, never by hand. Equal arguments give equal positions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from random import Random
from typing import Final, NamedTuple

from arena.referee.moments import Moment, deal, moment_of
from arena.rules.base import Action, ActionKind, Phase, Variant
from arena.rules.cards import BIT, NAMES
from arena.rules.melds import MeldTables, meld_tables

MOST_DECISIONS = 400
"""Of one exploring hand; then the next hand is dealt."""

RARE: Final[Mapping[str, str]] = {
    "knock": "knock",
    "big_gin": "big_gin",
    "double": "double",
    "draw:under": "under",
    "take": "take",
    "meld": "meld",
    "add": "add",
    "declare": "declare",
    "drop": "drop",
}
"""Actions, by kind or id, whose presence makes a position worth asking about beside its phase."""


class Found(NamedTuple):
    """A position with what makes it special: its phase and the rare actions among the legal."""

    variant: Variant
    phase: Phase
    rare: frozenset[str]
    moment: Moment


@lru_cache(maxsize=128)
def explore(variant: Variant, hands: int, deadline_ms: float = 1000) -> tuple[Found, ...]:
    """One position for each combination of phase and rare actions that comes up in some hands.

    Remembered, as it is the same every time; do not change the requests.
    """
    found: dict[tuple[Phase, frozenset[str]], Found] = {}
    for number in range(hands):
        for moment in _exploring(variant, number, deadline_ms):
            rare = frozenset(_rare(action) for action in moment.legal) - {""}
            key = (moment.hand.phase, rare)
            if key not in found:
                found[key] = Found(variant, moment.hand.phase, rare, moment)
    return tuple(found.values())


def _rare(action: Action) -> str:
    return RARE.get(action.kind) or RARE.get(action.id, "")


def _exploring(variant: Variant, number: int, deadline_ms: float) -> Iterator[Moment]:
    """The decisions of one hand that a curious, not too clever player plays with itself."""
    players = variant.family.players(variant.rules)[0]
    key = f"{variant.name}-{number}"
    # The first hand is dealt so that big gin is possible at once; by chance it never comes up.
    deck = _big_gin_deck(variant) if number == 0 else None
    hand, context = deal(variant, players, key, match=f"m_{key}", deck=deck)
    rng = Random(key)
    for _ in range(MOST_DECISIONS):
        if hand.to_act is None:
            return
        moment = moment_of(hand, context, deadline_ms).by_seat()
        yield moment
        hand = hand.apply(curious(moment, rng, eager=number == 0))


def curious(moment: Moment, rng: Random, *, eager: bool) -> Action:
    """Throws what leaves little deadwood, so that knocks come up, and seldom ends the hand."""
    legal = moment.legal
    if eager and any(action.id == "draw:discard" for action in legal):
        return next(action for action in legal if action.id == "draw:discard")
    enders = {ActionKind.KNOCK, ActionKind.BIG_GIN, ActionKind.DECLARE, ActionKind.DROP}
    calm = [action for action in legal if action.kind not in enders | {ActionKind.REFUSE}]
    if not calm or rng.random() < 0.02:
        return rng.choice(legal)
    laying = [each for each in calm if each.kind in (ActionKind.MELD, ActionKind.ADD)]
    if laying and rng.random() < 0.7:
        return rng.choice(laying)
    throws = [action for action in calm if action.kind is ActionKind.DISCARD]
    if throws and "ace_mode" in moment.request["rules"]:
        return min(throws, key=lambda action: (_deadwood_without(moment, action.arg), rng.random()))
    return rng.choice(calm)


def _deadwood_without(moment: Moment, card: str) -> int:
    rules = moment.request["rules"]
    tables: MeldTables = meld_tables(rules["ace_mode"], rules.get("ace_deadwood", 1))
    mask = 0
    for name in moment.request["cards"]:
        mask |= BIT[name]
    return tables.deadwood(mask & ~BIT[card])


def _big_gin_deck(variant: Variant) -> tuple[str, ...] | None:
    """A deck that gives the first player melds only and the last card of one as upcard."""
    size = variant.rules.as_dict()["hand_size"]
    if variant.family.deck(variant.rules) != NAMES:
        return None
    runs = "2C 3C 4C 6D 7D 8D 9H TH JH QH KH" if size == 10 else "2C 3C 4C 6D 7D 8D 9D TD"
    first = runs.split()
    rest = [card for card in NAMES if card not in first]
    Random("the others' cards").shuffle(rest)
    players = variant.family.players(variant.rules)[0]
    if players > 2 and variant.family.name == "battle_royal":
        return None
    deck = []
    for card in first[:-1]:
        deck += [card, rest.pop()]
    return (*deck, first[-1], *rest)
