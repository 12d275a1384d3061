"""The least points of a hand, its best grouping and the best card to throw."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from random import Random

import pytest

from arena.errors import InvalidCards
from arena.rules.cards import RANKS
from arena.rules.indian.cards import deck_of, names_of, value_of
from arena.rules.indian.groups import judge, kinds
from arena.rules.indian.points import (
    best_grouping,
    best_throw,
    in_order,
    least_points,
    throws,
)
from arena.rules.indian.search import Search
from tests.rules.indian import naive
from tests.rules.indian.building import DECK, WINNING, faces, grouped_points, wild


def random_hand(rng: Random, size: int, deck: Sequence[str] = DECK) -> tuple[list[str], str]:
    """A hand, often dense: few ranks, few suits, many jokers."""
    rank = rng.choice(RANKS)
    low, width = rng.randrange(13), rng.choice((4, 5, 6, 8, 13))
    suits = rng.choice(("CD", "CDH", "CDHS"))
    near = [RANKS[(low + step) % 13] for step in range(width)]
    jokers = [card for card in deck if card == "JK" or card[0] == rank]
    pool = [c for c in deck if c not in jokers and c[0] in near and c[1] in suits]
    pool += rng.sample(jokers, rng.choice((0, 1, 2, 4, 8)))
    pool += rng.sample([c for c in deck if c not in pool], max(0, size - len(pool)))
    return rng.sample(pool, size), rank


def check_hand(hand: list[str], rank: str, house: naive.House = naive.USUAL) -> int:
    """Assert that points and grouping of a hand are right; its points."""
    rules = wild(rank, hand_size=len(hand), **house._asdict())
    cards = faces(hand)
    expected = naive.least_points(sorted(hand), rank, house)
    grouping = best_grouping(cards, rules)

    assert least_points(cards, rules) == expected == grouping.points, (hand, rank, house)
    assert Counter(cards) == Counter([*sum(grouping.groups, ()), *grouping.loose])
    assert grouped_points(grouping.groups, grouping.loose, rules) == expected, (hand, rank, house)
    assert grouping.is_complete == judge(grouping.groups, rules).valid, (hand, rank, house)
    return expected


@pytest.mark.parametrize(("size", "count"), [(6, 2000), (7, 2500), (8, 1200), (9, 500)])
def test_small_hands_agree_with_trying_everything(size: int, count: int) -> None:
    """Points and grouping of thousands of random hands are those of the exhaustive count."""
    rng = Random(size)
    found = [check_hand(*random_hand(rng, size)) for _ in range(count)]

    assert found.count(0) > count // 200


def test_full_hands_agree_with_trying_everything() -> None:
    """The same for hands of thirteen cards, of which the exhaustive count can do a few."""
    rng = Random(13)
    found = [check_hand(*random_hand(rng, 13)) for _ in range(50)]

    assert found.count(0) > 3


@pytest.mark.parametrize(
    "house",
    [
        naive.House(ace_high=False),
        naive.House(wild_natural_pure=False),
        naive.House(min_natural=0),
        naive.House(min_pure=0),
        naive.House(min_pure=0, min_sequences=0),
        naive.House(min_pure=0, min_sequences=0, min_natural=0),
        naive.House(min_pure=1, min_sequences=3),
        naive.House(min_pure=2, min_sequences=3),
        naive.House(min_pure=2, min_sequences=3, wild_natural_pure=False, ace_high=False),
    ],
    ids=str,
)
def test_house_rules_agree_with_trying_everything(house: naive.House) -> None:
    """The count is exact under other rules too, and with three packs."""
    rng = Random(str(house))
    deck = deck_of(3, 3)
    sizes = (8, 9) if house.min_sequences == 3 else (5, 7)
    for _ in range(250):
        check_hand(*random_hand(rng, rng.choice(sizes), deck), house)


def test_hardest_hands_are_counted_in_time() -> None:
    """Under 5 ms of processor time; these two were found by a search for slow hands."""
    for hand, rank in (
        ("AC JC QC KC AD 3D QD KD AH AH JH QH KH", "Q"),
        ("AC 2C 3C 4C AD QD KD AH 2H 3H AS AS KS", "K"),
    ):
        cards, rules, times = faces(hand), wild(rank), []
        for _ in range(5):
            start = time.thread_time()
            Search(cards, rules).least()
            times.append(time.thread_time() - start)
        assert min(times) < 0.005


def test_copies_of_a_card_are_counted_apart() -> None:
    """Two packs: the same run twice is two runs, and a card held twice is loose once."""
    twice = faces("5H 5H 6H 6H 7H 7H KC KC KD KS 2C 3C 9S")

    assert least_points(twice, wild("A")) == 24
    assert best_grouping(twice, wild("A")).groups.count(faces("5H 6H 7H")) == 2


def test_sets_shield_nothing_without_two_sequences() -> None:
    """A pure sequence and three sets: all cards count, jokers nothing, uncapped here."""
    cards = faces("5H 6H 7H KS KD KC TD TS TC 3D 3S 3C AD")

    assert least_points(cards, wild("8")) == 97
    assert best_grouping(cards, wild("8")) == ((), cards, 97)
    assert least_points(faces("5H 6H 7H KS KD KC TD TS TC 3D 3S JK JK"), wild("8")) == 3


def test_spare_jokers_join_a_group_that_need_not_be_pure() -> None:
    """Jokers that nothing needs are grouped all the same, and the pure sequence stays pure."""
    grouping = best_grouping(faces("5H 6H 7H 9C TC JC QC KC AC JK JK 2S 2D"), wild("2"))

    assert grouping.is_complete
    assert judge(grouping.groups, wild("2")).valid


def test_jokers_alone_can_be_the_second_sequence() -> None:
    """Three natural cards and ten jokers are complete, if a wild card may stand for itself."""
    cards = faces("5H 6H 7H QH QH QS QS QD QD QC QC JK JK")

    assert best_grouping(cards, wild("Q")).is_complete
    assert best_grouping(cards, wild("Q", min_natural=0)).is_complete


def test_wild_cards_at_their_own_place_count_only_where_allowed() -> None:
    """The only pure sequence holds the wild queen."""
    cards = faces("JD QD KD 5H 6H JK 9C 9S 9D 2C 4S 7D 8H")

    assert least_points(cards, wild("Q")) == 13
    assert least_points(cards, wild("Q", wild_natural_pure=False)) == 79


def test_groups_are_laid_in_order() -> None:
    """Jokers stand in the gaps of a run and after a set; a high ace comes last."""
    rules = wild("4")

    assert names_of(in_order(faces("9D QD JK TD"), rules)) == ("9D", "TD", "JK", "QD")
    assert names_of(in_order(faces("AS QS KS"), rules)) == ("QS", "KS", "AS")
    assert names_of(in_order(faces("AS JK KS"), rules)) == ("JK", "KS", "AS")
    assert names_of(in_order(faces("3H 4H 5H"), rules)) == ("3H", "4H", "5H")
    assert names_of(in_order(faces("9D 4S 9S JK"), rules)) == ("9D", "9S", "4S", "JK")


def test_order_of_groups_loses_no_card() -> None:
    """Whatever a group is, laying it in order keeps its cards and its kinds."""
    rng = Random(3)
    for _ in range(3000):
        hand, rank = random_hand(rng, rng.randint(3, 6))
        rules = wild(rank)
        laid = in_order(faces(hand), rules)
        assert sorted(laid) == sorted(faces(hand))
        assert kinds(tuple(sorted(laid)), rules) == kinds(laid, rules)


def test_throws_agree_with_counting_each_hand_that_is_left() -> None:
    """For a hand of fourteen, each throw is worth what the other thirteen cards count."""
    rng = Random(14)
    for _ in range(300):
        hand, rank = random_hand(rng, 14)
        rules = wild(rank)
        found = throws(faces(hand), rules)
        assert sorted(throw.card for throw in found) == sorted(set(hand))
        for throw in found:
            rest = list(hand)
            rest.remove(throw.card)
            grouping = best_grouping(faces(rest), rules)
            assert throw.points == grouping.points
            assert throw.is_complete == grouping.is_complete
            stated = [faces(group) for group in throw.melds]
            assert bool(stated) == throw.is_complete == judge(stated, rules).valid
        order = [(not throw.is_complete, throw.points) for throw in found]
        assert order == sorted(order)


def test_best_throw_says_whether_one_can_declare() -> None:
    """The fourteenth card of a winning hand is thrown, with groups that hold."""
    throw = best_throw([*WINNING.split(), "JS"], wild("Q"))

    assert (throw.card, throw.points, throw.is_complete) == ("JS", 0, True)
    assert judge([faces(group) for group in throw.melds], wild("Q")).valid


def test_best_throw_keeps_jokers() -> None:
    """Of throws that leave equal points the dearest card goes, never a joker before another."""
    throw = best_throw("AC 3D 5H 7S 9C JD KH 2S 4C 6D 8H TS QC JK".split(), wild(None))

    assert throw.card == "AC"
    assert throw.points == 84


@pytest.mark.parametrize("cards", [["1X", "2H"], ["2H"], ["2H"] * 15])
def test_best_throw_refuses_what_is_no_hand(cards: list[str]) -> None:
    """Unknown names and impossible numbers of cards are errors."""
    with pytest.raises(InvalidCards):
        best_throw(cards, wild("Q"))


def test_value_counts_no_joker() -> None:
    """Printed jokers and cards of the wild rank are worth nothing, also where aces are wild."""
    assert value_of(faces("JK AH KH TH 9H 2H"), wild("A").wild) == 31
    assert value_of(faces("JK AH KH TH 9H 2H"), wild("K").wild) == 31
    assert value_of(faces("JK AH KH TH 9H 2H"), None) == 41
