"""Server-sent events for any number of spectators, by one thread and without a worker each.

Spectators subscribe to a *topic*: a page. The hub looks at the database about once a second; when
something changed, each page that somebody watches is rendered once, and those of its regions that
differ are sent to all its spectators. Sockets never block: one whose reader is too slow is dropped
when its backlog passes a bound, and its browser connects again by itself.
"""

from __future__ import annotations

import logging
import selectors
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import orjson

log = logging.getLogger("arena.site.events")

HEADERS = (
    b"HTTP/1.1 200 OK\r\n"
    b"Content-Type: text/event-stream; charset=utf-8\r\n"
    b"Cache-Control: no-store\r\n"
    b"Connection: close\r\n"
    b"X-Accel-Buffering: no\r\n"
    b"X-Content-Type-Options: nosniff\r\n"
    b"\r\n"
)
TICK_S = 1.0
HEARTBEAT_S = 15.0
MAX_BACKLOG = 256 * 1024
"""Bytes that a slow reader may be behind."""
MAX_TOPICS = 256
MAX_TOPICS_OF_ONE = 32
"""Pages that a client, by its address, can have watched; who wants more asks now and then."""
MAX_SPECTATORS = 2_000
BREATH = 4.0
"""After rendering for a while the hub leaves the machine alone for so many times as long."""


@dataclass(frozen=True, slots=True)
class Rendered:
    """A page's live regions as HTML, and the tag of their state."""

    tag: str
    regions: Mapping[str, str]


Render = Callable[[str, str], Rendered | None]
"""Renders a topic; None when it still has this tag, or is no page any more."""


@dataclass(eq=False, slots=True)
class Spectator:
    """One connection. ``client``: whose it is, by address."""

    socket: socket.socket
    topic: str
    tag: str
    client: str = ""
    backlog: bytearray = field(default_factory=bytearray)
    writing: bool = False


@dataclass(slots=True)
class Topic:
    """A page with those who watch it."""

    rendered: Rendered | None = None
    stamp: str = ""
    spectators: set[Spectator] = field(default_factory=set)


