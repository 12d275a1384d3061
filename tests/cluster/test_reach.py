"""A bot that is down loses its matches; a worker that cannot reach a bot that is up loses work."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor

import pytest

from arena.bot import BotServer
from arena.cluster.identity import identity
from arena.cluster.orders import Report, Sealed, Unreached
from arena.cluster.worker import perform
from arena.config import BotSpec
from arena.errors import ClusterError
from arena.referee.verdicts import Termination
from arena.store import Store
from tests.cluster.processes import entered, far, field, played, served
from tests.cluster.stand_ins import Steady
from tests.faulty_bots import FaultyBot
from tests.samples import simple


class Threads(Steady):
    """A pool of two threads of this process; those in ``blind`` reach no bot."""

    def __init__(self, blind: set[str]) -> None:
        self.blind = blind
        self.shunned: set[str] = set()
        self.names: list[str] = []
        self.orders: list[Sealed] = []
        self._executor = ThreadPoolExecutor(2)
        self._turn = 0

    def submit(self, name: str, sealed: Sealed) -> Future[Report]:
        """Give it to the next thread."""
        self.names.append(name)
        self.orders.append(sealed)
        names = list(self.workers())
        self._turn += 1
        worker = names[self._turn % len(names)]
        if worker in self.blind:
            entrants = tuple(one.number for one in sealed.open().contestants)
            return self._executor.submit(Unreached, worker, entrants)
        return self._executor.submit(perform, identity(), sealed)

    def workers(self) -> dict[str, int]:
        """Both, until they are shunned."""
        return {name: 1 for name in ("left", "right") if name not in self.shunned}

    def shun(self, worker: str) -> None:
        """No more for this one."""
        self.shunned.add(worker)

    def close(self) -> None:
        """End the threads."""
        self._executor.shutdown()


@pytest.fixture
def half_blind() -> Iterator[Threads]:
    """One of two workers reaches no bot."""
    threads = Threads({"left"})
    yield threads
    threads.close()


def test_worker_that_cannot_reach_a_bot_gets_no_more_and_nobody_is_charged(
    half_blind: Threads, store: Store
) -> None:
    """Its chunks are played by the other; no bot has a fault."""
    with served(field()) as bots:
        row = entered(store, bots, games=1)
        remarks = played(store, row, far(half_blind))

    assert half_blind.shunned == {"left"}
    # A scheduler takes a name that it knows for the same attempt, and gives its report again.
    assert len(set(half_blind.names)) == len(half_blind.names)
    (remark,) = [text for text in remarks if "does not reach" in text]
    assert "worker left" in remark
    assert "which this machine does" in remark
    for fixture in store.fixtures.of(row.id):
        assert fixture.termination == Termination.NORMAL
        assert store.hands.faults(fixture.id) == []


def test_no_worker_that_reaches_the_bots_ends_the_run_with_a_sentence(
    half_blind: Threads, store: Store
) -> None:
    """Bots on this machine's loopback and workers elsewhere: nothing is played, all is said."""
    half_blind.blind.add("right")
    with served(field()) as bots:
        row = entered(store, bots, games=1)
        with pytest.raises(ClusterError, match=r"no worker reaches .* holds on every machine"):
            played(store, row, far(half_blind))

    assert all(not store.hands.of(fixture.id) for fixture in store.fixtures.of(row.id))


def test_bot_that_is_down_forfeits_and_no_worker_is_blamed(store: Store) -> None:
    """As on one machine; that it is down is found out once and not for every chunk."""
    threads = Threads(set())
    with BotServer(simple.bot) as good, BotServer(simple.bot) as other:
        with FaultyBot(listens=False) as down:
            bots = [BotSpec("good", good.url), BotSpec("other", other.url)]
            row = entered(store, [*bots, BotSpec("down", down.url)], games=1)
            played(store, row, far(threads), patience_s=0.5)
    threads.close()

    assert threads.shunned == set()
    assert all(2 in sealed.open().silent for sealed in threads.orders if _has(sealed, 2))
    for fixture in store.fixtures.of(row.id):
        if 2 in fixture.seats and len(fixture.seats) == 2:
            assert fixture.termination == Termination.UNREACHABLE
            assert fixture.forfeited == (2,)


def _has(sealed: Sealed, entrant: int) -> bool:
    return any(one.number == entrant for one in sealed.open().contestants)
