"""The ways in which a faulty bot can misbehave, and the fault code that each deserves."""

from __future__ import annotations

from enum import StrEnum, auto

from arena.referee.verdicts import FaultCode


class Behaviour(StrEnum):
    """What a faulty bot does with a request."""

    GOOD = auto()
    """Answers every decision with its first legal action."""
    SLOW = auto()
    """As good, after ``delay_s``."""
    EARLY_HINTS = auto()
    """As good, after interim answers 100 and 103."""
    NO_LENGTH_CLOSE = auto()
    """As good, without a length; the end of the connection ends the body."""
    CHUNKED = auto()
    """As good, in chunks of seven bytes, with an extension and a trailer."""
    ANSWER_THEN_CLOSE = auto()
    """As good, promising to keep the connection and closing it."""
    STALE_SECOND = auto()
    """As good, followed at once by a second answer that nobody asked for."""
    SILENT = auto()
    """Never answers."""
    DEAF = auto()
    """Neither reads the request nor answers."""
    DRIP_HEADERS = auto()
    DRIP_BODY = auto()
    DRIP_CHUNKS = auto()
    DRIP_INTERIM = auto()
    DRIP_TRAILERS = auto()
    HALF_BODY = auto()
    """Stops half way and keeps the connection open."""
    NO_LENGTH_OPEN = auto()
    """A whole body without a length, and the connection stays open."""
    ENDLESS_HEADERS = auto()
    ENDLESS_HEADER_LINE = auto()
    MANY_HEADERS = auto()
    ENDLESS_CHUNKS = auto()
    ENDLESS_TRAILERS = auto()
    ENDLESS_BODY = auto()
    HUGE_CHUNK = auto()
    HUGE_LENGTH = auto()
    HUGE_NOTE = auto()
    INTERIM_FLOOD = auto()
    CLOSE = auto()
    """Reads the request and closes."""
    RESET = auto()
    CLOSE_IN_HEADERS = auto()
    RESET_IN_BODY = auto()
    SHORT_BODY = auto()
    """A whole JSON value, then the end, long before Content-Length."""
    CUT_CHUNKS = auto()
    BAD_CHUNK = auto()
    TWO_LENGTHS = auto()
    BAD_LENGTH = auto()
    NEGATIVE_LENGTH = auto()
    LENGTH_AND_CHUNKED = auto()
    BAD_HEADER = auto()
    NOT_HTTP = auto()
    TLS_GARBAGE = auto()
    """Answers plain HTTP with the start of a TLS handshake."""
    LENGTH_TOO_SHORT = auto()
    """Content-Length cuts the body off."""
    REDIRECT_302 = auto()
    REDIRECT_307 = auto()
    STATUS_503 = auto()
    STATUS_204 = auto()
    HTML = auto()
    GZIP_BOMB = auto()
    BROTLI = auto()
    DEEP = auto()
    NAN = auto()
    OVERFLOW = auto()
    HUGE_INTEGER = auto()
    DUPLICATE_KEYS = auto()
    LATIN_1 = auto()
    LONE_SURROGATE = auto()
    EMPTY = auto()
    CUT_JSON = auto()
    JSON_LIST = auto()
    WRONG_ID = auto()
    NO_ID = auto()
    HUGE_ACTION = auto()
    NUMBER_ACTION = auto()
    NULL_ACTION = auto()
    UNKNOWN_ACTION = auto()
    """A well-formed answer with an action that was not legal; for the referee to judge."""


_TIMEOUT = (
    "SILENT DEAF DRIP_HEADERS DRIP_BODY DRIP_CHUNKS DRIP_INTERIM DRIP_TRAILERS HALF_BODY"
    " NO_LENGTH_OPEN"
)
_CODES = {
    FaultCode.OK: "GOOD SLOW EARLY_HINTS NO_LENGTH_CLOSE CHUNKED ANSWER_THEN_CLOSE STALE_SECOND",
    FaultCode.TIMEOUT: _TIMEOUT,
    FaultCode.TOO_LARGE: (
        "ENDLESS_HEADERS ENDLESS_HEADER_LINE MANY_HEADERS ENDLESS_CHUNKS ENDLESS_TRAILERS"
        " ENDLESS_BODY HUGE_CHUNK HUGE_LENGTH HUGE_NOTE"
    ),
    FaultCode.RESET: "CLOSE RESET CLOSE_IN_HEADERS RESET_IN_BODY",
    FaultCode.BAD_HTTP: (
        "INTERIM_FLOOD SHORT_BODY CUT_CHUNKS BAD_CHUNK TWO_LENGTHS BAD_LENGTH NEGATIVE_LENGTH"
        " LENGTH_AND_CHUNKED BAD_HEADER NOT_HTTP TLS_GARBAGE"
    ),
    FaultCode.REDIRECT: "REDIRECT_302 REDIRECT_307",
    FaultCode.BAD_STATUS: "STATUS_503 STATUS_204",
    FaultCode.BAD_ENCODING: "GZIP_BOMB BROTLI LATIN_1",
    FaultCode.BAD_JSON: (
        "LENGTH_TOO_SHORT HTML DEEP NAN OVERFLOW HUGE_INTEGER DUPLICATE_KEYS"
        " LONE_SURROGATE EMPTY CUT_JSON"
    ),
    FaultCode.SCHEMA: "JSON_LIST NO_ID HUGE_ACTION NUMBER_ACTION NULL_ACTION",
    FaultCode.UNKNOWN_ID: "WRONG_ID",
    FaultCode.ILLEGAL: "UNKNOWN_ACTION",
}
EXPECTED = {Behaviour[name]: code for code, names in _CODES.items() for name in names.split()}
"""The fault code for each behaviour, `OK` where the answer counts."""
