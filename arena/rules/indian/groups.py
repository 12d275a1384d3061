"""What a group of cards is, and whether a declaration is valid as it was grouped.

A *pure sequence* is three or more consecutive cards of one suit without a joker standing for
another card; an *impure sequence* is the same with jokers filling places; a *set* is three or more
cards of one rank and different suits, jokers allowed. No group holds two natural cards of the same
name. A card of the wild rank is a joker as well as itself, so one group may be of several kinds.

Nothing here searches for groups: see `search`.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from functools import lru_cache
from typing import Final, NamedTuple

from arena.rules.cards import RANKS
from arena.rules.indian.cards import JOKER, RANK_COUNT, Cards, names_of

MIN_GROUP: Final = 3


class GroupRules(NamedTuple):
    """All that decides how cards may be grouped in one deal.

    ``wild``: rank 0…12 that is wild, or None. ``ace_high``: Q-K-A is a sequence too (an ace is
    never in the middle). ``wild_natural_pure``: a wild card at its own place leaves a sequence
    pure. ``min_natural``: fewest cards of a group that are not jokers, 0 or 1. The rest is what a
    declaration needs.
    """

    wild: int | None
    ace_high: bool = True
    wild_natural_pure: bool = True
    min_natural: int = 1
    min_pure: int = 1
    min_sequences: int = 2
    hand_size: int = 13


class Kind(StrEnum):
    """What a group of cards can be counted as."""

    PURE = "pure"
    IMPURE = "impure"
    SET = "set"


class Reason(StrEnum):
    """Why a declaration is not valid, or `OK`. The first that applies, in this order."""

    OK = "ok"
    NOT_ALL_CARDS = "not_all_cards"
    INVALID_GROUP = "invalid_group"
    NO_PURE_SEQUENCE = "no_pure_sequence"
    TOO_FEW_SEQUENCES = "too_few_sequences"


class Verdict(NamedTuple):
    """The referee's judgment of a grouping; ``sentence`` explains it to a person."""

    valid: bool
    reason: Reason
    sentence: str


def _windows(ace_high: bool) -> tuple[tuple[int, ...], ...]:
    """Rank masks of all runs, by their length 0…13."""
    places = [*range(RANK_COUNT), 0] if ace_high else list(range(RANK_COUNT))
    return tuple(
        tuple(
            sum(1 << rank for rank in places[start : start + length])
            for start in range(len(places) - length + 1)
        )
        for length in range(RANK_COUNT + 1)
    )


WINDOWS: Final[dict[bool, tuple[tuple[int, ...], ...]]] = {
    ace_high: _windows(ace_high) for ace_high in (False, True)
}
"""By whether the ace is high too, then by length: masks of the ranks that make a run."""


def _fits_run(naturals: Sequence[int], length: int, ace_high: bool) -> bool:
    """Whether these cards, of one suit and of different ranks, fit into a run of this length."""
    if length > RANK_COUNT:
        return False
    mask = 0
    for face in naturals:
        bit = 1 << face % RANK_COUNT
        if mask & bit or face // RANK_COUNT != naturals[0] // RANK_COUNT:
            return False
        mask |= bit
    return any(mask & ~window == 0 for window in WINDOWS[ace_high][length])


@lru_cache(maxsize=1 << 14)
def kinds(group: Cards, rules: GroupRules) -> frozenset[Kind]:
    """Everything that this group may be counted as; empty when it is no group at all."""
    found: set[Kind] = set()
    length = len(group)
    if length < MIN_GROUP:
        return frozenset()
    printed = group.count(JOKER)
    wilds = [face for face in group if face != JOKER and face % RANK_COUNT == rules.wild]
    fixed = [face for face in group if face != JOKER and face % RANK_COUNT != rules.wild]
    if not fixed:
        if wilds or rules.min_natural == 0:
            found = {Kind.IMPURE, Kind.SET} if length <= RANK_COUNT else {Kind.SET}
        return frozenset(found)
    if len({face % RANK_COUNT for face in fixed}) == 1 and len(set(fixed)) == len(fixed):
        found.add(Kind.SET)
    if (wilds or printed) and _fits_run(fixed, length, rules.ace_high):
        found.add(Kind.IMPURE)
    own_places = len(wilds) <= (1 if rules.wild_natural_pure else 0)
    if not printed and own_places and _fits_run(fixed + wilds, length, rules.ace_high):
        found.add(Kind.PURE)
    return frozenset(found)


def shortfall(groups: Sequence[Cards], rules: GroupRules) -> Verdict:
    """Whether the groups hold the sequences that a declaration needs, whatever else they leave."""
    for number, group in enumerate(groups, 1):
        if not kinds(group, rules):
            return Verdict(
                False,
                Reason.INVALID_GROUP,
                f"group {number} ({' '.join(names_of(group))}) is no {_why_not(group, rules)}",
            )
    pure = sum(Kind.PURE in kinds(group, rules) for group in groups)
    if pure < rules.min_pure:
        return Verdict(
            False,
            Reason.NO_PURE_SEQUENCE,
            f"{pure} of {rules.min_pure} pure sequences: a sequence counts as pure only when"
            " no joker in it stands for another card",
        )
    runs = sum(bool(kinds(group, rules) & {Kind.PURE, Kind.IMPURE}) for group in groups)
    if runs < rules.min_sequences:
        return Verdict(
            False,
            Reason.TOO_FEW_SEQUENCES,
            f"{runs} of {rules.min_sequences} sequences (pure ones included)",
        )
    return Verdict(True, Reason.OK, "valid")


def judge(groups: Sequence[Cards], rules: GroupRules) -> Verdict:
    """Whether a declaration is valid exactly as grouped; it is never regrouped here."""
    count = sum(len(group) for group in groups)
    if count != rules.hand_size:
        return Verdict(
            False,
            Reason.NOT_ALL_CARDS,
            f"the groups hold {count} cards, not all {rules.hand_size}",
        )
    return shortfall(groups, rules)


def _why_not(group: Cards, rules: GroupRules) -> str:
    """The end of the sentence 'group 2 (…) is no …'."""
    if len(group) < MIN_GROUP:
        return f"group: it has {len(group)} cards, and a group has at least {MIN_GROUP}"
    naturals = [face for face in group if face != JOKER and face % RANK_COUNT != rules.wild]
    if not naturals:
        return "group: it holds printed jokers only"
    twice = sorted({face for face in naturals if naturals.count(face) > 1})
    if twice:
        return f"group: it holds {names_of(twice)[0]} twice"
    if len({face // RANK_COUNT for face in naturals}) == 1:
        ranks = " ".join(RANKS[face % RANK_COUNT] for face in sorted(naturals))
        return f"sequence: {len(group)} consecutive ranks cannot hold {ranks}"
    return "sequence (several suits) and no set (several ranks)"
