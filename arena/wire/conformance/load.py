"""Checks: batches, several requests at a time, and how long decisions take."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from random import Random

from arena.referee.asks import Answer, Reply
from arena.referee.moments import Moment
from arena.referee.verdicts import BotFault
from arena.wire.conformance import framing
from arena.wire.conformance.advice import end_payload, start_payload
from arena.wire.conformance.steps import StepFailed, StepSkipped, StepWarning, plural
from arena.wire.conformance.visit import Check, Visit, where
from arena.wire.lane import Lane, Ticket
from arena.wire.messages import ReplyItem

BATCHES = "Batches"
CONCURRENCY = "Several requests at a time"
SPEED = "Speed"

BATCH_FIX = "answer every request of a batch, each with its id"
SAMPLE = 100
"""Decisions whose time is taken."""
SAMPLE_PART = 0.1
"""How much of the whole time that may take of a slow bot."""
TICKETS_A_CALL = 6
ACKNOWLEDGED_MS = (37.0, 60.0)
"""How long a call takes if its answer comes in two writes: the system keeps the second back until
the first is acknowledged, and systems wait 40 ms with that."""
GREETINGS = 5
ONE_WRITE = (
    "send headers and body in one write, or set TCP_NODELAY (disable_nagle_algorithm in "
    "http.server): in two writes each answer waits about 40 ms"
)


def checks() -> Iterator[Check]:
    """The checks in their order."""
    yield Check(BATCHES, "a batch of one", BATCH_FIX, _batch_of(lambda most: 1))
    yield Check(BATCHES, "a batch of two", BATCH_FIX, _batch_of(lambda most: 2))
    yield Check(
        BATCHES, "a batch of half of max_batch", BATCH_FIX, _batch_of(lambda most: (most + 1) // 2)
    )
    yield Check(BATCHES, "a batch of max_batch", BATCH_FIX, _batch_of(lambda most: most))
    yield Check(
        BATCHES,
        "the order in a batch changes no answer",
        "match answers to requests by id; let no request of a batch influence another",
        _order,
    )
    yield Check(
        BATCHES,
        "answers in a batch are those of single requests",
        "let no request of a batch influence another",
        _same_as_single,
    )
    yield Check(
        CONCURRENCY,
        "max_concurrency requests at the same time",
        "serve as many requests at once as max_concurrency says, or lower it",
        _concurrent,
    )
    yield Check(
        CONCURRENCY,
        "advisory calls while decisions are under way",
        "answer /start and /end beside /act",
        _advice_meanwhile,
    )
    yield Check(
        SPEED,
        "single decisions are well within the deadline",
        "make the bot faster, or enter it where the deadline is longer",
        _latency,
    )
    yield Check(
        SPEED,
        "a full batch is within the deadline",
        "the deadline is for the whole request: lower max_batch",
        _batch_latency,
    )


def _most(visit: Visit) -> int:
    return visit.info.max_batch if visit.info is not None else 1


def _some(visit: Visit, count: int) -> list[Moment]:
    """So many positions under new ids, different ones as far as there are any."""
    known = visit.some(count)
    return visit.fresh([known[at % len(known)] for at in range(count)])


def _batch_of(size: Callable[[int], int]) -> Callable[[Visit], str]:
    def run(visit: Visit) -> str:
        most = _most(visit)
        count = size(most)
        if count > most:
            raise StepSkipped(f"max_batch is {most}")
        visit.must_answer(_some(visit, count))
        return f"{plural(count, 'decision')} in one request"

    return run


def _order(visit: Visit) -> str:
    most = _most(visit)
    if most < 2:
        raise StepSkipped("max_batch is 1")
    asked = _some(visit, min(most, 8))
    orders = [asked, asked[::-1], Random("order").sample(asked, len(asked))]
    answers = [_by_id(order, visit.must_answer(order)) for order in orders]
    changed = next((_change(answers[0], each) for each in answers[1:] if each != answers[0]), "")
    if not changed:
        return f"{plural(len(asked), 'decision')} in 3 orders"
    for order, before in zip(orders, answers, strict=True):
        again = _by_id(order, visit.must_answer(order))
        if again != before:
            raise StepWarning(
                f"answers change even in the same order, so nothing can be said: "
                f"{_change(before, again)}",
                "nothing, if that is meant; else seed random numbers with request_id",
            )
    raise StepFailed(f"the same requests in another order were answered differently: {changed}")


def _same_as_single(visit: Visit) -> str:
    most = _most(visit)
    if most < 2:
        raise StepSkipped("max_batch is 1")
    asked = _some(visit, min(most, 8))
    together = visit.must_answer(asked)
    single = [visit.must_answer([moment])[0] for moment in asked]
    changed = sum(one.action != other.action for one, other in zip(together, single, strict=True))
    if changed:
        raise StepWarning(f"{changed} of {len(asked)} answers differ")
    return plural(len(asked), "decision")


def _change(before: dict[str, ReplyItem], after: dict[str, ReplyItem]) -> str:
    """The first answer that is another one now."""
    id = next(id for id in before if before[id] != after[id])
    return f"{id}: {before[id].action} then {after[id].action}"


def _by_id(moments: Sequence[Moment], replies: Sequence[ReplyItem]) -> dict[str, ReplyItem]:
    return {moment.id: reply for moment, reply in zip(moments, replies, strict=True)}


def _lane(visit: Visit) -> Lane:
    if visit.info is None:
        raise StepSkipped("the information at GET / is not in order")
    secrets = [visit.options.secret] if visit.options.secret else []
    return Lane(visit.endpoint, visit.info, options=visit.options.wire, secrets=secrets)


def _through_lane(
    visit: Visit, lane: Lane, moments: Sequence[Moment]
) -> list[tuple[Moment, Reply]]:
    """Ask for all decisions at once, as real matches do; replies in order of arrival."""
    replies: list[tuple[Moment, Reply]] = []
    complete = threading.Event()

    def done(moment: Moment, reply: Reply) -> None:
        replies.append((moment, reply))
        if len(replies) == len(moments):
            complete.set()

    allowance = float(visit.options.deadline_ms)
    for moment in moments:
        lane.ask(Ticket(moment.request, moment.id, allowance, "", partial(done, moment)))
    complete.wait(allowance / 1000 * len(moments) + 5)
    if not complete.is_set():
        raise StepFailed(f"{len(moments) - len(replies)} of {len(moments)} got no reply")
    return replies


def _all_answered(visit: Visit, replies: Sequence[tuple[Moment, Reply]]) -> list[Answer]:
    faults = [(moment, reply) for moment, reply in replies if isinstance(reply, BotFault)]
    if faults:
        moment, fault = faults[0]
        visit.asked_elsewhere(moment, fault)
        raise StepFailed(
            f"{len(faults)} of {len(replies)} failed, e.g. {where(moment)}: {fault}", fault
        )
    return [reply for _, reply in replies if isinstance(reply, Answer)]


def _concurrent(visit: Visit) -> str:
    lane = _lane(visit)
    try:
        connections = lane.info.max_concurrency
        rounds = visit.affordable(SAMPLE_PART, TICKETS_A_CALL)
        moments = _some(visit, connections * min(lane.info.max_batch, 4) * rounds)
        answers = _all_answered(visit, _through_lane(visit, lane, moments))
    finally:
        lane.close()
    slowest = max(answer.elapsed_ms for answer in answers)
    return (
        f"{plural(len(answers), 'decision')} in {plural(lane.stats.calls, 'request')}, "
        f"{connections} at a time, "
        f"the slowest {slowest:.1f} ms"
    )


def _advice_meanwhile(visit: Visit) -> str:
    lane = _lane(visit)
    try:
        for _ in range(4):
            lane.tell("/start", start_payload(visit))
            lane.tell("/end", end_payload(visit, "hand"))
        _all_answered(
            visit, _through_lane(visit, lane, _some(visit, 2 * lane.info.max_concurrency))
        )
        lane.drain()
        lost = lane.stats.tells_lost
    finally:
        lane.close()
    if lost:
        raise StepWarning(f"{lost} of 8 advisory calls failed")
    return "8 advisory calls"


def _latency(visit: Visit) -> str:
    for moment in _some(visit, visit.affordable(SAMPLE_PART, SAMPLE, 5)):
        if visit.is_late:
            break
        visit.must_answer([moment])
    times = sorted(visit.latencies_ms)
    half, most, worst = (times[int((len(times) - 1) * part)] for part in (0.5, 0.99, 1.0))
    deadline = visit.options.deadline_ms
    text = (
        f"{plural(len(times), 'decision')}: median {half:.1f} ms, 99 % within {most:.1f} ms, "
        f"slowest {worst:.1f} ms; the deadline is {deadline} ms"
    )
    if most > deadline / 2:
        raise StepWarning(f"{text}; little is left for a slow network")
    pause = framing.usual(visit.pauses_ms)
    if pause >= ACKNOWLEDGED_MS[0] - 7:
        text = f"{text}; the body comes {pause:.0f} ms after the headers"
        raise StepWarning(text, ONE_WRITE)
    if _waits_for_acknowledgements(visit, half):
        raise StepWarning(f"{text}; even GET / takes as long", ONE_WRITE)
    return text


def _waits_for_acknowledgements(visit: Visit, median_ms: float) -> bool:
    """Whether the time of a call is that of a delayed acknowledgement and not of thinking: then
    the information, for which nothing is computed, takes as long."""
    least, most = ACKNOWLEDGED_MS
    if not least <= median_ms <= most:
        return False
    times = sorted(visit.get().elapsed_ms for _ in range(GREETINGS))
    return least <= times[GREETINGS // 2] <= most


def _batch_latency(visit: Visit) -> str:
    count = _most(visit)
    if count < 2:
        raise StepSkipped("max_batch is 1")
    moments = _some(visit, count)
    worst = 0.0
    for _ in range(3):
        visit.must_answer(moments)
        worst = max(worst, visit.elapsed_ms)
    deadline = visit.options.deadline_ms
    if worst > deadline / 2:
        raise StepWarning(f"{count} decisions took {worst:.1f} ms of {deadline} ms")
    return f"{count} decisions in {worst:.1f} ms"
