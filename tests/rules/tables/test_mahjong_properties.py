"""Mahjong gin under random play: nothing is lost, nothing leaks, nothing gets stuck."""

from __future__ import annotations

import dataclasses
from itertools import combinations, pairwise
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from arena.rules.base import Ending, Phase, action
from arena.rules.cards import NAMES, indexes, mask_of
from arena.rules.melds import is_run, is_set, meld_tables
from arena.rules.tables.mahjong import FAMILY
from arena.rules.tables.mahjong_hand import MahjongHand
from arena.rules.tables.mahjong_rules import MahjongRules
from tests.rules.tables.naive_mahjong import Position, is_meld
from tests.rules.tables.playing import all_states, assert_whole_pack

RULES = MahjongRules()
seeds = st.integers(0, 2**32)
eagerness = st.sampled_from([0.0, 0.3, 0.8, 1.0])
ace_modes = st.sampled_from(["low", "corner"])


def states(seed: int, eager: float, rules: MahjongRules = RULES) -> list[MahjongHand]:
    """All states of one hand played at random."""
    return all_states(MahjongHand, FAMILY, rules, seed, eager, 2)


def most_actions(rules: MahjongRules) -> int:
    """The stated bound: two passes, a draw and a discard a turn, and each card is laid once."""
    return 2 + 2 * rules.max_turns + 52


@given(seeds, eagerness, ace_modes, st.sampled_from([3, 40, 150]))
@settings(max_examples=60, deadline=None)
def test_any_legal_play_keeps_the_pack_and_ends(
    seed: int, eager: float, ace_mode: str, max_turns: int
) -> None:
    """All 52 cards stay in one place each, every state offers an action until the hand is over,
    and it is over within the stated number of actions."""
    rules = FAMILY.replace(RULES, {"ace_mode": ace_mode, "max_turns": max_turns})
    played = states(seed, eager, rules)
    tables = meld_tables(ace_mode)
    for state in played:
        assert_whole_pack(state.cards_by_place())
        assert all(is_set(meld) or is_run(meld, tables) for meld in state.table)
        legal = state.legal_actions()
        assert len(set(legal)) == len(legal)
        assert bool(legal) == (state.to_act is not None) == (state.outcome is None)
        if legal:
            assert state.safe_action() == (legal[0], None)
    assert played[-1].turn == len(played) - 1 <= most_actions(rules)
    assert played[-1].phase is Phase.OVER


@given(seeds, eagerness)
@settings(max_examples=40, deadline=None)
def test_between_turns_a_player_never_holds_more_than_was_dealt_and_taken(
    seed: int, eager: float
) -> None:
    """Cards held are cards dealt plus cards drawn less cards laid and thrown, by the public log."""
    held = [10, 10]
    for before, after in pairwise(states(seed, eager)):
        who, act = after.log[-1]
        kind, _, arg = act.partition(":")
        change = {"pass": 0, "draw": 1, "add": -1, "discard": -1}.get(kind)
        if kind == "take":
            change = int(arg)
        held[who] += -len(arg) // 2 if change is None else change
        assert held == [cards.bit_count() for cards in after.hands], (before, act)


@given(seeds, st.sampled_from([0.8, 1.0]))
@settings(max_examples=60, deadline=None)
def test_points_follow_from_the_public_log(seed: int, eager: float) -> None:
    """Whoever laid or added a card is credited with it, and only gin scores."""
    end = states(seed, eager)[-1]
    assert end.outcome is not None
    if end.outcome.ending is not Ending.GIN:
        assert (end.outcome.points, end.outcome.winner) == ((0, 0), None)
        return
    worth = {card: 15 if card[0] == "A" else 10 if card[0] in "TJQK" else 5 for card in NAMES}
    points = [0, 0]
    for who, act in end.log:
        kind, _, arg = act.partition(":")
        if kind == "meld":
            points[who] += sum(worth[arg[at : at + 2]] for at in range(0, len(arg), 2))
        if kind == "add":
            points[who] += worth[arg[:2]]
    for who in (0, 1):
        points[who] -= sum(worth[card] for card in end.view(who).hand)
    winner = end.log[-1].position
    points[winner] += 25
    assert (end.outcome.points, end.outcome.winner) == (tuple(points), winner)
    assert end.hands[winner] == 0


