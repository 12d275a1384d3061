"""Battle Royal under random play, and against a naive reading of its rules."""

from __future__ import annotations

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from arena.rules.base import ActionKind, Ending, Phase, action
from arena.rules.cards import NAMES, indexes, mask_of
from arena.rules.melds import default_spread, meld_tables
from arena.rules.tables.royal import FAMILY
from arena.rules.tables.royal_hand import RoyalHand
from arena.rules.tables.royal_rules import RoyalRules
from arena.rules.tables.royal_showdown import defend_directly
from tests.rules.tables.naive_royal import Position, count_after_layoffs, deadwood
from tests.rules.tables.playing import all_states, assert_whole_pack

RULES = RoyalRules()
seeds = st.integers(0, 2**32)
eagerness = st.sampled_from([0.0, 0.5, 1.0])


def states(seed: int, eager: float, rules: RoyalRules = RULES) -> list[RoyalHand]:
    """All states of one hand played at random."""
    return all_states(RoyalHand, FAMILY, rules, seed, eager, 3)


def most_actions(rules: RoyalRules) -> int:
    """The stated bound: three passes, then a draw and a throw a turn."""
    return 3 + 2 * rules.max_turns


@given(seeds, eagerness, st.sampled_from([3, 30, 150]), st.sampled_from([7, 10]))
@settings(max_examples=60, deadline=None)
def test_any_legal_play_keeps_the_pack_and_ends(
    seed: int, eager: float, max_turns: int, size: int
) -> None:
    """All 52 cards stay in one place each; hands hold the cards dealt, one more after a draw; it
    ends within the stated number of actions."""
    rules = FAMILY.replace(RULES, {"max_turns": max_turns, "hand_size": size})
    played = states(seed, eager, rules)
    for state in played:
        assert_whole_pack(state.cards_by_place())
        for position, cards in enumerate(state.hands):
            drawn = state.phase is Phase.DISCARD and position == state.to_act
            assert cards.bit_count() == size + drawn
        legal = state.legal_actions()
        assert len(set(legal)) == len(legal)
        assert bool(legal) == (state.to_act is not None) == (state.outcome is None)
        if legal:
            assert state.safe_action() == (legal[0], None)
            assert legal[0].kind is not ActionKind.KNOCK
    assert played[-1].turn == len(played) - 1 <= most_actions(rules)


@given(seeds, eagerness)
@settings(max_examples=40, deadline=None)
def test_players_move_in_turn_and_the_under_card_lies_below_the_top(
    seed: int, eager: float
) -> None:
    """Turns go to the left without a gap, and `draw:under` always takes the second card."""
    for state in states(seed, eager):
        if action("draw:under") in state.legal_actions():
            second = state.view(0).discard_pile[-2]
            after = state.apply(action("draw:under"))
            assert state.to_act is not None
            assert after.view(state.to_act).drawn == second
            assert after.view(state.to_act).discard_pile[-1] == state.view(0).discard_pile[-1]
        if state.log and state.outcome is None:
            last = state.log[-1]
            stays = last.action.startswith("draw")
            assert state.to_act == (last.position if stays else (last.position + 1) % 3)


@given(seeds, eagerness, st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None)
def test_a_view_does_not_depend_on_hidden_cards(seed: int, eager: float, rng: Random) -> None:
    """Any exchange among the stock and the unknown cards of both other hands leaves view and
    legal actions of a player as they were."""
    state = rng.choice(states(seed, eager))
    for me in range(3):
        hands = list(state.hands)
        others = [at for at in range(3) if at != me]
        hidden = [card for at in others for card in indexes(hands[at] & ~state.known[at])]
        hidden += state.stock
        rng.shuffle(hidden)
        drawn = state.drawn
        for at in others:
            count = (hands[at] & ~state.known[at]).bit_count()
            given_cards, hidden = hidden[:count], hidden[count:]
            hands[at] = state.known[at] | sum(1 << card for card in given_cards)
            if state.to_act == at and drawn is not None and not state.taken:
                drawn = given_cards[0]
        permuted = state._replace(hands=tuple(hands), stock=tuple(hidden), drawn=drawn)
        if state.outcome is None:
            assert permuted.view(me) == state.view(me)
        if state.to_act == me:
            assert permuted.legal_actions() == state.legal_actions()


