"""What one call to a bot may use: time, in one allowance for everything, and bytes.

A time limit on each read is no limit: a bot that sends a byte now and then beats it. So whatever is
done for a call first asks here what is left of it. Nothing here touches a socket or knows HTTP.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

from arena.referee.verdicts import BotFault, FaultCode

REPLY_CAP = 64 * 1024
"""Most bytes of an answer on the wire, headers and chunk lines included."""
HEADER_CAP = 16 * 1024
"""Most bytes of status lines and headers, those of interim answers included."""


class Cancelled(Exception):
    """The arena itself gave the call up; nobody is to blame."""


class Piece(NamedTuple):
    """Bytes of an answer that were read at once, and when."""

    at: float
    data: bytes


class Budget:
    """What one call may use. Times are seconds, by the monotonic clock unless another is given.

    The clock starts with the first thing done on the network, so the arena's own preparations are
    not charged. A call may carry decisions with different allowances: at the end of each but the
    last, ``expired`` is told the allowance in milliseconds, and the call goes on for the others.
    Their time runs meanwhile, so ``expired`` must do next to nothing.
    """

    __slots__ = (
        "_allowances_ms",
        "_ends",
        "_expired",
        "_header_cap",
        "_now",
        "_reply_cap",
        "_stage",
        "cancelled",
        "in_head",
        "last_read",
        "phase",
        "received",
        "started",
        "tape",
    )

    def __init__(
        self,
        reply_cap: int = REPLY_CAP,
        header_cap: int = HEADER_CAP,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._reply_cap = reply_cap
        self._header_cap = header_cap
        self._now = now
        self.cancelled = False
        self.tape: list[Piece] | None = None
        """What was read in this call, if that is to be kept: an empty list asks for it."""
        self.begin((0.0,))

    def begin(
        self, allowances_ms: Sequence[float], expired: Callable[[float], None] | None = None
    ) -> None:
        """Make ready for a call; ``allowances_ms`` ascend."""
        self._allowances_ms = allowances_ms
        self._expired = expired
        if self.tape is not None:
            self.tape = []
        self._stage = 0
        self._ends = 0.0
        self.started = 0.0
        self.last_read = 0.0
        self.received = 0
        self.in_head = True
        self.phase = "starting"

    @property
    def ends(self) -> float:
        """When the running allowance is used up, once the clock has started."""
        return self._ends

    def now(self) -> float:
        """The time of its clock."""
        return self._now()

    def left_s(self) -> float:
        """Seconds left, more than 0; the first call starts the clock.

        :raises BotFault: `TIMEOUT`, if the last allowance is used up.
        :raises Cancelled: the arena gave up.
        """
        if self.cancelled:
            raise Cancelled
        now = self._now()
        if not self.started:
            self.started = now
            self._ends = now + self._allowances_ms[0] / 1000
        left = self._ends - now
        while left <= 0:
            allowance = self._allowances_ms[self._stage]
            if self._stage + 1 == len(self._allowances_ms):
                raise self._timeout(allowance)
            self._stage += 1
            if self._expired is not None:
                self._expired(allowance)
            self._ends = self.started + self._allowances_ms[self._stage] / 1000
            left = self._ends - self._now()
        return left

    def took(self, count: int) -> None:
        """Count bytes that were read.

        :raises BotFault: `TOO_LARGE`, if an answer may not have that many.
        """
        self.received += count
        self.last_read = self._now()
        if self.received > self._reply_cap:
            raise self.fault(
                FaultCode.TOO_LARGE, f"more than {self._reply_cap} bytes; send a shorter answer"
            )

    def wants_head(self) -> None:
        """Called before reading more of a head that is not complete yet.

        :raises BotFault: `TOO_LARGE`, if it is longer than heads may be.
        """
        if self.in_head and self.received >= self._header_cap:
            raise self.fault(
                FaultCode.TOO_LARGE, f"more than {self._header_cap} bytes of headers; send fewer"
            )

    def elapsed_ms(self) -> float:
        """Wall time since the clock started, at most the allowance."""
        if not self.started:
            return 0.0
        elapsed = (self._now() - self.started) * 1000
        return min(max(0.0, elapsed), self._allowances_ms[-1])

    def fault(self, code: FaultCode, detail: str) -> BotFault:
        """A fault that happened now."""
        return BotFault(code, detail, self.elapsed_ms())

    def check_in_time(self) -> None:
        """Called once the answer is complete.

        :raises BotFault: `TIMEOUT`, if its last byte was read after the last allowance.
        """
        allowance = self._allowances_ms[-1]
        if (self.last_read - self.started) * 1000 > allowance:
            raise self._timeout(allowance)

    def _timeout(self, allowance_ms: float) -> BotFault:
        where = f"while {self.phase}"
        if self.received:
            where += f", after {self.received} bytes"
        return BotFault(
            FaultCode.TIMEOUT,
            f"no complete answer within {allowance_ms:.0f} ms ({where})",
            allowance_ms,
        )
