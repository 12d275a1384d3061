"""A cluster that tests share which leave it as it was."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from arena.cluster.pool import DaskPool
from tests.cluster.processes import Scheduler, Worker, workers_of


@pytest.fixture(scope="session")
def scheduler(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a scheduler with two workers."""
    folder = tmp_path_factory.mktemp("cluster")
    with ExitStack() as stack:
        boss = Scheduler(folder)
        stack.callback(boss.stop)
        for number in range(2):
            own = folder / str(number)
            own.mkdir()
            stack.callback(Worker(boss.address, own).stop)
        yield boss.address


@pytest.fixture
def pool(scheduler: str) -> Iterator[DaskPool]:
    """A connection to the shared workers."""
    with workers_of(scheduler) as opened:
        yield opened
