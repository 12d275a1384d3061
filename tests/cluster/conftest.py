"""A cluster that tests share which leave it as it was."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from arena.cluster.pool import DaskPool
from tests.cluster.processes import cluster, workers_of


@pytest.fixture(scope="session")
def scheduler(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a scheduler with two workers."""
    with cluster(tmp_path_factory.mktemp("cluster"), workers=2) as (boss, _):
        yield boss.address


@pytest.fixture
def pool(scheduler: str) -> Iterator[DaskPool]:
    """A connection to the shared workers."""
    with workers_of(scheduler) as opened:
        yield opened
