"""What holds in every deal of Indian rummy, whatever the players do."""

from __future__ import annotations

from collections import Counter
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from arena.rules.base import Ending, Phase, action
from arena.rules.deal import shuffled
from arena.rules.indian.cards import value_of
from arena.rules.indian.dealing import deal_indian
from arena.rules.indian.groups import judge
from arena.rules.indian.hand import IndianHand
from arena.rules.indian.rules import IndianRules
from arena.rules.indian.state import Left
from tests.rules.indian import naive
from tests.rules.indian.building import DECK, cards_of, faces, random_states

RULES = st.builds(
    IndianRules,
    max_turns=st.sampled_from([3, 20, 60]),
    redraw_discard=st.booleans(),
    open_joker=st.sampled_from(["opening_only", "always", "never"]),
    judge=st.sampled_from(["as_grouped", "best_grouping"]),
    middle_drop=st.sampled_from([None, 40]),
    wild_natural_pure=st.booleans(),
    shown_joker=st.sampled_from(["aces_wild", "none_wild"]),
)


def deal(rules: IndianRules, positions: int, seed: bytes) -> IndianHand:
    """A deal of the whole pack in a random order."""
    return deal_indian(rules, shuffled(DECK, seed), positions, 0)


@settings(max_examples=120, deadline=None)
@given(
    RULES,
    st.integers(2, 6),
    st.binary(min_size=4, max_size=4),
    st.sampled_from([0.0, 0.01, 0.2]),
)
def test_cards_are_never_lost_and_deals_end(
    rules: IndianRules, positions: int, seed: bytes, recklessness: float
) -> None:
    """The 106 cards stay the same ones; hands have 13 or 14; a deal ends within its bound."""
    rng = Random(seed)
    whole, most = Counter(DECK), 2 * positions * rules.max_turns
    for hand in random_states(deal(rules, positions, seed), rng, recklessness):
        assert cards_of(hand) == whole
        assert hand.turn <= most
        for position, place in enumerate(hand.state.places):
            moving = position == hand.to_act and hand.phase is Phase.DISCARD
            assert len(place.cards) == 13 + moving
            assert not Counter(place.known) - Counter(place.cards)
        if hand.to_act is not None:
            legal = hand.legal_actions()
            assert legal
            assert len(set(legal)) == len(legal)
            assert hand.safe_action() == (action("miss"), None)
    assert hand.outcome is not None


@settings(max_examples=120, deadline=None)
@given(st.integers(2, 6), st.binary(min_size=4, max_size=4), st.sampled_from([0.01, 0.1, 0.3]))
def test_points_are_what_the_rules_say(positions: int, seed: bytes, recklessness: float) -> None:
    """0 for the winner, fixed penalties for who left, the capped count for who lost in play."""
    rules = IndianRules(max_turns=20)
    *_, last = random_states(deal(rules, positions, seed), Random(seed), recklessness)
    outcome, places = last.outcome, last.state.places
    assert outcome is not None
    if outcome.winner is None:
        assert outcome.ending is Ending.DEAD_TURNS
        assert set(outcome.points) == {0}
        return
    assert outcome.points[outcome.winner] == 0
    for position, place in enumerate(places):
        if place.left is Left.WRONG:
            assert outcome.points[position] == 80
        elif place.left is Left.MISSED:
            assert outcome.points[position] == 40
        elif place.left is Left.DROPPED:
            assert outcome.points[position] == (40 if place.has_drawn else 20)
        elif position != outcome.winner:
            shown = outcome.shown[position]
            assert outcome.ending is Ending.DECLARED
            assert outcome.points[position] == min(80, shown.value)
            assert value_of(faces(shown.deadwood), last.state.deal.grouping.wild) == shown.value
    if outcome.ending is not Ending.DECLARED:
        assert sum(place.active for place in places) == 1


@settings(max_examples=8, deadline=None)
@given(st.binary(min_size=4, max_size=4))
def test_losers_count_their_best_grouping(seed: bytes) -> None:
    """After a valid declaration the other's points are the exhaustive count of that hand."""
    cards = list(shuffled(DECK, seed))
    winning = "2H 3H 4H 5C 6C 7C 8C 9D 9S 9H KC KD KS".split()
    for card in winning:
        cards.remove(card)
    loser, rest = cards[:13], cards[13:]
    order = [card for pair in zip(winning, loser, strict=True) for card in pair]
    hand = deal_indian(IndianRules(), order + rest, 2, 1)
    hand = hand.apply(hand.legal_actions()[0])
    view = hand.view(0)
    assert view.drawn is not None
    hand = hand.apply(next(a for a in hand.legal_actions() if a.id == f"declare:{view.drawn}"))
    outcome = hand.outcome

    assert outcome is not None
    assert outcome.winner == 0
    assert outcome.points[1] == min(80, naive.least_points(loser, view.wild))
    laid = [faces(group) for group in outcome.shown[0].melds]
    assert judge(laid, hand.state.deal.grouping).valid
