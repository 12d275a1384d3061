"""Least deadwood and best discards of many hands at once are those of the rules engine."""

from __future__ import annotations

import random

import numpy as np
import pytest

from arena.rules.cards import mask_of, parse_cards
from arena.rules.meld_tables import NO_CARD, meld_tables
from arena.sim.counting import best_discard, deadwood, tables


def drawn(count: int, size: int, ranks: int, seed: int) -> list[int]:
    """Random hands of cards of the first so many ranks: fewer are denser."""
    rng = random.Random(seed)
    pool = [card for card in range(52) if card % 13 < ranks]
    return [sum(1 << card for card in rng.sample(pool, size)) for _ in range(count)]


@pytest.mark.parametrize("ace_deadwood", [1, 15])
@pytest.mark.parametrize(
    ("size", "ranks"), [(1, 13), (7, 13), (10, 13), (11, 13), (10, 4), (11, 3), (16, 4)]
)
def test_deadwood_is_that_of_the_engine(size: int, ranks: int, ace_deadwood: int) -> None:
    """Of thousands of hands, as they come and dense ones."""
    hands = drawn(4000, size, ranks, 1)
    melds = meld_tables("low", ace_deadwood)

    found = deadwood(np.array(hands, np.uint64), tables(ace_deadwood))

    assert found.tolist() == [melds.deadwood(hand) for hand in hands]


@pytest.mark.parametrize("ace_deadwood", [1, 15])
@pytest.mark.parametrize(("size", "ranks"), [(8, 13), (11, 13), (11, 5), (11, 3)])
def test_best_discard_is_that_of_the_engine(size: int, ranks: int, ace_deadwood: int) -> None:
    """The same deadwood and the very same card, with and without a card that has to stay."""
    hands = drawn(4000, size, ranks, 2)
    rng = random.Random(3)
    kept = [rng.choice([-1, *(c for c in range(52) if hand >> c & 1)]) for hand in hands]
    melds = meld_tables("low", ace_deadwood)

    least, card = best_discard(
        np.array(hands, np.uint64), np.array(kept, np.int8), tables(ace_deadwood)
    )

    expected = [
        melds.best_discard(hand, 0 if stays < 0 else 1 << stays)
        for hand, stays in zip(hands, kept, strict=True)
    ]
    assert list(zip(least.tolist(), card.tolist(), strict=True)) == expected


def test_nothing_to_throw() -> None:
    """A hand without cards, and one whose only card has to stay."""
    least, card = best_discard(np.array([0, 1], np.uint64), np.array([-1, 0], np.int8))

    assert least.tolist() == [NO_CARD, NO_CARD]
    assert card.tolist() == [-1, -1]


def test_no_hands_at_all() -> None:
    """An empty batch is a batch."""
    none = np.zeros(0, np.uint64)

    assert deadwood(none).tolist() == []
    assert best_discard(none)[0].tolist() == []


def test_a_hand_that_a_public_engine_miscounts() -> None:
    """Best without its worst card: 10."""
    hand = mask_of(parse_cards("2H 5D 4S 6S 3D 5H 6H 4D 6D 5S 3C"))

    assert best_discard(np.array([hand], np.uint64))[0].tolist() == [10]
