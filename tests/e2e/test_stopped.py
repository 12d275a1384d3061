"""A referee that is stopped for a while, as by Ctrl-Z, charges nobody for it."""

from __future__ import annotations

import os
import re
import signal
import threading
import time
from pathlib import Path

from arena.bot import Bot, BotView
from arena.bot.base import Chosen
from arena.store import Store
from tests.e2e.arena_process import arena, served, start_arena
from tests.samples import simple

DEADLINE_MS = 1500
STOPPED_S = 2.5


class Asked(Bot):
    """Plays like the simple bot, and tells when it was asked something."""

    def __init__(self, name: str, asked: threading.Event) -> None:
        self.name = name
        self.delay_s = 0.02
        self._asked = asked

    def choose(self, view: BotView) -> Chosen:
        """The simple bot's choice, a moment later."""
        self._asked.set()
        time.sleep(self.delay_s)
        return simple.bot.choose(view)


def test_nobody_loses_on_time_while_the_referee_is_stopped(tmp_path: Path) -> None:
    """Answers came long before their deadlines, and nobody was there to read them."""
    asked = threading.Event()
    database, log = tmp_path / "stopped.db", tmp_path / "log"
    waiting = [Asked("a", asked), Asked("b", asked)]
    with served(waiting) as bots:
        process = start_arena(
            "run", "--db", database, "--name", "S", *bots, "--games", "2",
            "--deadline-ms", str(DEADLINE_MS), "--bank-ms", "0", log=log,
        )  # fmt: skip
        try:
            for _ in range(2):
                asked.clear()
                assert asked.wait(30), log.read_text()
                os.kill(process.pid, signal.SIGSTOP)
                time.sleep(STOPPED_S)
                os.kill(process.pid, signal.SIGCONT)
            for bot in waiting:
                bot.delay_s = 0.0
            assert process.wait(120) == 0, log.read_text()
        finally:
            process.kill()
            process.wait(30)
    said = re.findall(r"the arena itself was stopped for (\d\.\d) s", log.read_text())
    assert [float(seconds) >= 2.0 for seconds in said] == [True, True], log.read_text()
    with Store(database, read_only=True) as store:
        assert store.db.conn.execute("SELECT count(*) FROM faults").fetchone()[0] == 0
        records = [row[0] for row in store.db.conn.execute("SELECT record FROM hands")]
    assert records
    assert not any("~" in record for record in records)
    assert arena("verify", database).returncode == 0
