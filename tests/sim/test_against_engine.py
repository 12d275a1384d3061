"""Hand by hand, decision by decision: the simulator does and counts what the engine does."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np
import pytest

from arena.rules.base import Ending, Phase, action
from arena.rules.cards import NAMES, mask_of
from arena.rules.gin.hand import GinHand, deal_gin
from arena.rules.gin.rules import GinRules
from arena.sim import (
    ENDINGS,
    Hands,
    PhaseNumber,
    Policy,
    SimRules,
    action_id,
    from_hand,
    random_legal,
    shuffled_orders,
    simple,
)
from tests.sim.players import late, patient


def dealt(hands: Hands) -> list[GinHand]:
    """The same deals in the engine."""
    return [
        deal_gin(hands.rules.gin, [NAMES[card] for card in order], int(dealer))
        for order, dealer in zip(hands.order, hands.dealer, strict=True)
    ]


def compare_legal(hands: Hands, engine: list[GinHand]) -> None:
    """What may be done is the same in all hands."""
    legal = hands.legal()
    for row, hand in enumerate(engine):
        ids = {action_id(int(column)) for column in np.flatnonzero(legal[row])}
        assert ids == {each.id for each in hand.legal_actions()}


def compare_state(hands: Hands, engine: list[GinHand]) -> None:
    """Everything that a state holds is the same in all hands."""
    for row, hand in enumerate(engine):
        assert tuple(hands.hands[row].tolist()) == hand.hands
        assert tuple(hands.known[row].tolist()) == hand.known
        assert mask_of(NAMES[card] for card in hands.pile[row, : hands.pile_size[row]]) == mask_of(
            hand.pile
        )
        assert (hands.turn[row], hands.turns[row]) == (hand.turn, hand.turns)
        if hand.outcome is None:
            assert PhaseNumber(hands.phase[row]).name == hand.phase.name
            assert hands.to_act[row] == hand.to_act
            assert (hands.drawn[row], hands.taken[row]) == (hand.drawn, hand.taken)
            assert hands.bottom[row] - hands.top[row] == hand.bottom - hand.top
        else:
            assert hand.phase is Phase.OVER
            assert hands.phase[row] == PhaseNumber.OVER
            assert ENDINGS[hands.ending[row]] is hand.outcome.ending
            assert tuple(hands.points[row].tolist()) == hand.outcome.points


def played(
    policies: tuple[Policy, Policy], count: int, gin: GinRules, *, every: int = 1
) -> Iterator[GinHand]:
    """Play hands in both, comparing as they go; the engine's last states."""
    rng = np.random.default_rng(count)
    hands = Hands.deal(shuffled_orders(count, rng), np.arange(count) % 2, SimRules(gin))
    engine = dealt(hands)
    step = 0
    while hands.live.any():
        if step % every == 0:
            compare_legal(hands, engine)
            compare_state(hands, engine)
        step += 1
        chosen = np.where(hands.to_act == 0, policies[0](hands, rng), policies[1](hands, rng))
        for row in np.flatnonzero(hands.live):
            engine[row] = engine[row].apply(action(action_id(int(chosen[row]))))
        hands.apply(chosen)
    compare_state(hands, engine)
    yield from engine


@pytest.mark.parametrize(
    ("policies", "count"),
    [
        ((random_legal, random_legal), 600),
        ((simple, simple), 1500),
        ((patient, late), 1000),
        ((late, late), 1000),
        ((random_legal, simple), 600),
    ],
    ids=["random", "simple", "patient", "late", "unequal"],
)
def test_standard_gin_is_the_same(policies: tuple[Policy, Policy], count: int) -> None:
    """Legal actions and states at every decision, endings and points at the end."""
    assert sum(1 for _ in played(policies, count, GinRules())) == count


def test_thousands_of_hands_end_the_same() -> None:
    """With every ending there is, and with layoffs among them."""
    endings: Counter[Ending] = Counter()
    layoffs = 0
    for policies in ((simple, simple), (late, late), (patient, patient)):
        for hand in played(policies, 1200, GinRules(), every=1000):
            assert hand.outcome is not None
            endings[hand.outcome.ending] += 1
            layoffs += any(shown.laid_off for shown in hand.outcome.shown)

    assert layoffs > 300
    common = {Ending.KNOCK, Ending.UNDERCUT, Ending.GIN, Ending.BIG_GIN, Ending.DEAD_STOCK}
    assert common <= set(endings)
    assert min(endings[ending] for ending in common - {Ending.BIG_GIN}) > 20


@pytest.mark.parametrize(
    "changes",
    [
        {"knock_limit": 0},
        {"knock_limit": 4, "gin_bonus": 20, "undercut_bonus": 10},
        {"big_gin_bonus": None},
        {"undercut_on_tie": False},
        {"ace_deadwood": 15},
        {"hand_size": 7},
        {"two_ended_stock": False},
        {"wall_cards": 5, "max_turns": 12},
    ],
    ids=lambda changes: next(iter(changes)),
)
def test_other_numbers_are_the_same(changes: dict[str, int | None]) -> None:
    """Every setting that the simulator plays."""
    gin = GinRules(**changes)  # type: ignore[arg-type]
    for policies in ((late, random_legal), (late, simple)):
        assert sum(1 for _ in played(policies, 120, gin, every=3)) == 120


def test_a_hand_goes_on_from_where_the_engine_is() -> None:
    """A batch made of a hand in progress is that hand."""
    rng = np.random.default_rng(5)
    hands = Hands.deal(shuffled_orders(50, rng))
    engine = dealt(hands)
    for _ in range(12):
        chosen = simple(hands, rng)
        for row in np.flatnonzero(hands.live):
            engine[row] = engine[row].apply(action(action_id(int(chosen[row]))))
        hands.apply(chosen)
    for hand in engine:
        if hand.outcome is None:
            copies = from_hand(hand, 3)
            compare_state(copies, [hand] * 3)
            compare_legal(copies, [hand] * 3)
