"""Cards as names, numbers and bits."""

from __future__ import annotations

import pytest

from arena.errors import InvalidCards
from arena.rules.cards import (
    BIT,
    FULL_DECK,
    INDEX,
    NAMES,
    card_index,
    indexes,
    mask_of,
    names,
    parse_cards,
)


def test_pack_is_in_suit_and_rank_order() -> None:
    """The canonical order is clubs, diamonds, hearts, spades, each from ace to king."""
    assert len(set(NAMES)) == 52
    assert NAMES[:3] == ("AC", "2C", "3C")
    assert NAMES[13:15] == ("AD", "2D")
    assert NAMES[-1] == "KS"
    assert all(INDEX[name] == index and BIT[name] == 1 << index for index, name in enumerate(NAMES))


def test_names_undo_a_mask() -> None:
    """Names of a mask are its cards by suit and rank, whatever order they came in."""
    hand = ("KS", "AC", "TD", "7H", "2C")

    assert names(mask_of(hand)) == ("AC", "2C", "TD", "7H", "KS")
    assert names(0) == ()
    assert names(FULL_DECK) == NAMES
    assert tuple(indexes(mask_of(hand))) == (0, 1, 22, 32, 51)


@pytest.mark.parametrize("text", ["7H 8H TS", "7H,8H,TS", "7H8HTS", " 7H, 8HTS "])
def test_parse_cards_reads_the_usual_ways_of_writing(text: str) -> None:
    """Cards may be separated by spaces, commas or nothing."""
    assert parse_cards(text) == ("7H", "8H", "TS")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1H", "'1H' is no card"),
        ("7h", "'7h' is no card"),
        ("10H", "no row of cards"),
        ("7H 8", "no row of cards"),
        ("JK", "'JK' is no card"),
        ("7H 7H", "7H comes twice"),
        ("7\u0665", "is no card"),
    ],
)
def test_parse_cards_refuses_what_are_no_cards(text: str, message: str) -> None:
    """The error names the part that is wrong."""
    with pytest.raises(InvalidCards, match=message):
        parse_cards(text)


@pytest.mark.parametrize("value", ["", "7H\n", None, 7, ["7H"]])
def test_card_index_refuses_anything_but_a_card_name(value: object) -> None:
    """A newline at the end or another type is no card."""
    with pytest.raises(InvalidCards, match="is no card"):
        card_index(value)
