"""One request of the arena to a faulty bot, and the tools to answer it badly."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

FOREVER = 10_000_000


@dataclass(slots=True)
class Request:
    """A request as it arrived. ``connection`` numbers the connections of the bot from 0."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes
    connection: int

    @property
    def json(self) -> Any:
        """The body's JSON."""
        return json.loads(self.body)


class Host(Protocol):
    """What a talk has to know about its bot."""

    drip_s: float
    delay_s: float
    stopping: threading.Event

    @property
    def choose(self) -> Callable[[dict[str, Any]], dict[str, object]]:
        """Makes the answer to a decision request."""
        ...

    @property
    def info(self) -> dict[str, object]:
        """What it says of itself."""
        ...

    def forget(self, sock: socket.socket) -> None:
        """The connection has been closed."""
        ...


class Gone(Exception):
    """The client has closed, or the bot is stopped."""


@dataclass(slots=True)
class Talk:
    """One request being answered."""

    bot: Host
    sock: socket.socket
    request: Request
    keep: bool = True

    def send(self, data: bytes) -> None:
        """Send all of it.

        :raises Gone: the other side is not there any more.
        """
        if self.bot.stopping.is_set():
            raise Gone
        try:
            self.sock.sendall(data)
        except OSError:
            raise Gone from None

    def pause(self, seconds: float) -> None:
        """Wait, but not longer than the bot lives."""
        if self.bot.stopping.wait(seconds):
            raise Gone

    def drip(self, data: bytes) -> None:
        """Send a byte at a time, for ever when the data are used up."""
        for byte in data:
            self.send(bytes([byte]))
            self.pause(self.bot.drip_s)
        self.stall()

    def stall(self) -> None:
        """Do nothing until the bot is stopped."""
        self.pause(FOREVER)

    def flood(self, piece: bytes) -> None:
        """Send the same bytes for ever."""
        for _ in range(FOREVER):
            self.send(piece)

    def good(self) -> bytes:
        """The body of a good answer."""
        if self.request.path == "/" or self.request.method == "GET":
            return json.dumps(self.bot.info).encode()
        if self.request.path.endswith("/act"):
            answers = [self.bot.choose(one) for one in self.request.json["requests"]]
            return json.dumps({"answers": answers}).encode()
        return b"{}"

    def changed(self, **fields: object) -> bytes:
        """A good answer of which every item has other fields."""
        value = json.loads(self.good())
        for item in value["answers"]:
            item.update(fields)
        return json.dumps(value).encode()


Headers = tuple[tuple[str, str], ...]


def http(body: bytes, status: str = "200 OK", headers: Headers = ()) -> bytes:
    """A whole HTTP answer."""
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers)
    head = f"HTTP/1.1 {status}\r\nContent-Length: {len(body)}\r\n{lines}\r\n"
    return head.encode("latin-1") + body


def read_request(stream: Any, connection: int) -> Request | None:
    """The next request on a connection, None at its end."""
    line = stream.readline()
    if not line:
        return None
    method, path, _ = line.decode("latin-1").split(" ", 2)
    headers: dict[str, str] = {}
    while (header := stream.readline().strip()) != b"":
        name, _, value = header.decode("latin-1").partition(":")
        headers[name.lower()] = value.strip()
    body = stream.read(int(headers.get("content-length", 0)))
    return Request(method, path, headers, body, connection)
