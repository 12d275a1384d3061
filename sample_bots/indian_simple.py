"""A sensible player of 13-card Indian rummy.

It wants sequences first (one of them pure), then groups, throws the card that helps least, drops
a hopeless hand before the first draw, and declares when the referee would find nothing wrong.
"""

from dataclasses import fields
from functools import lru_cache
from typing import Any

from arena.bot import Bot, BotView, Choice, Chosen, run
from arena.rules.cards import RANKS
from arena.rules.indian.cards import Cards, faces_of, is_joker, rank_index, without
from arena.rules.indian.groups import GroupRules
from arena.rules.indian.points import least_points, throws
from arena.rules.indian.rules import IndianRules

NEIGHBOUR = 3.0
GAP = 2.0
PAIR = 1.5
"""What two cards that may become a group are worth, in points."""
TAKE_GAIN = 8.0
"""By how much the open card must improve the hand: what the stock may bring, and secrecy."""


class IndianSimple(Bot):
    """Groups, throws, declares; no thought of the others."""

    name = "indian simple"
    author = "gin-arena"
    games = ("indian_family",)
    color = "#8d5bc1"

    def draw(self, view: BotView) -> Chosen:
        """The open card if it helps much, else the stock; out of a hopeless deal at once."""
        rules = group_rules(view)
        hand = sorted_faces(view.hand)
        if view.can("drop") and not has_drawn(view) and is_poor(hand, rules):
            return "drop"
        card = view.takeable.get("draw:discard")
        if card is None:
            return view.safe
        with_card = sorted_faces((*view.hand, card))
        best = min(cost(without(with_card, face), rules) for face in set(with_card))
        if best <= cost(hand, rules) - TAKE_GAIN or not view.can("draw:stock"):
            return "draw:discard"
        return "draw:stock"

    def discard(self, view: BotView) -> Chosen:
        """Declare if all cards are grouped, else throw the card that helps least."""
        rules = group_rules(view)
        hand = sorted_faces(view.hand)
        best = throws(hand, rules)[0]
        if best.is_complete and view.can(f"declare:{best.card}"):
            return Choice(f"declare:{best.card}", best.melds)
        costs = {card: cost(without(hand, faces_of([card])[0]), rules) for card in view.discards}
        return f"discard:{min(costs, key=lambda card: (costs[card], card))}"


@lru_cache(maxsize=64)
def _group_rules(wild: str | None, settings: tuple[tuple[str, Any], ...]) -> GroupRules:
    known = {field.name for field in fields(IndianRules)}
    rules = IndianRules(**{name: value for name, value in settings if name in known})
    return rules.group_rules(rank_index(wild))


def group_rules(view: BotView) -> GroupRules:
    """What decides groupings in this deal."""
    return _group_rules(view.wild, tuple(view.rules.items()))


def sorted_faces(cards: tuple[str, ...]) -> Cards:
    """The cards as numbers, sorted."""
    return tuple(sorted(faces_of(cards)))


def has_drawn(view: BotView) -> bool:
    """Whether this bot has drawn a card in this deal."""
    return any(
        entry["position"] == view.position and entry["action"].startswith("draw")
        for entry in view.log
    )


def is_poor(hand: Cards, rules: GroupRules) -> bool:
    """No joker and no pure sequence. Played out, such hands cost about 30 points on average, and
    dropping them at once costs 20."""
    return not has_pure(hand) and not any(is_joker(face, rules.wild) for face in hand)


def has_pure(hand: Cards) -> bool:
    """Whether three neighbours of one suit are there."""
    held = set(hand)
    return any({face, face + 1, face + 2} <= held and face % 13 <= 10 for face in held)


@lru_cache(maxsize=1 << 14)
def cost(hand: Cards, rules: GroupRules) -> float:
    """How far the hand is from a declaration: its points when nothing, a pure sequence, or all
    that a declaration needs is asked for, less what its loose cards promise."""
    free = least_points(hand, rules._replace(min_pure=0, min_sequences=0))
    pure = least_points(hand, rules._replace(min_sequences=rules.min_pure))
    full = least_points(hand, rules)
    return (free + pure + full) - connections(hand, rules)


def connections(hand: Cards, rules: GroupRules) -> float:
    """What pairs of cards promise that may become sequences or sets."""
    natural = sorted({face for face in hand if not is_joker(face, rules.wild)})
    promise = 0.0
    for at, face in enumerate(natural):
        for other in natural[at + 1 :]:
            if other // len(RANKS) == face // len(RANKS):
                distance = other - face
                promise += {1: NEIGHBOUR, 2: GAP}.get(distance, 0.0)
            elif other % len(RANKS) == face % len(RANKS):
                promise += PAIR
    return promise


bot = IndianSimple()

if __name__ == "__main__":
    run(bot)
