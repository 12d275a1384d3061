"""Serves the site: waitress for pages, the hub for event streams, on one port.

Prints nothing; the address goes to a callback. Stands apart from the referee: it only reads the
database, and may be started and stopped at any time while a tournament is played.
"""

from __future__ import annotations

import gc
import logging
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import orjson
from flask import Flask
from waitress import wasyncore
from waitress.server import BaseWSGIServer, create_server

from arena.errors import StoreError
from arena.listening import listen
from arena.shortage import ask_for_files
from arena.site.app import create_app
from arena.site.events import MAX_SPECTATORS, Hub, Rendered
from arena.site.http.takeover import SharedChannel, TakeOverChannel
from arena.site.views.ranking import Rankings
from arena.site.views.snapshots import Snapshots
from arena.site.work.control import Control
from arena.site.work.watch import Watch
from arena.store import Store
from arena.store.pages import Pages

THREADS = 8
CONNECTIONS = 500
IDLE_S = 20
OTHER_FILES = 100
"""Files besides connections: databases, pipes, the process for figures."""

SWITCH_S = 0.0005
BEHIND_PROXY: dict[str, Any] = {
    "trusted_proxy": "127.0.0.1",
    "trusted_proxy_count": 1,
    "trusted_proxy_headers": {"x-forwarded-for", "x-forwarded-proto"},
}
"""With a public address given a reverse proxy on this machine is believed who asks.

Only the last address of the header is its word; those before it anybody may have made up.
"""


def room_for_spectators() -> int:
    """How many streams this process may hold open, after asking the system for more."""
    files = ask_for_files(MAX_SPECTATORS + CONNECTIONS + OTHER_FILES)
    return max(0, min(MAX_SPECTATORS, files - CONNECTIONS - OTHER_FILES))


