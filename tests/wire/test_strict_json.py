"""Strict JSON: a value, or one readable error, whatever the bytes are."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.wire.strict_json import (
    MAX_BYTES,
    MAX_DEPTH,
    MAX_NUMBER,
    StrictJsonError,
    excerpt,
    loads,
    nests_too_deep,
)

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-MAX_NUMBER, MAX_NUMBER)
    | st.floats(-MAX_NUMBER, MAX_NUMBER)
    | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


def refusal(data: bytes) -> str | None:
    """Why the bytes are refused, None if they are not."""
    try:
        loads(data)
    except StrictJsonError as error:
        return str(error)
    return None


@given(JSON, st.booleans())
def test_every_ordinary_value_comes_back(value: object, ascii_only: bool) -> None:
    """Escaped or not, values that JSON can spell are read as they are."""
    assert loads(json.dumps(value, ensure_ascii=ascii_only).encode()) == value


@given(
    st.binary(max_size=200) | st.text(alphabet='[]{}",:\\u0019eE+-.nultrfas \t\n').map(str.encode)
)
@settings(max_examples=500)
def test_any_bytes_give_a_value_or_the_one_error(data: bytes) -> None:
    """Nothing but `StrictJsonError` is ever raised, with a message fit for a page."""
    message = refusal(data)
    assert message is None or (0 < len(message) < 250 and message.isprintable())


@given(JSON.map(lambda value: json.dumps(value, ensure_ascii=False).encode()), st.data())
@settings(max_examples=300)
def test_damaged_json_gives_a_value_or_the_one_error(data: bytes, draw: st.DataObject) -> None:
    """Bytes changed, inserted or cut out of valid JSON."""
    at = draw.draw(st.integers(0, len(data)))
    cut = draw.draw(st.integers(0, 3))
    put = draw.draw(st.binary(max_size=3))
    message = refusal(data[:at] + put + data[at + cut :])
    assert message is None or message.isprintable()


@given(
    st.dictionaries(st.text(), st.text(alphabet=':\\"a{}é'), min_size=1, max_size=4),
    st.text(alphabet=':\\"a{}é'),
    st.booleans(),
    st.data(),
)
def test_duplicate_keys_are_found_however_they_are_written(
    pairs: dict[str, str], other: str, ascii_only: bool, draw: st.DataObject
) -> None:
    """Colons in texts and escapes in keys do not hide a key that occurs twice."""
    key = draw.draw(st.sampled_from(sorted(pairs)))

    def spelt(text: str) -> str:
        return json.dumps(text, ensure_ascii=ascii_only)

    items = [f"{spelt(name)}: {spelt(value)}" for name, value in pairs.items()]
    assert loads(("{" + ", ".join(items) + "}").encode()) == pairs
    items.insert(draw.draw(st.integers(0, len(items))), f"{spelt(key)}:{spelt(other)}")
    with pytest.raises(StrictJsonError, match="same key twice"):
        loads(('[{"deep": {' + ", ".join(items) + "}}]").encode())


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "empty"),
        (b" \n", "empty"),
        (b"<h1>It works", "<h1>It works"),
        (b'{"action": NaN}', "no JSON"),
        (b"[Infinity]", "no JSON"),
        (b"-Infinity", "no JSON"),
        (b"1e999", "no JSON"),
        (b"-1e999", "no JSON"),
        (b"9" * 5000, "no JSON"),
        (b"123456789012345678901234567890", "2^53"),
        (b"[9007199254740993]", "2^53"),
        (b"1e300", "2^53"),
        (b'{"a": 1, "a": 1}', "same key twice"),
        (b'{"a": 1, "\\u0061": 2}', "same key twice"),
        (b'{"a": 1, "a": "\\u003a"}', "same key twice"),
        (b"[" * 100_000, "no JSON"),
        (b"[" * (MAX_DEPTH + 1) + b"]" * (MAX_DEPTH + 1), "nested"),
        (b'{"a":' * 33 + b"1" + b"}" * 33, "nested"),
        (b'"\xff"', "UTF-8"),
        (b'"\xed\xa0\x80"', "UTF-8"),
        ('{"a": "é"}'.encode("latin-1"), "UTF-8"),
        ('{"a": 1}'.encode("utf-16"), "UTF-8"),
        (b"\xef\xbb\xbf{}", "no JSON"),
        (b'"\\ud800"', "no JSON"),
        (b'{"a": 1,}', "no JSON"),
        (b"{'a': 1}", "no JSON"),
        (b"{} {}", "no JSON"),
        (b'{"a": 01}', "no JSON"),
        (b'"a\nb"', "no JSON"),
        (b"// x\n{}", "no JSON"),
        (b"[]" + b" " * MAX_BYTES, "at most"),
    ],
)
def test_what_is_not_strict_is_refused_with_a_reason(data: bytes, says: str) -> None:
    """B026, B027, B028 and relatives."""
    with pytest.raises(StrictJsonError) as caught:
        loads(data)
    assert says in str(caught.value)
    assert caught.value.not_utf8 == (says == "UTF-8")


def test_limits_are_inclusive() -> None:
    """The largest number and the deepest nesting that are allowed are read."""
    deepest = b"[" * MAX_DEPTH + b"]" * MAX_DEPTH
    assert loads(b"[9007199254740992, -9007199254740992]") == [MAX_NUMBER, -MAX_NUMBER]
    assert json.dumps(loads(deepest)).encode() == deepest
    assert loads(b"{}", max_bytes=2) == {}


def test_the_start_of_hopeless_nesting_is_recognised() -> None:
    """One level more than allowed, with or without spaces; strings of brackets are none."""
    assert nests_too_deep(b" [\n" * (MAX_DEPTH + 1))
    assert not nests_too_deep(b"[" * MAX_DEPTH)
    assert not nests_too_deep(b'{"a": "' + b"[" * 100)


@given(st.binary(max_size=300))
def test_excerpts_are_short_printable_ascii(data: bytes) -> None:
    """Whatever a bot sends can be shown in a terminal and stored in a line."""
    shown = excerpt(data)
    assert len(shown) <= 120
    assert all(" " <= mark <= "~" for mark in shown)


def test_excerpts_show_what_is_there() -> None:
    """Plain text as it is, the rest escaped, the end marked when cut."""
    assert excerpt(b"<h1>It works") == "<h1>It works"
    assert excerpt(b"a\nb\xff\xc3\xa9") == r"a\nb\xff\xe9"
    assert excerpt(b"x" * 121) == "x" * 117 + "..."
