"""The check of millions of simulated hands: finds nothing in good ones, and what is bad in bad."""

from __future__ import annotations

import numpy as np
import pytest

from arena.sim import BITS, Hands, shuffled_orders
from tests.bench import check_sim
from tests.bench.check_sim import PAIRS, Chunk, cards_in_place, scored_right


@pytest.fixture
def chunk(monkeypatch: pytest.MonkeyPatch) -> Chunk:
    """A small chunk, played to its end."""
    monkeypatch.setattr(check_sim, "CHUNK", 400)
    found = Chunk(PAIRS[1], 40, np.random.default_rng(3))
    found.play(2)
    return found


def test_good_hands_are_found_good(chunk: Chunk) -> None:
    """By all checks, and by the engine."""
    chunk.replay()

    assert chunk.wrong == 0


def test_a_card_in_two_places_is_found() -> None:
    """And where."""
    nothing = np.zeros(20, np.uint64)
    hands = Hands.deal(shuffled_orders(20, np.random.default_rng(4)))
    assert cards_in_place(hands, nothing).all()

    hands.hands[7, 0] |= BITS[hands.order[7, 30]]

    assert np.flatnonzero(~cards_in_place(hands, nothing)).tolist() == [7]


def test_wrong_points_are_found(chunk: Chunk, capsys: pytest.CaptureFixture[str]) -> None:
    """A point too much, in the hand itself and beside the engine's."""
    chunk.hands.points[chunk.watched[0]] += 1
    knocker = chunk.hands.to_act.astype(np.int64)

    assert not scored_right(chunk.hands, knocker)[chunk.watched[0]]
    chunk.replay()
    assert chunk.wrong == 1
    assert capsys.readouterr().out.startswith("differs from the engine")
