"""The conformance check: what it finds in good bots, bad bots, and no bots."""

from __future__ import annotations

import json
import re
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import pytest

from arena.bot import Bot, BotServer, BotView, Choice, FunctionBot
from arena.errors import ConfigError
from arena.referee.verdicts import FaultCode
from arena.wire.addresses import Address, Resolver
from arena.wire.conformance import (
    Options,
    Status,
    Step,
    all_checks,
    check,
    edges,
    passed,
    report_json,
    report_text,
    run,
    show,
)
from arena.wire.signing import new_secret
from arena.wire.transport import WireOptions
from tests.faulty_bots import EXPECTED, Behaviour, FaultyBot, Talk
from tests.faulty_talk import http


@pytest.fixture(autouse=True)
def _no_long_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    """The pause of the keep-alive step is shortened."""
    monkeypatch.setattr(edges, "IDLE_S", 0.05)


def safe(view: BotView) -> str:
    """Plays the first legal action."""
    return view.safe


def steps_of(bot: Bot, options: Options | None = None, **server: Any) -> list[Step]:
    """The steps of a check of this bot."""
    with BotServer(bot, **server) as listening:
        return list(check(listening.url, options))


def only(*sections: str, **options: Any) -> Options:
    """Options that leave other sections out, to save time."""
    return Options(only=sections, **options)


def found(steps: list[Step], title: str) -> Step:
    """The step with this title."""
    (step,) = [step for step in steps if step.title == title]
    return step


def titles(steps: list[Step], status: Status) -> set[str]:
    """The titles of the steps that ended so."""
    return {step.title for step in steps if step.status is status}


def test_steps_are_many_numbered_and_distinct() -> None:
    """The same at least forty steps for every bot, so that a number means the same everywhere."""
    known = [(one.section, one.title) for one in all_checks()]

    assert len(known) >= 40
    assert len(set(known)) == len(known)
    assert all(one.fix and one.fix[-1] not in ".!" for one in all_checks())


class _BothFamilies(Resolver):
    """``localhost`` as many systems know it: the address of the newer protocol comes first."""

    def addresses(self, host: str, port: int, left_s: Callable[[], float]) -> Sequence[Address]:
        """Both."""
        return (
            Address(socket.AF_INET6, "::1", port),
            Address(socket.AF_INET, "127.0.0.1", port),
        )


def test_a_bot_is_found_at_whichever_address_of_its_host_it_listens() -> None:
    """Matches find it there as well: what listens at the second address is as good a bot."""
    wire = WireOptions(resolver=_BothFamilies())
    with BotServer(FunctionBot(safe, name="safe")) as server:
        steps = list(check(f"http://localhost:{server.port}", Options(wire=wire)))

    assert titles(steps, Status.FAILED) == set()
    assert titles(steps, Status.WARNING) == set()


def test_a_good_bot_passes_without_a_warning() -> None:
    """A bot that plays safe in every game passes all steps but those about signatures and play."""
    steps = steps_of(FunctionBot(safe, name="safe"))

    assert [step.number for step in steps] == list(range(1, len(steps) + 1))
    assert titles(steps, Status.FAILED) == titles(steps, Status.WARNING) == set()
    skipped = {step.section for step in steps if step.status is Status.SKIPPED}
    assert skipped == {"Signatures", "Play"}
    assert passed(steps)


def test_games_that_are_not_claimed_are_skipped() -> None:
    """A bot for Indian rummy is asked about nothing else."""
    asked: set[str] = set()

    def notes(view: BotView) -> str:
        asked.add(view.variant)
        return view.safe

    steps = steps_of(FunctionBot(notes, games=("indian",)))

    assert titles(steps, Status.FAILED) == set()
    assert "when declaring is possible" in titles(steps, Status.PASSED)
    assert "plays whole hands of two-handed gin" in titles(steps, Status.SKIPPED)
    assert asked
    assert all(name.startswith("indian") for name in asked)


def test_nobody_there_is_one_failure_and_the_rest_skipped() -> None:
    """A dead address is found out at once and does not cost a timeout a step."""
    with BotServer(FunctionBot(safe)) as server:
        url = server.url
    begin = time.monotonic()
    steps = list(check(url))

    assert steps[0].status is Status.FAILED
    assert steps[0].detail.startswith("refused")
    assert titles(steps[1:], Status.SKIPPED) == {step.title for step in steps[1:]}
    assert time.monotonic() - begin < 2


