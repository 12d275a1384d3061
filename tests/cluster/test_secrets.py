"""Secrets reach the workers and nothing that people or other programs read."""

from __future__ import annotations

import base64
import re
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from arena.bot import BotServer
from arena.cluster.orders import Order, Sealed
from arena.cluster.pool import DaskPool
from arena.config import BotSpec
from arena.store import Store
from arena.wire.addresses import Network
from tests.cluster.processes import SECRET, cluster, entered, far, played, workers_of
from tests.samples import simple

KEYS = ["whsec_" + base64.b64encode(bytes([fill]) * 32).decode() for fill in (1, 2)]
FORBIDDEN = [*KEYS, KEYS[0][6:], SECRET.hex(), repr(SECRET)[2:-1], "pass-word"]


class Spying:
    """A pool that asks the scheduler what it knows of every task it is given."""

    def __init__(self, pool: DaskPool, client: Any) -> None:
        self.pool = pool
        self.client = client
        self.seen = ""

    def __getattr__(self, name: str) -> Any:
        return getattr(self.pool, name)

    def submit(self, name: str, sealed: Sealed) -> Any:
        """As the pool does; then look, once the scheduler has heard of it."""
        future = self.pool.submit(name, sealed)
        for _ in range(200):
            known = self.client.run_on_scheduler(
                lambda dask_scheduler: repr(
                    [
                        (key, task, getattr(task.run_spec, "args", None))
                        for key, task in dask_scheduler.tasks.items()
                    ]
                )
            )
            if name in known:
                break
        self.seen += known
        return future


def test_secrets_are_in_no_log_and_no_name(tmp_path: Path, store: Store) -> None:
    """Signed bots play over workers; scheduler and workers print nothing of what signs."""
    with ExitStack() as stack:
        scheduler, (worker,) = stack.enter_context(cluster(tmp_path, workers=1))
        bots = []
        for name, key in zip(("ann", "bob"), KEYS, strict=True):
            server = stack.enter_context(BotServer(simple.bot, secrets=[key]))
            url = server.url.replace("http://", "http://user:pass-word@")
            bots.append(BotSpec(name, url, key))
        pool = stack.enter_context(workers_of(scheduler.address))
        spying = Spying(pool, pool.client)
        row = entered(store, bots, games=1)
        remarks = played(store, row, far(spying))
        order = Order((), (), frozenset(), Network.LOCAL, 1, 1.0)
        # A fault that the worker prints with the arguments of the call.
        failed = pool.client.submit(int, Sealed(order), key="exploding")
        assert isinstance(failed.exception(), TypeError)
        worker.wait_for(re.compile(r"<sealed order.*TypeError", re.DOTALL), 20.0)

        for fixture in store.fixtures.of(row.id):
            assert store.hands.faults(fixture.id) == []
            assert fixture.hands > 0
        assert "sealed order" in spying.seen
        shown = worker.output() + scheduler.output() + spying.seen + "".join(remarks)
    assert [secret for secret in FORBIDDEN if secret in shown] == []


def test_sealed_order_prints_as_its_size(store: Store) -> None:
    """Whatever way it is turned into text."""
    order = Order((), (), frozenset(), Network.LOCAL, 1, 1.0)
    sealed = Sealed(order)

    for text in (repr(sealed), str(sealed), f"{sealed}", repr([sealed])):
        assert text.strip("[]").startswith("<sealed order, ")
    assert sealed.open() == order
