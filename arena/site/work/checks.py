"""Conformance checks that run in the background while their steps appear on a page.

A few threads. A bot is checked once at a time, and so is a host: whoever names somebody else's as
that of many bots, or changes the address of one bot again and again, cannot have it called more
than that. Progress is kept in memory; the finished report goes to the database. What a check finds
is for the bot's owner and the organiser.
"""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Callable, Generator, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from arena.errors import ArenaError, ConfigError
from arena.store import Store
from arena.store.rows import BotRow
from arena.wire.addresses import Network
from arena.wire.conformance import Options, Step, all_checks, check, passed, report_json
from arena.wire.endpoint import Endpoint
from arena.wire.greeting import greeting
from arena.wire.messages import BotInfo
from arena.wire.transport import WireOptions

log = logging.getLogger("arena.site.work.checks")

WORKERS = 3
MOST_WAITING = 20
HANDS = 4
LIMIT_S = 120.0


@dataclass(slots=True)
class Running:
    """A check in progress, or one that waits. ``total``: steps in all."""

    total: int
    steps: list[Step] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Job:
    """A check to be made. ``accept``: the bot is admitted when it passes."""

    bot: BotRow
    accept: bool
    host: str
    seen: Running


Checker = Callable[[str, Options], Iterator[Step]]
Greeter = Callable[[str, str | None, WireOptions | None], BotInfo | None]


class Checks:
    """Runs checks of registered bots. Safe for threads."""

    def __init__(
        self,
        database: Path,
        *,
        public: bool,
        checker: Checker = check,
        greeter: Greeter = greeting,
    ) -> None:
        self._database = database
        self._public = public
        self._checker = checker
        self._greeter = greeter
        self._changed = threading.Condition()
        self._waiting: dict[int, Job] = {}
        self._running: dict[int, Job] = {}
        self._closed = False
        self._pool = ThreadPoolExecutor(WORKERS, thread_name_prefix="check")

    def start(self, bot: BotRow, *, accept: bool) -> bool:
        """See to it that a bot's newest version is checked. False when too many are waiting.

        ``accept``: the bot is admitted when it passes. The check of an older version that is in
        progress is given up at its next step.
        """
        job = Job(bot, accept, self._host(bot), Running(sum(1 for _ in all_checks())))
        with self._changed:
            if self._find(bot.version_id) is not None:
                return True
            if bot.id not in self._waiting and self._count() >= MOST_WAITING:
                return False
            self._waiting[bot.id] = job
            self._begin()
        return True

    def running(self, version_id: int) -> Running | None:
        """The steps of a check in progress so far, none of one that waits, None when none is."""
        with self._changed:
            found = self._find(version_id)
            return None if found is None else Running(found.total, list(found.steps))

    def wait_until_idle(self, timeout_s: float) -> bool:
        """Wait until no check is in progress or waits; whether that came to pass."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._count(), timeout_s)

    def close(self) -> None:
        """Drop what waits; checks in progress end by their own limit."""
        with self._changed:
            self._closed = True
            self._waiting.clear()
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _find(self, version_id: int) -> Running | None:
        jobs = (*self._waiting.values(), *self._running.values())
        return next((job.seen for job in jobs if job.bot.version_id == version_id), None)

    def _count(self) -> int:
        return len(self._waiting) + len(self._running)

    def _host(self, bot: BotRow) -> str:
        """What is called; on one's own machine every bot for itself, by its port."""
        try:
            endpoint = Endpoint.parse(bot.endpoint)
        except ConfigError:
            return bot.endpoint
        return endpoint.host if self._public else endpoint.label

    def _begin(self) -> None:
        """Begin whatever may be begun now. Call with the lock held."""
        for id, job in list(self._waiting.items()):
            if len(self._running) >= WORKERS or self._closed:
                return
            busy = {other.host for other in self._running.values()}
            if id not in self._running and job.host not in busy:
                del self._waiting[id]
                self._running[id] = job
                self._pool.submit(self._check, job)

    def _is_outdated(self, job: Job) -> bool:
        """Whether a newer version of the bot waits."""
        with self._changed:
            return job.bot.id in self._waiting

    def _check(self, job: Job) -> None:
        bot = job.bot
        network = Network.PUBLIC if self._public else Network.LOCAL
        options = Options(
            secret=bot.secret, limit_s=LIMIT_S, play=HANDS, wire=WireOptions(network=network)
        )
        try:
            with closing(self._steps(bot.endpoint, options)) as steps:
                for step in steps:
                    with self._changed:
                        job.seen.steps.append(step)
                    if self._is_outdated(job):
                        return
            found = job.seen.steps
            if passed(found):
                self._note_games(bot, options.wire)
            self._finish(bot, json.loads(report_json(found)), job.accept and passed(found))
        except ArenaError as error:
            self._finish(bot, {"passed": False, "steps": [], "error": str(error)}, False)
        except Exception:
            log.exception("the check of bot %s broke off", bot.id)
            text = "The check broke off by a fault of the arena. Test again."
            self._finish(bot, {"passed": False, "steps": [], "error": text}, False)
        finally:
            with self._changed:
                del self._running[bot.id]
                self._begin()
                self._changed.notify_all()

    def _steps(self, endpoint: str, options: Options) -> Generator[Step, None, None]:
        yield from self._checker(endpoint, options)

    def _note_games(self, bot: BotRow, options: WireOptions) -> None:
        """Remember what the bot says of itself: which games it can be entered for, above all."""
        said = self._greeter(bot.endpoint, bot.secret, options)
        if said is not None:
            with Store(self._database) as store:
                store.bots.set_info(bot.version_id, asdict(said))

    def _finish(self, bot: BotRow, report: Mapping[str, Any], accept: bool) -> None:
        with Store(self._database) as store, store.transaction():
            store.bots.set_report(bot.version_id, report)
            if accept:
                store.bots.admit(bot.id, bot.version_id)
