"""The end of a Battle Royal hand: layoffs, what is shown, who scores, and the sentence about it.

Pure functions from cards to a `HandOutcome`; how play got there is `royal_hand`'s business.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from arena.rules.base import Ending, HandOutcome, Shown
from arena.rules.cards import names
from arena.rules.gin.showdown import DEAD_SENTENCES
from arena.rules.layoffs import Defence
from arena.rules.melds import MeldTables, default_spread, meld_names, meld_tables, open_cards
from arena.rules.tables.royal_rules import RoyalRules


class RoyalScore(NamedTuple):
    """How a knock ended: points by position, and who won the hand (two when they share it)."""

    ending: Ending
    points: tuple[int, ...]
    winners: tuple[int, ...]


def score_royal(rules: RoyalRules, counts: Sequence[int], knocker: int) -> RoyalScore:
    """Score a knock by everybody's count after layoffs.

    Gin scores its bonus and both other counts. A knocker who is strictly lowest scores the other
    two counts less his own. One who is not loses a fixed number of points, and the lowest of the
    others scores the other two counts less his own; if the others are level, each scores half of
    that, rounded down.
    """
    points = [0] * len(counts)
    others = [at for at in range(len(counts)) if at != knocker]
    total = sum(counts)
    if counts[knocker] == 0:
        points[knocker] = rules.gin_bonus + total
        return RoyalScore(Ending.GIN, tuple(points), (knocker,))
    least = min(counts[at] for at in others)
    if counts[knocker] < least:
        points[knocker] = total - 2 * counts[knocker]
        return RoyalScore(Ending.KNOCK, tuple(points), (knocker,))
    winners = tuple(at for at in others if counts[at] == least)
    points[knocker] = -rules.beaten_knocker
    for at in winners:
        points[at] = (total - 2 * least) // len(winners)
    return RoyalScore(Ending.UNDERCUT, tuple(points), winners)


def defend_directly(
    hand: int, shown: Sequence[int], tables: MeldTables, *, may_lay_off: bool
) -> Defence:
    """The least count of a defender who may only extend the knocker's own melds.

    A card fits when it touches a meld as the knocker laid it: no card may be put on a card that
    was laid off. Every such card is therefore free of every other, and the two defenders do not
    hinder each other. Of equally good answers the one with the fewest layoffs is taken, then the
    one that lays off the lowest cards.
    """
    best = (tables.deadwood(hand), 0, 0)
    if may_lay_off:
        fitting = open_cards(shown, tables.ace_mode) & hand
        cards = fitting
        while cards:
            best = min(best, (tables.deadwood(hand ^ cards), cards.bit_count(), cards))
            cards = (cards - 1) & fitting
    count, _, laid_off = best
    rest = hand ^ laid_off
    melds = default_spread(rest, tables)
    return Defence(count, melds, laid_off, rest ^ sum(melds))


def settle_royal(
    rules: RoyalRules, hands: Sequence[int], knocker: int, spread: tuple[int, ...]
) -> HandOutcome:
    """The outcome when this position shows these melds; hands are what is left after the discard.

    Both defenders do their best by themselves. ``winner`` is None when two of them share the
    hand; both have won it then.
    """
    tables = meld_tables(rules.ace_mode, rules.ace_deadwood)
    loose = hands[knocker] ^ sum(spread)
    own = Defence(tables.value_of(loose), spread, 0, loose)
    ends = [
        own if at == knocker else defend_directly(hand, spread, tables, may_lay_off=own.value > 0)
        for at, hand in enumerate(hands)
    ]
    score = score_royal(rules, [end.value for end in ends], knocker)
    return HandOutcome(
        ending=score.ending,
        points=score.points,
        winner=score.winners[0] if len(score.winners) == 1 else None,
        shown=tuple(_shown(end) for end in ends),
        sentence=_sentence(knocker, ends, score),
        knocker=knocker,
    )


def settle_royal_dead(rules: RoyalRules, ending: Ending, hands: Sequence[int]) -> HandOutcome:
    """The outcome of a hand in which nobody knocked."""
    tables = meld_tables(rules.ace_mode, rules.ace_deadwood)
    ends = [defend_directly(hand, (), tables, may_lay_off=False) for hand in hands]
    return HandOutcome(
        ending=ending,
        points=(0,) * len(hands),
        winner=None,
        shown=tuple(_shown(end) for end in ends),
        sentence=DEAD_SENTENCES[ending],
    )


def hand_winners(outcome: HandOutcome) -> tuple[int, ...]:
    """Positions that won the hand: none, one, or the two who beat the knocker together."""
    if outcome.winner is not None:
        return (outcome.winner,)
    if outcome.ending is Ending.UNDERCUT:
        return tuple(at for at in range(len(outcome.points)) if at != outcome.knocker)
    return ()


def _sentence(knocker: int, ends: Sequence[Defence], score: RoyalScore) -> str:
    opening = (
        f"P{knocker} goes gin"
        if score.ending is Ending.GIN
        else f"P{knocker} knocks with {ends[knocker].value}"
    )
    counts = ", ".join(
        f"P{at} is left with {end.value}" for at, end in enumerate(ends) if at != knocker
    )
    points = score.points[score.winners[0]]
    gains = f"{points} points to " + " and ".join(f"P{at}" for at in score.winners)
    if score.ending is Ending.UNDERCUT:
        return f"{opening}; {counts}: {gains}, P{knocker} loses {-score.points[knocker]}"
    return f"{opening}; {counts}: {gains}"


def _shown(end: Defence) -> Shown:
    return Shown(meld_names(end.melds), names(end.deadwood), names(end.laid_off), end.value)
