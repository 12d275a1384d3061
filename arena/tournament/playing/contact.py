"""One bot as matches of this process ask it: over HTTP, through its lane."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from arena.attendant import Attended
from arena.referee.asks import Ask, Notice, Reply
from arena.referee.verdicts import BotFault, FaultCode
from arena.wire.greeting import UNKNOWN
from arena.wire.lane import Lane, Ticket
from arena.wire.messages import BotInfo

ENDED = (FaultCode.REFUSED, FaultCode.RESET)
"""What a call meets when the bot has ended."""


@dataclass(frozen=True, slots=True)
class HttpContact:
    """Asks one bot through its lane. ``attended``: by whom it is looked after, if by the arena."""

    lane: Lane
    attended: Attended | None = None

    def ask(self, ask: Ask, done: Callable[[Reply], None]) -> None:
        """Hand the decision to the lane."""
        told = done if self.attended is None else partial(_once_up, self.attended, done)
        self.lane.ask(Ticket(ask.request, ask.request_id, ask.timeout_ms, ask.pair, told))

    def tell(self, notice: Notice) -> None:
        """Hand the message to the lane."""
        self.lane.tell(notice.path, notice.payload)

    def answers(self) -> bool | None:
        """Greet it, and keep what it says of itself; None while all its connections are busy."""
        if self.lane.is_busy:
            return None
        answer = greet(self.lane)
        if isinstance(answer, BotFault):
            return False
        self.lane.info = answer
        return answer is not UNKNOWN or None

    @property
    def has_answered(self) -> bool:
        """Whether it ever answered a greeting."""
        return self.lane.info is not UNKNOWN


def _once_up(attended: Attended, done: Callable[[Reply], None], reply: Reply) -> None:
    """Pass a reply on; that a bot broke off or was not there, once it may be again."""
    if isinstance(reply, BotFault) and reply.code in ENDED:
        attended.after(partial(done, reply))
    else:
        done(reply)


def greet(lane: Lane) -> BotInfo | BotFault:
    """What the bot says of itself, or what is wrong with how it says it."""
    try:
        return lane.warm_up()
    except BotFault as fault:
        return fault
