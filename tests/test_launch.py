"""Bots that the arena starts itself: late, silent, broken, talkative."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from arena.config import BotSpec, TournamentConfig
from arena.errors import UsageError
from arena.launch import OwnedBot
from arena.process import OUTPUT_BYTES
from arena.referee.clock import ClockRules
from arena.referee.verdicts import FaultCode, Termination
from arena.store import Store
from arena.store.rows import TournamentState
from arena.tournament.create import create_tournament
from arena.tournament.model import FormatOptions
from arena.tournament.playing import contestants
from arena.tournament.playing.play import Stopper, play, unfinished
from arena.tournament.playing.reporter import Silent
from tests.faulty_bots import Behaviour, FaultyBot

LATE = """
import sys, time
from arena.bot import serve
from arena.sample_bots.simple import bot
time.sleep(1.5)
serve(bot, port=int(sys.argv[1]))
"""
MUTE = "import time; time.sleep(3600)"
MUTE_THE_SECOND_TIME = """
import pathlib, sys, time
ran = pathlib.Path(__file__).with_name("ran")
before = len(ran.read_text()) if ran.exists() else 0
ran.write_text("." * (before + 1))
if before != 1:
    print(f"listening on http://127.0.0.1:{int(sys.argv[2]) or 8155} ", flush=True)
time.sleep(3600)
"""
BROKEN = "import sys; sys.exit('no model file')"
TALKATIVE = """
import sys
from arena.bot import Bot, run
from arena.sample_bots.simple import bot

class Talkative(Bot):
    name = "talkative"
    games = ("*",)
    def choose(self, view):
        sys.stderr.write("x" * 1_000_000)
        sys.stdout.write("y" * 100_000)
        return bot.choose(view)

run(Talkative())
"""

Program = Callable[..., str]


@pytest.fixture
def program(tmp_path: Path) -> Program:
    """Writes a program and gives the endpoint that starts it."""

    def write(code: str, *arguments: str) -> str:
        path = tmp_path / f"bot{len(list(tmp_path.iterdir()))}.py"
        path.write_text(code, encoding="utf-8")
        return " ".join([f"cmd:{sys.executable} {path}", *arguments])

    return write


class Hearing(Silent):
    """Remembers what an organiser is told."""

    def __init__(self) -> None:
        self.heard: list[str] = []

    def message(self, text: str) -> None:
        """Keep it."""
        self.heard.append(text)


def config(**bots: str) -> TournamentConfig:
    """Every pair once."""
    return TournamentConfig(
        name="Launch",
        settings={"target": 20, "max_hands": 3},
        options=FormatOptions(games=1, duplicate=False),
        clock=ClockRules(deadline_ms=5000),
        bots=tuple(BotSpec(name, endpoint) for name, endpoint in bots.items()),
    )


def played(store: Store, reporter: Hearing, **bots: str) -> None:
    """Play to the end."""
    made = create_tournament(store, config(**bots), b"\7" * 32)
    assert play(store, made, reporter, Stopper(), patience_s=0.5) is TournamentState.FINISHED


def test_bot_that_listens_late_is_awaited_and_one_that_never_does_loses_its_own_matches(
    store: Store, program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No fixed wait: the first plays as soon as it is up, the second forfeits when time is up."""

    def sooner(name: str, endpoint: str, **rest: Any) -> OwnedBot:
        return OwnedBot(name, endpoint, start_s=0.3 if name in ("mute", "deaf") else 60.0, **rest)

    monkeypatch.setattr(contestants, "OwnedBot", sooner)
    reporter = Hearing()

    played(
        store,
        reporter,
        late=program(LATE, "{port}"),
        mute=program(MUTE),
        deaf=program(MUTE, "{port}"),
        simple="sample:simple",
    )

    for row in store.fixtures.of(store.tournaments.all()[0].id):
        dead = {1, 2} & set(row.seats)
        if len(dead) == 2:
            assert row.termination == Termination.DOUBLE_FORFEIT
        elif dead:
            # Its game may be over by the rules before it has failed three times.
            assert row.winner not in dead
            assert {fault.code for fault in store.hands.faults(row.id)} == {FaultCode.REFUSED}
        else:
            assert row.termination in (Termination.NORMAL, Termination.DRAW)
    said = [text for text in reporter.heard if "not ready within" in text]
    assert len(said) == 2


