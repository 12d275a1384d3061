"""A finished check for people (one screen) and for programs (JSON)."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from typing import Protocol, TypeVar

from arena.wire.conformance.steps import Status, Step, plural

MARKS = {
    Status.PASSED: "ok",
    Status.FAILED: "FAILED",
    Status.WARNING: "warning",
    Status.SKIPPED: "skipped",
    Status.UNFINISHED: "not done",
}
EXCHANGE_LINES = 12
EXCHANGE_WIDTH = 300
GIST, WHOLE = "> legal: ", "> {"
"""Lines of an exchange: with what matters of a decision there, all of it is left to programs."""


def passed(steps: Sequence[Step]) -> bool:
    """Whether the bot may play: no step failed, and each was made as far as it has to be."""
    return not any(step.status in (Status.FAILED, Status.UNFINISHED) for step in steps)


def report_text(steps: Sequence[Step], *, every_step: bool = False) -> str:
    """A line for each section, then what is to be mended, then the verdict.

    ``every_step``: a line for each step instead of each section.
    """
    if every_step:
        lines = [step_line(step) for step in steps]
    else:
        sections = dict.fromkeys(step.section for step in steps)
        lines = [section_line([s for s in steps if s.section == name]) for name in sections]
    return "\n".join([*lines, findings(steps)])


def findings(steps: Sequence[Step]) -> str:
    """What is to be mended, failures first and each cause once, and the verdict."""
    lines: list[str] = []
    for number, group in enumerate(by_cause(steps)):
        is_worst = number == 0 and group[0].status is Status.FAILED
        lines += ["", *_block(group, with_exchange=is_worst)]
    return "\n".join([*lines, "", verdict(steps)])


class Told(Protocol):
    """What is said of a step, here or on a page."""

    @property
    def number(self) -> int:
        """From 1."""

    @property
    def status(self) -> str:
        """How it ended."""

    @property
    def cause(self) -> str:
        """The same text for steps with the same reason, empty for one with its own."""


T = TypeVar("T", bound=Told)


def by_cause(steps: Sequence[T]) -> list[list[T]]:
    """Steps that did not pass, those of one cause together, failures first."""
    found: list[list[T]] = []
    for status in (Status.FAILED, Status.WARNING):
        groups: dict[str, list[T]] = {}
        for step in steps:
            if step.status == status:
                groups.setdefault(step.cause or f"step {step.number}", []).append(step)
        found += groups.values()
    return found


def _block(group: Sequence[Step], *, with_exchange: bool) -> list[str]:
    """Steps that did not pass for one reason; the first stands for all."""
    first = group[0]
    if len(group) == 1:
        lines = [f"{first.number}. {first.title}: {MARKS[first.status]}"]
    else:
        numbers = ranges([step.number for step in group])
        lines = [f"{MARKS[first.status]} in {len(group)} steps for one reason: {numbers}"]
        lines += [f"   {first.number}. {first.title}"]
    lines += [f"   {first.detail}"] if first.detail else []
    lines += [f"   To do: {first.fix}."] if first.fix else []
    if with_exchange and first.exchange:
        lines += [f"   {line}" for line in _clipped(first.exchange)]
    return lines


def ranges(numbers: Sequence[int]) -> str:
    """``3, 5-8`` for 3, 5, 6, 7, 8."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(f"{run[0]}-{run[-1]}" if len(run) > 1 else f"{run[0]}" for run in runs)


def verdict(steps: Sequence[Step]) -> str:
    """The result in a sentence."""
    counts = Counter(step.status for step in steps)
    text = ", ".join(f"{counts[status]} {status}" for status in Status if counts[status])
    return f"{plural(len(steps), 'step')}: {text}. {_conclusion(steps)}"


def _conclusion(steps: Sequence[Step]) -> str:
    if any(step.status is Status.FAILED for step in steps):
        return "The bot is not ready to play."
    missing = next((step for step in steps if step.status is Status.UNFINISHED), None)
    if missing is None:
        return "The bot is ready to play."
    return (
        f"The check is not finished: {missing.detail}. Make the bot faster, or give the check more "
        "time (--limit SECONDS)."
    )


def report_json(steps: Sequence[Step]) -> str:
    """Everything, as a JSON document."""
    counts = Counter(step.status for step in steps)
    document = {
        "passed": passed(steps),
        "verdict": verdict(steps),
        "counts": {status.value: counts[status] for status in Status},
        "steps": [
            {
                "number": step.number,
                "section": step.section,
                "title": step.title,
                "status": step.status.value,
                "detail": step.detail,
                "fix": step.fix,
                "exchange": step.exchange,
                "elapsed_ms": round(step.elapsed_ms, 1),
                "cause": step.cause,
            }
            for step in steps
        ],
    }
    return json.dumps(document, ensure_ascii=False, indent=2)


def section_line(inside: Sequence[Step]) -> str:
    """The steps of one section, counted."""
    counts = Counter(step.status for step in inside)
    text = ", ".join(f"{counts[status]} {status}" for status in Status if counts[status])
    first, last = inside[0].number, inside[-1].number
    numbers = f"{first}-{last}" if last > first else f"{first}"
    reasons = {step.detail for step in inside if step.status is not Status.PASSED}
    reasons |= {step.detail for step in inside if len(inside) == 1}
    if len(counts) == len(reasons) == 1 and not counts[Status.FAILED] and reasons != {""}:
        text += f": {reasons.pop()}"
    return f"{numbers:>7}  {inside[0].section:<32} {text}"


def step_line(step: Step) -> str:
    """One step."""
    detail = f" ({step.detail})" if step.detail else ""
    return f"{step.number:>4}  {MARKS[step.status]:<8} {step.title}{detail}"


def _clipped(exchange: str) -> list[str]:
    lines = exchange.splitlines()
    if any(line.startswith(GIST) for line in lines):
        lines = [line for line in lines if not line.startswith(WHOLE)]
    shown = [
        line if len(line) <= EXCHANGE_WIDTH else f"{line[:EXCHANGE_WIDTH]}…"
        for line in lines[:EXCHANGE_LINES]
    ]
    return [*shown, "…"] if len(lines) > EXCHANGE_LINES else shown
