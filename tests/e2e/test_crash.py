"""A killed tournament goes on as if nothing had happened."""

from __future__ import annotations

import json
import os
import random
import signal
import time
from pathlib import Path

import pytest

from arena.bot import Bot, BotView
from arena.bot.base import Chosen
from arena.store import Store
from tests.e2e.arena_process import (
    arena,
    children_of,
    hands_stored,
    served,
    start_arena,
    wait_until,
)
from tests.samples import random_bot, simple

SECRET = "5e" * 32
KILLS = max(3, int(os.environ.get("ARENA_KILLS", "40")) // 13)
"""Of each format, over HTTP; `test_kills` has more, and how to ask for more of them."""


class Thinking(Bot):
    """Plays like the simple bot and thinks for two milliseconds, so that there is time to kill."""

    def __init__(self, name: str) -> None:
        self.name = name

    def choose(self, view: BotView) -> Chosen:
        """The simple bot's choice."""
        time.sleep(0.002)
        return simple.bot.choose(view)


def everything(database: Path) -> dict[str, object]:
    """What must be the same: fixtures in order with results, and every hand's record."""
    with Store(database, read_only=True) as store:
        assert store.db.conn.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
        (tournament,) = store.tournaments.all()
        fixtures = store.fixtures.of(tournament.id)
        return {
            "state": tournament.state,
            "fixtures": [(row.id, row.key, row.status, row.result) for row in fixtures],
            "games": [store.fixtures.games(row.id) for row in fixtures],
            "hands": [
                [(hand.game, hand.number, hand.record, hand.points) for hand in hands]
                for hands in (store.hands.of(row.id) for row in fixtures)
            ],
        }


@pytest.mark.parametrize("format_name", ["round-robin", "bracket"])
def test_kill_9_at_random_moments_changes_nothing(tmp_path: Path, format_name: str) -> None:
    """Killed at random moments and resumed, the tournament ends like an undisturbed one."""
    calm, rough = tmp_path / "calm.db", tmp_path / "rough.db"
    log = tmp_path / "log.txt"
    options = ["--secret", SECRET, "--name", "Crash", "--format", format_name, "--target", "100"]
    with served([Thinking("a"), Thinking("b"), random_bot.bot]) as bots:
        whole = arena("run", *bots, *options, "--json", "--db", calm)
        assert whole.returncode == 0, whole.stderr
        total = hands_stored(calm)
        chance = random.Random(total)
        kills = 0
        command = ["run", *bots, *options, "--db", str(rough)]
        for _ in range(KILLS):
            process = start_arena(*command, log=log)
            before = hands_stored(rough)
            goal = before + chance.randint(0, max(1, total // (2 * KILLS)))
            alive = wait_until(lambda goal=goal: hands_stored(rough) > goal, process)  # type: ignore[misc]
            process.send_signal(signal.SIGKILL)
            process.wait(30)
            kills += alive
            command = ["resume", "--db", str(rough)]
        end = arena("resume", "--json", "--db", rough)
        assert end.returncode == 0, end.stderr
        standings = arena("standings", "--json", "--db", rough)

    assert kills == KILLS
    assert everything(rough) == everything(calm)
    assert json.loads(standings.stdout)["standings"] == json.loads(whole.stdout)["standings"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_interrupt_stops_everything_and_can_be_resumed(tmp_path: Path, number: int) -> None:
    """Bots and arena are gone within five seconds, and resuming finishes the tournament."""
    database, log = tmp_path / "arena.db", tmp_path / "log.txt"
    options = ["--bot", "a=sample:simple", "--bot", "b=sample:random_bot", "--games", "20"]
    # Whoever runs the tests under nohup has SIGHUP ignored, and processes inherit that.
    ours = signal.signal(number, signal.SIG_DFL)
    process = start_arena("run", *options, "--db", database, log=log)
    signal.signal(number, ours)
    assert wait_until(lambda: hands_stored(database) > 3, process), log.read_text()
    children = children_of(process.pid)
    assert len(children) == 2

    process.send_signal(number)
    code = process.wait(5)

    assert code == 130, log.read_text()
    assert "arena resume" in log.read_text()
    assert not any(Path(f"/proc/{child}").exists() for child in children)
    end = arena("resume", "--json", "--db", database)
    assert end.returncode == 0, end.stderr
    assert json.loads(end.stdout)["state"] == "finished"


def test_killed_arena_leaves_no_bots_behind(tmp_path: Path) -> None:
    """Even kill -9 of the arena ends the sample bots that it had started."""
    database, log = tmp_path / "arena.db", tmp_path / "log.txt"
    options = ["--bot", "a=sample:simple", "--bot", "b=sample:random_bot", "--games", "20"]
    process = start_arena("run", *options, "--db", database, log=log)
    assert wait_until(lambda: hands_stored(database) > 0, process), log.read_text()
    children = children_of(process.pid)

    process.send_signal(signal.SIGKILL)
    process.wait(5)

    def gone() -> bool:
        return not any(Path(f"/proc/{child}").exists() for child in children)

    bystander = start_arena("--version", log=log)
    bystander.wait(30)
    for _ in range(100):
        if gone():
            break
        bystander = start_arena("--version", log=log)
        bystander.wait(30)
    assert gone()
