"""The coordinator's side of a cluster: hands out chunks, writes what comes back, once.

It is the only writer. Everything happens in the runner's thread; the threads here only wake it.
A chunk may be played twice, because its worker died, was thought dead or was cut off; the first
result of a fixture counts, whichever attempt it is from, and any later one changes nothing.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, replace
from functools import partial
from uuid import uuid4

from arena.cluster.cutter import TARGET_S, Chunk, Cutter
from arena.cluster.identity import described, identity
from arena.cluster.orders import (
    Bout,
    Broken,
    Dropped,
    Finished,
    Order,
    Refused,
    Report,
    Sealed,
    Unreached,
)
from arena.cluster.pool import Pool
from arena.cluster.reach import Reach
from arena.errors import ClusterError
from arena.referee.match import MatchSetup
from arena.store import Store
from arena.store.rows import FixtureRow, FixtureStatus
from arena.tournament.playing.contestants import Contestant
from arena.tournament.playing.drive import stored_hands
from arena.tournament.playing.ledger import enter
from arena.tournament.playing.venue import Landed, Post, Unheard
from arena.wire.addresses import Network

LEG_S = 15.0
"""A long match comes back after so many seconds, at the end of a hand, and goes on in another
chunk: pages see it grow, little is lost with a worker, and a slow bot holds no chunk up for long.
"""
TICK_S = 0.5
REFRESH_S = 1.0
MOST_LOSSES = 5
"""A chunk that was lost so often is not the workers' bad luck any more."""
MOST_COPIES = 2
"""So many workers play one chunk at a time."""


@dataclass(frozen=True, slots=True)
class Patience:
    """When a chunk is given to another worker as well: after ``least_s``, and ``times`` as long as
    such a chunk usually takes. For workers that hang; dead ones are noticed at once.
    """

    least_s: float = 600.0
    times: float = 20.0


@dataclass(slots=True)
class _Sent:
    """A chunk that is out. ``overdue_at``: when it will be given to another worker as well.
    ``attempts``: how often it was sent so far.
    """

    chunk: Chunk[Bout]
    overdue_at: float
    futures: list[Future[Report]]
    attempts: int = 0


