"""Checks: does the bot play legally, in every phase of every game that it claims."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from math import ceil
from random import Random
from typing import Any, NamedTuple, TypeVar

from arena.errors import ArenaError
from arena.referee.moments import Moment, deal, moment_of
from arena.rules.base import Ending, Melds, Phase, Variant
from arena.wire.conformance.positions import RARE, Found, curious
from arena.wire.conformance.steps import (
    StepFailed,
    StepSkipped,
    StepUnfinished,
    StepWarning,
    plural,
)
from arena.wire.conformance.visit import Check, Visit

PHASES = "Decisions by phase"
RARITIES = "Decisions with special actions"
HANDS = "Whole hands"
ROBUST = "Robustness"

MOST_DECISIONS = 600
USUAL_DECISIONS = 70
"""Of a whole hand, about; more for some games and fewer for others."""
LEAST_OF_HAND = 1
POSITIONS_PART, ROBUST_PART, HANDS_PART, PLAY_PART = 0.2, 0.03, 0.9, 0.15
"""How much of the whole time a slow bot is asked single positions, each step of robustness, whole
hands (of what is left by then), and hands against an opponent."""
BE_SURE = (
    "declare only when the other thirteen cards are groups that hold, see `arena rules indian`"
)
IGNORE = "ignore what you do not know: later protocol versions add fields"
ANY_CLOCK = "do not rely on bank_ms, last_latency_ms or last_status having a usual value"
T = TypeVar("T")
MOST_FAILURES = 3
"""After so many failed decisions in a step the others are not asked."""
OPPORTUNITIES = {
    "knock": "knocking is possible",
    "big_gin": "big gin is possible",
    "double": "doubling is possible",
    "under": "the discard below the top can be taken",
    "take": "several discards can be taken",
    "meld": "a meld can be laid on the table",
    "add": "a card can be added to a meld on the table",
    "declare": "declaring is possible",
    "drop": "dropping out is possible",
}
FAMILIES = {
    "gin": "two-handed gin",
    "mahjong": "mahjong gin",
    "battle_royal": "battle royal",
    "cutthroat": "cutthroat",
    "chouette": "chouette",
    "teams": "teams",
    "indian": "Indian rummy",
}
LEGAL = "answer with the id of one of the actions in `legal`; the first is always safe"


def checks() -> Iterator[Check]:
    """The checks in their order."""
    for phase in Phase:
        if phase is not Phase.OVER:
            yield Check(PHASES, f"phase {phase}", LEGAL, _asks(_in_phase(phase)))
    for kind in dict.fromkeys(RARE.values()):
        yield Check(RARITIES, f"when {OPPORTUNITIES[kind]}", LEGAL, _asks(_with_rare(kind)))
    yield Check(
        ROBUST,
        "tolerates unknown fields",
        IGNORE,
        _unknown_fields,
    )
    yield Check(
        ROBUST,
        "gives the same answer to the same request",
        "let the answer depend on the request only; seed random numbers with request_id",
        _same_answer,
    )
    yield Check(
        ROBUST,
        "answers whatever the time bank and the last call were",
        ANY_CLOCK,
        _odd_clock,
    )
    yield Check(
        ROBUST,
        "plays two interleaved matches",
        "keep no state of a hand between requests: everything is in the request",
        _interleaved,
    )
    yield Check(
        ROBUST,
        "answers when only one action is legal",
        LEGAL,
        _only_one,
    )


def checks_of_hands() -> Iterator[Check]:
    """The checks that take the most time, for the end."""
    for family, title in FAMILIES.items():
        yield Check(HANDS, f"plays whole hands of {title}", LEGAL, _hands_of(family))


def _in_phase(phase: Phase) -> Callable[[Found], bool]:
    return lambda found: found.phase is phase


def _with_rare(kind: str) -> Callable[[Found], bool]:
    return lambda found: kind in found.rare


def _asks(wanted: Callable[[Found], bool]) -> Callable[[Visit], str]:
    """Ask about all positions that fit."""

    def run(visit: Visit) -> str:
        chosen = [found for found in visit.positions if wanted(found)]
        if not chosen:
            raise StepSkipped("no game that the bot claims has it")
        share = POSITIONS_PART * len(chosen) / len(visit.positions)
        asked = _sample(visit, chosen, share)
        _all_of(visit, [found.moment for found in asked])
        games = len({found.variant.name for found in asked})
        return f"{_of_all(len(asked), len(chosen))} in {plural(games, 'variant')}"

    return run


def _sample(visit: Visit, found: Sequence[T], part: float) -> Sequence[T]:
    """All of them, or as many as a slow bot can be asked in this part of the time, spread."""
    count = visit.affordable(part, len(found))
    return found if count == len(found) else Random("sample").sample(found, count)


def _of_all(asked: int, known: int) -> str:
    """How many decisions were asked, and of how many if not of all."""
    return plural(asked, "decision") if asked == known else f"{asked} of {known} decisions"


def _all_of(visit: Visit, moments: Sequence[Moment]) -> None:
    """Ask for each; when some fail, tell how many, and of the first everything.

    :raises StepFailed: some did.
    """
    failed: list[StepFailed] = []
    exchange = None
    asked = 0
    for moment in moments:
        if visit.is_late and not failed:
            raise StepUnfinished(f"the time was up after {asked} of {len(moments)} decisions")
        asked += 1
        try:
            visit.must_answer([moment])
        except StepFailed as one:
            failed.append(one)
            exchange = exchange or visit.kept()
        # One of many may be a rare case, but who fails at once fails always.
        if len(failed) == MOST_FAILURES or (failed and asked == 1):
            break
    if failed and exchange is not None:
        visit.show_again(exchange)
        of = f"{len(failed)} of {plural(asked, 'decision')} failed: " if len(moments) > 1 else ""
        raise StepFailed(f"{of}{failed[0]}", failed[0].fault)


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


def _unknown_fields(visit: Visit) -> str:
    extra: dict[str, Any] = {"weather": {"sky": "clear", "wind": [1, 2, 3]}, "z_new": None}
    asked = visit.some(visit.affordable(ROBUST_PART, 4))
    for moment in asked:
        visit.must_answer([moment])
        try:
            visit.must_answer([moment], extra)
        except StepFailed as one:
            raise StepFailed(f"with unknown fields only: {one}", one.fault, IGNORE) from None
    return f"{plural(len(asked), 'decision')} with 2 unknown fields"


def _same_answer(visit: Visit) -> str:
    asked = visit.some(visit.affordable(ROBUST_PART, 8))
    first = [visit.must_answer([moment])[0] for moment in asked]
    again = [visit.must_answer([moment])[0] for moment in reversed(asked)][::-1]
    changed = [
        f"{moment.id}: {one.action} then {other.action}"
        for moment, one, other in zip(asked, first, again, strict=True)
        if one != other
    ]
    if changed:
        raise StepWarning(f"{len(changed)} of {len(asked)} changed, e.g. {changed[0]}")
    return f"{plural(len(asked), 'decision')} asked twice"


def _odd_clock(visit: Visit) -> str:
    statuses: list[dict[str, Any]] = [
        {"bank_ms": 0, "last_latency_ms": None, "last_status": "timeout"},
        {"bank_ms": 86_400_000, "last_latency_ms": 12.3, "last_status": "late"},
        {"bank_ms": 1, "last_latency_ms": 0, "last_status": "illegal"},
    ]
    for moment, clock in zip(visit.some(3), statuses, strict=False):
        visit.must_answer([moment])
        try:
            visit.must_answer([moment._replace(request={**moment.request, **clock})])
        except StepFailed as one:
            said = ", ".join(f"{name} {value}" for name, value in clock.items())
            raise StepFailed(f"with {said} only: {one}", one.fault, ANY_CLOCK) from None
    return ""


def _interleaved(visit: Visit) -> str:
    """Two hands of one game, decision by decision in turn, without /start."""
    variant = visit.variants[0]
    players = variant.family.players(variant.rules)[0]
    hands = {}
    for name in ("one", "two"):
        hands[name] = deal(
            variant, players, f"interleaved {name}", match=f"m_{name}-{variant.name}"
        )
    decisions = 0
    most = visit.affordable(ROBUST_PART, 40, 6)
    while decisions < most:
        live = [name for name, (hand, _) in hands.items() if hand.to_act is not None]
        if not live:
            break
        for name in live:
            hand, context = hands[name]
            moment = moment_of(hand, context, visit.options.deadline_ms).by_seat()
            (reply,) = visit.must_answer([moment])
            hands[name] = (moment.after(reply.action, reply.melds), context)
            decisions += 1
    return plural(decisions, "decision")


def _only_one(visit: Visit) -> str:
    forced = [found.moment for found in visit.positions if len(found.moment.legal) == 1]
    if not forced:
        raise StepSkipped("no game that the bot claims has it")
    asked = _sample(visit, forced, ROBUST_PART)
    _all_of(visit, asked)
    return _of_all(len(asked), len(forced))


def play_hands(visit: Visit) -> str:
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
