"""The examples are the conformance suite: they and the schemas keep each other true."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest

from arena.wire import schemas
from tests.wire.protocol_examples import Example, Path, changed, examples, places

FREE_TEXT = {"note", "sentence", "detail"}
"""Fields that may hold line breaks."""

NAMED_BY_THE_BOT = {("act_reply", "id"), ("act_reply", "action")}
"""Any text is a well-formed answer; whether it is the right one is judged later."""


def judged(message: str, value: object) -> bool:
    """Whether it is valid, provided that both validators say the same."""
    fast = schemas.is_valid(message, value)
    slow = schemas.readable(message).is_valid(value)
    assert fast is slow
    return fast


@pytest.mark.parametrize("example", examples("valid"), ids=repr)
def test_a_valid_example_is_accepted(example: Example) -> None:
    """Both validators accept it and there is nothing to explain."""
    assert schemas.explain(example.message, example.value) == ""
    assert judged(example.message, example.value)


@pytest.mark.parametrize("example", examples("invalid"), ids=repr)
def test_an_invalid_example_is_refused_with_a_sentence(example: Example) -> None:
    """Both validators refuse it, we can say why, and so does the file beside it."""
    assert not judged(example.message, example.value)
    assert schemas.explain(example.message, example.value)
    assert example.why


@pytest.mark.parametrize("kind", ["valid", "invalid"])
def test_every_message_has_examples(kind: str) -> None:
    """Several valid and several invalid ones of each message."""
    for name in schemas.NAMES:
        assert sum(example.message == name for example in examples(kind)) >= 3, name


def test_every_object_is_closed() -> None:
    """A field nobody knows makes any message invalid, wherever it is, but for the open rules."""
    tried = 0
    for example in examples("valid"):
        for path, part in places(example.value):
            if isinstance(part, dict) and path[-1:] != ("rules",):
                longer = changed(example.value, path, {**part, "surprise": 1})
                assert not schemas.is_valid(example.message, longer), (example, path)
                tried += 1

    assert tried > 100


def parts() -> Iterator[tuple[Example, Path, object]]:
    """Every kind of value of the valid examples once or twice; lists count as one place."""
    seen: Counter[tuple[str, ...]] = Counter()
    for example in examples("valid"):
        for path, part in places(example.value):
            key = (example.message, *(str(step) for step in path if isinstance(step, str)))
            kind = type(part).__name__
            if seen[(*key, kind)] < 2 and "rules" not in path:
                seen[(*key, kind)] += 1
                yield example, path, part


def test_no_text_gets_away_with_a_newline() -> None:
    """A card, code or id with a line break at its end is another text, and not allowed."""
    tried = 0
    for example, path, part in parts():
        where = str(path[-1]) if path else ""
        if not isinstance(part, str) or where in FREE_TEXT:
            continue
        if (example.message, where) in NAMED_BY_THE_BOT:
            continue
        for text in (part + "\n", "\n" + part, part + "\r", part + "\u2028", part + "\0"):
            assert not judged(example.message, changed(example.value, path, text)), (example, path)
        tried += 1

    assert tried > 60


def test_true_is_no_number_and_a_point_changes_none() -> None:
    """For every number: `true` is refused, `5.0` is as good as `5`, `5.5` is not."""
    tried = 0
    for example, path, part in parts():
        if isinstance(part, bool) or not isinstance(part, int):
            continue
        assert not judged(example.message, changed(example.value, path, True))
        assert judged(example.message, changed(example.value, path, float(part)))
        if path[-1] != "last_latency_ms":
            assert not judged(example.message, changed(example.value, path, part + 0.5))
        tried += 1

    assert tried > 40


@pytest.mark.parametrize("digits", ["٧H", "７H", "7h", "7♥", "10H", "1H", " 7H", "7H ", ""])
def test_a_card_is_ascii_rank_and_suit(digits: str) -> None:
    """Digits of other scripts, lower case and symbols are no cards."""
    assert not judged("defs#card", digits)
    assert not judged("defs#action", f"discard:{digits}")