class SiteServer:
    """The site on a port. ``with SiteServer(...) as server: server.run()``, or `start` a thread."""

    def __init__(self, app: Flask, host: str = "127.0.0.1", port: int = 0) -> None:
        self.app = app
        self._socket = listen(host, port)
        self.port: int = self._socket.getsockname()[1]
        shown = f"[{host}]" if ":" in host else host
        self.address = f"http://{shown}:{self.port}"
        self.hub = Hub(self._render, self._stamp, limit=room_for_spectators())
        app.config["HUB"] = self.hub
        self._client = app.test_client()
        self._looks = 0
        self._was_settled = True
        self._stopped = threading.Event()
        self._thread: threading.Thread | None = None
        # A burst of requests is no fault and worth no line in the log.
        logging.getLogger("waitress.queue").setLevel(logging.ERROR)
        self._map: dict[int, Any] = {}
        server = create_server(
            app,
            map=self._map,
            sockets=[self._socket],
            threads=THREADS,
            connection_limit=CONNECTIONS,
            # Whoever holds a connection without asking anything holds it from others.
            channel_timeout=IDLE_S,
            cleanup_interval=5,
            max_request_body_size=app.config["MAX_CONTENT_LENGTH"] + 1,
            max_request_header_size=16 * 1024,
            asyncore_use_poll=True,
            ident=None,
            clear_untrusted_proxy_headers=True,
            **(BEHIND_PROXY if app.config["URLS"].base else {}),
        )
        assert isinstance(server, BaseWSGIServer)
        server.channel_class = TakeOverChannel if app.config["URLS"].base else SharedChannel
        self._server = server

    def run(self) -> None:
        """Serve until `stop` is called from another thread or a signal handler."""
        self.hub.start()
        snapshots: Snapshots = self.app.config["SNAPSHOTS"]
        rankings: Rankings = self.app.config["RANKINGS"]
        threading.Thread(target=self._warm, name="warm", daemon=True).start()
        # Figures are made by a thread that computes; readers must get their turn soon all the same.
        before = sys.getswitchinterval()
        sys.setswitchinterval(SWITCH_S)
        try:
            while not self._stopped.is_set():
                wasyncore.loop(timeout=1, use_poll=True, map=self._map, count=1)
        finally:
            self._stopped.set()
            self.hub.stop()
            sys.setswitchinterval(before)
            snapshots.close()
            rankings.close()
            self._server.task_dispatcher.shutdown(timeout=3)
            wasyncore.close_all(self._map)

    def _warm(self) -> None:
        """Read what the first readers will ask for, and take it out of the collector's rounds."""
        snapshots: Snapshots = self.app.config["SNAPSHOTS"]
        snapshots.warm(self.app.config["DATABASE"])
        gc.collect()
        gc.freeze()

    def start(self) -> None:
        """Serve in a thread of its own."""
        self._thread = threading.Thread(target=self.run, name="site", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End `run`; open streams are closed, requests in progress get three seconds."""
        if self._stopped.is_set():
            return
        self._stopped.set()
        # The loop may have ended and closed everything between the two lines.
        with suppress(OSError):
            self._server.pull_trigger()
        if self._thread is not None:
            self._thread.join(10)

    def __enter__(self) -> SiteServer:
        return self

    def __exit__(self, *exc: object) -> None:
        self.stop()

    def _stamp(self) -> str:
        """Changes with the database and its referee, and while readers see less than there is."""
        snapshots: Snapshots = self.app.config["SNAPSHOTS"]
        watch: Watch = self.app.config["WATCH"]
        rankings: Rankings = self.app.config["RANKINGS"]
        is_settled = snapshots.is_settled and rankings.is_settled
        if not (is_settled and self._was_settled):
            # Once more after it was settled: what came last has not been shown before.
            self._looks += 1
        self._was_settled = is_settled
        try:
            with Store(self.app.config["DATABASE"], read_only=True) as store:
                return f"{Pages(store).stamp()}:{self._looks}:{watch.stamp()}"
        except StoreError:
            return ""

    def _render(self, topic: str, tag: str) -> Rendered | None:
        joint = "&" if "?" in topic else "?"
        answer = self._client.get(
            f"{topic}{joint}live=1", headers={"If-None-Match": f'"{tag}"'} if tag else {}
        )
        if answer.status_code != 200 or not answer.is_json:
            return None
        data = orjson.loads(answer.get_data())
        return Rendered(data["tag"], data["regions"])


def serve(
    database: Path,
    host: str = "127.0.0.1",
    port: int = 8000,
    *,
    organiser_token_hash: str | None = None,
    base_url: str | None = None,
    public: bool = False,
    control: Control | None = None,
    listening: Callable[[str], None] = lambda address: None,
    stop: threading.Event | None = None,
) -> None:
    """Serve the site of a database until ``stop`` is set or the process is interrupted.

    ``control`` starts the referee. ``listening`` is called with the address once connections are
    accepted.

    :raises ConfigError: the address cannot be listened at.
    """
    app = create_app(
        database,
        organiser_token_hash=organiser_token_hash,
        base_url=base_url,
        public=public,
        control=control,
    )
    with SiteServer(app, host, port) as server, ended_by(server, stop):
        listening(base_url or server.address)
        server.run()


@contextmanager
def ended_by(server: SiteServer, stop: threading.Event | None) -> Iterator[None]:
    """Stop the server when the event is set, and on SIGINT and SIGTERM in the main thread."""
    if stop is not None:
        given = stop

        def watch() -> None:
            given.wait()
            server.stop()

        threading.Thread(target=watch, name="site-stop", daemon=True).start()
    if threading.current_thread() is not threading.main_thread() or stop is not None:
        yield
        return
    numbers = (signal.SIGINT, signal.SIGTERM)
    before = [signal.signal(number, lambda *_: server.stop()) for number in numbers]
    try:
        yield
    finally:
        for number, handler in zip(numbers, before, strict=True):
            signal.signal(number, handler)
