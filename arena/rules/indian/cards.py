"""Cards of two packs with printed jokers.

Names repeat, so a hand is a multiset: a tuple of *faces*, sorted. A face is a number 0…51 (suit *
13 + rank, as in the one-pack games) or `JOKER`, the printed joker. Two cards of one name are the
same face and nothing in the game tells them apart.

This module knows nothing of groups or turns.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from arena.errors import InvalidCards
from arena.rules.cards import NAMES as PACK_NAMES
from arena.rules.cards import RANKS, SUITS

Cards = tuple[int, ...]
"""Faces; sorted where it is a hand, in order where it is a pile."""

JOKER: Final = 52
JOKER_NAME: Final = "JK"
RANK_COUNT: Final = len(RANKS)

NAMES: Final[tuple[str, ...]] = (*PACK_NAMES, JOKER_NAME)
"""Names by face."""

FACES: Final[dict[str, int]] = {name: face for face, name in enumerate(NAMES)}

VALUES: Final[tuple[int, ...]] = tuple(
    0 if face == JOKER else (10 if face % RANK_COUNT in (0, 10, 11, 12) else face % RANK_COUNT + 1)
    for face in range(len(NAMES))
)
"""Points of a card left over, by face, before wild ranks are considered: ace and court cards 10."""


def face_of(name: str) -> int:
    """The face with this name.

    :raises InvalidCards: there is no such card.
    """
    try:
        return FACES[name]
    except (KeyError, TypeError):
        raise InvalidCards(
            f"{repr(name)[:24]} is no card; write a rank of {RANKS} and a suit of {SUITS},"
            f" like 7H, or {JOKER_NAME}"
        ) from None


def faces_of(names: Iterable[str]) -> Cards:
    """The faces of these cards, order kept.

    :raises InvalidCards: a name is no card.
    """
    return tuple(face_of(name) for name in names)


def names_of(faces: Iterable[int]) -> tuple[str, ...]:
    """The names of these faces, order kept."""
    return tuple([NAMES[face] for face in faces])


def rank_index(rank: str | None) -> int | None:
    """0…12 for a wild rank such as ``Q``; None stays None.

    :raises InvalidCards: not one rank.
    """
    if rank is None:
        return None
    at = RANKS.find(rank) if len(rank) == 1 else -1
    if at < 0:
        raise InvalidCards(f"{rank[:24]!r} is no rank; wild is one of {RANKS}, or None")
    return at


def is_joker(face: int, wild: int | None) -> bool:
    """Whether this card may stand for any other: printed joker or card of the wild rank."""
    return face == JOKER or face % RANK_COUNT == wild


def value_of(faces: Iterable[int], wild: int | None) -> int:
    """Points of these cards when they are left over. Jokers of both kinds count nothing."""
    return sum([0 if face % RANK_COUNT == wild else VALUES[face] for face in faces])


def deck_of(packs: int, printed_jokers: int) -> tuple[str, ...]:
    """All cards in canonical order: the packs one after the other, then the printed jokers."""
    return PACK_NAMES * packs + (JOKER_NAME,) * printed_jokers


def without(cards: Cards, card: int) -> Cards:
    """The cards without one of this face, which must be there."""
    at = cards.index(card)
    return cards[:at] + cards[at + 1 :]
