"""A second, slow implementation of a gin hand, to count positions with.

Written from the rules alone on sets of names; it shares no code with `arena.rules`. It knows the
options that the perft positions use and nothing of scores.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from tests.rules import brute

Cards = frozenset[str]


class Spot(NamedTuple):
    """A position: who moves, what is asked, and where the cards are."""

    mover: int
    ask: str
    hands: tuple[Cards, Cards]
    pile: tuple[str, ...]
    stock: tuple[str, ...]
    drawn: str = ""
    taken: bool = False
    turns: int = 0
    factor: int = 1
    doubler: int | None = None
    back: str = ""
    must_knock: bool = False


def start(deck: list[str], dealer: int, rules: dict[str, Any]) -> Spot:
    """The position after the deal."""
    size = rules["hand_size"]
    dealt = [frozenset(deck[0 : 2 * size : 2]), frozenset(deck[1 : 2 * size : 2])]
    hands = (dealt[0], dealt[1]) if dealer == 1 else (dealt[1], dealt[0])
    return Spot(1 - dealer, "first", hands, (deck[2 * size],), tuple(deck[2 * size + 1 :]))


def limit(rules: dict[str, Any], deck: list[str]) -> int:
    """The knock limit of the hand."""
    if rules["knock_card_source"] == "none":
        return int(rules["knock_limit"])
    upcard = deck[2 * rules["hand_size"]]
    return 0 if upcard[0] == "A" else brute.card_value(upcard, 1)


def moves(spot: Spot, dealer: int, rules: dict[str, Any], most: int) -> Iterator[Spot | None]:
    """Every position that one action leads to; None where the hand is over."""
    mover, other = spot.mover, 1 - spot.mover
    if spot.ask == "answer":
        yield spot._replace(
            mover=other, ask=spot.back, factor=spot.factor * 2, doubler=mover, back=""
        )
        yield None
        return
    if spot.ask == "throw":
        yield from throws(spot, rules, most)
        return
    if spot.ask == "first":
        following = (dealer, "first") if mover != dealer else (1 - dealer, "stock")
        yield spot._replace(mover=following[0], ask=following[1])
    if spot.ask == "last":
        yield None
    if spot.ask in ("stock", "draw"):
        from_bottom = mover == dealer and rules["two_ended_stock"]
        card = spot.stock[-1] if from_bottom else spot.stock[0]
        rest = spot.stock[:-1] if from_bottom else spot.stock[1:]
        yield take(spot._replace(stock=rest), card, taken=False)
    if spot.ask in ("first", "draw", "last"):
        after = take(spot._replace(pile=spot.pile[:-1]), spot.pile[-1], taken=True)
        after = after._replace(must_knock=spot.ask == "last")
        if spot.ask != "last" or any(True for _ in throws(after, rules, most)):
            yield after
    if (
        spot.ask != "last"
        and rules["doubling"]
        and spot.doubler in (None, mover)
        and spot.factor * 2 <= rules["max_factor"]
    ):
        yield spot._replace(mover=other, ask="answer", back=spot.ask)


def take(spot: Spot, card: str, *, taken: bool) -> Spot:
    """The position after the mover got this card."""
    hands = list(spot.hands)
    hands[spot.mover] |= {card}
    return spot._replace(ask="throw", hands=(hands[0], hands[1]), drawn=card, taken=taken)


def throws(spot: Spot, rules: dict[str, Any], most: int) -> Iterator[Spot | None]:
    """Every discard, knock and big gin."""
    corner, ace = rules["ace_mode"] == "corner", rules["ace_deadwood"]
    cards = spot.hands[spot.mover]
    for card in cards:
        if card == spot.drawn and spot.taken and not rules["redraw_discard"]:
            continue
        if not spot.must_knock:
            yield after_discard(spot, card, rules)
        if brute.deadwood(cards - {card}, corner, ace) <= most:
            yield None
    if rules["big_gin_bonus"] is not None and brute.deadwood(cards, corner, ace) == 0:
        yield None


def after_discard(spot: Spot, card: str, rules: dict[str, Any]) -> Spot | None:
    """The position after a card was thrown without a knock."""
    hands = list(spot.hands)
    hands[spot.mover] -= {card}
    turns = spot.turns + 1
    wall = len(spot.stock) <= rules["wall_cards"]
    if wall and rules["wall_rule"] == "end":
        return None
    if not wall and turns == rules["max_turns"]:
        return None
    return spot._replace(
        mover=1 - spot.mover,
        ask="last" if wall else "draw",
        hands=(hands[0], hands[1]),
        pile=(*spot.pile, card),
        drawn="",
        taken=False,
        turns=turns,
    )


def perft(deck: list[str], dealer: int, rules: dict[str, Any], depth: int) -> list[int]:
    """Number of positions after 1, 2… actions, finished hands counted when they finish."""
    most = limit(rules, deck)
    level: list[Spot] = [start(deck, dealer, rules)]
    counts = []
    for _ in range(depth):
        found = [after for spot in level for after in moves(spot, dealer, rules, most)]
        counts.append(len(found))
        level = [spot for spot in found if spot is not None]
    return counts
