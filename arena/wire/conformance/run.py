"""Makes the checks one after the other and turns whatever happens into numbered steps."""

from __future__ import annotations

import http.client
import time
from collections.abc import Iterator

from arena.errors import ArenaError
from arena.referee.verdicts import BotFault, FaultCode
from arena.wire.conformance import (
    advice,
    contact,
    decisions,
    edges,
    hands,
    load,
    robustness,
    security,
)
from arena.wire.conformance.remedies import cause_of, remedy
from arena.wire.conformance.steps import (
    Options,
    Status,
    Step,
    StepFailed,
    StepSkipped,
    StepUnfinished,
    StepWarning,
)
from arena.wire.conformance.visit import Check, Visit
from arena.wire.endpoint import Endpoint
from arena.wire.strict_json import excerpt

DETAIL_CHARACTERS = 400
USED_UP = "the time for the whole check is used up"
GIVE_UP = 8
"""After so many steps in a row that ran out of time the rest is skipped."""


def all_checks() -> Iterator[Check]:
    """Every step in its order; the same for every bot, so that numbers mean the same."""
    # What is quickly asked and most often wrong comes first; whole hands get the time that is left.
    yield from contact.checks()
    yield from advice.checks()
    yield from edges.checks()
    yield from security.checks()
    yield from decisions.checks()
    yield from robustness.checks()
    yield from load.checks()
    yield from advice.checks_after()
    yield from hands.checks()


def check(endpoint: Endpoint | str, options: Options | None = None) -> Iterator[Step]:
    """Check a bot; yields each step when it is finished.

    :raises ConfigError: the text is no address of a bot, or the secret is none.
    """
    if isinstance(endpoint, str):
        endpoint = Endpoint.parse(endpoint)
    return _steps(Visit(endpoint, options or Options()))


def _steps(visit: Visit) -> Iterator[Step]:
    timeouts = 0
    try:
        for number, one in enumerate(all_checks(), 1):
            if not _wanted(visit, one):
                continue
            step, timed_out = _made(visit, number, one)
            yield step
            timeouts = timeouts + 1 if timed_out else 0
            if timeouts == GIVE_UP and not visit.blocked:
                visit.blocked = f"{GIVE_UP} steps in a row ran out of time"
    finally:
        visit.close()


def _wanted(visit: Visit, one: Check) -> bool:
    """Contact and information are always checked: the rest builds on them."""
    only = visit.options.only
    return not only or one.section in {contact.CONTACT, contact.INFORMATION, *only}


def _unasked(visit: Visit) -> set[str]:
    """Sections that would call the bot for nothing: they skip themselves at once."""
    no_secret = set() if visit.options.secret else {security.SIGNATURES}
    return no_secret if visit.options.play else {*no_secret, hands.PLAY}


def _made(visit: Visit, number: int, one: Check) -> tuple[Step, bool]:
    """The finished step, and whether the bot ran out of time in it."""
    if visit.blocked:
        return Step(number, one.section, one.title, Status.SKIPPED, visit.blocked), False
    if visit.is_late and one.section not in _unasked(visit):
        return Step(number, one.section, one.title, Status.UNFINISHED, USED_UP), False
    visit.doing = f"{number}. {one.section}: {one.title}"
    visit.report()
    begun = time.monotonic()
    fault: BotFault | None = None
    fix, own = one.fix, ""
    try:
        status, detail = Status.PASSED, one.run(visit)
    except StepSkipped as reason:
        status, detail = Status.SKIPPED, str(reason)
    except StepUnfinished as reason:
        status, detail = Status.UNFINISHED, str(reason)
    except StepWarning as reason:
        status, detail = Status.WARNING, str(reason)
        fix = reason.fix or fix
    except StepFailed as reason:
        status, detail = Status.FAILED, str(reason)
        fault, own = reason.fault, reason.fix
    except BotFault as reason:
        status, detail = Status.FAILED, str(reason)
        fault = reason
    except (ArenaError, OSError, http.client.HTTPException) as error:
        status, detail = Status.FAILED, str(error) or type(error).__name__
    troubled = status in (Status.FAILED, Status.WARNING)
    timed_out = fault is not None and fault.code is FaultCode.TIMEOUT
    exchange = visit.exchange() if troubled else ""
    cause = f"{detail}: {fix}"
    if fault is not None:
        fix = own or remedy(fault, visit.answer, fix, signed=visit.signer is not None)
        cause = f"{own}: {fault.code}" if own else cause_of(fault, fix)
    step = Step(
        number,
        one.section,
        one.title,
        status,
        visit.endpoint.redact(excerpt(detail.encode("utf-8", "replace"), DETAIL_CHARACTERS)),
        fix if troubled else "",
        exchange,
        (time.monotonic() - begun) * 1000,
        visit.endpoint.redact(cause[:DETAIL_CHARACTERS]) if troubled else "",
    )
    return step, timed_out
