"""The defender's joint optimum against exhaustion, and the traps by name."""

from __future__ import annotations

import random

import pytest

from arena.rules.cards import mask_of, names, parse_cards
from arena.rules.layoffs import defend, layoff_choices
from arena.rules.melds import CORNER, LOW, meld_names, meld_tables
from tests.rules import brute
from tests.rules.build import POOLS


def knocks(
    count: int, seed: int, corner: bool
) -> list[tuple[brute.Cards, tuple[brute.Cards, ...]]]:
    """Random defenders and the melds some knocker might show, of any arrangement at all."""
    rng = random.Random(seed)
    found: list[tuple[brute.Cards, tuple[brute.Cards, ...]]] = []
    pools = [pool for pool in POOLS.values() if len(pool) >= 16]
    while len(found) < count:
        pool = pools[len(found) % len(pools)]
        size = min(10, len(pool) // 2)
        cards = rng.sample(pool, 2 * size)
        knocker, defender = frozenset(cards[:size]), frozenset(cards[size:])
        shown = rng.choice(list(brute.arrangements(knocker, corner)))
        if shown:
            found.append((defender, shown))
    return found


@pytest.mark.parametrize(("ace_mode", "ace"), [(LOW, 1), (CORNER, 15)])
def test_defence_is_the_least_over_all_layoffs_and_melds(ace_mode: str, ace: int) -> None:
    """The engine agrees with laying off card by card in every order and melding the rest."""
    corner = ace_mode == CORNER
    tables = meld_tables(ace_mode, ace)
    for defender, shown in knocks(1200, 11 + ace, corner):
        hand = mask_of(defender)
        melds = [mask_of(meld) for meld in shown]
        for allowed in (True, False):
            found = defend(hand, melds, tables, may_lay_off=allowed)
            parts = [*found.melds, found.laid_off, found.deadwood]

            assert found.value == brute.defend(defender, shown, corner, ace, allowed)
            assert tables.value_of(found.deadwood) == found.value
            assert sum(parts) == hand
            assert all(brute.is_meld(frozenset(meld), corner) for meld in meld_names(found.melds))
            assert frozenset(names(found.laid_off)) in brute.layoffs(defender, shown, corner)


@pytest.mark.parametrize("ace_mode", [LOW, CORNER])
def test_layoff_choices_are_all_of_them(ace_mode: str) -> None:
    """Every set of cards that can be laid off is found, and no other."""
    corner = ace_mode == CORNER
    for defender, shown in knocks(600, 17, corner):
        found = layoff_choices(mask_of(defender), [mask_of(meld) for meld in shown], ace_mode)

        assert {frozenset(names(cards)) for cards in found} == brute.layoffs(
            defender, shown, corner
        )


def defence(shown: str, cards: str, ace_mode: str = LOW, ace: int = 1) -> tuple[int, set[str]]:
    """Least deadwood and cards laid off; melds of the knocker are separated by spaces."""
    melds = [mask_of(parse_cards(meld)) for meld in shown.split()]
    hand = mask_of(parse_cards(cards))
    found = defend(hand, melds, meld_tables(ace_mode, ace), may_lay_off=True)
    return found.value, set(names(found.laid_off))


def test_melds_and_layoffs_are_minimised_together() -> None:
    """Own melds first would keep the run 9-Q and leave 23."""
    assert defence("2C2D2H 4C4D4H 6S7S8S", "9STSJSQS JDJH KCKDKH 3C") == (13, {"9S", "TS"})


def test_layoffs_chain_at_the_low_end() -> None:
    """After 4H the run is longer, so 3H follows; 8H goes to the other end."""
    assert defence("2C2D2S 5H6H7H", "4H3H8H KC QCQDQH 9C9D9S") == (10, {"3H", "4H", "8H"})


def test_three_cards_on_one_end_are_allowed() -> None:
    """Three in a row could be a run of their own; laid off or not, they do not count."""
    assert defence("4S5S6S", "7S8S9S KD")[0] == 10


def test_a_gap_ends_the_chain() -> None:
    """9S without 8S does not fit 5-6-7."""
    assert defence("5S6S7S", "9S KD") == (19, set())


def test_a_four_card_set_is_closed() -> None:
    """A neighbour in rank never fits a set."""
    assert defence("5C5D5H5S", "6C4C") == (10, set())


def test_deadwood_takes_no_layoff() -> None:
    """Only melds can be extended: two fives of the defender do not join a loose five."""
    assert defence("9C9D9H", "5C5D") == (10, set())


def test_a_card_with_two_homes_goes_where_another_can_follow() -> None:
    """7S fits the sevens and 8-9-T; only on the run does 6S follow."""
    assert defence("7C7D7H 8S9STS", "7S6S2D") == (2, {"6S", "7S"})


def test_a_card_with_two_homes_is_laid_off_once() -> None:
    """7H fits both the set and the run of the knocker and counts nothing either way."""
    assert defence("7C7D7S 8H9HTH", "7HKD") == (10, {"7H"})


def test_an_ace_goes_below_a_deuce_but_not_above_a_king() -> None:
    """With low aces only one end of the pack is open to an ace."""
    assert defence("2S3S4S", "AS") == (0, {"AS"})
    assert defence("JSQSKS", "AS") == (1, set())


def test_runs_go_on_round_the_corner() -> None:
    """On K-A-2 both queens and threes continue the run."""
    assert defence("KSAS2S", "QSJS3S4S", CORNER, 15) == (0, {"QS", "JS", "3S", "4S"})
    assert defence("JSQSKS", "AS2S", CORNER, 15) == (0, {"AS", "2S"})


def test_a_ring_of_thirteen_takes_nothing_more() -> None:
    """The whole suit has no end."""
    assert defence("AS2S3S4S5S6S7S8S9STSJSQSKS", "AC", CORNER, 15) == (15, set())


def test_both_ends_may_meet_in_a_ring() -> None:
    """Five cards on an eight-card run close the ring; no card is laid off twice."""
    value, laid = defence("AS2S3S4S5S6S7S8S", "9STSJSQSKS 2D", CORNER, 15)

    assert value == 2
    assert laid == set() or laid <= {"9S", "TS", "JS", "QS", "KS"}


def test_of_equal_answers_the_one_with_fewest_layoffs_is_chosen() -> None:
    """A hand that is melded already lays nothing off, so gin against it is not emptied."""
    assert defence("4S5S6S", "7S8S9STS") == (0, set())
