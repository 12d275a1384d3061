"""Signed requests after Standard Webhooks: a bot can tell that the arena is calling.

Three headers travel with a request: ``webhook-id`` (also the key against replay),
``webhook-timestamp`` (seconds since 1970) and ``webhook-signature``
(``v1,BASE64(HMAC-SHA256(secret, "ID.TIMESTAMP." + body))``, several separated by spaces while a
secret is being changed). Only the standard library is used, so bots can import this too.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import os
import re
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from arena.errors import ArenaError, ConfigError

PREFIX = "whsec_"
TOLERANCE_S = 300
MOST_REMEMBERED = 100_000
MIN_SECRET_BYTES = 24
MAX_SECRET_BYTES = 64
MOST_SECRETS = 2

_ID = re.compile(r"[\x21-\x2d\x2f-\x7e]{1,128}")
"""Visible ASCII without the full stop, which would blur where the id ends and the time begins."""
_TIMESTAMP = re.compile(r"[0-9]{1,12}")


class Signed(NamedTuple):
    """A request that comes from the arena: its id, and its time in seconds since 1970."""

    id: str
    timestamp: int


class BadSignature(ArenaError):
    """The request does not come from the arena, or came before. The text is safe to show."""


def new_secret() -> str:
    """A fresh secret of 256 bits from the operating system."""
    return PREFIX + base64.b64encode(os.urandom(32)).decode("ascii")


def secret_key(secret: str) -> bytes:
    """The key that a ``whsec_`` secret spells.

    :raises ConfigError: it spells none. The message does not repeat it.
    """
    try:
        key = base64.b64decode(secret.removeprefix(PREFIX), validate=True)
    except (binascii.Error, ValueError):
        key = b""
    if not secret.startswith(PREFIX) or not MIN_SECRET_BYTES <= len(key) <= MAX_SECRET_BYTES:
        raise ConfigError(
            f"a signing secret is {PREFIX} and base64 of {MIN_SECRET_BYTES} to {MAX_SECRET_BYTES} "
            "random bytes"
        )
    return key


def signature(key: bytes, id: str, timestamp: int, body: bytes) -> str:
    """One entry of ``webhook-signature``."""
    signed = b"%s.%d.%s" % (id.encode("ascii"), timestamp, body)
    digest = hmac.digest(key, signed, hashlib.sha256)
    return "v1," + base64.b64encode(digest).decode("ascii")


class Signer:
    """Signs with one secret, or with two while the bot changes from the old to the new one."""

    def __init__(self, *secrets: str) -> None:
        """:raises ConfigError: a secret is none, or there are not one or two."""
        self._keys = _keys(secrets)

    def headers(self, body: bytes) -> dict[str, str]:
        """The headers for a request that is sent now, under a new id."""
        return self.headers_for(f"msg_{os.urandom(12).hex()}", int(time.time()), body)

    def headers_for(self, id: str, timestamp: int, body: bytes) -> dict[str, str]:
        """The headers for a given id and time."""
        return {
            "webhook-id": id,
            "webhook-timestamp": str(timestamp),
            "webhook-signature": " ".join(signature(k, id, timestamp, body) for k in self._keys),
        }

    def __repr__(self) -> str:
        return f"<Signer with {len(self._keys)} secrets>"


@dataclass(slots=True)
class _Seen:
    """A request that was answered, and how often."""

    timestamp: int
    answers: int = 0


class Verifier:
    """Verifies requests: right secret, fresh, and not seen before. May be shared by threads.

    ``now`` returns seconds since 1970. Ids are remembered as long as their time stamp is fresh, so
    a copy of a request is refused even then; a restart forgets them.

    The arena repeats a call once, bytes and id, when the connection breaks before the answer. A
    server that wants to answer then calls `check` first, `remember` before its answer leaves and
    `forget` if it could not be sent; `verify` does the first two at once.
    """

    def __init__(
        self,
        *secrets: str,
        tolerance_s: int = TOLERANCE_S,
        now: Callable[[], float] = time.time,
    ) -> None:
        """:raises ConfigError: a secret is none, or there are not one or two."""
        self._keys = _keys(secrets)
        self._tolerance_s = tolerance_s
        self._now = now
        self._seen: OrderedDict[str, _Seen] = OrderedDict()
        self._lock = threading.Lock()

    def verify(self, headers: Mapping[str, str], body: bytes) -> str:
        """Check a request, remember it, and return its id. Header names may be in any case.

        :raises BadSignature: see `check`; of several copies at a time one is accepted.
        """
        signed = self.check(headers, body)
        if not self.remember(signed):
            raise BadSignature("this request was here before")
        return signed.id

    def check(self, headers: Mapping[str, str], body: bytes) -> Signed:
        """Check a request without remembering it. Header names may be in any case.

        :raises BadSignature: a header is missing or malformed, no signature fits, the time is too
            far off, or the id is remembered.
        """
        found = {name.lower(): value for name, value in headers.items()}
        id = found.get("webhook-id", "")
        stamp = found.get("webhook-timestamp", "")
        offered = found.get("webhook-signature", "")
        if not _ID.fullmatch(id) or not _TIMESTAMP.fullmatch(stamp) or not offered:
            raise BadSignature("webhook-id, webhook-timestamp or webhook-signature is missing")
        timestamp = int(stamp)
        if abs(self._now() - timestamp) > self._tolerance_s:
            raise BadSignature(f"the time stamp is more than {self._tolerance_s} s off; set clocks")
        if not self._fits(id, timestamp, body, offered):
            raise BadSignature("no signature fits; compare the secrets on both sides")
        with self._lock:
            if id in self._seen:
                raise BadSignature("this request was here before")
        return Signed(id, timestamp)

    def remember(self, signed: Signed) -> bool:
        """Accept no copy of this request any more. False when it was remembered already."""
        with self._lock:
            self._make_room(self._now())
            seen = self._seen.setdefault(signed.id, _Seen(signed.timestamp))
            seen.answers += 1
            return seen.answers == 1

    def forget(self, signed: Signed) -> None:
        """Take one `remember` back: its answer was never sent."""
        with self._lock:
            seen = self._seen.get(signed.id)
            if seen is not None:
                seen.answers -= 1
                if not seen.answers:
                    del self._seen[signed.id]

    def _fits(self, id: str, timestamp: int, body: bytes, offered: str) -> bool:
        wanted = [signature(key, id, timestamp, body).encode() for key in self._keys]
        # Every pair is compared, so that the time taken tells nothing.
        fits = False
        for entry in offered.encode("utf-8", "replace").split(b" ")[:16]:
            for right in wanted:
                fits |= hmac.compare_digest(entry, right)
        return fits

    def _make_room(self, now: float) -> None:
        """Drop ids whose time stamp alone would refuse them, in the order they came."""
        while self._seen:
            oldest = next(iter(self._seen))
            fresh = self._seen[oldest].timestamp + self._tolerance_s >= now
            if fresh and len(self._seen) < MOST_REMEMBERED:
                return
            del self._seen[oldest]

    def __repr__(self) -> str:
        return f"<Verifier with {len(self._keys)} secrets>"


def _keys(secrets: tuple[str, ...]) -> tuple[bytes, ...]:
    if not 1 <= len(secrets) <= MOST_SECRETS:
        raise ConfigError(f"give one signing secret, or {MOST_SECRETS} while changing it")
    return tuple(secret_key(secret) for secret in secrets)
