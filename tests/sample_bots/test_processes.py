"""The sample bots as people start them: a file each, in a process of its own."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from random import Random

import pytest

from arena.referee.moments import deal, moment_of
from arena.rules.cards import NAMES, mask_of
from arena.rules.games import find_variant
from arena.rules.melds import deadwood
from arena.wire.client import BotClient
from arena.wire.conformance import Options, Status, check, edges, report_text
from arena.wire.endpoint import Endpoint
from arena.wire.messages import ReplyItem, act_body, parse_act_reply
from arena.wire.signing import new_secret

FOLDER = Path(str(files("arena.sample_bots")))
FILES = sorted(FOLDER.glob("*.py"))
BOTS = [file for file in FILES if file.name != "__init__.py"]


class Started:
    """A bot process and the address that it printed."""

    def __init__(self, *command: str, **environment: str) -> None:
        self.begun = time.monotonic()
        self.process = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, **environment},
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        self.took = time.monotonic() - self.begun
        self.url = line.removeprefix("listening on ").strip()

    def stop(self, number: int = signal.SIGTERM) -> tuple[int, str]:
        """Stop it; exit code and what it wrote on stderr."""
        self.process.send_signal(number)
        _, errors = self.process.communicate(timeout=10)
        return self.process.returncode, errors


@pytest.mark.parametrize("file", BOTS, ids=lambda file: file.stem)
def test_each_file_runs_by_itself(file: Path, tmp_path: Path) -> None:
    """Started from anywhere by its path, it says where it listens, answers, and stops quietly."""
    bot = Started(sys.executable, str(file))
    try:
        info = BotClient(Endpoint.parse(bot.url))
        assert info.get("/", 2000).body
        info.close()
    finally:
        code, errors = bot.stop()

    assert (code, errors) == (0, "")


def test_a_bot_starts_at_once() -> None:
    """Half a second from the command to the first line; the best of three on a busy machine."""
    times = []
    for _ in range(3):
        bot = Started(sys.executable, str(FOLDER / "keen.py"))
        bot.stop()
        times.append(bot.took)

    assert min(times) < 0.5


def test_a_file_checks_itself() -> None:
    """``--check`` runs the conformance check and exits with 0 when nothing failed."""
    done = subprocess.run(
        [sys.executable, str(FOLDER / "indian_simple.py"), "--check"],
        capture_output=True,
        text=True,
        timeout=60,
    )

    assert done.returncode == 0, done.stdout
    assert done.stdout.rstrip().endswith("The bot is ready to play.")


def test_a_broken_file_is_told_what_is_wrong(tmp_path: Path) -> None:
    """``--check`` of a bot that answers nonsense exits with 1 and shows the exchange."""
    file = tmp_path / "broken.py"
    file.write_text(
        "from arena.bot import run\n\ndef broken(view):\n    return 'fly'\n\nrun(broken)\n"
    )
    done = subprocess.run(
        [sys.executable, str(file), "--check"], capture_output=True, text=True, timeout=60
    )

    assert done.returncode == 1
    assert "'fly' is not among the" in done.stdout


@pytest.fixture
def node() -> str:
    """The program that runs JavaScript; needed where the tests must be complete."""
    found = shutil.which("node")
    if found is None:
        if os.environ.get("CI"):
            pytest.fail("node is missing, and CI must run the JavaScript bot; install it")
        pytest.skip("node is not installed")
    return found


@pytest.fixture
def reference(node: str) -> Iterator[Started]:
    """The JavaScript bot, running."""
    bot = Started(node, str(FOLDER / "reference.js"))
    yield bot
    code, errors = bot.stop()
    assert (code, errors) == (0, "")


def test_the_javascript_bot_conforms(reference: Started, monkeypatch: pytest.MonkeyPatch) -> None:
    """No step fails and none warns, as with the Python bots."""
    monkeypatch.setattr(edges, "IDLE_S", 0.05)
    steps = list(check(reference.url))
    troubled = [step for step in steps if step.status in (Status.FAILED, Status.WARNING)]

    assert not troubled, report_text(steps)


def test_the_javascript_bot_checks_signatures(node: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same protocol in another language: every step on signatures passes."""
    secret = new_secret()
    bot = Started(node, str(FOLDER / "reference.js"), ARENA_BOT_SECRET=secret)
    try:
        options = Options(secret=secret, only=("Signatures", "Advisory calls"))
        steps = list(check(bot.url, options))
    finally:
        bot.stop()

    assert {step.status for step in steps} == {Status.PASSED}


def test_the_javascript_bot_plays_sensibly(reference: Started) -> None:
    """Its counting is that of the rules: it ends its hands with knocks, and wins them."""
    client = BotClient(Endpoint.parse(reference.url))
    variant = find_variant("gin")
    won = 0
    for number in range(20):
        hand, context = deal(variant, 2, f"reference {number // 2}", match=f"m_{number}")
        while hand.to_act is not None:
            moment = moment_of(hand, context)
            if hand.to_act == number % 2:
                body = client.post("/act", act_body([moment.request]), (2000.0,)).body
                reply = parse_act_reply(body, [moment.id])[moment.id]
                assert isinstance(reply, ReplyItem)
                hand = moment.after(reply.action, reply.melds)
            else:
                hand = hand.apply(moment.legal[0])
        assert hand.outcome is not None
        won += hand.outcome.winner == number % 2
    client.close()

    assert won >= 17


def test_the_javascript_bot_counts_deadwood_as_the_rules_do(node: str) -> None:
    """Its own search for the best arrangement agrees with the tables on a thousand hands."""
    rng = Random("javascript")
    hands = [rng.sample(NAMES[:: rng.choice((1, 2))], 11) for _ in range(1000)]
    modes = [rng.choice((("low", 1), ("corner", 15))) for _ in hands]
    script = (
        f"const {{arrange}} = require({json.dumps(str(FOLDER / 'reference.js'))});"
        "const cases = JSON.parse(require('node:fs').readFileSync(0, 'utf8'));"
        "console.log(JSON.stringify(cases.map(([cards, ace_mode, ace_deadwood]) =>"
        " arrange(cards, {ace_mode, ace_deadwood}).deadwood)));"
    )
    cases = [(hand, mode, value) for hand, (mode, value) in zip(hands, modes, strict=True)]
    done = subprocess.run(
        [node, "-e", script],
        input=json.dumps(cases),
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )

    assert json.loads(done.stdout) == [
        deadwood(mask_of(hand), mode, value) for hand, mode, value in cases
    ]
