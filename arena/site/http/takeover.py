"""Lets the application keep a connection after its worker has gone on to other requests.

A waitress worker serves one request at a time, so an event stream would hold it for as long as a
spectator watches. Instead the stream's view takes a duplicate of the socket out of the request
(`take_over`), hands it to the hub of ``events``, and returns: the worker is free, waitress closes
its own copy, and the connection lives on.

Only what waitress means for subclasses is touched: ``channel_class``, ``task_class``,
``error_task_class``, the environment, ``write``; a test of the whole way fails if a version changes
that.
"""

from __future__ import annotations

import socket
from collections.abc import Callable
from typing import Any

from waitress.channel import HTTPChannel
from waitress.task import ErrorTask, WSGITask
from waitress.utilities import RequestEntityTooLarge

KEY = "arena.take_over"

SHARE = 2
"""One address may hold so great a part of all connections: a half."""

TakeOver = Callable[[], socket.socket]


class TakeOverTask(WSGITask):
    """A request whose connection may be taken over."""

    taken = False

    def get_environment(self) -> dict[str, Any]:
        """The WSGI environment, with the way to take the connection over."""
        environ: dict[str, Any] = super().get_environment()
        environ[KEY] = self._take_over
        return environ

    def _take_over(self) -> socket.socket:
        own = self.channel.socket
        if own is None:
            raise ConnectionError("the reader is gone")
        copy: socket.socket = own.dup()
        copy.setblocking(False)
        self.taken = True
        return copy

    def write(self, data: bytes) -> None:
        """Send nothing more of the answer once the connection is somebody else's."""
        if not self.taken:
            super().write(data)
            return
        self.wrote_header = True
        self.close_on_finish = True


class TooLargeTask(WSGITask):
    """A request whose body was refused unread, so that the application can say so its own way."""

    def get_environment(self) -> dict[str, Any]:
        """The WSGI environment, with a length beyond the limit also where none was sent."""
        environ: dict[str, Any] = super().get_environment()
        environ["CONTENT_LENGTH"] = str(self.channel.server.adj.max_request_body_size + 1)
        return environ

    def execute(self) -> None:
        """Say in the answer that the connection ends with it."""
        self.set_close_on_finish()
        super().execute()


class RefusalTask(ErrorTask):
    """The answer to a request that cannot be served: the application's where it can give one."""

    def execute(self) -> None:
        """Answer, and read nothing more of this connection."""
        request: Any = self.request
        if not isinstance(request.error, RequestEntityTooLarge):
            super().execute()
            return
        TooLargeTask(self.channel, request).service()
        self.wrote_header = self.close_on_finish = True


class TakeOverChannel(HTTPChannel):
    """A connection whose requests can be taken over."""

    task_class = TakeOverTask
    error_task_class = RefusalTask


class SharedChannel(TakeOverChannel):
    """One that is closed at once if its sender has more than its share of all connections.

    Not for use behind a reverse proxy, which sends for everybody.
    """

    def __init__(
        self, server: Any, sock: socket.socket, addr: Any, adj: Any, map: Any = None
    ) -> None:
        super().__init__(server, sock, addr, adj, map=map)
        channels = list(server.active_channels.values())
        held = sum(channel.addr[0] == addr[0] for channel in channels)
        if held > adj.connection_limit // SHARE:
            self.handle_close()
