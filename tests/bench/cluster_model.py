"""A model of a cluster: chunks as events, the coordinator and the scheduler as single servers.

Fixtures are cut by the real `arena.cluster.cutter.Cutter`, so limits of bots and sizes of chunks
are not modelled but used. What things cost comes in as `Costs`, measured by `bench_cluster`.
"""

from __future__ import annotations

import heapq
import math
import random
from collections import defaultdict, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

from arena.cluster.cutter import Chunk, Cutter

LOOK_AHEAD = 500
"""As in the runner."""

MANY = 10**9
"""Fixtures of a tournament of which only the middle is looked at."""

Match = tuple[int, int, int]
"""Two bots and a number of decisions."""


@dataclass(frozen=True, slots=True)
class Costs:
    """Seconds of one core. ``greeting_s``: from a chunk's arrival to its first decision."""

    chunk_s: float
    match_s: float
    hand_s: float
    task_s: float
    decision_s: float
    greeting_s: float = 0.01


@dataclass(frozen=True, slots=True)
class Load:
    """What is played and where. ``wire_s``: of a decision beside thinking.

    ``popular``: share of the matches in which bot 0 sits. ``spread``: standard deviation of a
    match's decisions by their mean. ``matches``: in the whole tournament.
    """

    workers: int
    threads: int
    parallel: int
    think_s: float
    wire_s: float
    decisions: float
    hands: float
    bots: int = 8
    calls: int = 16
    popular: float = 0.0
    spread: float = 0.4
    matches: int = MANY


@dataclass(slots=True)
class Outcome:
    """What came of it, a second; ``busy``: how much of its time each single server worked."""

    matches: float = 0.0
    hands: float = 0.0
    efficiency: float = 0.0
    busy: dict[str, float] = field(default_factory=dict)

    @property
    def limit(self) -> str:
        """What keeps it from being faster."""
        name, share = max(self.busy.items(), key=lambda item: item[1])
        return name if share > 0.85 else "number of workers"


@dataclass(slots=True)
class Out:
    """A chunk that is out. ``left``: matches that are not over; ``scarce_at``: see `Model`."""

    chunk: Chunk[Match]
    began: float
    left: int
    scarce_at: float


class Worker:
    """Plays the matches of its chunks one after another, ``slots`` at a time."""

    def __init__(self, slots: int) -> None:
        self.free = slots
        self.queue: deque[tuple[Out, int]] = deque()


