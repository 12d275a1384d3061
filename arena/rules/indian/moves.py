"""The moves of Indian rummy: each turns a state into the next. What is legal is `hand`'s affair.

When the stock is empty at the beginning of a turn, the open pile below its top card becomes the
stock. Its order is a function of the deal, so that anyone can redo it: the k-th time in a deal
(from 1) it is ``shuffled(cards, seed)`` of `arena.rules.deal`, where the cards are taken from the
bottom of the pile up and the seed is the text ``reshuffle|k|`` followed by the names of the whole
deck in the order it was dealt from, separated by spaces.
"""

from __future__ import annotations

from dataclasses import replace

from arena.rules.base import Ending, LogEntry, Phase
from arena.rules.deal import shuffled
from arena.rules.indian.cards import NAMES, Cards, without
from arena.rules.indian.groups import judge
from arena.rules.indian.outcome import declared, last_player, void, wrongly_declared
from arena.rules.indian.points import best_grouping, group_names
from arena.rules.indian.state import Deal, Left, Place, State, can_take


def draw_stock(state: State, at: int) -> State:
    """The player draws the top of the stock."""
    after = _drew(state, at, state.stock[0], "draw:stock")
    return replace(after, stock=state.stock[1:])


def draw_discard(state: State, at: int) -> State:
    """The player takes the top of the open pile, as everybody sees."""
    face = state.pile[-1]
    after = _drew(state, at, face, "draw:discard")
    place = after.places[at]
    known = tuple(sorted((*place.known, face)))
    return replace(
        after,
        places=_with(after.places, at, place._replace(known=known)),
        pile=state.pile[:-1],
        taken=True,
        opening=state.opening and len(state.pile) > 1,
    )


def discard(state: State, at: int, face: int) -> State:
    """The player throws a card and ends the turn, which was not missed."""
    after = _threw(state, at, face)
    place = after.places[at]
    place = place._replace(turns=place.turns + 1, misses=0)
    return _next_turn(replace(after, places=_with(after.places, at, place)), at)


def drop(state: State, at: int) -> State:
    """The player leaves the deal before drawing."""
    points = state.deal.rules.leaving_points(state.places[at].has_drawn)
    return _leave(_logged(state, at, "drop"), at, points, Left.DROPPED)


def miss(state: State, at: int) -> State:
    """The player missed the turn: see `IndianHand.miss`."""
    place = state.places[at]
    misses = place.misses + 1
    is_out = misses >= state.deal.rules.miss_limit
    after = state
    if state.phase is Phase.DRAW and state.stock and not is_out:
        after = draw_stock(state, at)
    if after.drawn is not None:
        after = _threw(after, at, after.drawn)
    place = after.places[at]
    place = place._replace(turns=place.turns + 1, misses=misses)
    after = replace(after, places=_with(after.places, at, place), turn=state.turn + 1)
    if is_out:
        points = state.deal.rules.miss_points
        # The log entry is no further decision.
        return _leave(replace(_logged(after, at, "drop"), turn=after.turn), at, points, Left.MISSED)
    return _next_turn(after, at)


def declare(state: State, at: int, face: int, groups: tuple[Cards, ...] | None) -> State:
    """The player finishes with a card and lays the others in these groups, or in the best ones."""
    deal = state.deal
    place = state.places[at]
    cards = without(place.cards, face)
    if groups is None or deal.rules.judge == "best_grouping":
        groups = best_grouping(cards, deal.grouping).groups
    verdict = judge(groups, deal.grouping)
    melds = group_names(groups)
    place = place._replace(cards=cards, known=_thrown(place.known, face), turns=place.turns + 1)
    if not verdict.valid:
        # Everybody has seen the whole hand.
        place = place._replace(known=cards, laid=melds)
    after = replace(
        _logged(state, at, f"declare:{NAMES[face]}"),
        places=_with(state.places, at, place),
        finish=(*state.finish, face),
        drawn=None,
        taken=False,
    )
    if verdict.valid:
        outcome = declared(deal, after.places, at, melds)
        return replace(after, to_act=None, phase=Phase.OVER, outcome=outcome)
    return _leave(after, at, deal.rules.wrong_declaration, Left.WRONG, verdict.sentence)


def begin_turn(state: State, at: int) -> State:
    """The turn passes to this position, or the deal is void if nobody can play on."""
    if state.places[at].turns >= state.deal.rules.max_turns:
        why = f"P{at} has had {state.deal.rules.max_turns} turns"
        return _over(state, Ending.DEAD_TURNS, why)
    if not state.stock and len(state.pile) > 1:
        order = _reshuffled(state.deal, state.shuffles + 1, state.pile[:-1])
        state = replace(
            state, stock=order, pile=state.pile[-1:], opening=False, shuffles=state.shuffles + 1
        )
    if not state.stock and not can_take(state):
        return _over(state, Ending.DEAD_STOCK, "no card is left to draw")
    return replace(state, to_act=at, phase=Phase.DRAW, drawn=None, taken=False)


def _reshuffled(deal: Deal, number: int, cards: Cards) -> Cards:
    text = f"reshuffle|{number}|{' '.join(deal.deck)}"
    return shuffled(cards, text.encode())


def _over(state: State, ending: Ending, why: str) -> State:
    outcome = void(state.deal, state.places, ending, why)
    return replace(state, to_act=None, phase=Phase.OVER, drawn=None, taken=False, outcome=outcome)


def _drew(state: State, at: int, face: int, did: str) -> State:
    place = state.places[at]
    place = place._replace(cards=tuple(sorted((*place.cards, face))), has_drawn=True)
    return replace(
        _logged(state, at, did),
        places=_with(state.places, at, place),
        phase=Phase.DISCARD,
        drawn=face,
    )


def _threw(state: State, at: int, face: int) -> State:
    place = state.places[at]
    place = place._replace(cards=without(place.cards, face), known=_thrown(place.known, face))
    return replace(
        _logged(state, at, f"discard:{NAMES[face]}"),
        places=_with(state.places, at, place),
        pile=(*state.pile, face),
        drawn=None,
        taken=False,
    )


def _thrown(known: Cards, face: int) -> Cards:
    return without(known, face) if face in known else known


def _leave(state: State, at: int, points: int, left: Left, why: str = "") -> State:
    """This position is out; the deal goes on if two are left."""
    places = _with(state.places, at, state.places[at]._replace(penalty=points, left=left))
    state = replace(state, places=places)
    active = [position for position, place in enumerate(places) if place.active]
    if len(active) > 1:
        return _next_turn(state, at)
    if left is Left.WRONG:
        outcome = wrongly_declared(state.deal, places, at, why, active[0])
    else:
        outcome = last_player(state.deal, places, active[0])
    return replace(state, to_act=None, phase=Phase.OVER, drawn=None, taken=False, outcome=outcome)


def _next_turn(state: State, at: int) -> State:
    count = len(state.places)
    following = [(at + step) % count for step in range(1, count + 1)]
    return begin_turn(state, next(p for p in following if state.places[p].active))


def _logged(state: State, at: int, did: str) -> State:
    return replace(state, log=(*state.log, LogEntry(at, did)), turn=state.turn + 1)


def _with(places: tuple[Place, ...], at: int, place: Place) -> tuple[Place, ...]:
    return (*places[:at], place, *places[at + 1 :])
