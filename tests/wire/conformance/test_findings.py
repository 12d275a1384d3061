"""What a check finds in bots: wrong information, wrong answers, slowness, memory."""

from __future__ import annotations

import json
import re
import threading
import time

import pytest

from arena.bot import Bot, BotView, Choice, FunctionBot
from arena.referee.verdicts import FaultCode
from arena.wire.conformance import Status, check, passed
from tests.faulty_bots import EXPECTED, Behaviour, FaultyBot, Talk
from tests.faulty_talk import http
from tests.wire.conformance.checking import found, only, steps_of, titles


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("protocols", ["2.0"]),
        ("name", ""),
        ("author", "two\nlines"),
        ("version", 1),
        ("games", []),
        ("max_batch", 65),
        ("max_concurrency", True),
        ("color", "red"),
        ("homepage", "my page"),
    ],
)
def test_each_field_of_the_information_has_its_step(field: str, value: object) -> None:
    """A wrong field fails its own step and names the value; the others pass."""

    class Wrong(Bot):
        def info(self) -> dict[str, object]:
            return {**super().info(), field: value}

    steps = steps_of(Wrong(), only("Information"))

    wrong = f"field {field} is in order"
    assert titles(steps, Status.FAILED) == {wrong}
    assert json.dumps(value) in found(steps, wrong).detail or field in found(steps, wrong).detail
    assert found(steps, wrong).fix


def test_unknown_fields_and_games_are_told() -> None:
    """A field too many fails; an unknown game among known ones is a warning."""

    class Chatty(Bot):
        games = ("gin", "bridge")

        def info(self) -> dict[str, object]:
            return {**super().info(), "favourite_colour": "blue"}

    steps = steps_of(Chatty(), only("Information"))

    assert found(steps, "has no unknown fields").detail == "unknown: favourite_colour"
    assert found(steps, "has no unknown fields").status is Status.FAILED


def test_an_illegal_action_is_shown_with_its_exchange() -> None:
    """The failing step says what was asked, what was answered and what to do."""

    def knocks_always(view: BotView) -> str:
        return f"knock:{view.hand[0]}" if view.phase == "discard" else view.safe

    steps = steps_of(FunctionBot(knocks_always, games=("wikipedia",)), only("Decisions by phase"))
    step = found(steps, "phase discard")

    assert step.status is Status.FAILED
    assert "is not among the" in step.detail
    assert "> POST /act" in step.exchange
    assert '"request_id"' in step.exchange
    assert "knock:" in step.exchange
    assert not passed(steps)


def test_melds_that_do_not_hold_are_found() -> None:
    """A legal action with impossible melds is a fault as it is in a match."""

    def bluffs(view: BotView) -> str | Choice:
        knocks = view.actions("knock")
        return Choice(knocks[0].id, (("AC", "KD", "2H"),)) if knocks else view.safe

    rare = only("Decisions with special actions")
    steps = steps_of(FunctionBot(bluffs, games=("wikipedia",)), rare)
    step = found(steps, "when knocking is possible")

    assert step.status is Status.FAILED
    assert "illegal" in step.detail


def test_a_bot_with_memory_is_found() -> None:
    """A bot that counts its calls answers the same request differently: a warning."""
    calls = iter(range(10**9))

    def counts(view: BotView) -> str:
        return view.legal[next(calls) % len(view.legal)].id

    bot = FunctionBot(counts, games=("wikipedia",), max_concurrency=1)
    steps = steps_of(bot, only("Robustness", "Batches"))

    assert "gives the same answer to the same request" in titles(steps, Status.WARNING)
    order = found(steps, "the order in a batch changes no answer")
    assert order.status is Status.WARNING
    assert re.search(r"m_\S+: \S+ then \S+", order.detail)


def test_a_bot_that_goes_by_the_order_of_a_batch_is_found() -> None:
    """Always the same for the same order, and another answer in another: that is a failure."""

    def by_place(talk: Talk) -> None:
        asked = talk.request.json["requests"]
        answers = [
            {"id": one["request_id"], "action": one["legal"][place % len(one["legal"])]["id"]}
            for place, one in enumerate(asked)
        ]
        talk.send(http(json.dumps({"answers": answers}).encode()))

    with FaultyBot(by_place, games=("wikipedia",), max_batch=8) as bot:
        step = found(
            list(check(bot.url, only("Batches"))), "the order in a batch changes no answer"
        )

    assert step.status is Status.FAILED
    assert " then " in step.detail


