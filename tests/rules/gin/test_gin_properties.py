"""What holds in every position of every hand, whatever the house rules are."""

from __future__ import annotations

import pickle
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arena.errors import IllegalAction
from arena.rules.base import Action, ActionKind, Phase
from arena.rules.cards import NAMES
from arena.rules.gin.actions import REFUSE
from arena.rules.gin.hand import GinHand, deal_gin
from arena.rules.gin.rules import GinRules
from arena.rules.gin.scoresheet import new_gin_sheet
from arena.rules.race import SUDDEN_DEATH_HANDS
from tests.rules import brute
from tests.rules.build import EVERY_ACTION
from tests.rules.strategies import gin_rules, random_deal

SEEDS = st.integers(0, 2**32)
RARE = {ActionKind.KNOCK, ActionKind.BIG_GIN, ActionKind.REFUSE, ActionKind.DOUBLE}


def choose(hand: GinHand, random: Random) -> Action:
    """Any legal action, but seldom one that ends the hand, so that hands last."""
    legal = hand.legal_actions()
    lasting = [each for each in legal if each.kind not in RARE]
    return random.choice(lasting if lasting and random.random() < 0.9 else legal)


def check_cards(hand: GinHand) -> None:
    """Every card of the pack is in exactly one place, and hands have their size."""
    places = hand.cards_by_place()
    size = hand.table.rules.hand_size
    everything = [card for cards in places.values() for card in cards]
    assert len(everything) == 52
    assert set(everything) == set(NAMES)
    for position in (0, 1):
        extra = 1 if hand.phase is Phase.DISCARD and hand.to_act == position else 0
        count = len(places[f"hand{position}"])
        if hand.to_act is None:
            assert size <= count <= size + 1
        else:
            assert count == size + extra
    assert set(places["hand0"]) >= set(hand.view(1).positions[0].known)


def check_view(hand: GinHand) -> None:
    """Each position sees its own cards, the pile, and nothing else of the deck."""
    places = hand.cards_by_place()
    for position in (0, 1):
        view = hand.view(position)
        assert view.hand == places[f"hand{position}"]
        assert view.discard_pile == places["discard"]
        assert view.stock_count == len(places["stock"])
        assert view.turn == hand.turn == len(view.log)
        if hand.to_act == position and hand.phase is Phase.DISCARD:
            assert view.drawn in view.hand
        else:
            assert (view.drawn, view.taken) == (None, False)


@settings(deadline=None, max_examples=300, suppress_health_check=[HealthCheck.too_slow])
@given(rules=gin_rules(), seed=SEEDS)
def test_cards_are_conserved_and_hands_end(rules: GinRules, seed: int) -> None:
    """After every action all 52 cards are accounted for, and play ends within its bound."""
    random = Random(seed)
    hand = random_deal(rules, random)
    check_cards(hand)
    while hand.to_act is not None:
        hand = hand.apply(choose(hand, random))
        check_cards(hand)
        check_view(hand)

        # Two passes, then a draw and a discard a turn; an offer and its answer before each of
        # the at most six doubles; the last discard may be passed.
        assert hand.turn <= 2 + 2 * rules.max_turns + 2 * 6 + 2
    outcome = hand.outcome
    assert outcome is not None
    assert min(outcome.points) == 0
    if outcome.winner is None:
        assert outcome.points == (0, 0)
    assert len(outcome.shown) == 2


@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(rules=gin_rules(), seed=SEEDS)
def test_legal_actions_apply_and_all_others_are_refused(rules: GinRules, seed: int) -> None:
    """The list of legal actions is exactly what `apply` accepts, in every position."""
    random = Random(seed)
    hand = random_deal(rules, random)
    while hand.to_act is not None:
        legal = hand.legal_actions()
        assert len(set(legal)) == len(legal) > 0
        for each in EVERY_ACTION:
            if each in legal:
                assert hand.apply(each).turn == hand.turn + 1
            else:
                with pytest.raises(IllegalAction):
                    hand.apply(each)
        hand = hand.apply(choose(hand, random))


@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(rules=gin_rules(), seed=SEEDS)
def test_knocks_are_those_within_the_limit_shown(rules: GinRules, seed: int) -> None:
    """The limit that players are told is the limit enforced, by an exhaustive count."""
    random = Random(seed)
    hand = random_deal(rules, random)
    while hand.to_act is not None:
        if hand.phase is Phase.DISCARD:
            view = hand.view(hand.to_act)
            assert view.knock_limit is not None
            cards = frozenset(view.hand)
            kept = view.drawn if view.taken and not rules.redraw_discard else None
            within = {
                card
                for card in cards
                if card != kept
                and brute.deadwood(cards - {card}, rules.ace_mode == "corner", rules.ace_deadwood)
                <= view.knock_limit
            }
            knocks = {each.arg for each in hand.legal_actions() if each.kind is ActionKind.KNOCK}
            assert knocks == within
        hand = hand.apply(choose(hand, random))


