"""Conformance checks that run in the background while their steps appear on a page.

A few threads, one check a bot at a time. Progress is kept in memory; the finished report goes to
the database. What a check finds is for the bot's owner and the organiser.
"""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from arena.errors import ArenaError
from arena.store import Store
from arena.store.rows import BotRow
from arena.wire.addresses import Network
from arena.wire.conformance import Options, Step, all_checks, check, passed, report_json
from arena.wire.transport import WireOptions

log = logging.getLogger("arena.site.checks")

WORKERS = 3
MOST_WAITING = 20
HANDS = 4
LIMIT_S = 120.0


@dataclass(slots=True)
class Running:
    """A check in progress. ``total``: steps in all."""

    total: int
    steps: list[Step] = field(default_factory=list)


Checker = Callable[[str, Options], Iterator[Step]]


class Checks:
    """Runs checks of registered bots. Safe for threads."""

    def __init__(self, database: Path, *, public: bool, checker: Checker = check) -> None:
        self._database = database
        self._public = public
        self._checker = checker
        self._lock = threading.Lock()
        self._running: dict[int, Running] = {}
        self._pool = ThreadPoolExecutor(WORKERS, thread_name_prefix="check")

    def start(self, bot: BotRow, *, accept: bool) -> bool:
        """Begin to check a bot's newest version. False when too many checks are waiting.

        ``accept``: the bot is admitted when it passes.
        """
        with self._lock:
            if bot.version_id in self._running:
                return True
            if len(self._running) >= MOST_WAITING:
                return False
            self._running[bot.version_id] = Running(sum(1 for _ in all_checks()))
        self._pool.submit(self._check, bot, accept)
        return True

    def running(self, version_id: int) -> Running | None:
        """The steps of a check in progress so far, None when none is."""
        with self._lock:
            found = self._running.get(version_id)
            return None if found is None else Running(found.total, list(found.steps))

    def close(self) -> None:
        """Drop what waits; checks in progress end by their own limit."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _check(self, bot: BotRow, accept: bool) -> None:
        steps: list[Step] = []
        network = Network.PUBLIC if self._public else Network.LOCAL
        options = Options(
            secret=bot.secret, limit_s=LIMIT_S, play=HANDS, wire=WireOptions(network=network)
        )
        try:
            for step in self._checker(bot.endpoint, options):
                steps.append(step)
                with self._lock:
                    self._running[bot.version_id].steps.append(step)
            self._finish(bot, json.loads(report_json(steps)), accept and passed(steps))
        except ArenaError as error:
            self._finish(bot, {"passed": False, "steps": [], "error": str(error)}, False)
        except Exception:
            log.exception("the check of bot %s broke off", bot.id)
            text = "The check broke off by a fault of the arena. Test again."
            self._finish(bot, {"passed": False, "steps": [], "error": text}, False)
        finally:
            with self._lock:
                self._running.pop(bot.version_id, None)

    def _finish(self, bot: BotRow, report: Mapping[str, Any], accept: bool) -> None:
        with Store(self._database) as store, store.transaction():
            store.bots.set_report(bot.version_id, report)
            if accept:
                store.bots.admit(bot.id, bot.version_id)