def test_answers_in_the_wrong_places_are_found() -> None:
    """A bot that mixes up the ids of a batch fails batches only."""

    def mixed(talk: Talk) -> None:
        reply = json.loads(talk.good())
        ids = [item["id"] for item in reply["answers"]]
        for item, id in zip(reply["answers"], ids[1:] + ids[:1], strict=True):
            item["id"] = id
        talk.send(http(json.dumps(reply).encode()))

    with FaultyBot(mixed, max_batch=8) as bot:
        steps = list(check(bot.url, only("Batches")))

    assert found(steps, "a batch of one").status is Status.PASSED
    assert found(steps, "a batch of max_batch").status is Status.FAILED


def test_a_bot_that_answers_one_at_a_time_is_found() -> None:
    """Claiming more concurrency than there is costs time, and the step tells when it is missed."""
    lock = threading.Lock()

    def slow(view: BotView) -> str:
        with lock:
            time.sleep(0.03)
        return view.safe

    bot = FunctionBot(slow, games=("wikipedia",), max_batch=4, max_concurrency=4)
    steps = steps_of(bot, only("Several requests at a time", deadline_ms=200))

    assert found(steps, "max_concurrency requests at the same time").status is Status.FAILED


MISBEHAVIOURS = (
    Behaviour.SILENT,
    Behaviour.DRIP_BODY,
    Behaviour.RESET,
    Behaviour.SHORT_BODY,
    Behaviour.STATUS_503,
    Behaviour.REDIRECT_307,
    Behaviour.ENDLESS_BODY,
    Behaviour.BROTLI,
    Behaviour.LATIN_1,
    Behaviour.NOT_HTTP,
    Behaviour.DUPLICATE_KEYS,
    Behaviour.NUMBER_ACTION,
    Behaviour.WRONG_ID,
    Behaviour.UNKNOWN_ACTION,
)
"""One for each code, at least."""


@pytest.mark.parametrize("behaviour", MISBEHAVIOURS)
def test_what_a_match_would_punish_is_found(behaviour: Behaviour) -> None:
    """The check names the code that a match would give."""
    expected = EXPECTED[behaviour]
    assert expected is not None
    deadline_ms = 60 if expected is FaultCode.TIMEOUT else 2000
    with FaultyBot(behaviour) as bot:
        steps = list(check(bot.url, only("Decisions by phase", deadline_ms=deadline_ms)))

    failed = [step for step in steps if step.status is Status.FAILED]
    assert failed
    assert all(expected.value in step.detail for step in failed)
    assert all(step.exchange for step in failed if expected is not FaultCode.TIMEOUT)


def test_a_slow_bot_is_warned() -> None:
    """A bot that needs more than half of the deadline has little left for a slow network."""

    def slow(view: BotView) -> str:
        time.sleep(0.012)
        return view.safe

    steps = steps_of(
        FunctionBot(slow, games=("wikipedia",), max_batch=1), only("Speed", deadline_ms=24)
    )
    step = found(steps, "single decisions are well within the deadline")

    assert step.status in (Status.WARNING, Status.FAILED)
    assert "24 ms" in step.detail


@pytest.mark.parametrize("on", [("/", "/act"), ("/act",)])
def test_answers_in_two_writes_are_told_from_slow_ones(on: tuple[str, ...]) -> None:
    """When even the information takes 40 ms, the bot waits for acknowledgements."""
    with FaultyBot(Behaviour.SLOW, on=on, delay_s=0.042) as bot:
        steps = list(check(bot.url, only("Speed")))
    step = found(steps, "single decisions are well within the deadline")

    assert step.status is (Status.WARNING if "/" in on else Status.PASSED)
    assert ("in one write" in step.fix) is ("/" in on)


def test_a_body_that_waits_for_an_acknowledgement_is_found() -> None:
    """Headers and body in two writes: the pause between them is told, whatever GET / takes."""

    def in_two_writes(talk: Talk) -> None:
        head, end, body = http(talk.good()).partition(b"\r\n\r\n")
        talk.send(head + end)
        talk.pause(0.041)
        talk.send(body)

    with FaultyBot(in_two_writes, games=("wikipedia",)) as bot:
        step = found(
            list(check(bot.url, only("Speed"))), "single decisions are well within the deadline"
        )

    assert step.status is Status.WARNING
    assert re.search(r"the body comes \d+ ms after the headers", step.detail)
    assert "in one write" in step.fix
