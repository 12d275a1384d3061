"""The clock's arithmetic. Pure: times come in as numbers, measured by whoever makes the calls.

A decision has a deadline; a match has a bank that lateness draws on. An answer after the deadline
but inside the bank counts. Books belong to the bot, whatever its seat, and are stored after every
hand so that they survive a crash of the referee.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from arena.errors import ConfigError
from arena.referee.verdicts import NO_CONTACT, FaultCode

CLOCK_RANGES: Mapping[str, tuple[int, int]] = {
    "deadline_ms": (10, 600_000),
    "bank_ms": (0, 3_600_000),
    "max_strikes": (1, 100),
}
"""Least and most of what an organiser may allow."""


@dataclass(frozen=True, slots=True)
class ClockRules:
    """What the organiser allows. Milliseconds; strikes are counted within a game.

    :raises ConfigError: a value is out of range.
    """

    deadline_ms: int = 1000
    bank_ms: int = 10_000
    max_strikes: int = 3

    def __post_init__(self) -> None:
        for name, (low, high) in CLOCK_RANGES.items():
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
                raise ConfigError(f"{name} = {value!r}: give a whole number from {low} to {high}")


@dataclass(frozen=True, slots=True)
class Book:
    """One seat's clock and conduct in a match.

    ``bank_ms``: what is left of the bank, never below 0. ``strikes``: in the running game.
    ``decisions``, ``bot_ms``, ``arena_ms``: totals of the match, the arena's own time apart.
    ``answered``: whether any call of the match was ever answered as it should be. ``reached``:
    whether anything was ever answered at all.
    """

    bank_ms: float
    strikes: int = 0
    decisions: int = 0
    bot_ms: float = 0.0
    arena_ms: float = 0.0
    last_latency_ms: int | None = None
    last_status: FaultCode | None = None
    answered: bool = False
    reached: bool = False

    def charge(
        self, elapsed_ms: float, arena_ms: float, rules: ClockRules
    ) -> tuple[Book, FaultCode]:
        """The book after an answer came, and `OK`, `LATE` or `TIMEOUT`.

        `TIMEOUT` when it came after deadline and bank together; it must not be used then.
        """
        late = max(0.0, elapsed_ms - rules.deadline_ms)
        if late > self.bank_ms:
            return self.fail(FaultCode.TIMEOUT, elapsed_ms, rules), FaultCode.TIMEOUT
        status = FaultCode.LATE if late else FaultCode.OK
        book = Book(
            self.bank_ms - late,
            self.strikes,
            self.decisions + 1,
            self.bot_ms + elapsed_ms,
            self.arena_ms + arena_ms,
            round(elapsed_ms),
            status,
            True,
            True,
        )
        return book, status

    def fail(self, code: FaultCode, elapsed_ms: float, rules: ClockRules) -> Book:
        """The book after a call failed: a strike, and its time is charged like any other.

        A call that ran into its limit is charged the limit, neither 0 nor what the machine added.
        """
        charged = min(max(0.0, elapsed_ms), rules.deadline_ms + self.bank_ms)
        late = max(0.0, charged - rules.deadline_ms)
        return replace(
            self,
            bank_ms=max(0.0, self.bank_ms - late),
            strikes=self.strikes + 1,
            decisions=self.decisions + 1,
            bot_ms=self.bot_ms + charged,
            last_latency_ms=round(charged),
            last_status=code,
            reached=self.reached or code not in NO_CONTACT,
        )

    def allowance_ms(self, rules: ClockRules) -> float:
        """The longest that the next call may take."""
        return rules.deadline_ms + self.bank_ms

    def to_row(self) -> list[Any]:
        """The book as the store keeps it: a short list, since there is one for every hand.

        Strikes, status and whether it ever answered (1 as it should, 2 only wrongly) follow only
        where something is wrong.
        """
        bank = round(self.bank_ms, 1)
        row = [
            int(bank) if bank.is_integer() else bank,
            self.decisions,
            round(self.bot_ms),
            round(self.arena_ms),
            self.last_latency_ms,
        ]
        contact = 1 if self.answered else 2 if self.reached else 0
        unusual = [self.strikes, self.last_status, contact]
        return row if unusual == [0, FaultCode.OK, 1] else row + unusual

    @classmethod
    def from_row(cls, values: Sequence[Any]) -> Book:
        """The book that `to_row` wrote."""
        decisions, latency = values[1], values[4]
        bank, bot, arena = float(values[0]), float(values[2]), float(values[3])
        strikes, status, contact = values[5:] or (0, FaultCode.OK, 1)
        code = FaultCode(status) if status else None
        return cls(bank, strikes, decisions, bot, arena, latency, code, contact == 1, contact > 0)