class Cluster:
    """Plays matches on a pool of workers.

    ``in_flight``: matches at a time in each worker process. ``say`` is told what an organiser
    should know.
    """

    def __init__(
        self,
        store: Store,
        pool: Pool,
        contestants: Mapping[int, Contestant],
        network: Network,
        say: Callable[[str], None],
        *,
        in_flight: int,
        target_s: float = TARGET_S,
        leg_s: float = LEG_S,
        patience: Patience | None = None,
    ) -> None:
        self._store = store
        self._pool = pool
        self._contestants = contestants
        self._network = network
        self._say = say
        self._in_flight = in_flight
        self._leg_s = leg_s
        self._patience = patience or Patience()
        self._cutter: Cutter[Bout] = Cutter(
            {number: one.info.max_concurrency for number, one in contestants.items()}, target_s
        )
        self._cutting = False
        self._reach = Reach(contestants, network, pool, say)
        self._out: dict[int, _Sent] = {}
        self._again: list[Chunk[Bout]] = []
        self._resting: list[Bout] = []
        self._lonely = False
        self._ended = threading.Event()
        # A scheduler that outlives us still knows the names of an earlier run.
        self._run = uuid4().hex[:12]

    def begin(self, post: Post, landed: Landed, unheard: Unheard) -> None:
        """Look for workers, and be woken from now on."""
        self._post = post
        self._landed = landed
        self._unheard = unheard
        unheard(self._reach.silent, ())
        for remark in self._pool.refresh():
            self._say(remark)
        for name, work, pause_s in (
            ("tick", lambda: post(self._tick), TICK_S),
            ("refresh", self._refresh, REFRESH_S),
        ):
            thread = threading.Thread(
                target=self._repeat, args=(work, pause_s), name=f"cluster-{name}", daemon=True
            )
            thread.start()

    def _repeat(self, work: Callable[[], None], pause_s: float) -> None:
        while not self._ended.wait(pause_s):
            work()

    def _refresh(self) -> None:
        for remark in self._pool.refresh():
            self._post(partial(self._say, remark))

    def room(self, waiting: int) -> int:
        """As many as the chunks take that can be handed out now."""
        if not self._cutting:
            if not self._pool.is_healthy():
                return 0
            threads = self._pool.workers().values()
            parallel = max(1, self._in_flight // max(threads, default=1))
            # One chunk is handed out even when nobody is there: the first to come takes it.
            places = self._cutter.useful(sum(threads), parallel)
            free = places - len(self._out)
            if free <= 0:
                return 0
            self._cutter.open(free, places, waiting + len(self._resting), parallel)
            self._cutting = True
            self._resting = [
                bout for bout in self._resting if not self._cutter.add(bout.row.seats, bout)
            ]
        return self._cutter.room

    def start(self, row: FixtureRow, setup: MatchSetup) -> bool:
        """Put the match into a chunk, if its bots may be called from one more."""
        started = row.status is FixtureStatus.PLAYING
        history = tuple(stored_hands(self._store, row.id)) if started else ()
        return self._cutter.add(row.seats, Bout(row, setup, history))

    def flush(self) -> None:
        """Hand out the chunks that have been filled."""
        if self._resting:
            self.room(0)
        if not self._cutting:
            return
        self._cutting = False
        chunks = self._cutter.close()
        if not chunks:
            return
        with self._store.transaction():
            for chunk in chunks:
                for bout in chunk.items:
                    self._store.fixtures.start(bout.row.id)
        for chunk in chunks:
            self._send(chunk)

    def stop(self) -> None:
        """Take back what is out; workers that are at it notice and end."""
        self._ended.set()
        for sent in self._out.values():
            for future in sent.futures:
                future.cancel()

    def _send(self, chunk: Chunk[Bout]) -> None:
        entrants = sorted(chunk.calls)
        order = Order(
            tuple(chunk.items),
            tuple(self._share(chunk, entrant) for entrant in entrants),
            frozenset(self._reach.silent.intersection(entrants)),
            self._network,
            self._in_flight,
            self._leg_s,
        )
        usual_s = self._cutter.expected_s(chunk) or 0.0
        patience_s = max(self._patience.least_s, self._patience.times * usual_s)
        sent = self._out.setdefault(chunk.number, _Sent(chunk, 0.0, []))
        sent.overdue_at = time.monotonic() + patience_s
        sent.attempts += 1
        # A scheduler takes a name that it knows for the same attempt, and gives its report again.
        future = self._pool.submit(
            f"arena-{self._run}-chunk-{chunk.number}-{sent.attempts}", Sealed(order)
        )
        sent.futures.append(future)
        future.add_done_callback(lambda done: self._post(partial(self._arrived, chunk, done)))

    def _share(self, chunk: Chunk[Bout], entrant: int) -> Contestant:
        one = self._contestants[entrant]
        return replace(one, info=replace(one.info, max_concurrency=chunk.calls[entrant]))

    def _arrived(self, chunk: Chunk[Bout], future: Future[Report]) -> None:
        """An attempt is over, one way or the other."""
        if future.cancelled() or future.exception() is not None:
            self._lost(chunk, future)
            return
        report = future.result()
        match report:
            case Finished():
                self._accept(chunk, report)
            case Refused():
                self._pool.shun(report.worker)
                self._say(
                    f"worker {report.worker} runs {described(report.identity)}, but this is "
                    f"{described(identity())}; it gets nothing to play"
                )
                self._back(chunk, future)
            case Unreached():
                silent = self._reach.down(report)
                if silent:
                    self._give_back(chunk, silent)
                else:
                    self._back(chunk, future)
            case Broken():
                raise RuntimeError(f"worker {report.worker} broke down:\n{report.text}")
            case Dropped():
                self._lost(chunk, future)

    def _accept(self, chunk: Chunk[Bout], report: Finished) -> None:
        """Write what came in one transaction, then let the runner go on from it.

        The first attempt at a chunk counts as a whole: hands of two that differ must not mix.
        """
        sent = self._out.pop(chunk.number, None)
        if sent is None:
            return
        for future in sent.futures:
            future.cancel()
        with self._store.transaction():
            for played in report.played:
                enter(self._store, played)
            for begun in report.begun:
                enter(self._store, begun)
        self._cutter.release(chunk, report.seconds, len(report.played))
        self._reach.has_played(report.worker)
        for remark in report.remarks:
            self._say(f"worker {report.worker}: {remark}")
        if report.silent:
            self._unheard(report.silent, ())
        over = {played.fixture.id for played in report.played}
        half = {begun.fixture.id for begun in report.begun}
        for bout in chunk.items:
            if bout.row.id in half:
                history = tuple(stored_hands(self._store, bout.row.id))
                self._resting.append(replace(bout, history=history))
            elif bout.row.id not in over and report.silent.isdisjoint(bout.row.seats):
                self._resting.append(bout)
            elif bout.row.id not in over:
                self._unheard((), [_begun(bout)])
        for played in report.played:
            self._landed(played.fixture, played.result, played.sentence)

    def _lost(self, chunk: Chunk[Bout], future: Future[Report]) -> None:
        """An attempt vanished with its worker, or was taken back."""
        if chunk.number not in self._out:
            return
        chunk.losses += 1
        if chunk.losses >= MOST_LOSSES:
            error = None if future.cancelled() else future.exception()
            raise ClusterError(
                f"{len(chunk.items)} matches were lost with their workers {chunk.losses} times "
                f"({error or 'taken back'}), first {chunk.items[0].row.id}; "
                "play them without the cluster",
                resume=self._store.path,
            )
        self._back(chunk, future)

    def _back(self, chunk: Chunk[Bout], future: Future[Report]) -> None:
        """Nothing was played. The chunk is sent again unless another attempt is under way."""
        sent = self._out.get(chunk.number)
        if sent is not None and future in sent.futures:
            sent.futures.remove(future)
            if not sent.futures:
                # With the next tick: whatever it was may concern the whole cluster.
                self._again.append(chunk)

    def _give_back(self, chunk: Chunk[Bout], silent: Collection[int]) -> None:
        """Let the runner see which of a chunk's matches can be played without these bots."""
        sent = self._out.pop(chunk.number, None)
        if sent is None:
            return
        for future in sent.futures:
            future.cancel()
        self._cutter.release(chunk)
        self._unheard(silent, [_begun(bout) for bout in chunk.items])

    def answers(self, entrant: int) -> bool:
        """Greet it from this machine, from any thread."""
        return self._reach.answers(entrant)

    def _tick(self) -> None:
        """Notice what does not come by itself: loss of the scheduler, no workers, hung workers."""
        if self._pool.is_lost():
            raise ClusterError(
                "the scheduler is gone; everything that came back is stored. Start it again, or "
                "do without it",
                resume=self._store.path,
            )
        if not self._pool.is_healthy():
            return
        self._mention_loneliness()
        now = time.monotonic()
        for sent in self._out.values():
            if 0 < len(sent.futures) < MOST_COPIES and now > sent.overdue_at:
                self._say(
                    f"{len(sent.chunk.items)} matches have not come back for long; another worker "
                    "plays them as well, and whatever comes first counts"
                )
                self._send(sent.chunk)
        again, self._again = self._again, []
        for chunk in again:
            self._send(chunk)

    def _mention_loneliness(self) -> None:
        lonely = not self._pool.workers()
        if lonely and not self._lonely:
            self._say("no worker is there; play goes on when one comes: dask worker ADDRESS")
        self._lonely = lonely


def _begun(bout: Bout) -> FixtureRow:
    """Its fixture, which may have hands in the store by now."""
    return replace(bout.row, status=FixtureStatus.PLAYING)
