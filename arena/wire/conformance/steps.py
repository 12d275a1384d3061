"""What a conformance check is made of: its steps, their outcome, and the options of a run."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from arena.referee.verdicts import BotFault, FaultCode
from arena.wire.transport import WireOptions

Opponent = Callable[[Mapping[str, Any]], Mapping[str, Any]]
"""Answers a decision request in this process, as an answer object: ``{"id", "action", …}``."""


class Status(StrEnum):
    """How a step ended. A warning is something that costs no game but should be mended.

    ``SKIPPED`` does not concern the bot, or could say nothing beside what failed; ``UNFINISHED``
    does, and was not made for want of time: nobody knows yet whether the bot is fit to play.
    """

    PASSED = "passed"
    FAILED = "failed"
    WARNING = "warning"
    SKIPPED = "skipped"
    UNFINISHED = "unfinished"


@dataclass(frozen=True, slots=True)
class Step:
    """One finished step.

    ``number``: from 1, the same for every bot. ``section`` groups steps. ``detail``: what was
    seen, or why it was skipped. ``fix``: what to do, for steps that did not pass. ``exchange``:
    the request and the answer in full within limits, printable, for steps that did not pass.
    ``cause``: the same text for steps that did not pass for the same reason.
    """

    number: int
    section: str
    title: str
    status: Status
    detail: str = ""
    fix: str = ""
    exchange: str = ""
    elapsed_ms: float = 0.0
    cause: str = ""


@dataclass(frozen=True, slots=True)
class Options:
    """How to check.

    ``secret``: the bot's signing secret, if it has one. ``deadline_ms``: time for a decision.
    ``limit_s``: after so long the rest stays unfinished; slow bots are asked fewer decisions, so
    that it suffices. What the check itself needs to deal cards is not counted. ``only``: sections
    to check, all when empty; steps keep their numbers. ``play``: hands to play at the end against
    ``opponent`` (which plays the first legal action when None). ``wire``: network mode and caps.
    ``progress``: is told what is being done, at each step and each decision.
    """

    secret: str | None = None
    deadline_ms: int = 1000
    limit_s: float = 180.0
    only: Collection[str] = ()
    play: int = 0
    opponent: Opponent | None = None
    wire: WireOptions = field(default_factory=WireOptions)
    progress: Callable[[str], None] | None = None


class StepFailed(Exception):
    """The step ends as failed; the text is its detail.

    ``fault``: what a match would say about the call in question, if it is about a single one.
    ``fix``: advice of its own, better than what goes with the fault.
    """

    def __init__(self, detail: str, fault: BotFault | None = None, fix: str = "") -> None:
        super().__init__(detail)
        self.fault = fault
        self.fix = fix


class StepWarning(Exception):
    """The step ends with a warning; the text is its detail. ``fix``: advice of its own."""

    def __init__(self, detail: str, fix: str = "") -> None:
        super().__init__(detail)
        self.fix = fix


def status_failure(status: int, why: str = "") -> StepFailed:
    """A good request was answered with another status than 200."""
    text = f"status {status}{why}"
    return StepFailed(text, BotFault(FaultCode.BAD_STATUS, text))


class StepUnfinished(Exception):
    """The time of the whole check was used up in this step; the text says how far it came."""


class StepSkipped(Exception):
    """The step cannot be done with this bot; the text is the reason."""


def plural(count: int, noun: str) -> str:
    """The count and what is counted: ``1 decision``, ``2 decisions``."""
    return f"{count} {noun}{'' if count == 1 else 's'}"
