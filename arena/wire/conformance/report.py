"""A finished check for people (one screen) and for programs (JSON)."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence

from arena.wire.conformance.steps import Status, Step

MARKS = {
    Status.PASSED: "ok",
    Status.FAILED: "FAILED",
    Status.WARNING: "warning",
    Status.SKIPPED: "skipped",
}
EXCHANGE_LINES = 8
EXCHANGE_WIDTH = 300


def passed(steps: Sequence[Step]) -> bool:
    """Whether the bot may play: no step failed."""
    return not any(step.status is Status.FAILED for step in steps)


def report_text(steps: Sequence[Step], *, every_step: bool = False) -> str:
    """A line for each section, then what is to be mended, then the verdict.

    ``every_step``: a line for each step instead of each section.
    """
    lines = [_step_line(step) for step in steps] if every_step else _section_lines(steps)
    troubled = [step for step in steps if step.status in (Status.FAILED, Status.WARNING)]
    first_failure = next((step for step in steps if step.status is Status.FAILED), None)
    for step in troubled:
        lines += ["", f"{step.number}. {step.title}: {MARKS[step.status]}"]
        lines += [f"   {step.detail}"] if step.detail else []
        lines += [f"   To do: {step.fix}."] if step.fix else []
        if step is first_failure and step.exchange:
            lines += [f"   {line}" for line in _clipped(step.exchange)]
    return "\n".join([*lines, "", verdict(steps)])


def verdict(steps: Sequence[Step]) -> str:
    """The result in a sentence."""
    counts = Counter(step.status for step in steps)
    text = ", ".join(f"{counts[status]} {status}" for status in Status if counts[status])
    ready = "The bot is ready to play." if passed(steps) else "The bot is not ready to play."
    return f"{len(steps)} steps: {text}. {ready}"


def report_json(steps: Sequence[Step]) -> str:
    """Everything, as a JSON document."""
    counts = Counter(step.status for step in steps)
    document = {
        "passed": passed(steps),
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
            }
            for step in steps
        ],
    }
    return json.dumps(document, ensure_ascii=False, indent=2)


def _section_lines(steps: Sequence[Step]) -> list[str]:
    lines = []
    for section in dict.fromkeys(step.section for step in steps):
        inside = [step for step in steps if step.section == section]
        counts = Counter(step.status for step in inside)
        text = ", ".join(f"{counts[status]} {status}" for status in Status if counts[status])
        numbers = f"{inside[0].number}-{inside[-1].number}"
        lines.append(f"{numbers:>7}  {section:<32} {text}")
    return lines


def _step_line(step: Step) -> str:
    detail = f" ({step.detail})" if step.detail else ""
    return f"{step.number:>4}  {MARKS[step.status]:<8} {step.title}{detail}"


def _clipped(exchange: str) -> list[str]:
    lines = exchange.splitlines()
    shown = [
        line if len(line) <= EXCHANGE_WIDTH else f"{line[:EXCHANGE_WIDTH]}…"
        for line in lines[:EXCHANGE_LINES]
    ]
    return [*shown, "…"] if len(lines) > EXCHANGE_LINES else shown