@given(seeds, eagerness, st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None)
def test_a_view_does_not_depend_on_hidden_cards(seed: int, eager: float, rng: Random) -> None:
    """Any exchange of the stock with the unknown cards of the other hand leaves view and legal
    actions of a player as they were."""
    played = states(seed, eager)
    state = rng.choice(played)
    for me in (0, 1):
        other = 1 - me
        hidden = [*indexes(state.hands[other] & ~state.known[other]), *state.stock]
        rng.shuffle(hidden)
        count = len(hidden) - len(state.stock)
        theirs = sum(1 << card for card in hidden[:count]) | state.known[other]
        hands = (state.hands[0], theirs) if me == 0 else (theirs, state.hands[1])
        drawn = state.drawn
        if state.mover == other and not state.taken and drawn is not None:
            drawn = hidden[0]
        permuted = dataclasses.replace(state, hands=hands, stock=tuple(hidden[count:]), drawn=drawn)
        assert permuted.view(me) == state.view(me)
        if state.to_act == me:
            assert permuted.legal_actions() == state.legal_actions()


DENSE = (("CD", "A23456"), ("CDH", "2345"), ("CDHS", "789"), ("C", "A23456789TJQK"))
"""Suits and ranks of small packs in which melds, duties and chains are frequent."""


@st.composite
def small_positions(draw: st.DrawFn) -> Position:
    """Small random positions before a draw, with up to two melds on the table."""
    rng = draw(st.randoms(use_true_random=False))
    suits, ranks = draw(st.sampled_from(DENSE))
    loose = [rank + suit for suit in suits for rank in ranks]
    rng.shuffle(loose)
    table: tuple[list[frozenset[str]], list[frozenset[str]]] = ([], [])
    for owner in table:
        melds = [frozenset(cards) for cards in combinations(loose, 3) if is_meld(frozenset(cards))]
        if melds and rng.random() < 0.6:
            owner.append(rng.choice(melds))
            loose = [card for card in loose if card not in owner[0]]
    first, second, pile = (loose[at::3][:5] for at in range(3))
    used = {*first, *second, *pile, *(card for owner in table for meld in owner for card in meld)}
    return Position(
        dealer=rng.randint(0, 1),
        mover=rng.randint(0, 1),
        hands=(frozenset(first), frozenset(second)),
        stock=tuple(card for card in NAMES if card not in used)[:6],
        pile=tuple(pile),
        table=(tuple(table[0]), tuple(table[1])),
    )


def as_hand(position: Position) -> MahjongHand:
    """The engine's state for a naive position."""
    index = {name: at for at, name in enumerate(NAMES)}
    return MahjongHand(
        rules=RULES,
        dealer=position.dealer,
        hands=(mask_of(position.hands[0]), mask_of(position.hands[1])),
        stock=tuple(index[card] for card in position.stock),
        pile=tuple(index[card] for card in position.pile),
        mover=position.mover,
        phase=Phase.DRAW,
        laid=(
            tuple(mask_of(meld) for meld in position.table[0]),
            tuple(mask_of(meld) for meld in position.table[1]),
        ),
        credit=(0, 0),
    )


@given(small_positions(), st.randoms(use_true_random=False))
@settings(max_examples=150, deadline=None)
def test_offers_are_exactly_those_from_which_the_turn_can_be_ended(
    position: Position, rng: Random
) -> None:
    """Against exhaustive search: no action is missing, and none leads to a dead end."""
    state = as_hand(position)
    for _ in range(12):
        legal = position.legal()
        assert {each.id for each in state.legal_actions()} == legal
        if position.over:
            break
        keen = {each for each in legal if each.startswith(("take", "meld", "add"))}
        choice = rng.choice(sorted(keen if keen and rng.random() < 0.8 else legal))
        position = position.after(choice)
        state = state.apply(action(choice))
