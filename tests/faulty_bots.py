"""Bots that misbehave on demand, over raw sockets, so that nothing tidies their faults away.

``with FaultyBot(Behaviour.DRIP_BODY) as bot:`` gives ``bot.url``. By default only ``POST /act`` is
treated to the behaviour; ``GET /``, ``/start`` and ``/end`` are answered as a good bot would.
`EXPECTED` names the fault code that the arena has to give for each behaviour.
"""

from __future__ import annotations

import socket
import ssl
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Self

from tests.faulty_acts import ACTS, Act, good
from tests.faulty_behaviours import EXPECTED, Behaviour
from tests.faulty_talk import FOREVER, Gone, Request, Talk, read_request

__all__ = ["EXPECTED", "Behaviour", "FaultyBot", "Request", "Talk"]


def first_legal(request: dict[str, Any]) -> dict[str, object]:
    """The answer of the simplest good bot."""
    legal = request.get("legal") or [{"id": "pass"}]
    return {"id": request["request_id"], "action": legal[0]["id"]}


@dataclass
class FaultyBot:
    """A bot on a free loopback port, as a context manager.

    ``on``: the paths it misbehaves on. ``after``: so many requests on those paths are answered
    well before. ``times``: so often it misbehaves, then it is good again. ``delay_s`` and
    ``drip_s``: for the slow behaviours. ``listens``: False binds the port without listening, so
    that connections are refused until `listen` is called.
    """

    behaviour: Behaviour | Act = Behaviour.GOOD
    on: tuple[str, ...] = ("/act",)
    after: int = 0
    times: int = FOREVER
    delay_s: float = 0.02
    drip_s: float = 0.05
    max_batch: int = 1
    max_concurrency: int = 1
    name: str = "Faulty"
    games: tuple[str, ...] = ("*",)
    choose: Callable[[dict[str, Any]], dict[str, object]] = first_legal
    tls: ssl.SSLContext | None = None
    listens: bool = True
    requests: list[Request] = field(default_factory=list)
    connections: int = 0
    stopping: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        self._lock = threading.Lock()
        self._open: set[socket.socket] = set()
        self._threads: list[threading.Thread] = []
        self._count = 0
        self._listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)

    def __enter__(self) -> Self:
        self._listener.bind(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        if self.listens:
            self.listen()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"{'https' if self.tls else 'http'}://127.0.0.1:{self.port}"

    @property
    def info(self) -> dict[str, object]:
        """What it says of itself."""
        return {
            "protocols": ["1.0"],
            "name": self.name,
            "author": "tests",
            "version": "1",
            "games": list(self.games),
            "max_batch": self.max_batch,
            "max_concurrency": self.max_concurrency,
        }

    def hits(self, path: str) -> int:
        """How many requests came to the path."""
        return sum(request.path == path for request in self.requests)

    def open_connections(self) -> int:
        """How many connections the bot holds open."""
        with self._lock:
            return len(self._open)

    def listen(self) -> None:
        """Start to listen, if it does not yet."""
        self._listener.listen(64)
        self._start(self._accept)

    def stop(self) -> None:
        """Close everything and wait for the threads."""
        self.stopping.set()
        # Closing alone does not wake a thread that waits in accept.
        for sock in (self._listener, *self._open):
            _shut(sock)
        self._listener.close()
        for thread in self._threads:
            thread.join(5)
            assert not thread.is_alive(), "a thread of a faulty bot hangs"

    def forget(self, sock: socket.socket) -> None:
        """A behaviour has closed the connection."""
        with self._lock:
            self._open.discard(sock)

    def _start(self, target: Callable[..., None], *args: object) -> None:
        thread = threading.Thread(target=target, args=args, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        while not self.stopping.is_set():
            try:
                sock, _ = self._listener.accept()
            except OSError:
                return
            with self._lock:
                number = self.connections
                self.connections += 1
                self._open.add(sock)
            self._start(self._serve, sock, number)

    def _serve(self, sock: socket.socket, number: int) -> None:
        try:
            if self.behaviour is Behaviour.DEAF:
                self.stopping.wait()
                return
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if self.tls is not None:
                sock = self._encrypted(sock, self.tls)
            with sock.makefile("rb") as stream:
                while (request := read_request(stream, number)) is not None:
                    self.requests.append(request)
                    talk = Talk(self, sock, request)
                    self._act(request)(talk)
                    if not talk.keep:
                        return
        except (Gone, OSError, ValueError):
            pass  # the other side is gone, or was never there
        finally:
            self.forget(sock)
            _shut(sock)
            sock.close()

    def _encrypted(self, sock: socket.socket, context: ssl.SSLContext) -> socket.socket:
        wrapped = context.wrap_socket(sock, server_side=True, do_handshake_on_connect=False)
        with self._lock:
            self._open.discard(sock)
            self._open.add(wrapped)
        try:
            wrapped.do_handshake()
        except OSError:
            self.forget(wrapped)
            wrapped.close()
            raise
        return wrapped

    def _act(self, request: Request) -> Act:
        if request.path not in self.on:
            return good
        with self._lock:
            turn = self._count
            self._count += 1
        if not self.after <= turn < self.after + self.times:
            return good
        return ACTS[self.behaviour] if isinstance(self.behaviour, Behaviour) else self.behaviour


def _shut(sock: socket.socket) -> None:
    try:
        sock.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass  # never connected, or gone
