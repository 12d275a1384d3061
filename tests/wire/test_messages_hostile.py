"""Whatever bytes a bot sends, a reply is either understood or a fault with a code."""

from __future__ import annotations

import json
from contextlib import suppress
from importlib.resources import files
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.referee.verdicts import BotFault, FaultCode
from arena.wire.messages import ReplyItem, parse_act_reply, parse_info
from arena.wire.strict_json import StrictJsonError, loads
from tests.wire.protocol_examples import examples

A, B = "m_a-1-1-0", "m_b-1-1-0"
VECTORS: list[dict[str, Any]] = json.loads(
    files("arena.protocol").joinpath("vectors", "strict_json.json").read_text(encoding="utf-8")
)

BODIES = [
    b"",
    b" \r\n",
    b"<h1>It works",
    b"pass",
    b"{}",
    b'{"answers":',
    b'{"answers":[]}{}',
    b"\xef\xbb\xbf{}",
    b'{"id":"a","id":"b","action":"pass"}',
    b'{"id":"a","action":"pass","note":NaN}',
    b'{"id":"a","action":"pass","note":1e999}',
    b'{"id":"a","action":"pass","note":' + b"9" * 5000 + b"}",
    b"[" * 100_000,
    b'{"answers":[' * 50_000,
    b'{"id":"\\ud800","action":"pass"}',
    b'{"id":"a","action":"\\u0000"}',
    '{"id":"a","action":"٧"}'.encode(),
]
NOT_TEXT = [b"\xff\xfe{}", b'{"id":"\xe9"}', "{}".encode("utf-16"), b"\x80", b"\x1f\x8b\x08\x00"]


def _judged(body: bytes) -> set[FaultCode]:
    found = parse_act_reply(body, [A, B])
    assert list(found) == [A, B]
    assert all(isinstance(verdict, BotFault) and verdict.detail for verdict in found.values())
    return {verdict.code for verdict in found.values() if isinstance(verdict, BotFault)}


@pytest.mark.parametrize("body", BODIES, ids=lambda body: repr(body[:20]))
def test_hostile_bytes_are_faults(body: bytes) -> None:
    """Neither a move nor an exception, and the same for both questions."""
    assert _judged(body) <= {FaultCode.BAD_JSON, FaultCode.SCHEMA, FaultCode.UNKNOWN_ID}


@pytest.mark.parametrize("body", NOT_TEXT, ids=repr)
def test_bytes_that_are_no_text_have_their_own_code(body: bytes) -> None:
    """Wrong encoding and wrong JSON are different mistakes."""
    assert _judged(body) == {FaultCode.BAD_ENCODING}
    with pytest.raises(BotFault) as caught:
        parse_info(body)
    assert caught.value.code is FaultCode.BAD_ENCODING


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: str(vector["name"]))
def test_the_vectors_of_strict_json_hold(vector: dict[str, Any]) -> None:
    """What the protocol calls strict JSON is what the arena takes for it."""
    data = bytes.fromhex(vector["hex"]) if "hex" in vector else vector["text"].encode()
    if vector["strict"]:
        loads(data)
    else:
        with pytest.raises(StrictJsonError):
            loads(data)


@given(st.binary(max_size=60))
@settings(max_examples=300, deadline=None, derandomize=True)
def test_any_bytes_are_judged(body: bytes) -> None:
    """Random bytes never raise."""
    _judged(body)


SEEDS = [
    json.dumps(example.value).encode()
    for example in examples("valid")
    if example.message in ("act_reply", "info")
]


@given(st.sampled_from(SEEDS), st.integers(0, 10_000), st.binary(max_size=3), st.integers(0, 5))
@settings(max_examples=500, deadline=None, derandomize=True)
def test_any_damage_is_judged(body: bytes, place: int, put: bytes, gone: int) -> None:
    """Good messages with a few bytes changed never raise anything but a fault."""
    place %= len(body) + 1
    damaged = body[:place] + put + body[place + gone :]

    for verdict in parse_act_reply(damaged, [A]).values():
        assert isinstance(verdict, BotFault | ReplyItem)
    with suppress(BotFault):
        parse_info(damaged)


def test_a_sentence_never_repeats_a_book() -> None:
    """Details stay short enough to store and to show, whatever the bot sent."""
    long = "x" * 60_000
    for reply in (
        {"answers": [{"id": long, "action": "pass"}]},
        {"answers": [{"id": A, "action": long}]},
        {"answers": [{"id": A, "action": "pass", long: 1}]},
        {"answers": [{"id": A, "action": "pass", "melds": [[long]]}]},
        {"answers": [{long: long}]},
        {long: long},
        long,
    ):
        for verdict in parse_act_reply(json.dumps(reply).encode(), [A]).values():
            assert isinstance(verdict, BotFault)
            assert len(verdict.detail) <= 1000


def test_a_sentence_is_one_line_of_visible_text() -> None:
    """A bot cannot write into the arena's logs and pages by way of its own mistakes."""
    nasty = "a\nb\x1b[31m\u202e<b>"
    for reply in (
        {"answers": [{"id": A, "action": "pass", nasty: 1}]},
        {"answers": [{"id": A, "action": "pass", "melds": [[nasty]]}]},
        {"answers": [{"id": nasty, "action": "pass"}]},
    ):
        for verdict in parse_act_reply(json.dumps(reply).encode(), [A]).values():
            assert isinstance(verdict, BotFault)
            assert verdict.detail.isprintable()
