"""What a lane is given and what it counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import NamedTuple

from arena.referee.asks import Reply
from arena.referee.verdicts import BotFault, FaultCode
from arena.wire.messages import ReplyItem

Verdict = ReplyItem | BotFault
"""What a reply says about one decision."""


class Ticket(NamedTuple):
    """A decision to ask for.

    ``request``: the decision request. ``timeout_ms``: deadline plus what is left of the bank.
    ``pair``: tickets of one pair never travel in one request; empty for none. ``done`` is called
    once with the reply, from a thread of the crew; it may ask further decisions, but must not wait
    for their replies.
    """

    request: dict[str, object]
    request_id: str
    timeout_ms: float
    pair: str
    done: Callable[[Reply], None]


class LaneStats:
    """Counts of one lane."""

    __slots__ = ("calls", "decisions", "faults", "queued_ms", "retries", "tells", "tells_lost")

    def __init__(self) -> None:
        self.calls = 0
        """Requests for decisions."""
        self.decisions = 0
        """Decisions that were answered or failed."""
        self.queued_ms = 0.0
        """How long decisions waited for a slot of the bot's own choosing (`max_concurrency`)."""
        self.retries = 0
        """Requests sent a second time because a kept-alive connection had been closed."""
        self.tells = 0
        """Advisory messages that arrived."""
        self.tells_lost = 0
        """Advisory messages that failed or were dropped."""
        self.faults: Counter[FaultCode] = Counter()
        """Failed decisions by their code."""

    def count(self, verdicts: Mapping[str, Verdict]) -> None:
        """Count decisions that are settled."""
        self.decisions += len(verdicts)
        for verdict in verdicts.values():
            if isinstance(verdict, BotFault):
                self.faults[verdict.code] += 1
