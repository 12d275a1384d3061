"""The clock's arithmetic."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.errors import ConfigError
from arena.referee.clock import Book, ClockRules
from arena.referee.verdicts import FaultCode

RULES = ClockRules(deadline_ms=100, bank_ms=500, max_strikes=3)


def test_answer_in_time_costs_nothing_of_the_bank() -> None:
    """Up to the deadline thinking is free."""
    book, status = Book(500.0).charge(100.0, 3.0, RULES)

    assert status is FaultCode.OK
    assert book.bank_ms == 500
    assert (book.decisions, book.bot_ms, book.arena_ms) == (1, 100.0, 3.0)


def test_late_answer_draws_its_lateness_from_the_bank() -> None:
    """Only what is beyond the deadline is taken."""
    book, status = Book(500.0).charge(350.0, 0.0, RULES)

    assert status is FaultCode.LATE
    assert book.bank_ms == 250
    assert book.strikes == 0


def test_timeout_is_charged_its_limit_neither_zero_nor_more() -> None:
    """A time-out counts with all that the bot was allowed, not with what the machine added."""
    book = Book(500.0).fail(FaultCode.TIMEOUT, 9_999.0, RULES)

    assert book.bot_ms == 600
    assert book.bank_ms == 0
    assert book.last_latency_ms == 600
    assert book.strikes == 1


def test_fault_in_time_leaves_the_bank() -> None:
    """A quick wrong answer costs a strike, no time."""
    book = Book(500.0).fail(FaultCode.BAD_JSON, 20.0, RULES)

    assert book.bank_ms == 500
    assert book.last_status is FaultCode.BAD_JSON


@given(st.lists(st.tuples(st.floats(-50, 2000), st.sampled_from([None, *FaultCode])), max_size=60))
def test_bank_is_never_negative_and_never_grows(
    calls: list[tuple[float, FaultCode | None]],
) -> None:
    """Whatever happens, even durations that a broken clock would give."""
    book = Book(500.0)
    for elapsed, code in calls:
        before = book
        if code is None:
            book, _ = book.charge(max(0.0, elapsed), 1.0, RULES)
        else:
            book = book.fail(code, elapsed, RULES)
        assert 0 <= book.bank_ms <= before.bank_ms
        assert book.bot_ms >= before.bot_ms
        assert book.decisions == before.decisions + 1


@given(
    st.builds(
        Book,
        bank_ms=st.floats(0, 1e6),
        strikes=st.integers(0, 99),
        decisions=st.integers(0, 10**6),
        bot_ms=st.floats(0, 1e9),
        arena_ms=st.floats(0, 1e9),
        last_latency_ms=st.none() | st.integers(0, 10**6),
        last_status=st.none() | st.sampled_from(FaultCode),
        answered=st.booleans(),
        reached=st.booleans(),
    )
)
def test_books_survive_the_store(book: Book) -> None:
    """What is read back is what was written: the bank to 0.1 ms, totals to a millisecond."""
    book = replace(book, reached=book.reached or book.answered)
    again = Book.from_row(book.to_row())

    assert again.bank_ms == pytest.approx(book.bank_ms, abs=0.0501)
    assert again.bot_ms == pytest.approx(book.bot_ms, abs=0.51)
    for name in ("strikes", "decisions", "last_latency_ms", "last_status", "answered", "reached"):
        assert getattr(again, name) == getattr(book, name)


@pytest.mark.parametrize(
    ("field", "value"),
    [("deadline_ms", 9), ("deadline_ms", True), ("bank_ms", -1), ("max_strikes", 0)],
)
def test_impossible_clocks_are_refused(field: str, value: int) -> None:
    """The message names the field and the range."""
    with pytest.raises(ConfigError, match=f"{field} = .*from"):
        ClockRules(**{field: value})
