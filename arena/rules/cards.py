"""Cards as names, numbers and bits.

A card of the 52-card pack is a name (``7H``), an index 0…51 (suit * 13 + rank, suits in the order
C D H S, ranks from ace to king) and a bit (``1 << index``). A hand is an int of such bits, so each
suit is 13 consecutive bits and can be looked up in a table of 8192 entries.

This module knows nothing of melds or values.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, TypeVar

from arena.errors import InvalidCards

RANKS: Final = "A23456789TJQK"
SUITS: Final = "CDHS"
SUIT_SIZE: Final = 13
SUIT_MASK: Final = (1 << SUIT_SIZE) - 1
"""The 13 bits of one suit, after shifting."""

NAMES: Final[tuple[str, ...]] = tuple(rank + suit for suit in SUITS for rank in RANKS)
"""Card names by index: the canonical order of the deck."""

INDEX: Final[dict[str, int]] = {name: index for index, name in enumerate(NAMES)}
BIT: Final[dict[str, int]] = {name: 1 << index for index, name in enumerate(NAMES)}
FULL_DECK: Final = (1 << len(NAMES)) - 1

HALF_SIZE: Final = 2 * SUIT_SIZE
HALF_MASK: Final = (1 << HALF_SIZE) - 1

T = TypeVar("T")


Row = list[tuple[T, ...]]
Rows = tuple[Row[T], Row[T], Row[T], Row[T]]
"""Four lists, one a suit: by 13-bit mask, the things that belong to the cards in it."""


def rows_of(things: Sequence[T]) -> Rows[T]:
    """The rows of one thing for each card of the pack; `pick` puts a hand together from them."""
    clubs, diamonds, hearts, spades = (
        _row(things[at : at + SUIT_SIZE]) for at in range(0, len(NAMES), SUIT_SIZE)
    )
    return clubs, diamonds, hearts, spades


def _row(things: Sequence[T]) -> Row[T]:
    row: Row[T] = [()]
    for thing in things:
        row += [(*lower, thing) for lower in row]
    return row


def pick(rows: Rows[T], mask: int) -> tuple[T, ...]:
    """What belongs to the cards in a hand, by suit and rank."""
    clubs, diamonds, hearts, spades = rows
    # Halves are small numbers, which take half the time to shift.
    low, high = mask & HALF_MASK, mask >> HALF_SIZE
    return (
        clubs[low & SUIT_MASK]
        + diamonds[low >> SUIT_SIZE]
        + hearts[high & SUIT_MASK]
        + spades[high >> SUIT_SIZE]
    )


_NAME_ROWS: Final = rows_of(NAMES)


def names(mask: int) -> tuple[str, ...]:
    """Names of the cards in a hand, by suit and rank."""
    return pick(_NAME_ROWS, mask)


def indexes(mask: int) -> Iterator[int]:
    """Indexes of the cards in a hand, lowest first."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def card_index(name: object) -> int:
    """Index of the card with this name.

    :raises InvalidCards: there is no such card.
    """
    found = INDEX.get(name) if isinstance(name, str) else None
    if found is None:
        raise _no_card(name)
    return found


def _no_card(name: object) -> InvalidCards:
    return InvalidCards(
        f"{_shorten(name)} is no card; write a rank of {RANKS} and a suit of {SUITS}, like 7H"
    )


def mask_of(cards: Iterable[str]) -> int:
    """The hand made of these cards.

    :raises InvalidCards: a name is no card, or a card comes twice.
    """
    mask = 0
    for name in cards:
        try:
            bit = BIT[name]
        except (KeyError, TypeError):
            raise _no_card(name) from None
        if mask & bit:
            raise InvalidCards(f"{name} comes twice; a pack holds each card once")
        mask |= bit
    return mask


def parse_cards(text: str) -> tuple[str, ...]:
    """Card names from text such as ``7H 8H 9H``, ``7H,8H`` or ``7H8H9H``, order kept.

    :raises InvalidCards: some part is no card, or a card comes twice.
    """
    found: list[str] = []
    for word in text.replace(",", " ").split():
        if len(word) % 2:
            raise InvalidCards(
                f"{_shorten(word)} is no row of cards; each card is two characters, like 7H or TS"
            )
        found.extend(word[at : at + 2] for at in range(0, len(word), 2))
    mask_of(found)
    return tuple(found)


def _shorten(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 24 else text[:21] + "…"
