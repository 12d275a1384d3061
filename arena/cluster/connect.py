"""Reads ``--cluster``, and connects to what it names. The only importer of `distributed`."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from typing import Any
from urllib.parse import urlsplit

from arena.cluster.cutter import TARGET_S
from arena.cluster.pool import DaskPool, Pool
from arena.cluster.venue import LEG_S, Cluster, Patience
from arena.config import TournamentConfig
from arena.errors import ClusterError, ConfigError
from arena.launch import is_owned
from arena.store import Store
from arena.store.rows import TournamentRow
from arena.tournament.playing.contestants import Contestant, roll_call
from arena.tournament.playing.play import Elsewhere
from arena.tournament.playing.reporter import Reporter
from arena.tournament.playing.venue import Venue

CONNECT_S = 5.0
"""How long a scheduler may take to answer, at the start and when the connection broke."""

SILENT = logging.CRITICAL + 1
MOST_LOCAL = 64
LOCAL_THREADS = 4
"""Chunks at a time in a local worker: while some come to their end others are in full swing."""

_LOCAL = re.compile(r"local:([0-9]+)")
_LOOPBACK = re.compile(r"localhost|127\.[0-9.]+|::1")
_EXAMPLE = "write --cluster tcp://HOST:PORT, or --cluster local:N for N workers on this machine"


@dataclass(frozen=True, slots=True)
class Place:
    """Which cluster. ``address`` of a scheduler, or None for ``workers`` on this machine."""

    address: str | None
    workers: int = 0

    @classmethod
    def parse(cls, text: str) -> Place:
        """What ``--cluster`` says.

        :raises ConfigError: neither an address nor ``local:N``.
        """
        local = _LOCAL.fullmatch(text)
        if local:
            workers = int(local[1])
            if not 1 <= workers <= MOST_LOCAL:
                raise ConfigError(f"--cluster {text}: give 1 to {MOST_LOCAL} workers")
            return cls(None, workers)
        parts = urlsplit(text)
        try:
            is_address = parts.scheme in ("tcp", "tls") and parts.hostname and parts.port
        except ValueError:
            is_address = False
        if not is_address or parts.path or parts.query:
            raise ConfigError(f"--cluster {text[:80]!r}: {_EXAMPLE}")
        return cls(text)


@contextmanager
def connected(place: Place) -> Iterator[DaskPool]:
    """The workers of that place, all of them known to run this code.

    :raises ConfigError: the extra is not installed.
    :raises ClusterError: the scheduler does not answer, or a worker runs other code.
    """
    try:
        distributed: Any = import_module("distributed")
    except ImportError as error:
        raise ConfigError(
            f"--cluster needs the extra 'cluster' ({error}); "
            "install it with: pip install 'gin-arena[cluster]'"
        ) from error
    with _silenced(), _client(distributed, place) as client:
        pool = DaskPool(client)
        wrong = pool.mismatches()
        if wrong:
            raise ClusterError(
                f"{'; '.join(wrong.values())}. Install the same version on every machine before "
                "play"
            )
        yield pool
        pool.close()


@contextmanager
def _silenced() -> Iterator[None]:
    """Keep the library's log off the terminal: what matters of it is said in our own words."""
    names = [name for name in logging.root.manager.loggerDict if name.startswith("distributed")]
    levels = {name: logging.getLogger(name).level for name in names}
    for name in names:
        logging.getLogger(name).setLevel(SILENT)
    try:
        yield
    finally:
        for name, level in levels.items():
            logging.getLogger(name).setLevel(level)


@contextmanager
def _client(distributed: Any, place: Place) -> Iterator[Any]:
    if place.address is None:
        with _local(distributed, place.workers) as cluster:
            with distributed.Client(cluster, timeout=CONNECT_S, set_as_default=False) as client:
                yield client
        return
    try:
        client = distributed.Client(place.address, timeout=CONNECT_S, set_as_default=False)
    except (OSError, TimeoutError) as error:
        raise ClusterError(
            f"no scheduler answers at {place.address}; start one there with: "
            f"dask scheduler --port {urlsplit(place.address).port}"
        ) from error
    with client:
        yield client


@contextmanager
def _local(distributed: Any, workers: int) -> Iterator[Any]:
    """Worker processes of our own, with a scheduler in this process, on loopback, without pages."""
    config: Any = import_module("dask.config")
    with (
        config.set({f"distributed.{who}.http.routes": [] for who in ("scheduler", "worker")}),
        distributed.LocalCluster(
            n_workers=workers,
            threads_per_worker=LOCAL_THREADS,
            host="127.0.0.1",
            dashboard_address="127.0.0.1:0",
            memory_limit=None,
            silence_logs=SILENT,
        ) as cluster,
    ):
        yield cluster


def on_cluster(
    pool: Pool,
    place: Place,
    *,
    in_flight: int,
    target_s: float = TARGET_S,
    leg_s: float = LEG_S,
    patience: Patience | None = None,
) -> Elsewhere:
    """For `play`: the venue of a tournament on these workers."""

    @contextmanager
    def venue(
        store: Store,
        tournament: TournamentRow,
        reporter: Reporter,
        stopping: Callable[[], bool],
        all_present: bool,
    ) -> Iterator[Venue]:
        if place.address is not None:
            _refuse_owned(store, tournament)
        called = roll_call(store, tournament, reporter, stopping, all_present=all_present)
        with called as present:
            if place.address is not None:
                _mention_loopback(present, place.address, reporter.message)
            yield Cluster(
                store,
                pool,
                {contestant.number: contestant for contestant in present},
                TournamentConfig.from_json(tournament.config).network,
                reporter.message,
                in_flight=in_flight,
                target_s=target_s,
                leg_s=leg_s,
                patience=patience,
            )

    return venue


def _refuse_owned(store: Store, tournament: TournamentRow) -> None:
    for entrant in store.tournaments.entrants(tournament.id):
        endpoint = store.bots.by_version(entrant.bot_version_id).endpoint
        if is_owned(endpoint):
            scheme = endpoint.partition(":")[0]
            raise ConfigError(
                f"bot {entrant.name!r} is a {scheme}: bot, which the arena starts on this machine "
                "and other machines cannot reach; serve it yourself (arena bot, or its own "
                "command) and register it by its URL, or use --cluster local:N"
            )


def _mention_loopback(present: list[Contestant], address: str, say: Callable[[str], None]) -> None:
    if _LOOPBACK.fullmatch(urlsplit(address).hostname or ""):
        return
    names = [one.name for one in present if _LOOPBACK.fullmatch(one.endpoint.host)]
    if names:
        say(
            f"the address of {', '.join(names)} means another machine on every machine "
            f"({'they are' if len(names) > 1 else 'it is'} on loopback)"
        )
