"""Signed requests only."""

from __future__ import annotations

import base64
import hashlib
import hmac

import pytest

from arena.bot.guard import TOLERANCE_SECONDS, SignatureGuard
from arena.errors import UsageError

KEY, OTHER = b"k" * 24, b"o" * 24
SECRET, OLD_SECRET = ("whsec_" + base64.b64encode(key).decode() for key in (KEY, OTHER))
NOW = 1_800_000_000


def signed(
    body: bytes = b"{}", key: bytes = KEY, name: str = "msg_1", stamp: int = NOW
) -> dict[str, str]:
    """The three headers, computed as the Standard Webhooks text says."""
    digest = hmac.new(key, f"{name}.{stamp}.".encode() + body, hashlib.sha256).digest()
    return {
        "webhook-id": name,
        "webhook-timestamp": str(stamp),
        "webhook-signature": "v1," + base64.b64encode(digest).decode(),
    }


@pytest.fixture
def guard() -> SignatureGuard:
    """A guard with one secret and a clock that stands still."""
    return SignatureGuard([SECRET], now=lambda: NOW)


def test_a_fresh_signed_request_is_accepted(guard: SignatureGuard) -> None:
    """No refusal."""
    assert guard.refusal(signed(), b"{}") is None


def test_the_published_example_of_standard_webhooks_is_accepted() -> None:
    """The test vector of the specification's reference implementations."""
    guard = SignatureGuard(["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"], now=lambda: 1614265330)
    headers = {
        "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
        "webhook-timestamp": "1614265330",
        "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    }

    assert guard.refusal(headers, b'{"test": 2432232314}') is None


@pytest.mark.parametrize("missing", ["webhook-id", "webhook-timestamp", "webhook-signature"])
def test_an_unsigned_request_is_refused(guard: SignatureGuard, missing: str) -> None:
    """All three headers are needed."""
    assert "unsigned" in str(guard.refusal({**signed(), missing: ""}, b"{}"))


def test_another_secret_or_another_body_is_refused(guard: SignatureGuard) -> None:
    """The signature covers the body and depends on the secret."""
    assert "does not fit" in str(guard.refusal(signed(key=OTHER), b"{}"))
    assert "does not fit" in str(guard.refusal(signed(), b"{ }"))
    assert "does not fit" in str(guard.refusal({**signed(), "webhook-id": "msg_2"}, b"{}"))


@pytest.mark.parametrize("off", [-TOLERANCE_SECONDS - 1, TOLERANCE_SECONDS + 1])
def test_a_stale_request_is_refused(guard: SignatureGuard, off: int) -> None:
    """Five minutes of difference at most, in both directions."""
    assert "seconds off" in str(guard.refusal(signed(stamp=NOW + off), b"{}"))
    assert guard.refusal(signed(stamp=NOW + off - (1 if off > 0 else -1)), b"{}") is None


@pytest.mark.parametrize("stamp", ["soon", "-1", "1e9", "9" * 30, "１"])
def test_a_timestamp_that_is_none_is_refused(guard: SignatureGuard, stamp: str) -> None:
    """Only plain decimal seconds."""
    assert "no number" in str(guard.refusal({**signed(), "webhook-timestamp": stamp}, b"{}"))


def test_a_replayed_request_is_refused(guard: SignatureGuard) -> None:
    """The same id counts once; a refused request does not use its id up."""
    assert guard.refusal(signed(key=OTHER), b"{}") is not None
    assert guard.refusal(signed(), b"{}") is None
    assert "used before" in str(guard.refusal(signed(), b"{}"))


def test_ids_are_forgotten_when_they_are_stale_anyway() -> None:
    """The memory of ids does not grow for ever, and never before the stamp is stale."""
    clock = [float(NOW)]
    guard = SignatureGuard([SECRET], now=lambda: clock[0])
    future = signed(stamp=NOW + TOLERANCE_SECONDS)
    assert guard.refusal(future, b"{}") is None

    clock[0] += 2 * TOLERANCE_SECONDS
    assert guard.refusal(future, b"{}") is not None
    clock[0] += 1
    fresh = signed(name="msg_1", stamp=int(clock[0]))
    assert guard.refusal(signed(name="msg_9", stamp=int(clock[0])), b"{}") is None
    assert guard.refusal(fresh, b"{}") is None


def test_both_secrets_count_during_a_change() -> None:
    """Either the old or the new secret will do, and one good signature among several."""
    guard = SignatureGuard([SECRET, OLD_SECRET], now=lambda: NOW)
    two = signed(name="c")
    two["webhook-signature"] = f"v1,AAAA v1a,BBBB {two['webhook-signature']}"

    assert guard.refusal(signed(key=KEY, name="a"), b"{}") is None
    assert guard.refusal(signed(key=OTHER, name="b"), b"{}") is None
    assert guard.refusal(two, b"{}") is None


@pytest.mark.parametrize("secret", ["", "abc", "whsec_", "whsec_c2hvcnQ=", "whsec_%%%", "whsec_ä"])
def test_a_text_that_is_no_secret_is_refused(secret: str) -> None:
    """A wrong secret is the author's mistake and said at once."""
    with pytest.raises(UsageError, match="whsec_"):
        SignatureGuard([secret])
