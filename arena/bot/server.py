"""Serves a bot over HTTP until it is told to stop.

Waitress does the HTTP: a selecting thread reads whole requests, a few worker threads answer
them. `BotServer` is for programs and tests, `serve` for a bot's own process: it prints where it
listens and obeys SIGTERM and SIGINT.
"""

from __future__ import annotations

import contextlib
import logging
import select
import signal
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import FrameType, TracebackType
from typing import Any, Self

from waitress import wasyncore
from waitress.server import BaseWSGIServer, create_server

from arena.bot.app import MAX_BODY, BotApp
from arena.bot.base import Bot, Chosen, as_bot, misspelt_hooks
from arena.bot.recorder import Recorder
from arena.bot.view import BotView
from arena.listening import listen
from arena.process import stop_with_stdin
from arena.wire.signing import Verifier

STOP_SECONDS = 0.7
"""How long answers under way may take after the signal to stop."""

_HAS_POLL = hasattr(select, "poll")


class BotServer:
    """A bot that listens from the moment it is made; `run` answers until `stop`.

    ``secrets``: accept only requests signed with one of these (two while one is being replaced).
    ``record``: a file to which every decision is added, see `Recorder`. As a context manager it
    runs in a thread of its own.

    :raises UsageError: the address or the file cannot be used, or a secret is none.
    """

    def __init__(
        self,
        player: Bot | Callable[[BotView], Chosen],
        host: str = "127.0.0.1",
        port: int = 0,
        *,
        secrets: Sequence[str] = (),
        threads: int | None = None,
        max_body: int = MAX_BODY,
        record: Path | None = None,
    ) -> None:
        self.bot = as_bot(player)
        verifier = Verifier(*secrets) if secrets else None
        self._recorder = Recorder(record) if record is not None else None
        self.app = BotApp(self.bot, verifier=verifier, max_body=max_body, recorder=self._recorder)
        listener = listen(host, port)
        self.host, self.port = host, int(listener.getsockname()[1])
        self._stopping = threading.Event()
        self._map: dict[int, Any] = {}
        # A busy moment is no fault of the bot and worth no line on stderr.
        logging.getLogger("waitress.queue").setLevel(logging.ERROR)
        server = create_server(
            self.app,
            map=self._map,
            sockets=[listener],
            # One more than the referee's calls in flight, for /start and /end.
            threads=threads or self.bot.max_concurrency + 1,
            # Beyond our own limit, so that an oversize body is read whole and gets a JSON answer.
            max_request_body_size=max(16 * 1024 * 1024, 4 * max_body),
            inbuf_overflow=max_body,
            channel_timeout=600,
            # A connection that breaks while the bot thinks is noticed: its answer is not sent.
            channel_request_lookahead=1,
            ident=None,
        )
        assert isinstance(server, BaseWSGIServer)
        self._server = server
        self._thread: threading.Thread | None = None

    @property
    def url(self) -> str:
        """Where it listens."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port}"

    @property
    def clients(self) -> int:
        """Open connections."""
        channels: Mapping[int, object] = self._server.active_channels  # type: ignore[assignment]
        return len(channels)

    def run(self) -> None:
        """Answer requests until `stop` is called; then finish what is under way and close."""
        try:
            while not self._stopping.is_set():
                wasyncore.loop(timeout=1.0, use_poll=_HAS_POLL, map=self._map, count=1)
        finally:
            self._server.task_dispatcher.shutdown(timeout=STOP_SECONDS)  # type: ignore[arg-type]
            wasyncore.close_all(self._map)
            if self._recorder is not None:
                self._recorder.close()

    def stop(self) -> None:
        """Make `run` return. May be called from any thread and from a signal handler."""
        self._stopping.set()
        # The loop may have ended and closed everything between the two lines.
        with contextlib.suppress(OSError):
            self._server.pull_trigger()

    def __enter__(self) -> Self:
        self._thread = threading.Thread(target=self.run, name=f"bot {self.bot.name}", daemon=True)
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()
        assert self._thread is not None
        self._thread.join()


def serve(
    player: Bot | Callable[[BotView], Chosen],
    host: str = "127.0.0.1",
    port: int = 0,
    secret: str | Sequence[str] | None = None,
    *,
    threads: int | None = None,
    max_body: int = MAX_BODY,
    record: Path | None = None,
) -> None:
    """Serve a bot until SIGTERM or Ctrl-C. Port 0 takes a free one.

    The first line on stdout is ``listening on http://HOST:PORT``. ``secret``: a ``whsec_…`` text,
    or two during a change; unsigned requests are refused then. ``record``: a file to which every
    decision is added, see `Recorder`.

    :raises UsageError: the address or the file cannot be used, or a secret is none.
    """
    secrets = [secret] if isinstance(secret, str) else list(secret or ())
    server = BotServer(
        player, host, port, secrets=secrets, threads=threads, max_body=max_body, record=record
    )

    def stop(number: int, frame: FrameType | None) -> None:
        server.stop()

    if threading.current_thread() is threading.main_thread():
        for name in (signal.SIGTERM, signal.SIGINT):
            signal.signal(name, stop)
    stop_with_stdin(server.stop)
    warn_of_misspelt_hooks(server.bot)
    print(f"listening on {server.url}", flush=True)
    server.run()


def warn_of_misspelt_hooks(bot: Bot) -> None:
    """Tell the author on stderr, once, what would be ignored in silence."""
    for sentence in misspelt_hooks(bot):
        print(f"warning: {sentence}", file=sys.stderr, flush=True)