class Model:
    """One run of the model.

    A chunk comes back when its last match is over, or, where its share of some bot's calls is
    scarce, when that bot can have answered all that the chunk asks of it.
    """

    def __init__(self, load: Load, costs: Costs, chance: random.Random) -> None:
        self.load = load
        self.costs = costs
        self.chance = chance
        self.slots = load.threads * load.parallel
        self.places = load.workers * load.threads
        self.idle = [Worker(self.slots) for _ in range(load.workers)] * load.threads
        self.cutter: Cutter[Match] = Cutter(dict.fromkeys(range(load.bots), load.calls))
        self.out = 0
        self.free_at = {"coordinator": 0.0, "scheduler": 0.0}
        self.worked = {"coordinator": 0.0, "scheduler": 0.0}
        self.passed: list[Match] = []
        self.waiting = load.matches
        self.events: list[tuple[float, int, Callable[[float], None]]] = []
        self.number = 0
        self.done: list[tuple[float, Chunk[Match]]] = []
        # The matches of one worker share a core.
        cpu_s = self.slots * costs.decision_s
        self.step_s = max(load.think_s + load.wire_s, cpu_s)
        self.cpu = cpu_s / self.step_s

    def run(self, seconds: float) -> Outcome:
        """Play a tournament to its end, or for so long one that has none.

        Of the latter the first quarter, in which chunks find their size, is not counted.
        """
        begins = seconds / 4 if self.load.matches == MANY else 0.0
        worked = dict(self.worked)
        now = 0.0
        self._hand_out(now)
        while self.events and (now < seconds or self.load.matches < MANY):
            before = now
            now, _, act = heapq.heappop(self.events)
            if before < begins <= now:
                worked = dict(self.worked)
            act(now)
        span = now - begins
        items = [match for at, chunk in self.done if at >= begins for match in chunk.items]
        asked: defaultdict[int, float] = defaultdict(float)
        for one, two, count in items:
            asked[one] += count / 2
            asked[two] += count / 2
        busiest = max(asked.values(), default=0.0) * (self.load.think_s + self.load.wire_s)
        linear = self.load.workers * self.slots / (self.load.decisions * self.step_s)
        return Outcome(
            len(items) / span,
            len(items) * self.load.hands / span,
            len(items) / span / linear,
            {
                # What was asked of them last may lie beyond the end.
                **{n: min(1.0, (self.worked[n] - worked[n]) / span) for n in self.worked},
                "a popular bot": busiest / self.load.calls / span,
                "processors of workers": self.cpu,
            },
        )

    def _serve(self, name: str, now: float, cost_s: float) -> float:
        """When a server that does one thing after another has done this too."""
        self.free_at[name] = max(now, self.free_at[name]) + cost_s
        self.worked[name] += cost_s
        return self.free_at[name]

    def _at(self, time: float, act: Callable[[float], None]) -> None:
        self.number += 1
        heapq.heappush(self.events, (time, self.number, act))

    def _hand_out(self, now: float) -> None:
        free = self.cutter.useful(self.places, self.load.parallel) - self.out
        if free <= 0 or self.waiting <= 0:
            return
        self.cutter.open(free, self.places, self.waiting, self.load.parallel)
        passed: list[Match] = []
        while self.cutter.room > 0 and len(passed) < min(LOOK_AHEAD, self.waiting):
            match = self.passed.pop() if self.passed else self._drawn()
            if self.cutter.add(match[:2], match):
                self.waiting -= 1
            else:
                passed.append(match)
        self.passed += passed[::-1]
        for chunk in self.cutter.close():
            self.out += 1
            starts = self._serve("scheduler", now, self.costs.task_s) + self.costs.greeting_s
            self._at(starts, partial(self._begin, chunk, self.idle.pop()))

    def _drawn(self) -> Match:
        """A match of two bots, its length by a gamma distribution."""
        load = self.load
        one = 0 if self.chance.random() < load.popular else self.chance.randrange(load.bots)
        two = self.chance.randrange(load.bots - 1)
        shape = 1 / load.spread**2
        count = math.ceil(self.chance.gammavariate(shape, load.decisions / shape))
        return one, two + (two >= one), count

    def _begin(self, chunk: Chunk[Match], worker: Worker, now: float) -> None:
        seated: defaultdict[int, float] = defaultdict(float)
        for one, two, count in chunk.items:
            seated[one] += count / 2
            seated[two] += count / 2
        scarce = max(seated[bot] / calls for bot, calls in chunk.calls.items())
        scarce_s = scarce * (self.load.think_s + self.load.wire_s)
        out = Out(chunk, now, len(chunk.items), now + scarce_s)
        worker.queue.extend((out, count) for _, _, count in chunk.items)
        self._play(worker, now)

    def _play(self, worker: Worker, now: float) -> None:
        while worker.free and worker.queue:
            worker.free -= 1
            out, count = worker.queue.popleft()
            self._at(now + count * self.step_s, partial(self._over, out, worker))

    def _over(self, out: Out, worker: Worker, now: float) -> None:
        worker.free += 1
        self._play(worker, now)
        out.left -= 1
        if not out.left:
            self._at(max(now, out.scarce_at), partial(self._back, out, worker))

    def _back(self, out: Out, worker: Worker, now: float) -> None:
        self.idle.append(worker)
        items = len(out.chunk.items)
        match_s = self.costs.match_s + self.load.hands * self.costs.hand_s
        stored = self._serve("coordinator", now, self.costs.chunk_s + items * match_s)
        self._at(stored, partial(self._stored, out, now - out.began))

    def _stored(self, out: Out, took_s: float, now: float) -> None:
        self.out -= 1
        self.cutter.release(out.chunk, took_s, len(out.chunk.items))
        self.done.append((now, out.chunk))
        self._hand_out(now)


def simulate(load: Load, costs: Costs) -> Outcome:
    """Play in the model for some lengths of a match; the same every time."""
    match_s = load.decisions * (load.think_s + load.wire_s)
    return Model(load, costs, random.Random(1)).run(max(12.0, 8 * match_s))
