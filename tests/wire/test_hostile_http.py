"""Answers by the byte: whatever arrives is an answer or a fault, and never an exception."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.referee.verdicts import BotFault, FaultCode
from arena.wire.client import Received
from tests.wire.parrot import CHUNKED, GOOD, Parrot


@pytest.fixture(scope="module")
def parrot() -> Iterator[Parrot]:
    """One bot for all bytes of this module."""
    one = Parrot()
    with one.bot:
        yield one


def verdict(outcome: Received | BotFault) -> FaultCode:
    """The code, `OK` for an answer."""
    return outcome.code if isinstance(outcome, BotFault) else FaultCode.OK


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (GOOD, FaultCode.OK),
        (CHUNKED, FaultCode.OK),
        (GOOD.replace(b"\r\n", b"\n"), FaultCode.OK),
        (GOOD.replace(b"1.1", b"1.0"), FaultCode.OK),
        (GOOD.replace(b" OK", b""), FaultCode.OK),
        (GOOD.replace(b"h: 2", b"h:2 "), FaultCode.OK),
        (GOOD.replace(b"Content-Type", b"Content-Encoding: identity\r\nX"), FaultCode.OK),
        (GOOD.replace(b"1.1", b"2.0"), FaultCode.BAD_HTTP),
        (GOOD.replace(b"HTTP", b"http"), FaultCode.BAD_HTTP),
        (GOOD.replace(b"200", b"2OO"), FaultCode.BAD_HTTP),
        (GOOD.replace(b"200", b"0200"), FaultCode.BAD_HTTP),
        (GOOD.replace(b"200", b"+200"), FaultCode.BAD_HTTP),
        (GOOD.replace(b"200", b"2_00"), FaultCode.BAD_HTTP),
        (GOOD.replace(b" 200", b"\t200"), FaultCode.BAD_HTTP),
        (GOOD.replace(b"1.1", b"1.one"), FaultCode.BAD_HTTP),
        (GOOD.replace(b" 200 OK", b""), FaultCode.BAD_HTTP),
        (GOOD.replace(b"200", b"99"), FaultCode.BAD_HTTP),
        (GOOD.replace(b"200", b"101"), FaultCode.BAD_STATUS),
        (GOOD.replace(b"200", b"201"), FaultCode.BAD_STATUS),
        (GOOD.replace(b"200", b"206"), FaultCode.BAD_STATUS),
        (GOOD.replace(b"200", b"304"), FaultCode.REDIRECT),
        (GOOD.replace(b"200", b"418"), FaultCode.BAD_STATUS),
        (GOOD.replace(b"200", b"999"), FaultCode.BAD_STATUS),
        (GOOD.replace(b"h: 2", b"h: +2"), FaultCode.BAD_HTTP),
        (GOOD.replace(b"h: 2", b"h: 2, 2"), FaultCode.BAD_HTTP),
        (GOOD.replace(b"h: 2", b"h: 0x2"), FaultCode.BAD_HTTP),
        (GOOD.replace(b"h: 2", b"h: " + b"9" * 30), FaultCode.BAD_HTTP),
        (GOOD.replace(b"h: 2", b"h: 3"), FaultCode.BAD_HTTP),
        (GOOD.replace(b"h: 2", b"h: 65537"), FaultCode.TOO_LARGE),
        (GOOD.replace(b"Content-Type", b"Content-Encoding: x-gzip\r\nX"), FaultCode.BAD_ENCODING),
        (GOOD.replace(b"Content-Type", b"Transfer-Encoding: gzip\r\nX"), FaultCode.BAD_HTTP),
        (CHUNKED.replace(b"chunked", b"gzip, chunked"), FaultCode.BAD_HTTP),
        (CHUNKED.replace(b"HTTP/1.1", b"HTTP/1.0"), FaultCode.BAD_HTTP),
        (CHUNKED.replace(b"1;a=b", b"-1"), FaultCode.BAD_HTTP),
        (CHUNKED.replace(b"1;a=b", b""), FaultCode.BAD_HTTP),
        (CHUNKED.replace(b"1;a=b", b"f" * 17), FaultCode.BAD_HTTP),
        (b"", FaultCode.RESET),
        (b"\r\n\r\n", FaultCode.BAD_HTTP),
        (b"{}", FaultCode.BAD_HTTP),
        (GOOD[:12], FaultCode.RESET),
        (GOOD[:40], FaultCode.RESET),
        (b"HTTP/1.1 100 Continue\r\n\r\n", FaultCode.RESET),
        (b"HTTP/1.1 100 Continue\r\n\r\n" + GOOD, FaultCode.OK),
    ],
)
def test_edges_of_http_have_their_verdict(data: bytes, code: FaultCode, parrot: Parrot) -> None:
    """What is allowed counts, what is ambiguous or broken does not."""
    assert verdict(parrot.answer(data)) is code


@given(st.sampled_from([GOOD, CHUNKED]), st.data())
@settings(max_examples=150, deadline=None)
def test_damaged_answers_are_answers_or_faults(
    parrot: Parrot, data: bytes, draw: st.DataObject
) -> None:
    """Bytes changed, inserted or cut out anywhere."""
    at = draw.draw(st.integers(0, len(data)))
    cut = draw.draw(st.integers(0, 8))
    put = draw.draw(st.binary(max_size=8) | st.sampled_from([b"\r\n", b"\n", b":", b"\x00", b"-1"]))
    outcome = parrot.answer(data[:at] + put + data[at + cut :])
    if isinstance(outcome, BotFault):
        assert outcome.code not in (FaultCode.OK, FaultCode.TIMEOUT)
        assert 0 < len(outcome.detail) < 200
        assert outcome.detail.isprintable()


@given(st.binary(max_size=300))
@settings(max_examples=100, deadline=None)
def test_noise_is_a_fault(parrot: Parrot, data: bytes) -> None:
    """Bytes that are no HTTP at all."""
    outcome = parrot.answer(data)
    assert isinstance(outcome, BotFault)
    assert outcome.code in (FaultCode.BAD_HTTP, FaultCode.RESET)
    assert outcome.detail.isprintable()
