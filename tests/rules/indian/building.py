"""Helpers for tests of Indian rummy: stacked decks, scripted and random play."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from arena.rules.base import Action, ActionKind, action
from arena.rules.cards import RANKS
from arena.rules.indian.cards import deck_of, faces_of, value_of
from arena.rules.indian.dealing import deal_indian
from arena.rules.indian.groups import GroupRules, shortfall
from arena.rules.indian.hand import IndianHand
from arena.rules.indian.rules import IndianRules, replace_rules

DECK = deck_of(2, 2)

WINNING = "2H 3H 4H 5C 6C 7C 8C 9D 9S 9H KC KD KS"
"""Thirteen cards that are valid without any joker."""

WINNING_GROUPS = (
    ("2H", "3H", "4H"),
    ("5C", "6C", "7C", "8C"),
    ("9D", "9S", "9H"),
    ("KC", "KD", "KS"),
)

POOR = "AC 3D 5H 7S 9C JD KH 2S 4C 6D 8H TS QC"
"""Thirteen cards of which no two belong together: 94 points before the cap."""

OTHER_POOR = "AS 3H 5D 7C 9H JS KD 2C 4S 6H 8C TD QH"
"""Thirteen more of the kind."""


def faces(cards: str | Sequence[str]) -> tuple[int, ...]:
    """A hand as the product counts it."""
    return tuple(sorted(faces_of(cards.split() if isinstance(cards, str) else cards)))


def wild(rank: str | None, **others: Any) -> GroupRules:
    """Grouping rules with this rank wild."""
    return GroupRules(None if rank is None else RANKS.index(rank), **others)


def grouped_points(
    groups: Sequence[tuple[int, ...]], loose: tuple[int, ...], rules: GroupRules
) -> int:
    """Points of a hand exactly as somebody grouped it: all its cards if the groups fall short."""
    if shortfall(groups, rules).valid:
        return value_of(loose, rules.wild)
    return value_of([*loose, *(card for group in groups for card in group)], rules.wild)


def dealt(
    hands: Sequence[str],
    opening: str,
    shown: str,
    stock: str = "",
    *,
    dealer: int = 0,
    **settings: Any,
) -> IndianHand:
    """A deal with these hands by position, this open card, wild joker and beginning of stock."""
    piles = [hand.split() for hand in hands]
    count = len(piles)
    deck = [piles[(dealer + 1 + at) % count][at // count] for at in range(count * len(piles[0]))]
    deck += [opening, shown, *stock.split()]
    rest = Counter(DECK)
    rest.subtract(deck)
    assert min(rest.values()) >= 0, "a card is used too often"
    rules = replace_rules(IndianRules(), settings)
    return deal_indian(rules, deck + sorted(rest.elements()), count, dealer)


def play(hand: IndianHand, *ids: str) -> IndianHand:
    """The deal after these actions, each of which must be legal."""
    for each in ids:
        assert each in legal(hand), (each, legal(hand))
        hand = hand.apply(action(each))
    return hand


def legal(hand: IndianHand) -> list[str]:
    """Ids of the legal actions."""
    return [each.id for each in hand.legal_actions()]


def throw_on(hand: IndianHand, turns: int) -> IndianHand:
    """The deal after so many turns in which the card drawn from the stock is thrown."""
    for _ in range(turns):
        drawn = hand.cards_by_place()["stock"][0]
        hand = play(hand, "draw:stock", f"discard:{drawn}")
    return hand


def cards_of(hand: IndianHand) -> Counter[str]:
    """All cards of the deal, wherever they are."""
    return Counter(card for place in hand.cards_by_place().values() for card in place)


def choose(hand: IndianHand, rng: Random, recklessness: float) -> Action:
    """A random action; drops, declarations and missed turns only this often."""
    if rng.random() < recklessness:
        return rng.choice([*hand.legal_actions(), action("miss")])
    calm = (ActionKind.DRAW, ActionKind.DISCARD)
    return rng.choice([each for each in hand.legal_actions() if each.kind in calm])


def random_states(hand: IndianHand, rng: Random, recklessness: float) -> Iterator[IndianHand]:
    """Every state of a deal played at random, first and last included."""
    yield hand
    while hand.to_act is not None:
        hand = hand.apply(choose(hand, rng, recklessness))
        yield hand
