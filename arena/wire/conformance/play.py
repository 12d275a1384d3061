"""Checks: does the bot play legally, in every phase of every game that it claims."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from arena.errors import IllegalAction
from arena.rules.base import Ending, Melds, Phase, Variant
from arena.wire.conformance.positions import RARE, Found, Moment, deal, moment_of
from arena.wire.conformance.steps import StepFailed, StepSkipped, StepWarning, plural
from arena.wire.conformance.visit import Check, Visit

PHASES = "Decisions by phase"
RARITIES = "Decisions with special actions"
HANDS = "Whole hands"
ROBUST = "Robustness"

MOST_DECISIONS = 600
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
    for family, title in FAMILIES.items():
        yield Check(HANDS, f"plays whole hands of {title}", LEGAL, _hands_of(family))
    yield Check(
        ROBUST,
        "tolerates unknown fields",
        "ignore what you do not know: later protocol versions add fields",
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
        "do not rely on bank_ms, last_latency_ms or last_status having a usual value",
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
        _all_of(visit, [found.moment for found in chosen])
        games = len({found.variant.name for found in chosen})
        return f"{plural(len(chosen), 'decision')} in {plural(games, 'variant')}"

    return run


def _all_of(visit: Visit, moments: Sequence[Moment]) -> None:
    """Ask for each; when some fail, tell how many, and of the first everything.

    :raises StepFailed: some did.
    """
    failed: list[StepFailed] = []
    exchange = None
    asked = 0
    for moment in moments:
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
        decisions, foolish = 0, 0
        for variant in variants:
            count, ending = _whole_hand(visit, variant)
            decisions += count
            foolish += ending is Ending.WRONG_DECLARATION
        if foolish:
            raise StepWarning(
                f"{foolish} of {len(variants)} hands ended with a wrong declaration; "
                "declare only when the groups hold"
            )
        return f"{plural(len(variants), 'hand')}, {plural(decisions, 'decision')}"

    return run


def _whole_hand(visit: Visit, variant: Variant) -> tuple[int, Ending | None]:
    """The bot against itself on all seats; the number of its decisions and how the hand ended."""
    players = variant.family.players(variant.rules)[0]
    hand, context = deal(
        variant, players, f"hand of {variant.name}", match=f"m_hand-{variant.name}"
    )
    decisions = 0
    while hand.to_act is not None and decisions < MOST_DECISIONS and not visit.is_late:
        moment = moment_of(hand, context, visit.options.deadline_ms).by_seat()
        (reply,) = visit.must_answer([moment])
        hand = moment.after(reply.action, reply.melds)
        decisions += 1
    return decisions, hand.outcome.ending if hand.outcome is not None else None


def _unknown_fields(visit: Visit) -> str:
    extra: dict[str, Any] = {"weather": {"sky": "clear", "wind": [1, 2, 3]}, "z_new": None}
    asked = visit.some(4)
    for moment in asked:
        visit.must_answer([moment], extra)
    return f"{plural(len(asked), 'decision')} with 2 unknown fields"


def _same_answer(visit: Visit) -> str:
    asked = visit.some(8)
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
        visit.must_answer([moment._replace(request={**moment.request, **clock})])
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
    while decisions < 40:
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
    _all_of(visit, forced)
    return plural(len(forced), "decision")


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
            raise StepWarning(f"time was up after {number} of {wanted} hands")
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
    answer = opponent(moment.request)
    melds: Melds | None = answer.get("melds")
    try:
        return moment.after(str(answer["action"]), melds)
    except IllegalAction as error:
        raise StepSkipped(f"the opponent played an illegal action: {error}") from None
