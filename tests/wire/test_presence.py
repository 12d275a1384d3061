"""The clock that stands still while the process does."""

from __future__ import annotations

import time
from dataclasses import dataclass

import pytest

from arena.wire.presence import ABSENCE_S, PresenceClock


@dataclass
class Hand:
    """Moves the monotonic clock."""

    at: float = 1000.0

    def __call__(self) -> float:
        return self.at


@pytest.fixture
def hand(monkeypatch: pytest.MonkeyPatch) -> Hand:
    """The hand of the only clock there is."""
    moved = Hand()
    monkeypatch.setattr(time, "monotonic", moved)
    return moved


def test_time_in_which_somebody_looked_counts(hand: Hand) -> None:
    """Many short steps are as long as one."""
    clock = PresenceClock()
    clock.keep()
    begun = clock.now()
    for _ in range(100):
        hand.at += ABSENCE_S / 2
        clock.look()
    assert clock.now() - begun == pytest.approx(50 * ABSENCE_S)
    assert clock.absence_s() == 0


def test_a_gap_does_not_count_whoever_sees_it_first(hand: Hand) -> None:
    """Neither for who keeps looking nor for who only wants to know the time."""
    for first in ("look", "now"):
        clock = PresenceClock()
        clock.keep()
        begun = clock.now()
        hand.at += 3.0
        getattr(clock, first)()
        clock.look()
        hand.at += 0.1
        assert clock.now() - begun == pytest.approx(0.1)
        assert clock.absence_s() == pytest.approx(3.0)
        assert clock.absence_s() == 0


def test_whoever_waits_alone_is_not_absent(hand: Hand) -> None:
    """Before anybody keeps looking, and after, every second counts."""
    clock = PresenceClock()
    begun = clock.now()
    hand.at += 5.0
    assert clock.now() - begun == 5.0
    clock.keep()
    clock.leave()
    hand.at += 5.0
    assert clock.now() - begun == 10.0


def test_gap_that_another_thread_sees_amid_a_look_at_the_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The process is stopped between two steps of `now`, and the thread that looks returns first:
    nobody is charged for the gap, and the time does not step back afterwards."""
    at = 1000.0
    clock = PresenceClock()

    def stopped_meanwhile() -> float:
        nonlocal at
        at += 3.0
        monkeypatch.setattr(time, "monotonic", lambda: at)
        clock.look()
        return at

    monkeypatch.setattr(time, "monotonic", lambda: at)
    clock.keep()
    before = clock.now()
    monkeypatch.setattr(time, "monotonic", stopped_meanwhile)
    amid = clock.now()

    assert amid == before
    assert clock.now() == amid
