"""From a tournament's secret to the order of a deck, so that any language can redo it.

Nothing here draws random numbers: the only randomness of a tournament is its secret, which the
operating system supplied and which is published after the last hand.
"""

from __future__ import annotations

import hashlib
import hmac
import struct
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")

KEY_BYTES = 8
"""Bytes of the stream that make the sort key of one card."""


def deal_seed(secret: bytes, deal_key: str, game: int, hand: int) -> bytes:
    """The 32 bytes that fix one deal: HMAC-SHA256 of ``deal_key|game|hand`` under the secret.

    Fixtures that share ``deal_key`` (mirrored fixtures) therefore meet the same deals.
    """
    message = f"{deal_key}|{game}|{hand}"
    return hmac.digest(secret, message.encode(), hashlib.sha256)


def shuffled(deck: Sequence[T], seed: bytes) -> tuple[T, ...]:
    """The deck in the order that this deal seed gives it.

    Card i has the i-th big-endian 64-bit number of SHAKE-256(seed) as its key; cards are sorted
    by key, and by place in the deck should two keys be equal.
    """
    count = len(deck)
    keys = struct.unpack(f">{count}Q", hashlib.shake_256(seed).digest(KEY_BYTES * count))
    return tuple([deck[at] for at in sorted(range(count), key=keys.__getitem__)])


def first_dealer(secret: bytes, deal_key: str, seats: int) -> int:
    """The seat that deals first in the first game of a match, all seats alike likely.

    It follows from a deal that is never played, that of game 0. The whole number is used: of its
    first byte alone some seats would get more than others.
    """
    return int.from_bytes(deal_seed(secret, deal_key, 0, 0)) % seats
