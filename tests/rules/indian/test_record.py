"""Deals of Indian rummy as records: written, read and played again to the same end."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.rules.base import ActionKind, DealPlan, Melds, action
from arena.rules.deal import shuffled
from arena.rules.indian.family import FAMILY, VARIANTS
from arena.rules.indian.hand import MISS, IndianHand
from arena.rules.record import HandRecord, Play, final_hand, parse, verify, write
from tests.rules.indian.building import WINNING, WINNING_GROUPS, choose


def stated(hand: IndianHand, card: str, rng: Random) -> Melds | None:
    """Some grouping of the other cards, none, or an empty one: rarely a good one."""
    at = hand.to_act
    assert at is not None
    cards = list(hand.view(at).hand)
    cards.remove(card)
    cut = rng.randrange(14)
    groups = tuple(tuple(part) for part in (cards[:cut], cards[cut:]) if part)
    return rng.choice([None, groups, groups[:1], ()])


def recorded(name: str, positions: int, seed: bytes) -> tuple[HandRecord, IndianHand]:
    """The record of a reckless deal, and its last state."""
    variant = next(each for each in VARIANTS if each.name == name)
    rng = Random(seed)
    plan = DealPlan(tuple(range(positions)), rng.randrange(positions))
    deck = shuffled(FAMILY.deck(variant.rules), seed)
    hand = FAMILY.deal(variant.rules, deck, plan)
    plays: list[Play] = []
    while hand.to_act is not None:
        done = choose(hand, rng, 0.05)
        declares = done.kind is ActionKind.DECLARE
        melds = stated(hand, done.arg, rng) if declares else None
        plays.append(Play(done.id, melds, fault="timeout" if done is MISS else None))
        hand = hand.apply(done, melds)
    assert hand.outcome is not None
    return HandRecord.of(variant, plan, deck, plays, hand.outcome), hand


@settings(max_examples=40, deadline=None)
@given(
    st.sampled_from([variant.name for variant in VARIANTS]),
    st.integers(2, 6),
    st.binary(min_size=4, max_size=4),
)
def test_a_record_is_read_and_played_again_to_the_same_end(
    name: str, positions: int, seed: bytes
) -> None:
    """Missed turns, wrong declarations, jokers and repeated cards included."""
    record, last = recorded(name, positions, seed)
    read = parse(write(record))

    assert verify(read) == last.outcome
    assert final_hand(read) == last


@pytest.mark.parametrize("melds", [WINNING_GROUPS, None])
def test_a_winning_declaration_is_replayed(melds: Melds | None) -> None:
    """With the groups that were stated, or those that the referee found."""
    variant = VARIANTS[0]
    deck = list(FAMILY.deck(variant.rules))
    for card in WINNING.split():
        deck.remove(card)
    cards = [card for pair in zip(WINNING.split(), deck[:13], strict=True) for card in pair]
    deck = cards + deck[13:]
    plan = DealPlan((1, 0), 1)
    hand = FAMILY.deal(variant.rules, deck, plan)
    hand = hand.apply(action("draw:stock"))
    drawn = hand.view(0).drawn
    plays = [Play("draw:stock"), Play(f"declare:{drawn}", melds)]
    outcome = hand.apply(action(f"declare:{drawn}"), melds).outcome
    assert outcome is not None
    assert outcome.winner == 0

    assert verify(parse(write(HandRecord.of(variant, plan, deck, plays, outcome)))) == outcome
