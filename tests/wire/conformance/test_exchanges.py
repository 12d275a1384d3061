"""What is shown of the call that went wrong: the bot's own bytes, and what contradicts them."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from arena.bot import BotView, FunctionBot
from arena.wire.conformance import Status, Step, check, report_text
from tests.faulty_bots import Behaviour, FaultyBot, Talk
from tests.faulty_talk import http
from tests.wire.conformance.checking import found, only, safe, steps_of

OK = b"HTTP/1.1 200 OK\r\n"


def failed(act: Behaviour | Callable[[Talk], None], deadline_ms: int = 150) -> Step:
    """The first failed step of a check of the phases."""
    with FaultyBot(act, games=("wikipedia",)) as bot:
        steps = list(check(bot.url, only("Decisions by phase", deadline_ms=deadline_ms)))
    return next(step for step in steps if step.status is Status.FAILED)


def then_wait(change: Callable[[bytes], bytes]) -> Callable[[Talk], None]:
    """Sends what is made of a good body, and leaves the connection open."""

    def act(talk: Talk) -> None:
        talk.send(OK + change(talk.good()))
        talk.stall()

    return act


@pytest.mark.parametrize(
    ("change", "detail", "fix"),
    [
        (
            lambda body: b"Content-Length: %d\r\n\r\n%s" % (len(body) + 3, body),
            r"Content-Length promises",
            "as many bytes as Content-Length says",
        ),
        (
            lambda body: b"Content-Length: 7\r\n\r\n" + body,
            "Content-Length promises 7 bytes",
            "as many bytes as Content-Length says",
        ),
        (
            lambda body: b"Transfer-Encoding: chunked\r\n\r\nff\r\n" + body + b"\r\n0\r\n\r\n",
            "a chunk of 255 bytes was announced",
            "let the server write the chunks",
        ),
        (
            lambda body: b"Transfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n" % (len(body), body),
            "the last chunk, of size 0, is missing",
            "let the server write the chunks",
        ),
        (lambda body: b"\r\n" + body, "neither Content-Length nor chunks", "send Content-Length"),
        (
            lambda body: b"Content-Type: text/plain\r\n" + body,
            "the headers have no end",
            "an empty line",
        ),
    ],
)
def test_a_body_that_contradicts_its_headers_is_measured(
    change: Callable[[bytes], bytes], detail: str, fix: str
) -> None:
    """Each way to get the length wrong is told from slowness and from the others."""
    step = failed(then_wait(change))

    assert detail in step.detail
    assert fix in step.fix
    assert "< HTTP/1.1 200 OK" in step.exchange


def test_slowness_alone_is_not_blamed_on_the_headers() -> None:
    """Nothing came, so nothing is contradicted."""
    step = failed(Behaviour.SILENT)

    assert "Content-Length" not in step.detail
    assert "answer sooner" in step.fix


def test_a_timeout_says_which_decision_and_how_many() -> None:
    """A bot that is slow now and then has a decision to look at, and its cards."""
    calls = iter(range(10**6))

    def now_and_then(talk: Talk) -> None:
        if next(calls) == 7:
            talk.stall()
        talk.send(http(talk.good()))

    with FaultyBot(now_and_then, games=("wikipedia", "doubling")) as bot:
        steps = list(check(bot.url, only("Decisions by phase", deadline_ms=400)))
    step = next(step for step in steps if step.status is Status.FAILED)

    assert step.detail.startswith("1 of ")
    assert "phase " in step.detail
    assert "m_" in step.detail
    assert "> legal: " in step.exchange
    assert "(nothing came back)" in step.exchange


def test_the_failing_answer_itself_is_shown() -> None:
    """It is not asked for again: a second answer may be a good one."""
    calls = iter(range(10**6))

    def raises_once(talk: Talk) -> None:
        if next(calls) == 0:
            return talk.send(http(b'{"error": "KeyError: wild"}', "500 Oops"))
        return talk.send(http(talk.good()))

    step = failed(raises_once, 1000)

    assert "status 500" in step.detail
    assert "< HTTP/1.1 500 Oops" in step.exchange
    assert "KeyError: wild" in step.exchange
    assert "< HTTP/1.1 200" not in step.exchange


def test_the_report_shows_cards_and_legal_actions() -> None:
    """On the screen the rest of the request is left out; programs get all of it."""
    steps = steps_of(
        FunctionBot(lambda view: "fly", games=("wikipedia",)), only("Decisions by phase")
    )
    text = report_text(steps)

    assert "> cards: " in text
    assert "> legal: " in text
    assert '"rules"' not in text
    assert '"rules"' in next(step for step in steps if step.exchange).exchange


def test_unknown_fields_are_named_in_the_exchange() -> None:
    """They are what the step is about."""

    def strict(talk: Talk) -> None:
        asked = talk.request.json["requests"]
        if any("weather" in one for one in asked):
            return talk.send(http(b"{}", "400 Bad Request"))
        return talk.send(http(talk.good()))

    with FaultyBot(strict, games=("wikipedia",)) as bot:
        steps = list(check(bot.url, only("Robustness")))
    step = found(steps, "tolerates unknown fields")

    assert "fields of a later protocol: weather, z_new" in step.exchange
    assert '"weather"' in step.exchange


def test_a_card_just_taken_is_named() -> None:
    """An illegal answer says which rule it breaks."""

    def throws_back(view: BotView) -> str:
        if view.can("draw:discard"):
            return "draw:discard"
        return f"discard:{view.drawn}" if view.phase == "discard" else safe(view)

    steps = steps_of(FunctionBot(throws_back, games=("wikipedia",)), only("Whole hands"))
    step = found(steps, "plays whole hands of two-handed gin")

    assert "was just taken from the discard pile" in step.detail
    assert json.dumps("discard:")[1:-1] in step.exchange
