"""The protocol's README has the grammar of hand records; it takes what the arena writes and reads.

The grammar is turned into a regular expression here, from its own text alone.
"""

from __future__ import annotations

import re
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.errors import InvalidRecord
from arena.rules.base import DealPlan
from arena.rules.deal import shuffled
from arena.rules.games import all_variants, find_variant
from arena.rules.record import HandRecord, Play, parse, verify, write
from tests.rules.records import GIN_VARIANTS, played
from tests.wire.protocol_examples import blocks

(EXAMPLE,) = blocks("record")
(GRAMMAR,) = blocks("abnf")
CORE = {"SP": " ", "DIGIT": "[0-9]", "VCHAR": "[!-~]"}
TOKEN = re.compile(
    r'"([^"]+)"|%x([0-9A-F]+)-([0-9A-F]+)|([A-Za-z]+)|(\d*)\*(\d*)|([\[\]()/])|(\s+)'
)


def rules_of(text: str) -> dict[str, str]:
    """The right side of each rule by name, comments left out and continued lines joined."""
    found: dict[str, str] = {}
    name = ""
    for line in text.splitlines():
        plain = re.sub(r";.*$", "", line).rstrip()
        start = re.match(r"(\w+)\s*=\s*", plain)
        if start:
            name = start[1]
            found[name] = plain[start.end() :]
        else:
            found[name] += " " + plain.strip()
    return found


RULES = rules_of(GRAMMAR)


def pattern(name: str) -> str:
    """A rule as a regular expression; no rule refers to itself."""
    if name in CORE:
        return CORE[name]
    text, out, at, repeat = RULES[name], "", 0, ""
    opened: list[str] = []
    while at < len(text):
        found = TOKEN.match(text, at)
        assert found, (name, text[at:])
        at = found.end()
        literal, low, high, word, least, most, mark, _ = found.groups()
        if literal or low or word:
            part = re.escape(literal) if literal else ""
            if low:
                part = f"[{chr(int(low, 16))}-{chr(int(high, 16))}]"
            out += f"(?:{part or pattern(word)}){repeat}"
            repeat = ""
        elif least is not None:
            repeat = f"{{{least or 0},{most}}}"
        elif mark is None:
            continue
        elif mark == "/":
            out += "|"
        elif mark in "([":
            opened.append("?" if mark == "[" else repeat)
            repeat = ""
            out += "(?:"
        else:
            out += ")" + opened.pop()
    assert not opened
    assert not repeat
    return f"(?:{out})"


RECORD = re.compile(pattern("record"))


def words(text: str) -> list[str]:
    """The words of the annotated example."""
    return [line.partition(" ;")[0].strip() for line in text.splitlines()]


def test_example_is_a_record_that_plays_again() -> None:
    """Joined by spaces its words are read, replayed to the result they state, and written alike."""
    text = " ".join(words(EXAMPLE))
    record = parse(text)

    assert all(" ;" in line for line in EXAMPLE.splitlines())
    assert verify(record).points == (47, 0)
    assert write(record) == text
    assert RECORD.fullmatch(text)


def test_example_says_of_each_word_what_it_is() -> None:
    """The notes name what the reader finds there."""
    record = parse(" ".join(words(EXAMPLE)))
    notes = {line.partition(" ;")[0].strip(): line.partition(" ;")[2] for line in
             EXAMPLE.splitlines()}  # fmt: skip
    first, late, take, knock = (record.plays[number] for number in (0, 3, 4, 5))

    assert record.plan.dealer == 0
    assert record.plan.seats == (1, 0)
    assert (first.action, first.fault) == ("pass", "timeout")
    assert "after a fault" in notes["p!timeout"]
    assert (late.action, late.late) == ("discard:JC", True)
    assert "it was late" in notes["sJC~"]
    assert (take.action, knock.action) == ("draw:discard", "knock:8H")
    assert "knocks, throwing 8H" in notes["uk8H[7C7D7S,8C9CTCJC]"]
    assert record.outcome.shown[1].laid_off == ("7H",)


@settings(deadline=None, max_examples=60)
@given(name=st.sampled_from([variant.name for variant in GIN_VARIANTS]), seed=st.integers(0, 2**40))
def test_grammar_takes_records_with_faults_and_late_answers(name: str, seed: int) -> None:
    """Of every two-handed game."""
    assert RECORD.fullmatch(write(played(name, seed)))


@pytest.mark.parametrize("name", [variant.name for variant in all_variants()])
def test_grammar_takes_records_of_every_game(name: str) -> None:
    """Whatever actions and results it has: mahjong, tables of more, Indian rummy."""
    variant = find_variant(name)
    family, rules = variant.family, variant.rules
    for seed in range(4):
        luck = Random(seed)
        seats, _ = family.players(rules)
        sheet = family.new_sheet(rules, seats, 0)
        plan = sheet.next_deal()
        assert plan is not None
        deck = shuffled(family.deck(rules), seed.to_bytes(8, "big"))
        hand = family.deal(rules, deck, plan)
        plays = []
        while hand.to_act is not None:
            chosen = luck.choice(hand.legal_actions())
            plays.append(Play(chosen.id))
            hand = hand.apply(chosen)
        assert hand.outcome is not None
        text = write(HandRecord.of(variant, plan, deck, plays, hand.outcome))
        assert RECORD.fullmatch(text), text
        parse(text)


@settings(deadline=None, max_examples=300)
@given(
    seed=st.integers(0, 50),
    at=st.integers(0, 10**6),
    mark=st.sampled_from("AKCJT7sukpbw=+>[]!~:,*-_{} x"),
)
def test_what_the_reader_takes_is_in_the_grammar(seed: int, at: int, mark: str) -> None:
    """One character changed: what is still read is still in the language."""
    text = write(played("gin", seed))
    at %= len(text)
    changed = text[:at] + mark + text[at + 1 :]
    try:
        parse(changed)
    except InvalidRecord:
        return
    assert RECORD.fullmatch(changed), changed


def test_plan_is_of_two_seats() -> None:
    """What the example's seats mean."""
    assert parse(" ".join(words(EXAMPLE))).plan == DealPlan((1, 0), 0)
