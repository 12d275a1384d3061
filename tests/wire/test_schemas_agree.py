"""The fast and the readable validator say the same of everything a parser can produce.

Base messages are the examples; each is changed in up to four places, by values that validators are
known to disagree about.
"""

from __future__ import annotations

import json
from typing import Any

import orjson
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arena.wire import schemas
from tests.wire.protocol_examples import Example, changed, examples, places

ODD: list[Any] = [
    *(None, True, False, 0, 1, -1, 64, 65, -0.0, 5.0, 5.5, 1e308, -1e308, 1e-308, 2**53, 2**64),
    *("", "x", "5H", "5H\n", "\n5H", "5h", " 5H", "٥H", "JK", "pass", "pass\n", "draw:stock"),
    *("discard:5H", "discard:5H\n", "discard:JK", "knock:", "take:1", "take:2", "take:100"),
    *("add:7H:0", "add:7H:01", "meld:7H8H9H", "meld:7H8H", "1.0", "1.0\n", "#00ff00", "#00FF00\n"),
    *("http://a.b", "https://a.b/ä", "ftp://a", "é" * 64, "é" * 65, "🂡" * 256, "🂡" * 257),
    *("e\u0301", "\u202eabc", "\ufeffabc", "a\0b", "a\u2028", "\U0010ffff", "gin", "over", "ok"),
    *([], [[]], {}, {"": 0}, [None], ["5H"], [["5H"]], ["5H", "5H"], {"id": "x", "action": "y"}),
]

VALUES = st.one_of(
    st.sampled_from(ODD),
    st.text(max_size=8),
    st.integers(-(2**63), 2**64 - 1),
    st.floats(allow_nan=False, allow_infinity=False),
    st.recursive(
        st.none() | st.booleans() | st.integers(-5, 300) | st.text(max_size=3),
        lambda part: st.lists(part, max_size=3) | st.dictionaries(st.text(max_size=5), part),
        max_leaves=5,
    ),
)

PATIENT = settings(
    max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True
)


@st.composite
def messages(draw: st.DrawFn, of: str) -> object:
    """An example of this message, changed in a few places."""
    pool = [one for kind in ("valid", "invalid") for one in examples(kind) if one.message == of]
    # The largest ones take the slow validator long and hold nothing that smaller ones do not.
    pool = sorted(pool, key=lambda one: len(json.dumps(one.value)))[: max(8, len(pool) // 2)]
    value = draw(st.sampled_from(pool)).value
    for _ in range(draw(st.integers(0, 4))):
        path, part = draw(st.sampled_from(list(places(value))))
        match draw(st.sampled_from(["replace", "drop", "add", "repeat", "append"])):
            case "drop" if isinstance(part, dict) and part:
                gone = draw(st.sampled_from(sorted(part)))
                value = changed(value, path, {k: v for k, v in part.items() if k != gone})
            case "drop" | "repeat" if isinstance(part, list):
                times = draw(st.sampled_from([0, 2, 14, 65]))
                value = changed(value, path, (part * times)[:100])
            case "add" if isinstance(part, dict):
                name = draw(st.sampled_from(["surprise", "melds", "note", "answers", "id", "card"]))
                value = changed(value, path, {**part, name: draw(VALUES)})
            case "append" if isinstance(part, str):
                value = changed(value, path, part + draw(st.sampled_from(["\n", "x", "\0", " "])))
            case _:
                value = changed(value, path, draw(VALUES))
    return value


@pytest.mark.parametrize("name", schemas.NAMES)
def test_the_validators_agree_on_changed_examples(name: str) -> None:
    """Hundreds of messages of each kind: the same verdict, and a sentence with every refusal."""

    @PATIENT
    @given(messages(name))
    def agree(message: object) -> None:
        fast = schemas.is_valid(name, message)

        assert schemas.readable(name).is_valid(message) is fast
        assert bool(schemas.problems(name, message)) is not fast

    agree()


@PATIENT
@given(VALUES, st.sampled_from(["answer", "card", "action", "line", "rules", "legal_action"]))
def test_the_validators_agree_on_any_value(value: object, definition: str) -> None:
    """Whatever the value and whatever it should have been."""
    name = f"defs#{definition}"

    assert schemas.readable(name).is_valid(value) is schemas.is_valid(name, value)


@given(messages("act_reply"))
@settings(PATIENT, max_examples=150)
def test_a_verdict_survives_the_journey(message: object) -> None:
    """Writing a message as JSON and reading it again changes no verdict."""
    again = orjson.loads(json.dumps(message))

    assert schemas.is_valid("act_reply", again) is schemas.is_valid("act_reply", message)


@pytest.mark.parametrize(
    "value", ["\ud800", ["\udfff"], {"\ud800": 1}, {"note": "\ud83d"}, 10**400, {"a": float("nan")}]
)
@pytest.mark.parametrize("name", [*schemas.NAMES, "defs#answer", "defs#line"])
def test_values_that_are_no_json_are_refused_in_words(name: str, value: object) -> None:
    """Lone surrogates and endless numbers never pass, and never raise."""
    assert not schemas.is_valid(name, value)
    assert schemas.problems(name, value)


def test_nesting_without_end_is_refused_in_words() -> None:
    """A value deeper than any stack is a refusal, not a crash."""
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    try:
        assert not schemas.is_valid("act_reply", {"answers": [deep]})
        assert schemas.problems("act_reply", {"answers": [deep]})
    finally:
        while deep:  # unwound by hand, for the collector would recurse
            deep = deep.pop()  # type: ignore[assignment]


def test_the_sample_holds_both_verdicts() -> None:
    """The examples start from good and bad messages alike, so agreement means something."""
    kinds = {kind: {example.message for example in examples(kind)} for kind in ("valid", "invalid")}

    assert kinds["valid"] == kinds["invalid"] == set(schemas.NAMES)
    assert all(isinstance(example, Example) for example in examples("valid"))
