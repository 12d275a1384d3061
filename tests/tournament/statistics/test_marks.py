"""Letters of what cannot be separated, and Holm's rule."""

from __future__ import annotations

import random

import pytest

from arena.tournament.statistics.marks import holm, letter_name, letters, shaffer


def test_neighbours_share_letters_and_ends_do_not() -> None:
    """0 and 2 are separated, 1 is near both: a, ab, b."""
    assert letters([0, 1, 2], lambda a, b: abs(a - b) == 2) == {0: "a", 1: "ab", 2: "b"}


def test_all_separated_or_none() -> None:
    """A letter each, or one for all."""
    assert letters([3, 1, 2], lambda a, b: True) == {3: "a", 1: "b", 2: "c"}
    assert letters([3, 1, 2], lambda a, b: False) == {3: "a", 1: "a", 2: "a"}
    assert letters([], lambda a, b: True) == {}


def test_letters_go_on_after_the_alphabet() -> None:
    """After z comes a2."""
    assert [letter_name(i) for i in (0, 25, 26, 52)] == ["a", "z", "a2", "a3"]


@pytest.mark.parametrize("seed", range(60))
def test_a_letter_is_shared_exactly_when_two_are_not_separated(seed: int) -> None:
    """Random separations, consistent with the order or not."""
    generator = random.Random(seed)
    n = generator.randint(1, 9)
    density = generator.random()
    apart = {frozenset((a, b)) for a in range(n) for b in range(a) if generator.random() < density}

    marks = letters(list(range(n)), lambda a, b: frozenset((a, b)) in apart)

    for a in range(n):
        assert marks[a]
        for b in range(a):
            assert bool(set(marks[a]) & set(marks[b])) is (frozenset((a, b)) not in apart)


def test_holm_takes_the_smallest_first_and_stops_at_the_first_failure() -> None:
    """Of three at 5 %: limits 1/60, 1/40, 1/20."""
    values = {(0, 1): 0.016, (0, 2): 0.024, (1, 2): 0.06}

    assert holm(values) == {(0, 1), (0, 2)}
    assert holm({**values, (0, 2): 0.026, (1, 2): 0.027}) == {(0, 1)}
    assert holm({}) == set()


def test_shaffer_knows_how_many_pairs_can_be_equal() -> None:
    """Of four: six, then at most three, three, three, two, one."""
    pairs = [(0, 3), (1, 3), (2, 3), (0, 1), (0, 2), (1, 2)]
    just = [0.05 / 6, 0.05 / 3, 0.05 / 3, 0.05 / 3, 0.05 / 2, 0.05]
    above = [value * 1.001 for value in just]

    assert shaffer(dict(zip(pairs, just, strict=True))) == set(pairs)
    for fails in range(6):
        values = [*just[:fails], above[fails], *([0.5] * (5 - fails))]
        assert shaffer(dict(zip(pairs, values, strict=True))) == set(pairs[:fails])
    assert shaffer({}) == set()
    assert shaffer({(0, 1): 0.04}) == {(0, 1)}


@pytest.mark.parametrize("seed", range(20))
def test_shaffer_finds_all_that_holm_finds(seed: int) -> None:
    """Also where some pairs were not compared."""
    generator = random.Random(seed)
    n = generator.randint(2, 8)
    values = {
        (a, b): generator.random() ** 6
        for b in range(n)
        for a in range(b)
        if generator.random() < 0.8
    }

    assert holm(values) <= shaffer(values)


def test_in_a_large_field_shaffer_is_holm() -> None:
    """The numbers of a hundred and one are not counted out."""
    generator = random.Random(3)
    values = {(a, b): generator.random() ** 12 for b in range(102) for a in range(b)}

    assert shaffer(values) == holm(values)