@pytest.mark.parametrize("url", ["", "not a url", "ftp://x", "http://"])
def test_an_address_that_is_none_is_refused(url: str) -> None:
    """That is the caller's mistake and no finding about a bot."""
    with pytest.raises(ConfigError):
        check(url)


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
    assert "the order in a batch changes no answer" in titles(steps, Status.FAILED)


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


def test_a_bot_that_always_times_out_does_not_take_for_ever() -> None:
    """After some steps in a row that ran out of time the rest is skipped."""
    with FaultyBot(Behaviour.SILENT) as bot:
        begin = time.monotonic()
        steps = list(check(bot.url, Options(deadline_ms=50)))

    # All steps would wait for minutes; most of this is dealing the positions.
    assert time.monotonic() - begin < 60
    assert steps[-1].detail == f"{run.GIVE_UP} steps in a row ran out of time"


def test_the_time_of_a_whole_check_is_limited() -> None:
    """When the limit is reached, what is left is skipped with that reason."""
    steps = steps_of(FunctionBot(safe, games=("wikipedia",)), Options(limit_s=0.0))

    assert {step.detail for step in steps} == {"the time for the whole check is used up"}


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


def test_a_bot_with_a_secret_passes_the_steps_on_signatures() -> None:
    """The SDK refuses all that it should."""
    secret = new_secret()
    options = only("Signatures", "Decisions by phase", secret=secret)
    steps = steps_of(FunctionBot(safe, games=("wikipedia",)), options, secrets=[secret])

    assert titles(steps, Status.FAILED) == titles(steps, Status.WARNING) == set()
    assert {step.status for step in steps if step.section == "Signatures"} == {Status.PASSED}


def test_a_bot_that_does_not_look_at_signatures_is_found() -> None:
    """Unsigned, wrongly signed and stale requests must not be answered."""
    options = only("Signatures", secret=new_secret())
    steps = steps_of(FunctionBot(safe, games=("wikipedia",)), options)
    failed = {step.title for step in steps if step.status is Status.FAILED}

    assert failed == {
        "an unsigned request is refused",
        "another secret is refused",
        "a changed body is refused",
        "a stale request is refused",
    }
    assert found(steps, "a repeated request is refused").status is Status.WARNING


def test_the_wrong_secret_is_explained() -> None:
    """A bot that has another secret than the arena refuses everything, and the step says so."""
    bot = FunctionBot(safe, games=("wikipedia",))
    options = only("Signatures", secret=new_secret())
    steps = steps_of(bot, options, secrets=[new_secret()])
    step = found(steps, "a signed request is answered")

    assert step.status is Status.FAILED
    assert "compare the secrets" in step.fix
    assert "401" in step.exchange


def test_hands_are_played_against_an_opponent() -> None:
    """With a number of hands to play, the last step tells who won them."""

    def knocks(view: BotView) -> str:
        ways = view.actions("big_gin") + view.actions("knock")
        return ways[0].id if ways else min(view.discards, key=view.deadwood_without, default="")

    def good(view: BotView) -> str:
        choice = knocks(view) if view.phase == "discard" else view.safe
        return f"discard:{choice}" if choice in view.discards else choice

    steps = steps_of(FunctionBot(good, games=("wikipedia",)), only("Play", play=4))

    assert steps[-1].status is Status.PASSED
    assert steps[-1].detail.startswith("4 hands: won 3, lost 0, +")


def test_the_opponent_is_asked_with_its_own_requests() -> None:
    """The opponent gets the requests of its seat and nothing of the bot's."""
    seats: set[int] = set()

    def opponent(request: Mapping[str, Any]) -> Mapping[str, Any]:
        seats.add(request["seat"])
        return {"id": request["request_id"], "action": request["legal"][0]["id"]}

    options = only("Play", play=2, opponent=opponent)
    steps = steps_of(FunctionBot(safe, games=("wikipedia",)), options)

    assert steps[-1].status is Status.PASSED
    assert seats == {0, 1}


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


@pytest.mark.parametrize("on", [("/", "/act"), ("/act",)])
def test_answers_in_two_writes_are_told_from_slow_ones(on: tuple[str, ...]) -> None:
    """When even the information takes 40 ms, the bot waits for acknowledgements."""
    with FaultyBot(Behaviour.SLOW, on=on, delay_s=0.042) as bot:
        steps = list(check(bot.url, only("Speed")))
    step = found(steps, "single decisions are well within the deadline")

    assert step.status is (Status.WARNING if "/" in on else Status.PASSED)
    assert ("in one write" in step.fix) is ("/" in on)


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
