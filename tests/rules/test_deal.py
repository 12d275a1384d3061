"""Deal seeds and shuffles: the same everywhere, and even."""

from __future__ import annotations

import hashlib
import hmac
from math import sqrt

import pytest

from arena.rules.cards import NAMES
from arena.rules.deal import deal_seed, first_dealer, shuffled
from tests.hash_seeds import outputs

SECRET = bytes(range(32))
KNOWN = "4H AD QS 2D 2S TD AS 6D KS JH 8C 7C"


def test_deal_seed_is_the_published_formula() -> None:
    """Anybody can recompute a deal seed from secret, key and numbers."""
    expected = hmac.new(SECRET, b"rr-0-1|2|7", hashlib.sha256).digest()

    assert deal_seed(SECRET, "rr-0-1", 2, 7) == expected


def test_shuffle_is_the_published_formula() -> None:
    """Cards are sorted by their 64-bit numbers of the SHAKE-256 stream."""
    seed = deal_seed(SECRET, "x", 1, 1)
    stream = hashlib.shake_256(seed).digest(8 * 52)
    keys = {NAMES[i]: int.from_bytes(stream[8 * i : 8 * i + 8], "big") for i in range(52)}

    assert shuffled(NAMES, seed) == tuple(sorted(NAMES, key=lambda name: keys[name]))


def test_a_known_deal_stays_what_it_is() -> None:
    """Stored records stay verifiable: this order may never change."""
    order = shuffled(NAMES, deal_seed(SECRET, "pair-1", 1, 1))

    assert " ".join(order[:12]) == KNOWN


def test_every_part_of_the_key_changes_the_deal() -> None:
    """Secret, fixture pair, game and hand number each give another deck."""
    seeds = [
        deal_seed(SECRET, "a", 1, 1),
        deal_seed(SECRET, "b", 1, 1),
        deal_seed(SECRET, "a", 2, 1),
        deal_seed(SECRET, "a", 1, 2),
        deal_seed(SECRET[::-1], "a", 1, 1),
        deal_seed(SECRET, "a|1", 1, 1),
    ]

    assert len({shuffled(NAMES, seed) for seed in seeds}) == len(seeds)


def test_a_pack_with_equal_cards_keeps_them_all() -> None:
    """Two packs have every card twice; a shuffle only reorders."""
    deck = NAMES * 2 + ("JK", "JK")

    assert sorted(shuffled(deck, b"seed")) == sorted(deck)
    assert shuffled((), b"seed") == ()


def test_deals_do_not_depend_on_the_hash_seed() -> None:
    """The same deal comes out of every process, whatever PYTHONHASHSEED is."""
    code = (
        "from arena.rules.cards import NAMES\n"
        "from arena.rules.deal import deal_seed, shuffled\n"
        "print(shuffled(NAMES, deal_seed(b'k', 'pair-9', 3, 4)))"
    )
    assert len(outputs(code)) == 1


def test_no_card_prefers_a_place() -> None:
    """Over 20,000 shuffles the chi-square of card by place is what chance gives.

    There are 51 * 51 = 2601 degrees of freedom; 3.5 standard deviations is about p = 0.0003.
    """
    shuffles = 20_000
    counts = [[0] * 52 for _ in range(52)]
    deck = range(52)
    for number in range(shuffles):
        for place, card in enumerate(shuffled(deck, number.to_bytes(4, "big"))):
            counts[place][card] += 1
    mean = shuffles / 52
    chi_square = sum((seen - mean) ** 2 / mean for row in counts for seen in row)

    assert abs(chi_square - 2601) < 3.5 * sqrt(2 * 2601)


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6, 10])
def test_no_seat_deals_first_more_often(seats: int) -> None:
    """Over 60,000 matches the chi-square of the first dealer is what chance gives."""
    matches = 60_000
    counts = [0] * seats
    for number in range(matches):
        counts[first_dealer(b"secret", str(number), seats)] += 1
    mean = matches / seats
    chi_square = sum((seen - mean) ** 2 / mean for seen in counts)

    assert chi_square < seats - 1 + 3.5 * sqrt(2 * (seats - 1))
