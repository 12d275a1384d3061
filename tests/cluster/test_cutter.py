"""Chunks are as large as is useful, and never let a bot be called more often than it allows."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.cluster.cutter import Chunk, Cutter

Pair = tuple[int, int]


def pairs(count: int, bots: int = 40, offset: int = 0) -> list[Pair]:
    """So many fixtures, each bot in its turn."""
    return [((2 * n + offset) % bots, (2 * n + 1 + offset) % bots) for n in range(count)]


def cut(
    cutter: Cutter[Pair], waiting: list[Pair], *, free: int, places: int, parallel: int = 4
) -> list[Chunk[Pair]]:
    """Offer everything, as the runner does."""
    cutter.open(free, places, len(waiting), parallel)
    for pair in list(waiting):
        if cutter.room <= 0:
            break
        if cutter.add(pair, pair):
            waiting.remove(pair)
    return cutter.close()


def learnt(fixture_s: float, parallel: int = 4) -> Cutter[Pair]:
    """A cutter that knows how long a fixture takes."""
    cutter: Cutter[Pair] = Cutter(dict.fromkeys(range(40), 16), 2.0)
    (chunk,) = cut(cutter, pairs(parallel), free=1, places=1, parallel=parallel)
    cutter.release(chunk, fixture_s, parallel)
    return cutter


def test_few_fixtures_are_spread_over_all_places() -> None:
    """Seven fixtures for four workers: nobody idles while another has four."""
    cutter: Cutter[Pair] = Cutter(dict.fromkeys(range(40), 16))

    chunks = cut(cutter, pairs(7), free=4, places=4)

    assert sorted(len(chunk.items) for chunk in chunks) == [1, 2, 2, 2]


def test_first_chunks_only_fill_a_worker() -> None:
    """While nothing is known of how long a fixture takes, twice what is played at a time."""
    cutter: Cutter[Pair] = Cutter(dict.fromkeys(range(40), 16))

    chunks = cut(cutter, pairs(1000), free=2, places=2)

    assert [len(chunk.items) for chunk in chunks] == [8, 8]


@pytest.mark.parametrize(("fixture_s", "size"), [(0.1, 80), (0.5, 16), (2.0, 8), (60.0, 8)])
def test_chunk_is_two_seconds_of_work_or_fills_a_worker(fixture_s: float, size: int) -> None:
    """Short fixtures travel by the dozen, of long ones twice as many as are played at a time."""
    chunks = cut(learnt(fixture_s), pairs(1000), free=1, places=2)

    assert [len(chunk.items) for chunk in chunks] == [size]


def test_chunks_become_small_towards_the_end() -> None:
    """With 40 fixtures left for two places, none takes 80."""
    chunks = cut(learnt(0.1), pairs(40), free=1, places=2)

    assert [len(chunk.items) for chunk in chunks] == [10]


def test_estimate_grows_when_nothing_comes_to_its_end() -> None:
    """A chunk of matches that are all unfinished is no chunk of matches that took no time."""
    cutter = learnt(0.1)
    (chunk,) = cut(cutter, pairs(4), free=1, places=1)
    before = cutter.expected_s(chunk)
    assert before is not None

    cutter.release(chunk, 15.0, 0)

    after = cutter.expected_s(chunk)
    assert after is not None
    assert after > 10 * before


def test_popular_bot_is_shared_out_between_the_places() -> None:
    """A champion that allows eight calls and plays everybody gives two to each of four chunks."""
    cutter: Cutter[Pair] = Cutter({0: 8, **dict.fromkeys(range(1, 40), 1)})

    chunks = cut(cutter, [(0, n) for n in range(1, 17)], free=4, places=4)

    assert [chunk.calls[0] for chunk in chunks] == [2, 2, 2, 2]


def test_chunk_is_not_filled_with_what_one_bot_cannot_answer() -> None:
    """A bot with one call that sits in every fixture gets four into a chunk of eight, not all."""
    cutter: Cutter[Pair] = Cutter({0: 1, **dict.fromkeys(range(1, 101), 1)})
    waiting = [(0, n) for n in range(1, 101)]

    (chunk,) = cut(cutter, waiting, free=1, places=4)

    assert len(chunk.items) == 4
    assert len(waiting) == 96


def test_more_places_than_the_bots_can_answer_are_not_used() -> None:
    """Two bots with four calls each keep eight matches busy, however many workers there are."""
    cutter: Cutter[Pair] = Cutter({0: 4, 1: 4})

    assert cutter.useful(places=10, parallel=4) == 2
    assert cutter.useful(places=10, parallel=16) == 1
    assert cutter.useful(places=1, parallel=1) == 1


@given(seed=st.integers(0, 2**32), most=st.integers(1, 5), places=st.integers(1, 9))
def test_no_bot_is_called_more_often_than_it_allows(seed: int, most: int, places: int) -> None:
    """Whatever is cut and comes back in whatever order, shares stay within each bot's limit."""
    chance = random.Random(seed)
    limits = {bot: chance.randint(1, most) for bot in range(12)}
    cutter: Cutter[Pair] = Cutter(limits)
    waiting = [(a, b) for a in limits for b in limits if a != b]
    chance.shuffle(waiting)
    out: list[Chunk[Pair]] = []
    finished = 0
    while waiting or out:
        free = cutter.useful(places, 4) - len(out)
        if free > 0 and waiting:
            out += cut(cutter, waiting, free=free, places=places)
        assert out, "nothing can be played though nobody is at play"
        calls = sum((Counter(chunk.calls) for chunk in out), Counter())
        assert all(calls[bot] <= limits[bot] for bot in calls)
        assert all(chunk.calls[bot] for chunk in out for pair in chunk.items for bot in pair)
        back = out.pop(chance.randrange(len(out)))
        finished += len(back.items)
        cutter.release(back, chance.random(), len(back.items))
    assert finished == 12 * 11
