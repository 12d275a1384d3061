"""Refuses requests that the referee did not sign, signed too long ago, or sent before.

The headers are those of Standard Webhooks: ``webhook-id``, ``webhook-timestamp`` and
``webhook-signature`` (``v1,`` and the base64 of HMAC-SHA256 over ``id.timestamp.body``).
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import threading
import time
from collections.abc import Callable, Mapping, Sequence

from arena.errors import UsageError

TOLERANCE_SECONDS = 300
"""How far the clocks may differ, and how long an id is remembered."""


class SignatureGuard:
    """Knows the bot's secrets and the ids seen in the last minutes.

    :raises UsageError: a text is no ``whsec_`` secret.
    """

    def __init__(self, secrets: Sequence[str], now: Callable[[], float] = time.time) -> None:
        self._keys = [_key(secret) for secret in secrets]
        self._now = now
        self._seen: dict[str, float] = {}
        self._lock = threading.Lock()

    def refusal(self, headers: Mapping[str, str], body: bytes) -> str | None:
        """Why this request is refused, None when it is accepted. Accepting remembers its id."""
        message_id, stamp = headers["webhook-id"], headers["webhook-timestamp"]
        signatures = headers["webhook-signature"]
        if not (message_id and stamp and signatures):
            return "unsigned: webhook-id, webhook-timestamp and webhook-signature are needed"
        if not (stamp.isascii() and stamp.isdigit() and len(stamp) <= 12):
            return "webhook-timestamp is no number of seconds"
        now = self._now()
        if abs(now - int(stamp)) > TOLERANCE_SECONDS:
            return f"webhook-timestamp is more than {TOLERANCE_SECONDS} seconds off; set the clock"
        if not self._signed(f"{message_id}.{stamp}.".encode("latin-1") + body, signatures):
            return "webhook-signature does not fit; is it the same secret on both sides?"
        if not self._remember(message_id, now):
            return "webhook-id was used before"
        return None

    def _signed(self, content: bytes, signatures: str) -> bool:
        # Header texts come as latin-1, one character a byte.
        given = [
            text[3:].encode("latin-1") for text in signatures.split(" ") if text.startswith("v1,")
        ]
        wanted = [base64.b64encode(hmac.digest(key, content, hashlib.sha256)) for key in self._keys]
        return any([hmac.compare_digest(one, other) for one in given for other in wanted])

    def _remember(self, message_id: str, now: float) -> bool:
        with self._lock:
            if message_id in self._seen:
                return False
            # A timestamp may lie in the future, so an id stays fresh for twice the tolerance.
            self._seen[message_id] = now + 2 * TOLERANCE_SECONDS
            while self._seen:
                oldest = next(iter(self._seen))
                if self._seen[oldest] > now:
                    break
                del self._seen[oldest]
            return True


def _key(secret: str) -> bytes:
    try:
        if not secret.startswith("whsec_"):
            raise ValueError
        key = base64.b64decode(secret[6:], validate=True)
        if len(key) < 16:
            raise ValueError
    except (ValueError, binascii.Error):
        raise UsageError(
            "the secret must be whsec_ followed by base64 text of 16 bytes or more"
        ) from None
    return key
