"""What a position may know of a deal, and that it learns nothing else."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from arena.rules.base import LogEntry, Phase
from arena.rules.deal import shuffled
from arena.rules.indian.cards import names_of
from arena.rules.indian.dealing import deal_indian
from arena.rules.indian.hand import IndianHand
from arena.rules.indian.rules import IndianRules
from tests.rules.indian.building import (
    DECK,
    OTHER_POOR,
    POOR,
    WINNING,
    choose,
    dealt,
    play,
    random_states,
)


def with_hidden_cards_moved(hand: IndianHand, position: int, rng: Random) -> IndianHand:
    """The same public facts and the same hand at this position; all that is hidden from it moved.

    Hidden are the stock, the order of the deck, a card that somebody else drew from the stock,
    and the cards of others that they did not take openly or lay down.
    """
    state = hand.state
    secret = [
        () if at == position else _less(place.cards, place.known)
        for at, place in enumerate(state.places)
    ]
    hidden = [card for cards in (*secret, state.stock) for card in cards]
    rng.shuffle(hidden)
    places = []
    for place, cards in zip(state.places, secret, strict=True):
        kept = _less(place.cards, cards)
        places.append(place._replace(cards=tuple(sorted([*kept, *hidden[: len(cards)]]))))
        del hidden[: len(cards)]
    drawn, mover = state.drawn, state.to_act
    if drawn is not None and mover is not None and mover != position and not state.taken:
        drawn = rng.choice(places[mover].cards)
    deck = tuple(rng.sample(state.deal.deck, len(state.deal.deck)))
    deal = replace(state.deal, deck=deck)
    return IndianHand(
        replace(state, deal=deal, places=tuple(places), stock=tuple(hidden), drawn=drawn)
    )


def _less(cards: tuple[int, ...], others: tuple[int, ...]) -> tuple[int, ...]:
    return tuple((Counter(cards) - Counter(others)).elements())


@settings(max_examples=50, deadline=None)
@given(st.integers(2, 6), st.binary(min_size=4, max_size=4), st.integers(0, 200))
def test_views_do_not_depend_on_what_is_hidden(positions: int, seed: bytes, decisions: int) -> None:
    """Other hands, stock and deck order may be anything: the view and the offer are the same."""
    rng = Random(seed)
    hand = deal_indian(IndianRules(), shuffled(DECK, seed), positions, 0)
    for _ in range(decisions):
        if hand.to_act is None:
            break
        hand = hand.apply(choose(hand, rng, 0.03))
    if hand.to_act is None:
        return
    for position in range(positions):
        moved = with_hidden_cards_moved(hand, position, rng)
        assert moved.view(position) == hand.view(position)
        if hand.to_act == position:
            assert moved.legal_actions() == hand.legal_actions()


@settings(max_examples=50, deadline=None)
@given(st.integers(2, 6), st.binary(min_size=4, max_size=4))
def test_a_card_that_nobody_showed_changes_no_view_of_a_deal(positions: int, seed: bytes) -> None:
    """A card that position 1 held to the end, exchanged with the bottom of the stock.

    Played again with that deck, the same actions give position 0 the same view at every turn.
    """
    rng = Random(seed)
    deck = list(shuffled(DECK, seed))
    rules = IndianRules(max_turns=4)
    hand = deal_indian(rules, deck, positions, 0)
    actions, views = [], []
    while hand.to_act is not None:
        views.append(hand.view(0))
        actions.append(choose(hand, rng, 0.0))
        hand = hand.apply(actions[-1])
    assert hand.state.shuffles == 0
    kept = names_of(_less(hand.state.places[1].cards, hand.state.places[1].known))
    thrown = {entry.action for entry in hand.state.log if entry.position == 1}
    never_thrown = {card for card in kept if f"discard:{card}" not in thrown}
    at = next(at for at in range(0, 13 * positions, positions) if deck[at] in never_thrown)
    deck[at], deck[-1] = deck[-1], deck[at]

    again = deal_indian(rules, deck, positions, 0)
    for each, view in zip(actions, views, strict=True):
        assert again.view(0) == view
        again = again.apply(each)


def test_a_view_shows_what_all_may_know() -> None:
    """Own cards, the open pile, counts, the wild card and who did what; nothing drawn unseen."""
    hand = dealt([WINNING, POOR, OTHER_POOR], "4S", "QD", "4H", dealer=2)
    hand = play(hand, "draw:discard", "discard:KC", "draw:stock")
    mine, yours = hand.view(1), hand.view(0)

    assert " ".join(mine.hand) == "AC 4C 9C QC 3D 6D JD 4H 5H 8H KH 2S 7S TS"
    assert (mine.drawn, mine.taken, mine.phase) == ("4H", False, Phase.DISCARD)
    assert (yours.drawn, yours.taken) == (None, False)
    assert yours.discard_pile == ("KC",)
    assert [seen.card_count for seen in yours.positions] == [13, 14, 13]
    assert [seen.known for seen in yours.positions] == [("4S",), (), ()]
    assert (yours.wild, yours.wild_card) == ("Q", "QD")
    assert yours.stock_count == 104 - 3 * 13 - 1
    assert yours.log == (
        LogEntry(0, "draw:discard"),
        LogEntry(0, "discard:KC"),
        LogEntry(1, "draw:stock"),
    )
    assert (yours.position, yours.dealer, yours.turn) == (0, 2, 3)
    assert (yours.knock_limit, yours.multiplier) == (None, 1)


def test_known_cards_are_those_taken_and_not_thrown() -> None:
    """A thrown copy counts for the one that all have seen, whichever of two copies it was."""
    hand = dealt([WINNING, POOR], "2H", "QD", dealer=1)
    taken = play(hand, "draw:discard")
    assert taken.view(1).positions[0].known == ("2H",)
    assert (taken.view(0).drawn, taken.view(0).taken) == ("2H", True)

    assert play(taken, "discard:KC").view(1).positions[0].known == ("2H",)
    assert play(taken, "discard:2H").view(1).positions[0].known == ()


def test_every_view_of_a_deal_names_only_cards_that_exist() -> None:
    """What is seen in one view are cards of the pack, none more often than the pack has it."""
    hand = deal_indian(IndianRules(), shuffled(DECK, b"views"), 4, 0)
    for state in random_states(hand, Random(5), 0.02):
        for position in range(4):
            view = state.view(position)
            others = [seen for at, seen in enumerate(view.positions) if at != position]
            seen = Counter([*view.hand, *view.discard_pile, str(view.wild_card)])
            for other in others:
                seen.update(other.known)
            assert not seen - Counter(DECK)
