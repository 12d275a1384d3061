"""A whole arena for benchmarks: store, runner and lanes of this process, bots in their own."""

from __future__ import annotations

import os
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

import orjson

from arena.bot.base import answer
from arena.config import BotSpec, TournamentConfig
from arena.launch import OwnedBot
from arena.process import stop_all
from arena.referee.asks import Answer, Ask, Notice, Reply
from arena.referee.clock import ClockRules
from arena.referee.match import MatchSetup
from arena.referee.players import run_match
from arena.rules.games import find_variant
from arena.store import Store
from arena.tournament.create import create_tournament
from arena.tournament.model import FormatOptions
from arena.tournament.playing.runner import Runner
from arena.wire import messages
from arena.wire.client import BotClient
from arena.wire.crew import Crew
from arena.wire.endpoint import Endpoint
from arena.wire.lane import Lane, Ticket
from tests.samples import simple

IN_FLIGHT = 4
"""Requests to one bot at the same time, as the sample bots allow."""
WARM_UP_S = 0.5


class Bots(NamedTuple):
    """Bots in processes of their own: where they listen, and their process ids."""

    urls: list[str]
    pids: list[int]

    def processor_s(self) -> float:
        """Processor time that they have used, in seconds; 0 where the system does not tell."""
        total = 0
        for pid in [each for one in self.pids for each in (one, *_children(one))]:
            stat = Path(f"/proc/{pid}/stat")
            if stat.exists():
                fields = stat.read_text().rpartition(")")[2].split()
                total += int(fields[11]) + int(fields[12])
        return total / os.sysconf("SC_CLK_TCK")


def _children(pid: int) -> list[str]:
    """Process ids of what a process has started: commands run under a keeper."""
    lists = Path(f"/proc/{pid}/task").glob("*/children")
    return [child for each in lists for child in each.read_text().split()]


SDK = "sample:simple"
"""The simple player as the SDK serves it."""
BUSY = f"cmd:{sys.executable} -m tests.bench.busy_bots --port {{port}}"
"""The same, working for a millisecond on each decision."""


@contextmanager
def two_bots(endpoint: str = SDK) -> Iterator[Bots]:
    """Two bots that decide alike."""
    bots: list[OwnedBot] = []
    try:
        for name in ("first", "second"):
            bots.append(OwnedBot(name, endpoint))
        yield Bots([bot.url for bot in bots], [bot.pid for bot in bots])
    finally:
        stop_all(bots)


class Rate(NamedTuple):
    """What was done in a while.

    ``a_second``: decisions for each second of wall time. ``processor_us``: what one took, the
    time of client and bots together. ``overhead_us``: median, see `Watched`.
    """

    a_second: float
    processor_us: float
    overhead_us: float = 0.0


@dataclass
class Watched:
    """Asks one bot and notes what the arena itself takes: what is neither bot nor network.

    ``ended``: when the last answer was handed on. Meaningful with one match in flight only.
    """

    lane: Lane
    ended: list[float]
    taken_us: list[float] = field(default_factory=list)

    def ask(self, ask: Ask, done: Callable[[Reply], None]) -> None:
        """From the answer before to this one: all but the time of the call."""
        between_s = time.perf_counter() - self.ended[0] if self.ended else 0.0

        def over(reply: Reply) -> None:
            if isinstance(reply, Answer):
                self.taken_us.append(between_s * 1e6 + reply.overhead_ms * 1e3)
            self.ended[:] = [time.perf_counter()]
            done(reply)

        self.lane.ask(Ticket(ask.request, ask.request_id, ask.timeout_ms, ask.pair, over))

    def tell(self, notice: Notice) -> None:
        """Pass it on."""
        self.lane.tell(notice.path, notice.payload)

    def answers(self) -> bool:
        """Always there."""
        return True


def refereed(
    bots: Bots,
    seconds: float,
    *,
    batch: int,
    matches: int,
    in_flight: int = IN_FLIGHT,
    look: Callable[[], None] = lambda: None,
) -> Rate:
    """Play matches that do not end for so long, and count decisions after a warm-up.

    ``batch``: most decisions in a request. ``look``: called at the end, while all is running.
    """
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        store = stack.enter_context(Store(Path(folder) / "bench.db"))
        config = TournamentConfig(
            name="bench",
            bots=tuple(BotSpec(name, url) for name, url in zip("ab", bots.urls, strict=True)),
            options=FormatOptions(games=10_000, legs=matches),
            clock=ClockRules(deadline_ms=60_000, bank_ms=0),
        )
        tournament = create_tournament(store, config)
        crew = Crew()
        stack.callback(crew.close)
        lanes = [lane_to(url, crew, batch, in_flight) for url in bots.urls]
        ended: list[float] = []
        contacts = [Watched(lane, ended) for lane in lanes]
        runner = Runner(store, tournament, dict(enumerate(contacts)), in_flight=matches)
        thread = threading.Thread(target=runner.run)
        thread.start()
        stack.callback(thread.join)
        stack.callback(runner.stop)
        time.sleep(WARM_UP_S)
        before = sum(lane.stats.decisions for lane in lanes)
        used_s, start = time.process_time() + bots.processor_s(), time.perf_counter()
        time.sleep(seconds)
        done = sum(lane.stats.decisions for lane in lanes) - before
        passed_s = time.perf_counter() - start
        used_s = time.process_time() + bots.processor_s() - used_s
        look()
        taken = sorted(value for contact in contacts for value in contact.taken_us)
        return Rate(done / passed_s, used_s / done * 1e6, taken[len(taken) // 2])


def lane_to(url: str, crew: Crew, batch: int, in_flight: int) -> Lane:
    """A lane to a bot that is held to so many decisions in a request and requests at a time."""
    endpoint = Endpoint.parse(url)
    client = BotClient(endpoint)
    info = messages.parse_info(client.get("/", 5000).body)
    client.close()
    return Lane(endpoint, replace(info, max_batch=batch, max_concurrency=in_flight), crew=crew)


def recorded_bodies(most: int) -> list[bytes]:
    """Bodies of consecutive decision requests between simple players."""
    bodies: list[bytes] = []

    def player(ask: Ask) -> Reply:
        bodies.append(messages.act_body([ask.request]))
        said = answer(simple.bot, orjson.loads(orjson.dumps(ask.request)))
        return Answer(str(said["action"]))

    variant = find_variant("gin")
    setup = MatchSetup(
        "t_bench", "m_bench", variant, ("a", "b"), 5, None, b"bench", "bench", ClockRules()
    )
    run_match(setup, [player, player])
    return bodies[:most]
