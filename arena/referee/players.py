"""Plays a match in this process, with functions for bots: for tests, benchmarks and checks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from arena.referee.asks import Ask, Reply
from arena.referee.match import HandPlayed, MatchOutcome, MatchSetup, Step
from arena.referee.table import play_match

Player = Callable[[Ask], Reply]
"""A bot as a function: an `Answer`, or a `BotFault` for a call that failed."""


def run_match(
    setup: MatchSetup,
    players: Sequence[Player],
    history: Iterable[HandPlayed] = (),
    watch: Callable[[Step], None] | None = None,
) -> MatchOutcome:
    """Referee a match between functions, by seat. ``watch`` sees every step as it comes."""
    match = play_match(setup, tuple(history))
    reply: Reply | None = None
    while True:
        try:
            step = match.send(reply)
        except StopIteration as end:
            outcome: MatchOutcome = end.value
            return outcome
        if watch is not None:
            watch(step)
        reply = players[step.seat](step) if isinstance(step, Ask) else None
