"""How a check is told: as text, as JSON, while it is made, and one mistake once."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest

from arena.bot import Bot, BotServer, BotView, FunctionBot
from arena.wire.conformance import Progress, Status, Step, check, report_json, report_text, show
from tests.faulty_bots import Behaviour, FaultyBot
from tests.wire.conformance.checking import only, safe, steps_of


def test_hostile_answers_are_shown_harmless() -> None:
    """Control characters and scripts of a bot are escaped and bounded in every text."""

    def hostile(view: BotView) -> str:
        return "\x1b[2J\u202e<script>\n" + "A" * 20_000

    steps = steps_of(FunctionBot(hostile, games=("wikipedia",)), only("Batches"))
    texts = [text for step in steps for text in (step.detail, step.exchange)]

    assert any("<script>" in text for text in texts)
    assert all(line.isprintable() for text in texts for line in text.splitlines())
    assert max(len(text) for text in texts) < 20_000


def test_secrets_in_the_address_are_in_no_report() -> None:
    """The path of the address may be a secret of the bot's owner."""

    class Strict(Bot):
        games = ("gin",)

    with BotServer(Strict()) as server:
        steps = list(check(f"{server.url}/s3cret-path?key=t0ken"))
    text = report_text(steps) + report_json(steps)

    assert steps[0].status is Status.FAILED
    assert "s3cret-path" not in text
    assert "t0ken" not in text


def test_the_text_report_fits_a_screen() -> None:
    """A section a line, what is to be mended with the fix, and the verdict last."""
    sections = only("Decisions by phase", "Batches", "HTTP")
    steps = steps_of(FunctionBot(lambda view: "fly", games=("wikipedia",)), sections)
    good = report_text(steps_of(FunctionBot(safe, games=("wikipedia",)), sections))

    assert len(good.splitlines()) < 25
    assert good.splitlines()[-1].endswith("The bot is ready to play.")
    bad = report_text(steps)
    assert "To do: answer with the id of one of the actions in `legal`" in bad
    assert len(bad.splitlines()) < 30
    assert bad.splitlines()[-1].endswith("The bot is not ready to play.")
    assert len(report_text(steps, every_step=True).splitlines()) > len(steps)


def test_the_json_report_holds_every_step() -> None:
    """A strict JSON document with the counts and all steps."""
    steps = steps_of(FunctionBot(safe, games=("wikipedia",)), only("Batches"))
    report = json.loads(report_json(steps))

    assert report["passed"] is True
    assert sum(report["counts"].values()) == len(report["steps"]) == len(steps)
    assert report["steps"][0]["title"] == "answers GET / with status 200"
    assert report["steps"][0]["status"] == "passed"


def test_one_mistake_is_one_block() -> None:
    """An exception fails many steps; the cause is told once, first, with the numbers of all."""

    def raises(view: BotView) -> str:
        raise IndexError("none")

    bot = FunctionBot(raises, games=("wikipedia",), max_batch=1)
    steps = steps_of(bot, only("Advisory calls", "Decisions by phase", "Batches", "HTTP"))
    text = report_text(steps)
    blocks = [block for block in text.split("\n\n") if "FAILED" in block.splitlines()[0]]

    assert len([step for step in steps if step.status is Status.FAILED]) > 5
    assert len(blocks) == 1
    assert blocks[0].startswith("FAILED in ")
    assert "status 500" in blocks[0]
    assert "To do: look at the bot's log" in blocks[0]
    assert "read the whole body" not in text


@pytest.mark.parametrize(
    ("behaviour", "advice"),
    [
        (Behaviour.STATUS_503, "look at the bot's log"),
        (Behaviour.HTML, "this is an HTML page"),
        (Behaviour.CUT_JSON, "send one JSON document"),
        (Behaviour.WRONG_ID, "repeat the request_id"),
        (Behaviour.NO_ID, "mend `id` in answers[0]"),
        (Behaviour.NUMBER_ACTION, "mend `action` in answers[0]"),
        (Behaviour.JSON_LIST, 'send {"answers": [{"id"'),
        (Behaviour.UNKNOWN_ACTION, "answer with the id of one of the actions in `legal`"),
        (Behaviour.SILENT, "answer sooner"),
        (Behaviour.CLOSE, "look at the bot's log: it closed"),
        (Behaviour.REDIRECT_307, "redirects are not followed"),
    ],
)
def test_the_advice_fits_the_fault(behaviour: Behaviour, advice: str) -> None:
    """Whatever step it shows in, the code of the fault decides what is to be done."""
    with FaultyBot(behaviour) as bot:
        steps = list(check(bot.url, only("Decisions by phase", deadline_ms=300)))
    failed = [step for step in steps if step.status is Status.FAILED]

    assert failed
    assert all(advice in step.fix for step in failed), failed[0]
    assert len({step.cause for step in failed}) == 1


def test_different_mistakes_have_blocks_of_their_own() -> None:
    """What is to be mended in two places is told twice."""

    def wrong(view: BotView) -> str:
        return "fly" if view.phase == "draw" else "knock:KS" if view.phase == "discard" else "pass"

    steps = steps_of(FunctionBot(wrong, games=("wikipedia",)), only("Decisions by phase"))
    causes = [step.cause for step in steps if step.status is Status.FAILED]

    assert "illegal: kind fly" in causes
    assert "illegal: kind knock" in causes


def test_a_check_is_shown_while_it_is_made(capsys: pytest.CaptureFixture[str]) -> None:
    """A section is printed as soon as it is complete, or a step as soon as it has ended."""
    steps = steps_of(FunctionBot(safe, games=("wikipedia",)), only("Batches"))
    printed: list[str] = []

    def watched() -> Iterator[Step]:
        for step in steps:
            printed.append(capsys.readouterr().out)
            yield step

    assert show(watched())
    at = [step.section for step in steps].index("Information") + 1
    assert "Contact" in printed[at]
    assert capsys.readouterr().out.endswith("The bot is ready to play.\n")
    show(steps)
    assert capsys.readouterr().out == report_text(steps) + "\n"
    show(steps, every_step=True)
    assert capsys.readouterr().out == report_text(steps, every_step=True) + "\n"
    show(steps, as_json=True)
    assert capsys.readouterr() == (report_json(steps) + "\n", "")


def test_counts_agree_with_their_nouns() -> None:
    """One decision, two decisions."""
    details = [step.detail for step in steps_of(FunctionBot(safe, games=("wikipedia",)))]

    assert not [text for text in details if re.search(r"(?<![.\d])1 [a-z]{3,}s\b", text)]


def test_what_is_being_done_is_told_meanwhile(capsys: pytest.CaptureFixture[str]) -> None:
    """Step and decisions so far: in a log now and then, for a quick check never."""
    told: list[str] = []
    options = only("Batches", progress=told.append)
    steps_of(FunctionBot(safe, games=("wikipedia",)), options)
    Progress()("quick")
    assert capsys.readouterr().err == ""
    Progress(log_s=0.0)(told[-1])

    assert any("Batches: a batch of two (" in text for text in told)
    assert re.fullmatch(r"… .* \(\d+ decisions so far\)\n", capsys.readouterr().err)
