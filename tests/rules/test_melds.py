"""Least deadwood, best discards and spreads against exhaustion, and the traps by name."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from arena.errors import IllegalAction
from arena.rules.cards import BIT, NAMES, mask_of, names, parse_cards
from arena.rules.melds import (
    CORNER,
    LOW,
    MeldTables,
    deadwood,
    default_spread,
    is_run,
    is_set,
    meld_names,
    meld_tables,
    open_cards,
    open_ends,
    optimal_arrangements,
    stated_spread,
)
from tests.rules import brute
from tests.rules.build import POOLS

WAYS = [(LOW, 1), (LOW, 15), (CORNER, 1), (CORNER, 15)]


def hands(count: int, size: int, seed: int) -> list[frozenset[str]]:
    """Random hands, most of them from pools where melds overlap."""
    rng = random.Random(seed)
    pools = list(POOLS.values())
    return [frozenset(rng.sample(pools[at % len(pools)], size)) for at in range(count)]


@pytest.mark.parametrize(("ace_mode", "ace"), WAYS)
def test_deadwood_is_the_least_over_all_arrangements(ace_mode: str, ace: int) -> None:
    """The table agrees with trying every arrangement, on 2,500 hands of 7, 10 and 11 cards."""
    tables = meld_tables(ace_mode, ace)
    for size, count in ((7, 500), (10, 1000), (11, 1000)):
        for cards in hands(count, size, seed=size + ace):
            expected = brute.deadwood(cards, ace_mode == CORNER, ace)

            assert tables.deadwood(mask_of(cards)) == expected, sorted(cards)


@pytest.mark.parametrize(("ace_mode", "ace"), WAYS)
def test_best_discard_is_the_least_over_all_discards(ace_mode: str, ace: int) -> None:
    """Throwing each card and taking the least gives the same, with and without a card kept."""
    tables = meld_tables(ace_mode, ace)
    rng = random.Random(ace)
    for cards in hands(800, 11, seed=3 + ace):
        hand = mask_of(cards)
        left = {card: brute.deadwood(cards - {card}, ace_mode == CORNER, ace) for card in cards}
        kept = rng.choice(sorted(cards))
        rest = {card: value for card, value in left.items() if card != kept}
        least, thrown = tables.best_discard(hand)
        least_kept, thrown_kept = tables.best_discard(hand, BIT[kept])

        assert least == left[NAMES[thrown]] == min(left.values()), sorted(cards)
        assert least_kept == rest[NAMES[thrown_kept]] == min(rest.values()), (sorted(cards), kept)


@pytest.mark.parametrize(("ace_mode", "ace"), WAYS)
def test_a_quick_look_never_overlooks_a_discard(ace_mode: str, ace: int) -> None:
    """Whatever limit can be reached may be reached; of random hands it rules out most."""
    tables = meld_tables(ace_mode, ace)
    for cards in hands(800, 11, seed=4 + ace):
        hand = mask_of(cards)
        least, _ = tables.best_discard(hand)

        assert tables.may_leave(hand, least), sorted(cards)

    rng = random.Random(ace)
    ruled_out = sum(not tables.may_leave(mask_of(rng.sample(NAMES, 11)), 10) for _ in range(1000))
    assert ruled_out > 800


@pytest.mark.parametrize(("ace_mode", "ace"), WAYS)
def test_optimal_arrangements_are_all_of_them(ace_mode: str, ace: int) -> None:
    """Each best arrangement is found once and no other."""
    tables = meld_tables(ace_mode, ace)
    for cards in hands(600, 10, seed=5 + ace):
        found = optimal_arrangements(mask_of(cards), tables)
        as_sets = {frozenset(frozenset(meld) for meld in meld_names(melds)) for melds in found}

        assert len(found) == len(as_sets)
        assert as_sets == brute.optimal(cards, ace_mode == CORNER, ace)


@pytest.mark.parametrize(("ace_mode", "ace"), [(LOW, 1), (CORNER, 15)])
def test_default_spread_follows_the_rule(ace_mode: str, ace: int) -> None:
    """Least deadwood, then fewest outside cards that fit, then fewest melds, then lowest cards."""
    corner = ace_mode == CORNER
    tables = meld_tables(ace_mode, ace)

    def rank(melds: frozenset[brute.Cards], held: brute.Cards) -> tuple[object, ...]:
        fits = {
            card
            for card in NAMES
            for meld in melds
            if card not in held and brute.is_meld(meld | {card}, corner)
        }
        order = sorted(sorted(NAMES.index(card) for card in meld) for meld in melds)
        return len(fits), len(melds), order

    for cards in hands(600, 10, seed=7 + ace):
        best = min(brute.optimal(cards, corner, ace), key=lambda melds: rank(melds, cards))
        spread = default_spread(mask_of(cards), tables)

        assert {frozenset(meld) for meld in meld_names(spread)} == best


def test_every_meld_is_recognised_and_nothing_else() -> None:
    """Of all sets of three to five cards of two suits and random others, only melds are melds."""
    rng = random.Random(1)
    for ace_mode in (LOW, CORNER):
        tables = meld_tables(ace_mode, 1)
        for size in (2, 3, 4, 5, 7):
            for pool in POOLS.values():
                for _ in range(300):
                    cards = frozenset(rng.sample(pool, size))
                    mask = mask_of(cards)

                    assert (is_set(mask) or is_run(mask, tables)) == brute.is_meld(
                        cards, ace_mode == CORNER
                    )
        for cards in brute.all_melds(ace_mode == CORNER):
            assert is_set(mask_of(cards)) or is_run(mask_of(cards), tables)


@pytest.mark.parametrize("ace_mode", [LOW, CORNER])
def test_open_ends_are_the_cards_that_fit(ace_mode: str) -> None:
    """For every meld of the pack, the cards that may be laid off directly."""
    corner = ace_mode == CORNER
    for meld in brute.all_melds(corner):
        fits = {card for card in NAMES if card not in meld and brute.is_meld(meld | {card}, corner)}

        assert set(names(open_ends(mask_of(meld), ace_mode))) == fits
    assert open_cards([], ace_mode) == 0


@pytest.mark.parametrize(
    ("cards", "least", "trap"),
    [
        ("5S6S7S8S 5H5D 8H8D 2C2D", 14, "runs first gives 30, sets first 17"),
        ("3D4D5D6D7D8D JCJSJHJD", 0, "a run of six is not two overlapping runs"),
        ("3H4H5H6H7H 7C7D 3C3D KS", 10, "the run sheds both ends"),
        ("5H6H7H8H 8C8D", 0, "the run gives up its end to the set"),
        ("7C7S7D8D9D", 14, "a card counts once"),
    ],
)
def test_known_traps(cards: str, least: int, trap: str) -> None:
    """Hands on which greedy grouping goes wrong."""
    assert deadwood(mask_of(parse_cards(cards))) == least, trap


@pytest.mark.parametrize(("ace_mode", "ace"), WAYS)
def test_ace_and_kings_are_never_a_set(ace_mode: str, ace: int) -> None:
    """An ace that is next to the king is still of another rank."""
    hand = mask_of(["KC", "KD", "AD"])

    assert not is_set(hand)
    assert not is_run(hand, meld_tables(ace_mode, ace))
    assert deadwood(hand, ace_mode, ace) == 20 + ace


def test_best_discard_is_not_the_best_arrangement_minus_its_dearest_card() -> None:
    """Three sets leave 3C 3S, so 3; throwing 4D leaves 2D, so 2."""
    hand = mask_of(parse_cards("2C3C4C 2D4D 6D6H6S 2S3S4S"))

    assert meld_tables().best_discard(hand) == (2, NAMES.index("4D"))


def test_nothing_to_throw() -> None:
    """An empty hand, or one whose only card must be kept, has no discard."""
    tables = meld_tables()

    assert tables.best_discard(0)[1] == -1
    assert tables.best_discard(BIT["7H"], BIT["7H"])[1] == -1


def test_tables_are_built_once() -> None:
    """The tables of one way of counting are shared."""
    assert meld_tables(CORNER, 15) is meld_tables(CORNER, 15)
    assert meld_tables(CORNER, 15) is not meld_tables(LOW, 1)


HELD = mask_of(parse_cards("4C5C6C 9C9D9H KS KD 2H 3H"))


@pytest.mark.parametrize(
    ("melds", "message"),
    [
        ([["4C", "5C"]], "neither"),
        ([["4C", "5C", "9C"]], "neither"),
        ([[]], "neither"),
        ([["9C", "9D", "9S"]], "uses 9S, not held"),
        ([["4C", "5C", "6C"], ["6C", "5C", "4C"]], "4C is in two"),
        ([["9C", "9D", "9D"]], "9D comes twice"),
        ([["9C", "9D", "1H"]], "is no card"),
        ([["KS", "KD", "2H"]], "neither"),
    ],
)
def test_stated_melds_that_do_not_hold_are_refused(melds: list[list[str]], message: str) -> None:
    """The error says which group is wrong and why."""
    with pytest.raises(IllegalAction, match=message):
        stated_spread(HELD, melds, meld_tables())


def test_stated_melds_may_come_in_any_order() -> None:
    """Order of groups and of cards in them does not matter."""
    spread = stated_spread(HELD, [["9H", "9C", "9D"], ["6C", "4C", "5C"]], meld_tables())

    assert meld_names(spread) == (("4C", "5C", "6C"), ("9C", "9D", "9H"))
    assert stated_spread(HELD, [], meld_tables()) == ()


@pytest.mark.parametrize("count", [0, 1, 2])
def test_value_counts_every_card(count: int) -> None:
    """The value of a hand is that of its cards, melded or not."""
    value: Callable[[int], int] = MeldTables(LOW, 15).value_of

    assert value(mask_of(["AS", "KH", "7D"][:count])) == [0, 15, 25][count]
