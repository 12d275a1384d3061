"""Checks: does the bot play whole hands, against itself and against an opponent.

They take the most time of all, so a slow bot plays them in part.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from math import ceil
from random import Random
from typing import Any, NamedTuple

from arena.errors import ArenaError
from arena.referee.moments import Moment, deal, moment_of
from arena.rules.base import Ending, Melds, Variant
from arena.rules.games import all_variants
from arena.wire.conformance.decisions import LEGAL
from arena.wire.conformance.positions import curious
from arena.wire.conformance.steps import StepSkipped, StepUnfinished, StepWarning, plural
from arena.wire.conformance.visit import Check, Visit

HANDS = "Whole hands"
PLAY = "Play"

MOST_DECISIONS = 600
USUAL_DECISIONS = 70
"""Of a whole hand, about; more for some games and fewer for others."""
LEAST_OF_HAND = 1
HANDS_PART, PLAY_PART = 0.9, 0.15
"""How much time a slow bot is asked whole hands (of what is left by then), and hands against an
opponent (of all)."""
BE_SURE = "declare only when the other thirteen cards are groups that hold by the rules"
FAMILIES = {variant.family.name: variant.family.title for variant in all_variants()}
"""Every family of games and what it is called, in the order in which they are played."""


def checks() -> Iterator[Check]:
    """The checks in their order, for the end of all."""
    for family, title in FAMILIES.items():
        yield Check(HANDS, f"plays whole hands of {title}", LEGAL, _hands_of(family))
    yield Check(PLAY, "plays hands against a sample bot", LEGAL, _play_hands)


def _hands_of(family: str) -> Callable[[Visit], str]:
    def run(visit: Visit) -> str:
        variants = [one for one in visit.variants if one.family.name == family]
        if not variants:
            raise StepSkipped("the bot does not claim it")
        played = []
        for number, variant in enumerate(variants):
            share_s = _share_s(visit, family, number)
            played.append(_whole_hand(visit, variant, share_s))
        foolish = sum(hand.ending is Ending.WRONG_DECLARATION for hand in played)
        if foolish:
            raise StepWarning(
                f"{foolish} of {len(variants)} hands ended with a wrong declaration", BE_SURE
            )
        asked = plural(sum(hand.asked for hand in played), "decision")
        sampled = sum(not hand.is_whole for hand in played)
        part = f", {sampled} of the hands in part, as the bot is slow" if sampled else ""
        return f"{plural(len(variants), 'hand')}, {asked}{part}"

    return run


def _share_s(visit: Visit, family: str, number: int) -> float:
    """Time for the hand of this number in a family, so that as much is left for each to come."""
    order = list(FAMILIES)
    to_come = set(order[order.index(family) :])
    hands = sum(one.family.name in to_come for one in visit.variants) - number
    kept = PLAY_PART * visit.options.limit_s if visit.options.play else 0.0
    return max(0.0, visit.left_s * HANDS_PART - kept) / hands


class _Played(NamedTuple):
    """A hand: the decisions of the bot, whether all were its own to the end, how it ended."""

    asked: int
    is_whole: bool
    ending: Ending | None


def _whole_hand(visit: Visit, variant: Variant, share_s: float) -> _Played:
    """The bot against itself on all seats.

    In a hand that would take longer than its share one decision in several is the bot's; the others
    are made here, legally. When the share is used up the hand is left.
    """
    step = max(1, ceil(visit.pace_s * USUAL_DECISIONS / max(share_s, 0.001)))
    until = time.monotonic() + share_s
    players = variant.family.players(variant.rules)[0]
    # What is decided here depends on the step, so its hands are others.
    match = f"m_hand-{variant.name}" + (f"-every{step}" if step > 1 else "")
    hand, context = deal(variant, players, f"hand of {variant.name}", match=match)
    rng = Random(match)
    asked = decisions = 0
    while hand.to_act is not None and decisions < MOST_DECISIONS:
        moment = moment_of(hand, context, visit.options.deadline_ms).by_seat()
        if visit.is_late:
            raise StepUnfinished(f"the time was up in a hand of {variant.name}")
        if time.monotonic() > until and asked >= LEAST_OF_HAND:
            return _Played(asked, False, None)
        if decisions % step:
            hand = hand.apply(curious(moment, rng, eager=False))
        else:
            (reply,) = visit.must_answer([moment])
            hand = moment.after(reply.action, reply.melds)
            asked += 1
        decisions += 1
    ending = hand.outcome.ending if hand.outcome is not None else None
    return _Played(asked, step == 1, ending if step == 1 else None)


def _play_hands(visit: Visit) -> str:
    """Hands against an opponent in this process, as many as the options say."""
    wanted = visit.options.play
    if not wanted:
        raise StepSkipped("no hands were asked for")
    two_handed = [one for one in visit.variants if one.family.players(one.rules)[0] == 2]
    if not two_handed:
        raise StepSkipped("the bot claims no game for two")
    won, lost, points = 0, 0, 0
    for number in range(wanted):
        if visit.is_late:
            raise StepUnfinished(f"the time was up after {number} of {wanted} hands")
        variant = two_handed[number % len(two_handed)]
        outcome = _against_opponent(visit, variant, number)
        if outcome is None:
            continue
        winner, difference = outcome
        won += winner is True
        lost += winner is False
        points += difference
    return f"{plural(wanted, 'hand')}: won {won}, lost {lost}, {points:+d} points"


def _against_opponent(
    visit: Visit, variant: Variant, number: int
) -> tuple[bool | None, int] | None:
    """Whether the bot won and by how many points; it deals every second pair of hands."""
    mine = number % 2
    hand, context = deal(variant, 2, f"play {number // 2}", match=f"m_play{number}-{variant.name}")
    while hand.to_act is not None:
        moment = moment_of(hand, context, visit.options.deadline_ms)
        if hand.to_act == mine:
            (reply,) = visit.must_answer([moment])
            hand = moment.after(reply.action, reply.melds)
        else:
            hand = _opponent_plays(visit, moment)
    outcome = hand.outcome
    if outcome is None:
        return None
    won = None if outcome.winner is None else outcome.winner == mine
    return won, outcome.points[mine] - outcome.points[1 - mine]


def _opponent_plays(visit: Visit, moment: Moment) -> Any:
    opponent = visit.options.opponent
    if opponent is None:
        return moment.hand.apply(moment.legal[0])
    try:
        answer = opponent(moment.request)
        melds: Melds | None = answer.get("melds")
        return moment.after(str(answer["action"]), melds)
    except ArenaError as error:
        game = moment.request["variant"]
        raise StepSkipped(f"the arena's own opponent cannot play {game}: {error}") from None
