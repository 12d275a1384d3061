"""What is checked of an answer's head, and what the errors of a connection mean.

Whatever is wrong becomes a `BotFault` with a sentence for the bot's author. Nothing here reads.
"""

from __future__ import annotations

import http.client
import re
import ssl

from arena.referee.verdicts import BotFault, FaultCode
from arena.wire.strict_json import excerpt

_STATUS_LINE = re.compile(rb"(HTTP/1\.[0-9]) ([1-9][0-9]{2})(?: ([^\r\n]*))?(?:\r?\n)?")
LONGEST_LINE = 65_536


class Response(http.client.HTTPResponse):
    """As the standard library's, but the status line is read by the letter: any number that Python
    reads, such as 0200 or 2_00, passes there."""

    def _read_status(self) -> tuple[str, int, str]:
        line = self.fp.readline(LONGEST_LINE + 1)
        if len(line) > LONGEST_LINE:
            raise http.client.LineTooLong("status line")
        if not line:
            raise http.client.RemoteDisconnected("no answer")
        found = _STATUS_LINE.fullmatch(line)
        if found is None:
            self.close()
            raise http.client.BadStatusLine(line.decode("iso-8859-1"))
        version, status, reason = (part.decode("iso-8859-1") for part in found.groups(b""))
        return version, int(status), reason.strip()


def check_status(response: http.client.HTTPResponse, any_success: bool) -> None:
    """Refuse an answer that does not say that all is well."""
    status = response.status
    if status == 200 or (any_success and 200 <= status <= 299):
        return
    if 300 <= status <= 399:
        raise BotFault(FaultCode.REDIRECT, f"status {status}; redirects are not followed")
    reason = excerpt(response.reason.encode("utf-8", "replace"), 60)
    raise BotFault(FaultCode.BAD_STATUS, f"status {status} {reason}; answer with 200".strip())


def check_framing(response: http.client.HTTPResponse) -> None:
    """Refuse headers that are malformed, or of which two programs would read two bodies."""
    headers = response.headers
    if headers.defects:
        raise BotFault(FaultCode.BAD_HTTP, "a header line is malformed; send NAME: VALUE lines")
    for encoding in headers.get_all("Content-Encoding", []):
        if encoding.strip().lower() not in ("", "identity"):
            shown = excerpt(encoding.encode("utf-8", "replace"), 40)
            raise BotFault(FaultCode.BAD_ENCODING, f"content encoding {shown}; send it plain")
    lengths = [length.strip(" \t") for length in headers.get_all("Content-Length", [])]
    transfer = headers.get_all("Transfer-Encoding", [])
    if transfer:
        if lengths or response.version < 11 or not response.chunked or len(transfer) > 1:
            raise BotFault(
                FaultCode.BAD_HTTP,
                "Transfer-Encoding has to be chunked, in HTTP/1.1, without Content-Length",
            )
        return
    if len(set(lengths)) > 1 or not all(_LENGTH.fullmatch(length) for length in lengths):
        raise BotFault(FaultCode.BAD_HTTP, "Content-Length has to be one decimal number")


_LENGTH = re.compile(r"[0-9]{1,18}", re.ASCII)


def verdict(error: Exception) -> tuple[FaultCode, str]:
    """The code and a sentence for whatever the layers below can raise."""
    match error:
        case ssl.SSLEOFError():
            return FaultCode.RESET, "the connection broke before the answer was complete"
        case ssl.SSLError():
            return FaultCode.TLS, tls_reason(error)
        case ConnectionRefusedError():
            return FaultCode.REFUSED, "nobody listens there; start the bot"
        case ConnectionError():
            return FaultCode.RESET, "the connection broke before the answer was complete"
        case OSError():
            reason = error.strerror or type(error).__name__
            return FaultCode.REFUSED, f"cannot be reached ({reason})"
        case http.client.IncompleteRead():
            return FaultCode.BAD_HTTP, "the body ended early or its chunks are malformed"
        case http.client.LineTooLong():
            return FaultCode.TOO_LARGE, "a header line is too long; send a shorter one"
        case http.client.BadStatusLine():
            shown = excerpt(str(error).encode("utf-8", "replace"), 60)
            return FaultCode.BAD_HTTP, f"no HTTP status line: {shown}"
        case http.client.HTTPException() if "headers" in str(error):
            return FaultCode.TOO_LARGE, "more than 100 header lines; send fewer"
        case http.client.HTTPException():
            return FaultCode.BAD_HTTP, f"no HTTP/1.1 answer ({type(error).__name__})"
    return FaultCode.BAD_HTTP, f"an answer that cannot be read ({type(error).__name__})"


def tls_reason(error: ssl.SSLError) -> str:
    """Why there is no encrypted connection, for the bot's author."""
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"the certificate does not hold: {error.verify_message}"
    reason = (error.reason or type(error).__name__).lower().replace("_", " ")
    return f"no encrypted connection ({reason})"