@pytest.mark.parametrize("silent", ["started", "address"])
def test_stopping_waits_for_no_bot(store: Store, program: Program, silent: str) -> None:
    """Whoever interrupts while bots are awaited or greeted is obeyed, and can resume."""
    with FaultyBot(Behaviour.DEAF) as deaf:
        endpoint = program(MUTE) if silent == "started" else deaf.url
        made = create_tournament(store, config(x=endpoint, y=endpoint))
        stopper = Stopper()
        threading.Timer(0.3, stopper.stop).start()
        begun = time.monotonic()

        state = play(store, made, Silent(), stopper)

    assert state is TournamentState.RUNNING
    assert time.monotonic() - begun < 4
    assert unfinished(store) == [store.tournaments.get(made.id)]


def test_bot_that_ends_at_once_is_refused_with_what_it_printed(program: Program) -> None:
    """A slip of its author, seen before anything is played."""
    with pytest.raises(UsageError, match=r"(?s)'x' ended at once with status 1.*no model file"):
        OwnedBot("x", program(BROKEN))


def test_file_that_serves_nothing_is_told_how_a_bots_file_ends(tmp_path: Path) -> None:
    """A class alone is no program."""
    file = tmp_path / "quiet.py"
    file.write_text("class Quiet: pass\n")
    with pytest.raises(UsageError, match=r"status 0; it printed nothing; .* ends with run"):
        OwnedBot("x", f"python:{file}")


def test_bot_that_was_late_once_is_started_at_its_old_place_the_next_time(tmp_path: Path) -> None:
    """It is called there all the time, whatever it did meanwhile."""
    file = tmp_path / "bot.py"
    file.write_text(MUTE_THE_SECOND_TIME)
    bot = OwnedBot("x", f"python:{file}", start_s=3.0)
    silent = []
    for _ in range(2):
        bot.stop()
        bot = bot.again()
        silent.append(bool(bot.silence))
        assert bot.url == "http://127.0.0.1:8155"
    bot.stop()
    assert silent == [True, False]


def test_talkative_bot_never_blocks_and_fills_no_memory(store: Store, program: Program) -> None:
    """A megabyte on stderr for every decision: all of it is read, only the end is kept."""
    played(store, Hearing(), talkative=program(TALKATIVE, "--port 0"), simple="sample:simple")

    (row,) = store.fixtures.of(store.tournaments.all()[0].id)
    assert not store.hands.faults(row.id)
    assert row.termination in (Termination.NORMAL, Termination.DRAW)


def test_output_that_is_kept_is_the_end(program: Program) -> None:
    """Not more than some kilobytes, however much there was."""
    code = "print('a' * 5_000_000, 'listening on http://127.0.0.1:9 ', flush=True); input()"
    bot = OwnedBot("x", program(code))
    try:
        assert bot.url == "http://127.0.0.1:9"
        assert len(bot.output()) <= OUTPUT_BYTES
    finally:
        bot.stop()


def test_a_command_that_was_told_no_port_is_told_where_it_belongs() -> None:
    """It runs and may even listen, but nobody can know where."""
    program = "import time; time.sleep(60)"
    bot = OwnedBot("mute", f"cmd:{sys.executable} -c '{program}' 8155", start_s=0.3)
    try:
        assert bot.silence is not None
        assert "write {port} where it belongs" in bot.silence
        assert bot.silence.endswith("; it printed nothing")
    finally:
        bot.stop()
