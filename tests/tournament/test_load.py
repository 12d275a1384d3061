"""Fewer matches in flight when the machine is too busy, and more again when it is not."""

from __future__ import annotations

from arena.tournament.load import WINDOW, Load


def fill(load: Load, overhead_ms: float) -> str | None:
    """A window full of calls with this overhead."""
    for _ in range(WINDOW):
        load.note(overhead_ms)
    return load.adapt()


def test_overload_halves_the_matches_in_flight_and_says_so() -> None:
    """The arena's own time above a tenth of the deadline is too much."""
    load = Load(16, deadline_ms=200)

    sentence = fill(load, 30.0)

    assert load.limit == 8
    assert sentence is not None
    assert "overloaded" in sentence
    assert "8 matches" in sentence


def test_limit_never_falls_below_one_and_recovers_to_its_most() -> None:
    """However bad it gets, one match goes on; when it is quiet again, all do."""
    load = Load(4, deadline_ms=200)
    for _ in range(5):
        fill(load, 500.0)
    assert load.limit == 1
    for _ in range(5):
        fill(load, 0.1)
    assert load.limit == 4


def test_a_few_slow_calls_change_nothing() -> None:
    """The median decides, and only over a full window."""
    load = Load(16, deadline_ms=200)
    load.note(10_000.0)
    assert load.adapt() is None
    for number in range(WINDOW):
        load.note(10_000.0 if number % 3 == 0 else 0.5)

    assert load.adapt() is None
    assert load.limit == 16
