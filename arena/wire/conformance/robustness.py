"""Checks: does the bot answer what it may be asked beside the usual: more fields, any clock."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from arena.referee.moments import deal, moment_of
from arena.wire.conformance.decisions import LEGAL, all_of, of_all, sample
from arena.wire.conformance.steps import StepFailed, StepSkipped, StepWarning, plural
from arena.wire.conformance.visit import Check, Visit

ROBUST = "Robustness"
PART = 0.03
"""How much of the whole time a slow bot is asked in each of these steps."""
IGNORE = "ignore what you do not know: later protocol versions add fields"
ANY_CLOCK = "do not rely on bank_ms, last_latency_ms or last_status having a usual value"


def checks() -> Iterator[Check]:
    """The checks in their order."""
    yield Check(ROBUST, "tolerates unknown fields", IGNORE, _unknown_fields)
    yield Check(
        ROBUST,
        "gives the same answer to the same request",
        "let the answer depend on the request only; seed random numbers with request_id",
        _same_answer,
    )
    yield Check(
        ROBUST, "answers whatever the time bank and the last call were", ANY_CLOCK, _odd_clock
    )
    yield Check(
        ROBUST,
        "plays two interleaved matches",
        "keep no state of a hand between requests: everything is in the request",
        _interleaved,
    )
    yield Check(ROBUST, "answers when only one action is legal", LEGAL, _only_one)


def _unknown_fields(visit: Visit) -> str:
    extra: dict[str, Any] = {"weather": {"sky": "clear", "wind": [1, 2, 3]}, "z_new": None}
    asked = visit.some(visit.affordable(PART, 4))
    for moment in asked:
        visit.must_answer([moment])
        try:
            visit.must_answer([moment], extra)
        except StepFailed as one:
            raise StepFailed(f"with unknown fields only: {one}", one.fault, IGNORE) from None
    return f"{plural(len(asked), 'decision')} with 2 unknown fields"


def _same_answer(visit: Visit) -> str:
    asked = visit.some(visit.affordable(PART, 8))
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
    most = visit.affordable(PART, 40, 6)
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
    asked = sample(visit, forced, PART)
    all_of(visit, asked)
    return of_all(len(asked), len(forced))
