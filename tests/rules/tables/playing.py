"""Helpers for tests of the larger tables: stacked decks, random play, pack checks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import TypeVar

from arena.rules.base import (
    Action,
    ActionKind,
    DealPlan,
    Ending,
    Family,
    Hand,
    HandOutcome,
    RulesRecord,
    Sheet,
    action,
)
from arena.rules.cards import NAMES, parse_cards

H = TypeVar("H", bound=Hand)


def stacked_deck(hands: Sequence[str], dealer: int, upcard: str, stock: str = "") -> list[str]:
    """A deck that deals these hands (by position), this upcard and this beginning of the stock.

    Cards go out one at a time from the dealer's left. The cards not named end the stock.
    """
    dealt = [parse_cards(hand) for hand in hands]
    count = len(hands)
    deck = [
        dealt[(dealer + 1 + turn) % count][turn // count] for turn in range(count * len(dealt[0]))
    ]
    deck += [upcard, *parse_cards(stock)]
    assert len(set(deck)) == len(deck), "a card is used twice"
    return deck + [name for name in NAMES if name not in deck]


def play(hand: Hand, *ids: str) -> Hand:
    """The hand after these actions, each of which must be legal."""
    for each in ids:
        assert action(each) in hand.legal_actions(), (each, hand.legal_actions())
        hand = hand.apply(action(each))
    return hand


def ids(hand: Hand) -> list[str]:
    """Ids of the legal actions."""
    return [each.id for each in hand.legal_actions()]


LAYING = (ActionKind.MELD, ActionKind.ADD, ActionKind.TAKE, ActionKind.KNOCK)


def choose(hand: Hand, rng: Random, eagerness: float) -> Action:
    """A random legal action; melding, deep draws and knocks are preferred this often."""
    legal = hand.legal_actions()
    keen = [each for each in legal if each.kind in LAYING]
    return rng.choice(keen if keen and rng.random() < eagerness else legal)


def random_states(hand: Hand, rng: Random, eagerness: float) -> Iterator[Hand]:
    """Every state of a hand played at random, first and last included."""
    yield hand
    while hand.to_act is not None:
        hand = hand.apply(choose(hand, rng, eagerness))
        yield hand


def all_states(
    kind: type[H], family: Family, rules: RulesRecord, seed: int, eagerness: float, players: int
) -> list[H]:
    """All states of one hand of this kind, played at random."""
    rng = Random(seed)
    _, hand = dealt(family, rules, rng, seed % players, players)
    found = []
    for state in random_states(hand, rng, eagerness):
        assert isinstance(state, kind)
        found.append(state)
    return found


def dealt(
    family: Family, rules: RulesRecord, rng: Random, dealer: int, players: int
) -> tuple[Sheet, Hand]:
    """A new game's sheet and its first hand from a shuffled pack."""
    sheet = family.new_sheet(rules, players, dealer)
    plan = sheet.next_deal()
    assert plan is not None
    deck = list(family.deck(rules))
    rng.shuffle(deck)
    return sheet, family.deal(rules, deck, plan)


def assert_whole_pack(places: Mapping[str, Sequence[str]]) -> None:
    """All 52 cards, each in exactly one place."""
    cards = [card for place in places.values() for card in place]
    assert sorted(cards) == sorted(NAMES)


def won(position: int, points: int, positions: int = 2) -> HandOutcome:
    """A hand that this position won by a knock."""
    gains = tuple(points if at == position else 0 for at in range(positions))
    return HandOutcome(Ending.KNOCK, gains, position, (), "")


def dead(positions: int = 2) -> HandOutcome:
    """A hand that nobody won."""
    return HandOutcome(Ending.DEAD_STOCK, (0,) * positions, None, (), "")


def seat_outcome(sheet: Sheet, seat: int | None, points: int = 0) -> HandOutcome:
    """The next hand of a two-handed table game as won by this seat, or by nobody."""
    plan = sheet.next_deal()
    assert plan is not None
    return dead() if seat is None else won(plan.seats.index(seat), points)


def play_game(
    family: Family, rules: RulesRecord, sheet: Sheet, act: Callable[[Hand], Action], rng: Random
) -> tuple[Sheet, list[DealPlan]]:
    """Play hands from shuffled packs until the sheet is over; the plans of all hands."""
    plans = []
    while (plan := sheet.next_deal()) is not None:
        plans.append(plan)
        deck = list(family.deck(rules))
        rng.shuffle(deck)
        hand = family.deal(rules, deck, plan)
        while hand.to_act is not None:
            hand = hand.apply(act(hand))
        assert hand.outcome is not None
        sheet = sheet.add(hand.outcome)
    return sheet, plans