@settings(deadline=None, max_examples=60)
@given(rules=gin_rules(), seed=SEEDS)
def test_first_legal_action_is_safe(rules: GinRules, seed: int) -> None:
    """It never gives the hand away, and knocks only where nothing else is allowed."""
    random = Random(seed)
    hand = random_deal(rules, random)
    while hand.to_act is not None:
        safe, melds = hand.safe_action()
        assert safe is hand.legal_actions()[0]
        assert melds is None
        assert safe is not REFUSE
        if safe.kind is ActionKind.KNOCK:
            assert hand.resume is Phase.LAST_DISCARD
        if safe.kind is ActionKind.DISCARD and not hand.taken:
            assert safe.arg == NAMES[hand.drawn]
        hand = hand.apply(choose(hand, random))


@settings(deadline=None, max_examples=60)
@given(rules=gin_rules(), seed=SEEDS)
def test_a_view_does_not_depend_on_hidden_cards(rules: GinRules, seed: int) -> None:
    """Two deals that differ only in what a position cannot know look the same to it.

    The other deck has the opponent's hand and the stock mixed up, except for cards that came out
    into the open. The same public events then give the same view and the same legal actions.
    """
    random = Random(seed)
    hand = random_deal(rules, random)
    me = random.randrange(2)
    while hand.to_act is not None and hand.turn < 30:
        hand = hand.apply(choose(hand, random))
    if hand.to_act is None:
        return
    twin = hidden_cards_mixed(hand, me, random)

    assert twin.view(me) == hand.view(me)
    if hand.to_act == me:
        assert twin.legal_actions() == hand.legal_actions()


def hidden_cards_mixed(hand: GinHand, me: int, random: Random) -> GinHand:
    """The same position with the cards that ``me`` cannot know dealt round at random."""
    known = hand.known[1 - me]
    theirs = hand.hands[1 - me] & ~known
    stock = hand.table.deck[hand.top : hand.bottom]
    hidden = [index for index in range(52) if theirs >> index & 1] + list(stock)
    random.shuffle(hidden)
    count = theirs.bit_count()
    new_hand = known | sum(1 << index for index in hidden[:count])
    deck = (
        *hand.table.deck[: hand.top],
        *hidden[count:],
        *hand.table.deck[hand.bottom :],
    )
    drawn = hand.drawn
    if hand.to_act == 1 - me and drawn >= 0 and not hand.taken:
        drawn = (new_hand & ~known).bit_length() - 1
    hands = (hand.hands[0], new_hand) if me == 0 else (new_hand, hand.hands[1])
    return hand._replace(table=hand.table._replace(deck=deck), hands=hands, drawn=drawn)


@settings(deadline=None, max_examples=60)
@given(rules=gin_rules(), seed=SEEDS)
def test_stated_best_melds_change_nothing(rules: GinRules, seed: int) -> None:
    """Stating exactly the default spread gives the same outcome as stating nothing."""
    random = Random(seed)
    hand = random_deal(rules, random)
    while hand.to_act is not None:
        ends = [each for each in hand.legal_actions() if each.kind in ("knock", "big_gin")]
        if ends:
            shown = hand.apply(ends[0])
            assert shown.outcome is not None
            stated = shown.outcome.shown[hand.to_act].melds
            assert hand.apply(ends[0], stated).outcome == shown.outcome
        hand = hand.apply(choose(hand, random))


@settings(deadline=None, max_examples=30)
@given(rules=gin_rules(), seed=SEEDS)
def test_hands_survive_a_copy(rules: GinRules, seed: int) -> None:
    """A hand that was pickled, as for another process, plays on as the same hand."""
    random = Random(seed)
    hand = random_deal(rules, random)
    while hand.to_act is not None and hand.turn < 12:
        hand = hand.apply(choose(hand, random))
    twin = pickle.loads(pickle.dumps(hand))

    assert twin == hand
    assert twin.table.melds is hand.table.melds
    assert twin.legal_actions() == hand.legal_actions()


@settings(deadline=None, max_examples=60)
@given(rules=gin_rules(max_turns=6), seed=SEEDS)
def test_games_end(rules: GinRules, seed: int) -> None:
    """A game is over after ``max_hands`` and sudden death at the latest; points add up."""
    random = Random(seed)
    sheet = new_gin_sheet(rules, random.randrange(2))
    scored = [0, 0]
    while (plan := sheet.next_deal()) is not None:
        deck = random.sample(NAMES, len(NAMES))
        hand = deal_gin(rules, deck, plan.dealer)
        while hand.to_act is not None:
            hand = hand.apply(random.choice(hand.legal_actions()))
        assert hand.outcome is not None
        sheet = sheet.add(hand.outcome)
        scored = [scored[seat] + hand.outcome.points[seat] for seat in (0, 1)]
        assert sheet.hands <= rules.max_hands + SUDDEN_DEATH_HANDS
        if rules.columns == 1 and rules.game_target is None:
            assert [line.points for line in sheet.lines] == scored
    assert sheet.over
    assert len(sheet.winners) <= 1
