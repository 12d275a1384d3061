"""Cards as names, numbers and bits.

A card of the 52-card pack is a name (``7H``), an index 0…51 (suit * 13 + rank, suits in the order
C D H S, ranks from ace to king) and a bit (``1 << index``). A hand is an int of such bits, so each
suit is 13 consecutive bits and can be looked up in a table of 8192 entries.

This module knows nothing of melds or values.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

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


class _NamesOfSuit(dict[int, tuple[str, ...]]):
    """Names of one suit by its 13-bit mask, filled as masks are met."""

    def __init__(self, suit: int) -> None:
        super().__init__()
        self._names = NAMES[suit * SUIT_SIZE : (suit + 1) * SUIT_SIZE]

    def __missing__(self, mask: int) -> tuple[str, ...]:
        found = tuple(name for rank, name in enumerate(self._names) if mask >> rank & 1)
        self[mask] = found
        return found


_CLUBS, _DIAMONDS, _HEARTS, _SPADES = (_NamesOfSuit(suit) for suit in range(4))


def names(mask: int) -> tuple[str, ...]:
    """Names of the cards in a hand, by suit and rank."""
    return (
        _CLUBS[mask & 8191]
        + _DIAMONDS[mask >> 13 & 8191]
        + _HEARTS[mask >> 26 & 8191]
        + _SPADES[mask >> 39]
    )


def indexes(mask: int) -> Iterator[int]:
    """Indexes of the cards in a hand, lowest first."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def card_index(name: str) -> int:
    """Index of the card with this name.

    :raises InvalidCards: there is no such card.
    """
    try:
        return INDEX[name]
    except (KeyError, TypeError):
        raise InvalidCards(
            f"{_shorten(name)} is no card; write a rank of {RANKS} and a suit of {SUITS}, like 7H"
        ) from None


def mask_of(cards: Iterable[str]) -> int:
    """The hand made of these cards.

    :raises InvalidCards: a name is no card, or a card comes twice.
    """
    mask = 0
    for name in cards:
        bit = 1 << card_index(name)
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
