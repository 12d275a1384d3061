"""Prints a check while it is made, for the two commands that make one."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from itertools import groupby

from arena.wire.conformance.report import findings, passed, report_json, section_line, step_line
from arena.wire.conformance.steps import Step

WIDTH = 78


def show(steps: Iterable[Step], *, every_step: bool = False, as_json: bool = False) -> bool:
    """Print each section as soon as it is complete, then the findings; whether the bot passed.

    ``every_step``: each step at once instead. ``as_json``: one document at the end, nothing else.
    On a terminal the step that has just ended stands on a line of its own that is overwritten.
    """
    made: list[Step] = []
    live = sys.stderr.isatty() and not as_json
    for _, section in groupby(steps, key=lambda step: step.section):
        inside = []
        for step in section:
            inside.append(step)
            if every_step and not as_json:
                _print(step_line(step))
            elif live:
                text = f"{step.number:>7}  {step.section}: {step.title}"
                print(f"\r{text[:WIDTH]:<{WIDTH}}", end="", file=sys.stderr, flush=True)
        made += inside
        if live and not every_step:
            print(f"\r{'':<{WIDTH}}\r", end="", file=sys.stderr, flush=True)
        if not every_step and not as_json:
            _print(section_line(inside))
    _print(report_json(made) if as_json else findings(made))
    return passed(made)


def _print(text: str) -> None:
    print(text, flush=True)
