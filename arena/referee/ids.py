"""Opaque ids, as functions of the tournament's secret.

They tell a bot nothing (not which half of a mirrored pair this is), and a resumed or repeated
tournament with the same secret uses the same ones.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Iterable


def opaque_id(prefix: str, secret: bytes, *parts: object) -> str:
    """``prefix_`` and 16 lower-case base-32 characters (80 bits) of HMAC-SHA256 over the parts."""
    text = "|".join(map(str, parts)).encode()
    digest = hmac.new(secret, b"id|" + prefix.encode() + b"|" + text, hashlib.sha256).digest()
    return f"{prefix}_{base64.b32encode(digest[:10]).decode().lower()}"


def commitment_of(secret: bytes) -> str:
    """What is published before the first hand: the SHA-256 of the secret, hex."""
    return hashlib.sha256(secret).hexdigest()


def fixture_id(secret: bytes, tournament: str, key: Iterable[object], replay: int = 0) -> str:
    """The id of a fixture of a tournament; each replay of a voided one has another."""
    return opaque_id("m", secret, tournament, *key, replay)