class Hub:
    """The thread that serves all event streams.

    ``stamp`` returns a text that changes whenever any page could; ``render`` renders a page.
    """

    def __init__(
        self,
        render: Render,
        stamp: Callable[[], str],
        *,
        tick_s: float = TICK_S,
        limit: int = MAX_SPECTATORS,
    ) -> None:
        self._render = render
        self._stamp = stamp
        self._tick_s = tick_s
        self.limit = limit
        self._selector = selectors.DefaultSelector()
        self._waker, self._wake = socket.socketpair()
        self._waker.setblocking(False)
        self._wake.setblocking(False)
        self._selector.register(self._waker, selectors.EVENT_READ)
        self._lock = threading.Lock()
        self._arriving: list[Spectator] = []
        self._topics: dict[str, Topic] = {}
        self._places: Counter[tuple[str, str]] = Counter()
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="events", daemon=True)

    def start(self) -> None:
        """Begin to serve."""
        self._thread.start()

    def stop(self) -> None:
        """Close every stream and end the thread."""
        self._stopped.set()
        self._notify()
        if self._thread.is_alive():
            self._thread.join(5)
        self._selector.close()
        self._waker.close()
        self._wake.close()

    @property
    def spectators(self) -> int:
        """How many watch now."""
        with self._lock:
            return self._places.total()

    def has_room(self, topic: str, client: str) -> bool:
        """Whether one more spectator of this page, from this client, can be served."""
        with self._lock:
            places = set(self._places)
            if self._stopped.is_set() or self._places.total() >= self.limit:
                return False
        if (topic, client) in places:
            return True
        topics = {name for name, _ in places}
        of_one = sum(one == client for _, one in places)
        return of_one < MAX_TOPICS_OF_ONE and (topic in topics or len(topics) < MAX_TOPICS)

    def shows(self, topic: str) -> bool:
        """Whether somebody watches this page, so that it is one."""
        return topic in self._topics

    def adopt(self, connection: socket.socket, topic: str, tag: str, client: str = "") -> None:
        """Serve this connection from now on. ``tag``: the state that the page shows."""
        with self._lock:
            self._arriving.append(Spectator(connection, topic, tag, client))
            self._places[topic, client] += 1
        self._notify()

    def _notify(self) -> None:
        try:
            self._wake.send(b".")
        except (BlockingIOError, OSError):
            pass  # a wake-up is pending, or the hub is closed

    def _run(self) -> None:
        next_tick = next_beat = time.monotonic()
        while not self._stopped.is_set():
            now = time.monotonic()
            wait = max(0.0, min(next_tick, next_beat) - now)
            self._serve(wait)
            self._admit()
            now = time.monotonic()
            if now >= next_tick:
                self._look()
                taken = time.monotonic() - now
                next_tick = now + max(self._tick_s, (1 + BREATH) * taken)
            if now >= next_beat:
                self._beat()
                next_beat = now + HEARTBEAT_S
        for topic in list(self._topics.values()):
            for spectator in list(topic.spectators):
                self._drop(spectator)

    def _serve(self, wait: float) -> None:
        for key, events in self._selector.select(wait):
            if key.fileobj is self._waker:
                self._waker.recv(4096)
                continue
            spectator: Spectator = key.data
            if events & selectors.EVENT_READ and not self._still_there(spectator):
                self._drop(spectator)
            elif events & selectors.EVENT_WRITE:
                self._flush(spectator)

    def _still_there(self, spectator: Spectator) -> bool:
        """Whether the browser is; what it sends is of no interest."""
        try:
            return bool(spectator.socket.recv(4096))
        except BlockingIOError:
            return True
        except OSError:
            return False

    def _admit(self) -> None:
        with self._lock:
            arriving, self._arriving = self._arriving, []
        for spectator in arriving:
            topic = self._topics.get(spectator.topic)
            if topic is None:
                topic = self._topics[spectator.topic] = Topic()
            topic.spectators.add(spectator)
            self._selector.register(spectator.socket, selectors.EVENT_READ, spectator)
            self._send(spectator, HEADERS + b"retry: 3000\n\n")
            if topic.rendered is not None and topic.rendered.tag != spectator.tag:
                self._tell(spectator, topic.rendered, topic.rendered.regions)

    def _look(self) -> None:
        """Render what changed. A page that fails is tried again at the next tick."""
        if not self._topics:
            return
        try:
            stamp = self._stamp()
        except Exception:
            log.exception("event stream: the database could not be read")
            return
        for name, topic in list(self._topics.items()):
            if topic.stamp == stamp:
                continue
            try:
                self._update(name, topic)
                topic.stamp = stamp
            except Exception:
                log.exception("event stream: %s could not be rendered", name)

    def _update(self, name: str, topic: Topic) -> None:
        old = topic.rendered
        new = self._render(name, old.tag if old else "")
        if new is None:
            return
        topic.rendered = new
        known = old.regions if old else {}
        changed = {key: text for key, text in new.regions.items() if known.get(key) != text}
        for spectator in list(topic.spectators):
            if spectator.tag == new.tag:
                continue
            up_to_date = old is not None and spectator.tag == old.tag
            self._tell(spectator, new, changed if up_to_date else new.regions)

    def _tell(self, spectator: Spectator, state: Rendered, regions: Mapping[str, str]) -> None:
        spectator.tag = state.tag
        if regions:
            body = orjson.dumps({"tag": state.tag, "regions": dict(regions)})
            self._send(spectator, b"data: " + body + b"\n\n")

    def _beat(self) -> None:
        """Keep proxies from closing quiet streams, and notice readers that are gone."""
        for topic in list(self._topics.values()):
            for spectator in list(topic.spectators):
                self._send(spectator, b":\n\n")

    def _send(self, spectator: Spectator, data: bytes) -> None:
        if len(spectator.backlog) + len(data) > MAX_BACKLOG and spectator.backlog:
            self._drop(spectator)
            return
        spectator.backlog += data
        self._flush(spectator)

    def _flush(self, spectator: Spectator) -> None:
        try:
            sent = spectator.socket.send(spectator.backlog)
            del spectator.backlog[:sent]
        except BlockingIOError:
            pass
        except OSError:
            self._drop(spectator)
            return
        wants_write = bool(spectator.backlog)
        if wants_write != spectator.writing:
            spectator.writing = wants_write
            events = selectors.EVENT_READ | (selectors.EVENT_WRITE if wants_write else 0)
            self._selector.modify(spectator.socket, events, spectator)

    def _drop(self, spectator: Spectator) -> None:
        topic = self._topics.get(spectator.topic)
        if topic is None or spectator not in topic.spectators:
            return
        topic.spectators.discard(spectator)
        if not topic.spectators:
            del self._topics[spectator.topic]
        self._selector.unregister(spectator.socket)
        spectator.socket.close()
        place = (spectator.topic, spectator.client)
        with self._lock:
            self._places[place] -= 1
            if not self._places[place]:
                del self._places[place]
