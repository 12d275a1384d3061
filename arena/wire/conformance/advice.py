"""Checks: the advisory calls, which never count, and what comes after them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

from arena.referee.decision import PROTOCOL
from arena.referee.verdicts import BotFault, FaultCode
from arena.wire import messages
from arena.wire.conformance.steps import StepSkipped, StepWarning, status_failure
from arena.wire.conformance.visit import Check, Visit, show_answer

ADVICE = "Advisory calls"
AFTER = "After the match"

FIX = "answer every POST /start and POST /end with status 200 and read its body"
NOT_SERVED = ("status 404", "status 405", "status 501")
UNTOLD = (
    "nothing, if the bot need not know: it plays all the same; else answer POST /start and "
    "POST /end with status 200"
)


def checks() -> Iterator[Check]:
    """The checks of the calls themselves."""
    yield Check(ADVICE, "POST /start", FIX, _start)
    yield Check(ADVICE, "POST /start for the same match again", FIX, _start)
    for event in ("hand", "game", "match"):
        yield Check(ADVICE, f"POST /end when a {event} has ended", FIX, _end(event))
    yield Check(
        ADVICE,
        "a decision on the same connection right after /start",
        "read the whole body of every request, also of those whose content you ignore",
        _decision_after_start,
    )


def checks_after() -> Iterator[Check]:
    """The checks of what follows the end of a match."""
    yield Check(
        AFTER,
        "/end for a match that was never started",
        "accept /end whatever came before: /start may have been lost",
        _end_of_unknown,
    )
    yield Check(
        AFTER,
        "decisions of a match that has ended",
        "answer as usual: /end may overtake a decision on another connection",
        _decision_after_end,
    )
    yield Check(
        AFTER,
        "GET / still answers",
        "go on serving after /end: the next match is coming",
        _still_there,
    )


def start_payload(visit: Visit) -> dict[str, object]:
    """The body of a /start for the first claimed game."""
    variant = visit.variants[0]
    return {
        "protocol": PROTOCOL,
        "tournament": "t_check",
        "match": "m_advice",
        "variant": variant.name,
        "rules": variant.rules.as_dict(),
        "seat": 0,
        "players": [{"seat": 0, "name": "you"}, {"seat": 1, "name": "Grüße 漢字"}],
        "games": 5,
        "wins_needed": 3,
        "deadline_ms": visit.options.deadline_ms,
        "bank_ms": 10_000,
    }


def end_payload(visit: Visit, event: str, match: str = "m_advice") -> dict[str, object]:
    """The body of an /end."""
    result: dict[str, Any] = {
        "ending": "knock",
        "sentence": "P0 knocks with 8, P1 is left with 10: 2 points to P0.",
        "points": [2, 0],
        "winner": 0,
        "knocker": 0,
    }
    if event != "hand":
        ending = "target" if event == "game" else "normal"
        result |= {"ending": ending, "sentence": "You won.", "games_won": [1, 0]}
        del result["knocker"]
    shown = [
        {
            "seat": seat,
            "position": seat,
            "melds": [["7H", "8H", "9H"]] if seat == 0 else [],
            "deadwood": ["8C"] if seat == 0 else ["KD"],
            "laid_off": [],
            "value": 8 if seat == 0 else 10,
        }
        for seat in (0, 1)
    ]
    return {
        "protocol": PROTOCOL,
        "tournament": "t_check",
        "match": match,
        "event": event,
        "game": None if event == "match" else 1,
        "hand": 1 if event == "hand" else None,
        "seat": 0,
        "variant": visit.variants[0].name,
        "result": result,
        "shown": shown if event == "hand" else [],
        "faults": [],
        "scores": [2, 0],
    }


def _told(visit: Visit, path: str, body: bytes) -> str:
    """Make an advisory call. A bot that does not serve these loses no game by that."""
    try:
        received = visit.post(path, body, any_success=True)
    except BotFault as fault:
        if fault.code is FaultCode.BAD_STATUS and fault.detail.startswith(NOT_SERVED):
            raise StepWarning("the bot does not serve advisory calls", UNTOLD) from None
        raise
    return f"{received.elapsed_ms:.1f} ms"


def _start(visit: Visit) -> str:
    return _told(visit, "/start", messages.start_body(start_payload(visit)))


def _end(event: str) -> Callable[[Visit], str]:
    def run(visit: Visit) -> str:
        return _told(visit, "/end", messages.end_body(end_payload(visit, event)))

    return run


def _decision_after_start(visit: Visit) -> str:
    body = messages.start_body(start_payload(visit))
    moment = visit.some(1)[0]
    decision = messages.act_body([moment.request])
    with visit.connect() as connection:
        connection.call("POST", "/start", body)
        if not connection.is_open():
            raise StepSkipped("the bot closes the connection after /start")
        answer = connection.call("POST", "/act", decision)
    if answer.status != 200:
        visit.saw("POST", "/act", decision, show_answer(answer))
        raise status_failure(answer.status, " for the decision")
    return ""


def _end_of_unknown(visit: Visit) -> str:
    _told(visit, "/end", messages.end_body(end_payload(visit, "match", match="m_unheard_of")))
    return ""


def _decision_after_end(visit: Visit) -> str:
    moment = visit.some(1)[0]
    body = messages.end_body(end_payload(visit, "match", match=str(moment.request["match"])))
    with suppress(StepWarning):
        _told(visit, "/end", body)
    visit.must_answer([moment])
    return ""


def _still_there(visit: Visit) -> str:
    return f"{visit.get().elapsed_ms:.1f} ms"
