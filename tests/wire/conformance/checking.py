"""Checks of bots in this process, and what is looked up in their steps."""

from __future__ import annotations

from typing import Any

from arena.bot import Bot, BotServer, BotView
from arena.wire.conformance import Options, Status, Step, check


def safe(view: BotView) -> str:
    """Plays the first legal action."""
    return view.safe


def steps_of(bot: Bot, options: Options | None = None, **server: Any) -> list[Step]:
    """The steps of a check of this bot."""
    with BotServer(bot, **server) as listening:
        return list(check(listening.url, options))


def only(*sections: str, **options: Any) -> Options:
    """Options that leave other sections out, to save time."""
    return Options(only=sections, **options)


def found(steps: list[Step], title: str) -> Step:
    """The step with this title."""
    (step,) = [step for step in steps if step.title == title]
    return step


def titles(steps: list[Step], status: Status) -> set[str]:
    """The titles of the steps that ended so."""
    return {step.title for step in steps if step.status is status}