@given(seeds, st.sampled_from([0.5, 1.0]))
@settings(max_examples=60, deadline=None)
def test_outcome_matches_a_naive_count(seed: int, eager: float) -> None:
    """Everybody's count and every score, worked out again by exhaustion."""
    end = states(seed, eager)[-1]
    outcome = end.outcome
    assert outcome is not None
    if outcome.knocker is None:
        assert (outcome.points, outcome.winner) == ((0, 0, 0), None)
        return
    knocker = outcome.knocker
    shown = [frozenset(meld) for meld in outcome.shown[knocker].melds]
    cards = [frozenset(end.view(at).hand) for at in range(3)]
    counts = [
        deadwood(cards[at])
        if at == knocker
        else count_after_layoffs(cards[at], shown if outcome.shown[knocker].value else [])
        for at in range(3)
    ]
    assert [each.value for each in outcome.shown] == counts
    own = counts[knocker]
    others = [at for at in range(3) if at != knocker]
    least, most = sorted(counts[at] for at in others)
    lowest = [at for at in others if counts[at] == least]
    if own == 0:
        expected = {knocker: 40 + least + most}
    elif own < least:
        expected = {knocker: least + most - own}
    else:
        expected = {at: (own + most - least) // len(lowest) for at in lowest} | {knocker: -20}
    assert outcome.points == tuple(expected.get(at, 0) for at in range(3))


@given(st.randoms(use_true_random=False))
@settings(max_examples=80, deadline=None)
def test_direct_layoffs_are_optimal(rng: Random) -> None:
    """Against every choice of cards laid off, for dense hands; what is shown adds up."""
    tables = meld_tables()
    pack = [card for card in NAMES if card[0] in "56789T"]
    rng.shuffle(pack)
    knocker, defender = mask_of(pack[:10]), mask_of(pack[10:20])
    spread = default_spread(knocker, tables)
    defence = defend_directly(defender, spread, tables, may_lay_off=True)
    shown = [frozenset(NAMES[card] for card in indexes(meld)) for meld in spread]
    assert defence.value == count_after_layoffs(frozenset(pack[10:20]), shown)
    assert tables.value_of(defence.deadwood) == defence.value
    assert defence.deadwood | defence.laid_off | sum(defence.melds) == defender


@st.composite
def small_positions(draw: st.DrawFn) -> Position:
    """Small random deals before the upcard is offered."""
    rng = draw(st.randoms(use_true_random=False))
    suits, ranks = rng.choice([("CDH", "A2345"), ("CDHS", "456"), ("CD", "6789TJ")])
    cards = [rank + suit for suit in suits for rank in ranks]
    rng.shuffle(cards)
    dealer = rng.randint(0, 2)
    return Position(
        dealer=dealer,
        mover=(dealer + 1) % 3,
        hands=(frozenset(cards[:3]), frozenset(cards[3:6]), frozenset(cards[6:9])),
        stock=(*cards[10:], "KC", "KD", "KH", "KS", "QS", "QH"),
        pile=(cards[9],),
        limit=draw(st.sampled_from([0, 3, 10])),
    )


def as_hand(position: Position) -> RoyalHand:
    """The engine's state for a naive deal."""
    index = {name: at for at, name in enumerate(NAMES)}
    return RoyalHand(
        rules=RoyalRules(knock_limit=position.limit),
        dealer=position.dealer,
        to_act=position.mover,
        phase=Phase.FIRST_UPCARD,
        hands=tuple(mask_of(hand) for hand in position.hands),
        stock=tuple(index[card] for card in position.stock),
        pile=tuple(index[card] for card in position.pile),
    )


@given(small_positions(), st.randoms(use_true_random=False))
@settings(max_examples=100, deadline=None)
def test_legal_actions_follow_the_rules_word_for_word(position: Position, rng: Random) -> None:
    """The engine offers what the naive reading offers, all the way to the end of the hand."""
    state = as_hand(position)
    for _ in range(60):
        legal = position.legal()
        assert {each.id for each in state.legal_actions()} == legal
        if position.over:
            assert state.outcome is not None
            knocked = state.outcome.knocker is not None
            assert knocked == (state.outcome.ending is not Ending.DEAD_STOCK)
            break
        quiet = sorted(each for each in legal if not each.startswith("knock"))
        choice = rng.choice(quiet if rng.random() < 0.9 else sorted(legal))
        position = position.after(choice)
        state = state.apply(action(choice))
