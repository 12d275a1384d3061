"""Several hosts, imitated by network namespaces: own addresses, own loopback, a cable to pull.

Needs Linux, root and ``ip``; where one is missing the test is skipped and the summary says so. The
parts it puts together are tested without it.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path

import pytest

from arena.errors import StoreError
from arena.process import Child
from arena.store import Store
from tests.cluster.processes import SECRET, records
from tests.e2e.arena_process import wait_until

HUB, LEFT, RIGHT, BOTS = "10.77.0.1", "10.77.0.11", "10.77.0.12", "10.77.0.21"
PATIENCE_S = 60.0
TTL_S = 3


def ip(*words: str) -> None:
    """Run ``ip``."""
    subprocess.run(["ip", *words], check=True, capture_output=True, timeout=20)


class Hosts:
    """A hub with a bridge, and three hosts that are each connected to it by one cable."""

    def __init__(self, stack: ExitStack) -> None:
        self.names = {
            address: f"arena-{os.getpid()}-{address.rsplit('.', 1)[1]}"
            for address in (HUB, LEFT, RIGHT, BOTS)
        }
        hub = self.names[HUB]
        for address, name in self.names.items():
            ip("netns", "add", name)
            stack.callback(ip, "netns", "delete", name)
            ip("-n", name, "link", "set", "lo", "up")
            if address == HUB:
                ip("-n", hub, "link", "add", "bridge", "type", "bridge")
                self._up(hub, "bridge", HUB)
                continue
            port = f"to-{address.rsplit('.', 1)[1]}"
            end = ("peer", "name", "cable", "netns", name)
            ip("-n", hub, "link", "add", port, "type", "veth", *end)
            ip("-n", hub, "link", "set", port, "master", "bridge", "up")
            self._up(name, "cable", address)

    def _up(self, name: str, device: str, address: str) -> None:
        ip("-n", name, "address", "add", f"{address}/24", "dev", device)
        ip("-n", name, "link", "set", device, "up")

    def on(self, address: str, *words: str | Path) -> list[str]:
        """The command line that runs a Python module on this host."""
        where = ["ip", "netns", "exec", self.names[address]]
        return [*where, sys.executable, "-m", *map(str, words)]

    def pull(self, address: str) -> None:
        """Cut a host off: nothing arrives, nothing is refused."""
        port = f"to-{address.rsplit('.', 1)[1]}"
        ip("-n", self.names[HUB], "link", "set", port, "down")


def _why_not() -> str | None:
    if sys.platform != "linux" or shutil.which("ip") is None or os.geteuid() != 0:
        return "needs Linux, root and the command ip, for network namespaces"
    try:
        with ExitStack() as stack:
            Hosts(stack)
    except (subprocess.SubprocessError, OSError) as error:
        return f"this machine allows no network namespaces: {error}"
    return None


@pytest.fixture
def hosts() -> Iterator[Hosts]:
    """The hosts, gone again afterwards."""
    reason = _why_not()
    if reason is not None:
        pytest.skip(reason)
    with ExitStack() as stack:
        yield Hosts(stack)


def _started(database: Path) -> int:
    """Number of matches that have been handed out."""
    try:
        with Store(database, read_only=True) as store:
            (row,) = store.db.conn.execute("SELECT count(started_at) FROM fixtures")
            return int(row[0])
    except StoreError:
        return 0


def test_cable_pulled_while_a_chunk_is_out_costs_only_time(hosts: Hosts, tmp_path: Path) -> None:
    """Three hosts and one that vanishes without a word: the records are those of one machine."""
    settings: Mapping[str, str] = {
        "DASK_CONFIG": str(tmp_path),
        "DASK_DISTRIBUTED__SCHEDULER__WORKER_TTL": f"{TTL_S}s",
        "PYTHONPATH": str(Path(__file__).parents[2]),
    }
    with ExitStack() as stack:

        def start(what: str, command: list[str]) -> Child:
            child = Child(what, command, environment=settings)
            stack.callback(child.stop)
            return child

        address = f"tcp://{HUB}:8786"
        bots, ready = [], []
        for port, bot in ((8001, "simple"), (8002, "greedy"), (8003, "keen")):
            command = hosts.on(BOTS, "arena", "bot", bot, "--host", BOTS, "--port", str(port))
            ready.append((start(bot, command), "listening on"))
            bots += ["--bot", f"{bot}=http://{BOTS}:{port}"]
        options = ["--host", HUB, "--port", "8786", "--dashboard-address", f"{HUB}:0"]
        command = hosts.on(HUB, "distributed.cli.dask_scheduler", *options)
        ready.append((start("the scheduler", command), "Scheduler at"))
        for place in (LEFT, RIGHT):
            folder = tmp_path / place
            folder.mkdir()
            options = ["--host", place, "--no-nanny", "--nthreads", "1", "--no-dashboard"]
            options += ["--local-directory", str(folder)]
            command = hosts.on(place, "distributed.cli.dask_worker", address, *options)
            ready.append((start("a worker", command), "Registered to"))
        for child, says in ready:
            child.wait_for(re.compile(says), PATIENCE_S)
        play = ["arena", "run", *bots, "--games", "3", "--secret", SECRET.hex(), "--name", "Far"]
        play += ["--target", "40", "--deadline-ms", "20000", "--in-flight", "2"]
        far, near, log = tmp_path / "far.db", tmp_path / "near.db", tmp_path / "log.txt"
        with log.open("wb") as file:
            running = subprocess.Popen(
                hosts.on(HUB, *play, "--db", far, "--cluster", address),
                stdout=file,
                stderr=subprocess.STDOUT,
                env={**os.environ, **settings},
            )
        stack.callback(running.kill)
        assert wait_until(lambda: _started(far) > 0, running), log.read_text()
        hosts.pull(LEFT)
        assert running.wait(PATIENCE_S) == 0, log.read_text()
        alone = subprocess.run(
            hosts.on(HUB, *play, "--db", near),
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
            env={**os.environ, **settings},
        )
        assert alone.returncode == 0, alone.stderr

    assert f"worker tcp://{LEFT}:" in log.read_text()
    assert "is gone; what it was playing is played again" in log.read_text()
    with Store(far, read_only=True) as there, Store(near, read_only=True) as here:
        assert records(there) == records(here)
