"""Hands as the database keeps them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.referee.clock import Book
from arena.referee.verdicts import FaultCode
from arena.store.hands import read_books, write_books

COUNT = st.integers(0, 10**7)
BOOKS = st.builds(
    Book,
    bank_ms=st.integers(0, 36_000_000).map(lambda tenths: tenths / 10),
    strikes=st.integers(0, 100),
    decisions=COUNT,
    bot_ms=COUNT.map(float),
    arena_ms=COUNT.map(float),
    last_latency_ms=st.none() | COUNT,
    last_status=st.none() | st.sampled_from(FaultCode),
    answered=st.booleans(),
    reached=st.just(True),
)


@given(st.lists(BOOKS, min_size=1, max_size=6))
def test_clock_books_are_read_as_they_were_written(books: list[Book]) -> None:
    """Of any number of seats, usual and unusual."""
    text = write_books([book.to_row() for book in books])

    assert [Book.from_row(row) for row in read_books(text)] == books


def test_usual_books_are_short() -> None:
    """There are two for every hand."""
    book = Book(10_000.0, 0, 40, 120.0, 30.0, 3, FaultCode.OK, True, True)

    assert len(write_books([book.to_row()] * 2)) <= 25


@pytest.mark.parametrize("text", ["[]", "a,a", "aaaaa:1", "aaaaa:x:ok:1", "aaaaaa"])
def test_other_texts_are_refused(text: str) -> None:
    """Nothing that was not written by the arena is taken for books."""
    with pytest.raises(ValueError, match=r"."):
        read_books(text)
