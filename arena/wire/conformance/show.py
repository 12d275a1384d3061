"""Prints a check while it is made, for the two commands that make one."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable
from itertools import groupby

from arena.wire.conformance.report import findings, passed, report_json, section_line, step_line
from arena.wire.conformance.steps import Step

WIDTH = 78
LIVE_S, LOG_S = 0.1, 20.0
"""How often it is told what is being done: on a terminal, and where lines stay."""


class Progress:
    """Tells on stderr what a check is doing: on a terminal in one line, else now and then.

    For ``Options.progress``. A quick check is told to no log.
    """

    def __init__(self, log_s: float = LOG_S) -> None:
        self._live = sys.stderr.isatty()
        self._every_s = LIVE_S if self._live else log_s
        self._next = time.monotonic() + (0.0 if self._live else log_s)

    def __call__(self, text: str) -> None:
        """What is being done now."""
        if time.monotonic() < self._next:
            return
        self._next = time.monotonic() + self._every_s
        if self._live:
            print(f"\r{text[:WIDTH]:<{WIDTH}}", end="", file=sys.stderr, flush=True)
        else:
            print(f"… {text}", file=sys.stderr, flush=True)


def show(steps: Iterable[Step], *, every_step: bool = False, as_json: bool = False) -> bool:
    """Print each section as soon as it is complete, then the findings; whether the bot passed.

    ``every_step``: each step at once instead. ``as_json``: one document at the end, nothing else.
    What is being done meanwhile is told by `Progress`.
    """
    made: list[Step] = []
    live = sys.stderr.isatty() and not as_json
    for _, section in groupby(steps, key=lambda step: step.section):
        inside = []
        for step in section:
            inside.append(step)
            if every_step and not as_json:
                _wipe(live)
                _print(step_line(step))
        made += inside
        _wipe(live)
        if not every_step and not as_json:
            _print(section_line(inside))
    _print(report_json(made) if as_json else findings(made))
    return passed(made)


def _wipe(live: bool) -> None:
    if live:
        print(f"\r{'':<{WIDTH}}\r", end="", file=sys.stderr, flush=True)


def _print(text: str) -> None:
    print(text, flush=True)
