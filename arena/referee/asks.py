"""What the referee and whoever drives it say to each other.

The referee's generators yield `Ask`, `Notice` and finished hands and games, and are sent
`Answer` or `BotFault`. They never sleep and never open a socket.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from arena.referee.verdicts import BotFault
from arena.rules.base import Melds


@dataclass(frozen=True, slots=True)
class Ask:
    """A decision is wanted from one seat.

    ``request``: the decision request as the protocol words it, without anything the seat may not
    know. ``timeout_ms``: deadline plus what is left of the bank, the longest that the call may
    take. ``pair``: mirrored matches share it; their asks never travel in one batch.
    """

    seat: int
    request_id: str
    request: dict[str, object]
    timeout_ms: float
    pair: str


class Event(StrEnum):
    """What an advisory call tells a bot."""

    START = "start"
    HAND = "hand"
    GAME = "game"
    MATCH = "match"


@dataclass(frozen=True, slots=True)
class Notice:
    """Something to tell one seat, outside any clock; whether it arrives changes nothing."""

    seat: int
    event: Event
    payload: dict[str, object] = field(hash=False)

    @property
    def path(self) -> str:
        """The endpoint it is posted to."""
        return "/start" if self.event is Event.START else "/end"


@dataclass(frozen=True, slots=True)
class Answer:
    """What a bot answered, syntactically in order, in time or inside its bank.

    ``elapsed_ms``: wall time from first byte sent to last byte read. ``overhead_ms``: the
    arena's own time around that call, never charged to the bot.
    """

    action: str
    melds: Melds | None = None
    note: str | None = None
    elapsed_ms: float = 0.0
    overhead_ms: float = 0.0


Reply = Answer | BotFault
