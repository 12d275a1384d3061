"""The audit of bots that do better when they meet a deal again."""

from __future__ import annotations

import random

import pytest

from arena.tournament.model import FixtureKey, FixtureResult
from arena.tournament.statistics.second_look import second_look
from tests.tournament.results import result


def play(
    generator: random.Random,
    n: int,
    legs: int,
    *,
    cheat: int | None = None,
    gain: float = 0.0,
    seat: float = 3.0,
) -> list[FixtureResult]:
    """A mirrored round robin of equal bots; the first seat is worth something to all.

    ``cheat`` gains so many points per hand in second halves.
    """
    found = []
    for leg in range(legs):
        for a in range(n):
            for b in range(a):
                luck = generator.gauss(0, 80)
                first = (a, b) if (a + b + leg) % 2 else (b, a)
                for half, seats in enumerate([first, first[::-1]]):
                    lead = seat * 10 + luck + generator.gauss(0, 40)
                    if half and cheat in seats:
                        lead += 10 * gain * (1 if seats[0] == cheat else -1)
                    points = (1000 + round(lead), 1000)
                    key = FixtureKey("r", leg, a * n + b, half)
                    found.append(result(seats, None, points=points, hands=10, key=key))
    return found


def test_honest_bots_do_not_stand_out() -> None:
    """Few false alarms in 60 fields of five, though seats and deals matter."""
    alarms = covered = total = 0
    for seed in range(60):
        looks = second_look(play(random.Random(seed), 5, 6))
        alarms += any(look.stands_out for look in looks)
        for look in looks:
            assert look.gain.low is not None
            covered += look.gain.low <= 0 <= (look.gain.high or 0)
            total += 1

    assert alarms <= 6
    assert 0.9 <= covered / total <= 0.99


def test_starts_of_unlike_number_do_not_make_it_too_sure() -> None:
    """Two pairs begun on one seat tell little, however many began on the other: in 1,000 audits of
    an honest bot about 5 % of the intervals miss, not 15 %."""
    dice = random.Random(7)
    misses = 0
    for _ in range(1000):
        results = []
        for slot in range(12):
            first = (0, 1) if slot < 2 else (1, 0)
            for half, seats in enumerate([first, first[::-1]]):
                points = (1000 + round(dice.gauss(0, 400)), 1000)
                key = FixtureKey("r", 1, slot, half)
                results.append(result(seats, None, points=points, hands=10, key=key))
        gain = second_look(results)[0].gain
        assert gain.low is not None
        assert gain.high is not None
        misses += not gain.low <= 0 <= gain.high

    assert misses <= 80


def test_a_bot_that_remembers_deals_is_found() -> None:
    """Eight points a hand gained in second halves: it stands out, nobody else does."""
    looks = second_look(play(random.Random(1), 5, 12, cheat=2, gain=8.0))
    found = {look.entrant: look for look in looks}

    assert [entrant for entrant, look in found.items() if look.stands_out] == [2]
    assert found[2].gain.low is not None
    assert found[2].gain.low < 8.0 < (found[2].gain.high or 0)
    assert found[2].gain.pairs == 48


def test_without_complete_pairs_there_is_nothing_to_audit() -> None:
    """One half only, or no hands."""
    half = result((0, 1), 0, key=FixtureKey("r", 1, 1, 0))
    forfeit = result((1, 0), 1, hands=0, key=FixtureKey("r", 1, 1, 1))

    assert second_look([]) == ()
    assert second_look([half]) == ()
    assert second_look([half, forfeit]) == ()


def test_one_pair_gives_no_number() -> None:
    """The seat cannot be told from the second look."""
    halves = [result(s, 0, key=FixtureKey("r", 1, 1, h)) for h, s in enumerate([(0, 1), (1, 0)])]
    (one, two) = second_look(halves)

    assert one.gain.mean is None
    assert two.gain.mean is None
    assert not one.stands_out


def test_a_bot_against_itself_gains_nothing() -> None:
    """Every difference is zero: no interval, no alarm."""
    halves = [
        result(
            (0, 1) if (slot + h) % 2 else (1, 0),
            None,
            points=(10, 10),
            key=FixtureKey("r", 1, slot, h),
        )
        for slot in range(8)
        for h in (0, 1)
    ]

    assert [look.gain.mean for look in second_look(halves)] == pytest.approx([0, 0])
    assert not any(look.stands_out for look in second_look(halves))
