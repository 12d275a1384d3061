"""Signed requests: the published vectors, another implementation, rotation and replay."""

from __future__ import annotations

import base64
import json
import re
import shutil
import subprocess
import time
from importlib.resources import files
from typing import Any

import pytest

from arena.errors import ConfigError
from arena.wire import signing
from arena.wire.crew import Crew
from arena.wire.signing import BadSignature, Signer, Verifier, new_secret, secret_key, signature
from tests.faulty_bots import FaultyBot
from tests.wire.lanes import ask, lane_to

VECTORS: dict[str, Any] = json.loads(
    files("arena.protocol").joinpath("vectors", "signing.json").read_text(encoding="utf-8")
)
CASES: list[dict[str, Any]] = VECTORS["cases"]
SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
OTHER = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="


def accepts(verifier: Verifier, headers: dict[str, str], body: bytes) -> bool:
    """Whether the request passes."""
    try:
        verifier.verify(headers, body)
    except BadSignature:
        return False
    return True


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_published_vectors_hold(case: dict[str, Any]) -> None:
    """Valid ones pass, invalid ones do not, a second delivery as stated."""
    clock = [float(case["now"])]
    verifier = Verifier(*case["secrets"], now=lambda: clock[0])
    body = case["body"].encode()
    assert accepts(verifier, case["headers"], body) is case["valid"]
    if "again" in case:
        clock[0] = case["again"]["now"]
        assert accepts(verifier, case["headers"], body) is case["again"]["valid"]


@pytest.mark.parametrize("secret", VECTORS["bad_secrets"])
def test_bad_secrets_are_refused_without_being_repeated(secret: str) -> None:
    """Wrong prefix, no base64, too short, too long."""
    with pytest.raises(ConfigError) as caught:
        secret_key(secret)
    assert len(secret) < 8 or secret[6:] not in str(caught.value)


def test_the_signer_writes_what_the_valid_vectors_hold() -> None:
    """Signing the same id, time and body gives the same header."""
    plain = [case for case in CASES if case["valid"] and len(case["secrets"]) == 1]
    for case in plain:
        headers = {name.lower(): value for name, value in case["headers"].items()}
        made = Signer(*case["secrets"]).headers_for(
            headers["webhook-id"], int(headers["webhook-timestamp"]), case["body"].encode()
        )
        assert made["webhook-signature"] in headers["webhook-signature"].split(" ")
    assert len(plain) >= 8


@pytest.mark.skipif(shutil.which("openssl") is None, reason="needs the openssl command")
def test_openssl_computes_the_same_signatures() -> None:
    """An implementation in another language agrees."""
    key = secret_key(SECRET)
    id, timestamp, body = "msg_1", 1614265330, '{"a": "é"}'.encode()
    made = subprocess.run(
        ["openssl", "dgst", "-sha256", "-mac", "HMAC", "-macopt", f"hexkey:{key.hex()}", "-binary"],
        input=f"{id}.{timestamp}.".encode() + body,
        capture_output=True,
        check=True,
    )
    assert signature(key, id, timestamp, body) == "v1," + base64.b64encode(made.stdout).decode()


def test_new_secrets_are_strong_and_different() -> None:
    """256 bits each."""
    secrets = {new_secret() for _ in range(50)}
    assert len(secrets) == 50
    assert {len(secret_key(secret)) for secret in secrets} == {32}


def test_rotation_never_refuses_a_request() -> None:
    """Old, both, new: at every step each side may be one step ahead of the other."""
    stages = [(SECRET,), (SECRET, OTHER), (OTHER,)]
    for ours, theirs in [(0, 1), (1, 0), (1, 1), (1, 2), (2, 1)]:
        headers = Signer(*stages[ours]).headers(b"{}")
        assert Verifier(*stages[theirs]).verify(headers, b"{}") == headers["webhook-id"]
    with pytest.raises(BadSignature):
        Verifier(OTHER).verify(Signer(SECRET).headers(b"{}"), b"{}")


@pytest.mark.parametrize("secrets", [(), (SECRET, OTHER, SECRET)])
def test_one_or_two_secrets_are_wanted(secrets: tuple[str, ...]) -> None:
    """None is no signing at all, three is a mistake."""
    with pytest.raises(ConfigError):
        Signer(*secrets)
    with pytest.raises(ConfigError):
        Verifier(*secrets)


def test_the_replay_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ids are forgotten when their time stamp alone would refuse them, or when too many."""
    monkeypatch.setattr(signing, "MOST_REMEMBERED", 10)
    clock = [1000.0]
    verifier = Verifier(SECRET, now=lambda: clock[0])
    signer = Signer(SECRET)
    for number in range(30):
        verifier.verify(signer.headers_for(f"msg_{number}", 1000, b""), b"")
    assert len(verifier._seen) == 10
    clock[0] = 1000.0 + 2 * signing.TOLERANCE_S
    verifier.verify(signer.headers_for("msg_late", int(clock[0]), b""), b"")
    assert list(verifier._seen) == ["msg_late"]


def test_a_refused_request_does_not_use_up_its_id() -> None:
    """Nobody can block a request by sending its id with a wrong signature first."""
    verifier = Verifier(SECRET)
    headers = Signer(SECRET).headers(b"{}")
    assert not accepts(verifier, headers | {"webhook-signature": "v1,AAAA"}, b"{}")
    assert accepts(verifier, headers, b"{}")


def test_secrets_are_not_shown() -> None:
    """Neither signer nor verifier shows its keys."""
    assert SECRET[6:] not in repr(Signer(SECRET)) + repr(Verifier(SECRET))


def test_signed_calls_verify_on_the_bots_side(crew: Crew) -> None:
    """Every call of a lane is signed: greeting, decisions, advisory messages; each with its id."""
    verifier = Verifier(SECRET)
    with FaultyBot() as bot:
        lane = lane_to(bot, crew, secrets=[OTHER, SECRET])
        lane.warm_up()
        for turn in range(3):
            ask(lane, f"m_1-1-1-{turn}")
        ids = [verifier.verify(request.headers, request.body) for request in bot.requests]

    assert len(set(ids)) == 4
    assert all(re.fullmatch(r"msg_[0-9a-f]{24}", id) for id in ids)
    stamp = int(bot.requests[0].headers["webhook-timestamp"])
    assert abs(stamp - time.time()) < 30


def test_calls_without_a_secret_are_not_signed(crew: Crew) -> None:
    """No headers that look like a signature."""
    with FaultyBot() as bot:
        ask(lane_to(bot, crew))
    assert not any(name.startswith("webhook") for name in bot.requests[0].headers)
