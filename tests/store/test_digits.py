"""Lists of numbers as short texts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.store.digits import read_digits, write_digits


@given(st.lists(st.integers(0, 10**9)))
def test_what_is_written_is_read(numbers: list[int]) -> None:
    """Any times of any length."""
    assert read_digits(write_digits(numbers)) == tuple(numbers)


def test_usual_times_take_one_or_two_letters() -> None:
    """Milliseconds of a bot on the same machine, and of one far away."""
    assert write_digits([0, 3, 25]) == "adz"
    assert write_digits([250, 26, 675]) == "JqBaZz"


@pytest.mark.parametrize("text", ["3", "A", "bA", "a b", "é", "a\n"])
def test_other_texts_are_refused(text: str) -> None:
    """Nothing that was not written by the arena is taken for times."""
    with pytest.raises(ValueError, match="are no numbers to base 26"):
        read_digits(text)


@pytest.mark.parametrize("number", [-1, -203, -300])
def test_negative_numbers_are_refused(number: int) -> None:
    """Rather than written as others."""
    with pytest.raises(ValueError, match=f"{number} is negative"):
        write_digits([3, number])
