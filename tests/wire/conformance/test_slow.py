"""A check of a slow bot: asked less, finished all the same, and never called ready half-way."""

from __future__ import annotations

import re
import time

from arena.bot import BotView, FunctionBot
from arena.wire.conformance import Options, Status, all_checks, check, passed, report_text, verdict
from tests.faulty_bots import FaultyBot, Talk
from tests.faulty_talk import http
from tests.wire.conformance.checking import found, safe, steps_of, titles


def slowly(seconds: float) -> FunctionBot:
    """A bot that plays safe after so long."""

    def waits(view: BotView) -> str:
        time.sleep(seconds)
        return view.safe

    return FunctionBot(waits, name="waits", max_batch=1, max_concurrency=1)


def test_a_slow_bot_is_asked_less_and_all_steps_are_made() -> None:
    """In the time of the whole check; the details say of how many decisions how many were asked."""
    steps = steps_of(slowly(0.02), Options(limit_s=20))

    assert titles(steps, Status.UNFINISHED) == set()
    assert passed(steps)
    hands = found(steps, "plays whole hands of two-handed gin").detail
    assert re.fullmatch(r"23 hands, \d+ decisions, \d+ of the hands in part, .*", hands)
    assert re.search(r"\d+ of \d+ decisions in", found(steps, "phase discard").detail)


def test_a_check_that_is_not_finished_calls_nobody_ready() -> None:
    """The verdict says why, and what to do."""
    steps = steps_of(slowly(0.2), Options(limit_s=2))

    assert titles(steps, Status.FAILED) == set()
    assert titles(steps, Status.UNFINISHED)
    assert not passed(steps)
    assert "The check is not finished: the time " in verdict(steps)
    assert "--limit SECONDS" in report_text(steps).splitlines()[-1]
    assert "ready to play" not in report_text(steps)


def test_mistakes_are_found_before_the_time_is_spent_on_whole_hands() -> None:
    """A slow bot that fails every batch is told so, however long its hands would take."""

    def no_batches(talk: Talk) -> None:
        talk.pause(0.03)
        if b'"requests"' not in talk.request.body or talk.request.body[-1:] != b"}":
            return talk.send(http(b"{}", "400 Bad Request"))
        many = len(talk.request.json["requests"]) > 1
        return talk.send(http(b"{}", "500 Oops") if many else http(talk.good()))

    with FaultyBot(no_batches, games=("wikipedia",), max_batch=8) as bot:
        steps = []
        for step in check(bot.url, Options(limit_s=8)):
            if step.section == "Whole hands":
                break
            steps.append(step)

    assert found(steps, "a batch of two").status is Status.FAILED


def test_whole_hands_come_last_but_for_hands_that_were_asked_for() -> None:
    """They take most of the time, and what they find is seldom new."""
    sections = list(dict.fromkeys(one.section for one in all_checks()))

    assert sections[-2:] == ["Whole hands", "Play"]


def test_a_bot_without_a_secret_is_finished_without_the_steps_on_signatures() -> None:
    """What does not concern it is skipped, even when the time is up."""
    steps = steps_of(FunctionBot(safe, games=("wikipedia",)), Options(limit_s=0.0))

    assert {step.section for step in steps if step.status is Status.SKIPPED} == {
        "Signatures",
        "Play",
    }
