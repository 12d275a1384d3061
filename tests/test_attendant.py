"""Bots of the arena that end in mid-tournament, really killed: started again, or given up."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.attendant import GIVEN_UP, MOST_RESTARTS, Attended, close_all
from arena.config import BotSpec, TournamentConfig
from arena.launch import OwnedBot
from arena.store import Store
from arena.store.rows import FixtureRow, TournamentState
from arena.tournament.create import create_tournament
from arena.tournament.model import FixtureResult, FormatOptions
from arena.tournament.playing.play import Stopper, play
from arena.tournament.playing.reporter import Silent

KILLED_BY_ITSELF = """
import os, signal, sys
from arena.bot import Bot, run
from arena.sample_bots.simple import bot

class Fragile(Bot):
    name = "fragile"
    asked = 0
    def choose(self, view):
        self.asked += 1
        if self.asked == {lasts}:
            print("out of memory", flush=True)
            os.kill(os.getpid(), signal.SIGKILL)
        return bot.choose(view)

run(Fragile())
"""


class Hearing(Silent):
    """Remembers what an organiser is told, and does something at the first result."""

    def __init__(self, at_first: Callable[[], None] = lambda: None) -> None:
        self.heard: list[str] = []
        self._at_first = at_first
        self._results = 0

    def message(self, text: str) -> None:
        """Keep it."""
        self.heard.append(text)

    def played(self, fixture: FixtureRow, result: FixtureResult, sentence: str) -> None:
        """Something has been played."""
        self._results += 1
        if self._results == 1:
            self._at_first()


def config(legs: int, **bots: str) -> TournamentConfig:
    """Short matches, every pair so often."""
    return TournamentConfig(
        name="Friday",
        settings={"target": 20, "max_hands": 3},
        options=FormatOptions(games=1, legs=legs),
        bots=tuple(BotSpec(name, endpoint) for name, endpoint in bots.items()),
    )


def fragile(tmp_path: Path, lasts: int) -> str:
    """A bot that kills itself at its so many-th decision."""
    file = tmp_path / "fragile.py"
    file.write_text(KILLED_BY_ITSELF.format(lasts=lasts))
    return f"python:{file}"


def processes_of(word: str) -> list[int]:
    """Of this test's own children, those with the word in their command line."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                command = (entry / "cmdline").read_bytes()
            except OSError:
                continue
            if word.encode() in command:
                found.append(int(entry.name))
    return found


@pytest.mark.skipif(not Path("/proc/self/cmdline").exists(), reason="looks for a process")
@pytest.mark.parametrize("scheme", ["python", "cmd"])
def test_killed_bot_is_started_again_and_loses_no_match(
    store: Store, tmp_path: Path, scheme: str
) -> None:
    """A strike for each decision that it broke off, and every match is played to its end."""
    file = tmp_path / "steady.py"
    file.write_text("from arena.bot import run\nfrom arena.sample_bots.simple import bot\nrun(bot)")
    command = f"cmd:{sys.executable} {file} --port {{port}}"
    bots = {"steady": f"python:{file}" if scheme == "python" else command, "b": "sample:simple"}

    def kill() -> None:
        # The last of them is the program itself, not the one that keeps it.
        os.kill(max(processes_of(str(file))), signal.SIGKILL)

    reporter = Hearing(kill)
    made = create_tournament(store, config(12, **bots), b"\7" * 32)

    assert play(store, made, reporter, Stopper(), patience_s=0.2) is TournamentState.FINISHED

    said = [text for text in reporter.heard if "was killed by SIGKILL" in text]
    assert len(said) == 1
    assert said[0].startswith("bot 'steady' was killed by SIGKILL; it is started once more; ")
    assert {row.termination for row in store.fixtures.of(made.id)} <= {"normal", "draw"}
    assert not processes_of(str(file))


def test_bot_that_ends_again_and_again_is_given_up_and_its_matches_are_lost(
    store: Store, tmp_path: Path
) -> None:
    """It is said what it printed, and how to mend it without losing more."""
    reporter = Hearing()
    bots = {"fragile": fragile(tmp_path, 3), "b": "sample:simple", "c": "sample:simple"}
    made = create_tournament(store, config(10, **bots), b"\7" * 32)

    assert play(store, made, reporter, Stopper(), patience_s=0.2) is TournamentState.FINISHED

    again = [text for text in reporter.heard if "it is started once more" in text]
    (given_up,) = (text for text in reporter.heard if GIVEN_UP in text)
    assert len(again) == MOST_RESTARTS
    assert all(text.endswith("out of memory") for text in (*again, given_up))
    rows = store.fixtures.of(made.id)
    fair = {"normal", "draw", "bye"}
    assert {row.termination for row in rows if 0 not in row.seats} <= fair
    assert {row.termination for row in rows if 0 in row.seats} - fair


def test_resumed_tournament_starts_a_bot_that_was_given_up_anew(
    store: Store, tmp_path: Path
) -> None:
    """Stopped in time, what was mended meanwhile loses nothing."""
    stopper = Stopper()

    class Watching(Hearing):
        def message(self, text: str) -> None:
            super().message(text)
            if GIVEN_UP in text:
                stopper.stop()

    bots = {"fragile": fragile(tmp_path, 2), "b": "sample:simple"}
    made = create_tournament(store, config(30, **bots), b"\7" * 32)
    assert play(store, made, Watching(), stopper) is TournamentState.RUNNING
    left = len(store.fixtures.open_of(made.id))
    fragile(tmp_path, -1)

    assert play(store, made, Hearing(), Stopper()) is TournamentState.FINISHED

    assert left > 0
    won = [row for row in store.fixtures.of(made.id) if row.winner == 0]
    assert won


def test_failed_call_is_told_soon_when_the_bot_still_runs_or_is_not_watched() -> None:
    """It failed for another reason then."""
    told = threading.Event()
    one = Attended(OwnedBot("x", "sample:simple"), lambda text: None)
    try:
        one.after(told.set)
        assert told.is_set()
        told.clear()
        one.watch()
        one.after(told.set)
        assert told.wait(30)
    finally:
        close_all([one])


def test_closing_waits_for_no_bot_that_is_just_being_started(tmp_path: Path) -> None:
    """And leaves no process behind."""
    file = tmp_path / "slow.py"
    file.write_text("from arena.bot import run\nfrom arena.sample_bots.simple import bot\nrun(bot)")
    said: list[str] = []
    heard = threading.Event()

    def say(text: str) -> None:
        said.append(text)
        heard.set()

    one = Attended(OwnedBot("slow", f"python:{file}"), say)
    file.write_text("import time\ntime.sleep(3600)")
    one.watch()
    os.kill(one.bot.pid, signal.SIGKILL)
    assert heard.wait(30)
    begun = time.monotonic()

    close_all([one])

    assert time.monotonic() - begun < 10
    assert len(said) == 1
    assert not processes_of(str(file))
