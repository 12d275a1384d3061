"""What a hand counts, its best grouping, and the best card to throw.

Points here are not capped: the cap of a deal is applied where penalties are (see `outcome`).
All functions are pure and remember recent hands.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from arena.errors import InvalidCards
from arena.rules.base import Melds
from arena.rules.indian.cards import (
    JOKER,
    NAMES,
    RANK_COUNT,
    Cards,
    faces_of,
    is_joker,
    names_of,
    value_of,
    without,
)
from arena.rules.indian.groups import WINDOWS, GroupRules, Kind, kinds
from arena.rules.indian.search import Picked, Search


class Grouping(NamedTuple):
    """A hand in groups. ``points``: value of the loose cards.

    Without the sequences that a declaration needs there are no groups and every card is loose.
    """

    groups: tuple[Cards, ...]
    loose: Cards
    points: int

    @property
    def is_complete(self) -> bool:
        """Whether it can be declared: every card is in a group, jokers included."""
        return bool(self.groups) and not self.loose

    @property
    def melds(self) -> Melds:
        """The groups by card names."""
        return tuple(names_of(group) for group in self.groups)


class Throw(NamedTuple):
    """One card that could be thrown, and what the cards that stay would count.

    ``melds``: their groups where all of them can be declared, else empty (see `best_grouping`).
    """

    card: str
    points: int
    melds: Melds
    is_complete: bool


@lru_cache(maxsize=1 << 12)
def best_grouping(cards: Cards, rules: GroupRules) -> Grouping:
    """One grouping of this hand (sorted faces) that leaves the fewest points."""
    return _written(cards, Search(cards, rules).pick(), rules)


@lru_cache(maxsize=1 << 12)
def least_points(cards: Cards, rules: GroupRules) -> int:
    """Fewest points this hand (sorted faces) can count, all its cards if it lacks sequences."""
    return Search(cards, rules).least()


@lru_cache(maxsize=1 << 10)
def throws(cards: Cards, rules: GroupRules) -> tuple[Throw, ...]:
    """Every card of a hand with one card too many (sorted faces), the best to throw first.

    Hands that can be declared come first, then fewer points, then dearer cards thrown.
    """
    search = Search(cards, rules)
    found: list[tuple[tuple[bool, int, int, int], Throw]] = []
    for card in sorted(set(cards)):
        points = search.least(card)
        melds: Melds = ()
        if points == 0:
            grouping = _written(without(cards, card), search.pick(card), rules)
            melds = grouping.melds if grouping.is_complete else melds
        value = value_of([card], rules.wild) - is_joker(card, rules.wild)
        throw = Throw(NAMES[card], points, melds, bool(melds))
        found.append(((not melds, points, -value, card), throw))
    return tuple(throw for _, throw in sorted(found, key=lambda pair: pair[0]))


def best_throw(cards: Sequence[str], rules: GroupRules) -> Throw:
    """The card to throw from a hand with one card too many so that the rest counts least.

    Where ``is_complete``, it can be declared: ``declare:CARD`` with ``melds``.

    :raises InvalidCards: a name is no card, or too many cards.
    """
    if not 1 < len(cards) <= rules.hand_size + 1:
        raise InvalidCards(f"{len(cards)} cards; give 2 to {rules.hand_size + 1}")
    return throws(tuple(sorted(faces_of(cards))), rules)[0]


def in_order(group: Cards, rules: GroupRules) -> Cards:
    """The group as a person lays it: a run by rank with its jokers in the gaps, else jokers last.

    An ace that is high comes last.
    """
    fixed = sorted(face for face in group if not is_joker(face, rules.wild))
    jokers = sorted((face for face in group if is_joker(face, rules.wild)), reverse=True)
    found = kinds(group, rules)
    if not fixed or not found & {Kind.PURE, Kind.IMPURE} or Kind.SET in found:
        return (*fixed, *reversed(jokers))
    if Kind.PURE in found:
        fixed, jokers = sorted(group), []
    by_rank = {1 << face % RANK_COUNT: face for face in fixed}
    mask = sum(by_rank)
    window = next(w for w in WINDOWS[rules.ace_high][len(group)] if mask & ~w == 0)
    ranks = [1 << rank for rank in range(RANK_COUNT) if window >> rank & 1]
    if window & 1 and window >> RANK_COUNT - 1 and len(group) < RANK_COUNT:
        ranks = [*ranks[1:], 1]
    return tuple([by_rank[bit] if bit in by_rank else jokers.pop(0) for bit in ranks])


def _written(cards: Cards, picked: Picked | None, rules: GroupRules) -> Grouping:
    """A grouping with every joker in its place."""
    if picked is None:
        return Grouping((), cards, value_of(cards, rules.wild))
    jokers = [face for face in cards if is_joker(face, rules.wild)]
    for part in picked.parts:
        for face in part.cards:
            if is_joker(face, rules.wild):
                jokers.remove(face)
    jokers.sort(key=lambda face: face == JOKER)
    # Printed jokers, last in the list, are used first: jokers alone need a wild card among them.
    bare = [[jokers.pop(0)] for _ in range(picked.bare)]
    groups: list[list[int]] = []
    for part in picked.parts:
        placed = sum([is_joker(face, rules.wild) for face in part.cards])
        groups.append([*part.cards, *_take(jokers, part.jokers - placed)])
    groups.extend([face, *_take(jokers, 2)] for face in picked.covered)
    groups.extend([*group, *_take(jokers, 2)] for group in bare)
    host = _host(groups, rules)
    if host is not None:
        host.extend(_take(jokers, len(jokers)))
    laid = sorted(in_order(tuple(sorted(group)), rules) for group in groups)
    loose = tuple(sorted([*picked.loose, *jokers]))
    return Grouping(tuple(laid), loose, value_of(picked.loose, rules.wild))


def _take(jokers: list[int], count: int) -> list[int]:
    return [jokers.pop() for _ in range(count)]


def _host(groups: list[list[int]], rules: GroupRules) -> list[int] | None:
    """A group that spare jokers may join without a pure sequence being missed."""
    pure = 0
    for group in groups:
        if Kind.PURE not in kinds(tuple(group), rules):
            return group
        pure += 1
    return groups[-1] if pure > rules.min_pure else None


def group_names(groups: Sequence[Cards]) -> Melds:
    """Groups by card names, as players and records write them."""
    return tuple(names_of(group) for group in groups)


def parse_groups(groups: Sequence[Sequence[str]]) -> tuple[Cards, ...]:
    """Groups by faces from groups by names.

    :raises InvalidCards: a name is no card.
    """
    return tuple(faces_of(group) for group in groups)
