"""What can go wrong with a contestant, and what follows from it.

`FaultCode` is the one table of reason codes: the same text is stored, published and sent back to
the bot in ``last_status``. `Termination` says how a game or match ended.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from arena.errors import ArenaError


class FaultCode(StrEnum):
    """Why a call failed. `OK` and `LATE` are statuses, not faults."""

    OK = "ok"
    LATE = "late"
    """The answer came after the deadline but inside the time bank: it counts."""
    TIMEOUT = "timeout"
    """Deadline and bank ran out before the last byte of the answer."""
    REFUSED = "refused"
    """Nobody listens at the address."""
    RESET = "reset"
    """The connection broke before the answer was complete."""
    DNS = "dns"
    """The host name has no address."""
    TLS = "tls"
    """The encrypted connection could not be set up or verified."""
    BAD_STATUS = "bad_status"
    """A status other than 200."""
    REDIRECT = "redirect"
    """A 3xx status; redirects are never followed."""
    TOO_LARGE = "too_large"
    """More bytes than the reply cap, or a header block beyond its limit."""
    BAD_ENCODING = "bad_encoding"
    """A content encoding, or text that is not UTF-8."""
    BAD_HTTP = "bad_http"
    """Bytes that are no HTTP answer, or a body that contradicts its headers."""
    BAD_JSON = "bad_json"
    """Not strict JSON: NaN, duplicate keys, too deep, or no JSON at all."""
    SCHEMA = "schema"
    """JSON that the schema of the reply does not allow."""
    UNKNOWN_ID = "unknown_id"
    """No answer for this request id (missing, or another id)."""
    ILLEGAL = "illegal"
    """An action that was not in ``legal``, or melds that do not hold."""
    BLOCKED_ADDRESS = "blocked_address"
    """The address is not allowed in this network mode."""


NO_CONTACT: Final = frozenset(
    {
        FaultCode.TIMEOUT,
        FaultCode.REFUSED,
        FaultCode.RESET,
        FaultCode.DNS,
        FaultCode.TLS,
        FaultCode.BLOCKED_ADDRESS,
    }
)
"""Faults after which nobody can say that a bot is there: no answer came, not even a wrong one."""


class BotFault(ArenaError):
    """One failed call to a bot. ``elapsed_ms`` is wall time on the monotonic clock."""

    def __init__(self, code: FaultCode, detail: str, elapsed_ms: float = 0.0) -> None:
        super().__init__(f"{code}: {detail}")
        self.code = code
        self.detail = detail
        self.elapsed_ms = elapsed_ms


class Termination(StrEnum):
    """How a game or a match ended."""

    NORMAL = "normal"
    """Played to its end by the rules."""
    DRAW = "draw"
    """Played to its end by the rules, nobody ahead."""
    STRIKES = "strikes"
    """A bot failed too often in this game and forfeits it."""
    UNREACHABLE = "unreachable"
    """A bot gave no answer in the whole match, not even a wrong one, and forfeits it."""
    DOUBLE_FORFEIT = "double_forfeit"
    """No bot of the game or match gave a usable answer; nobody wins."""
    WITHDRAWN = "withdrawn"
    """A bot left the tournament before the match was played."""
    BYE = "bye"
    """No opponent; the entrant advances and nothing is counted."""
