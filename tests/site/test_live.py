"""Live pages: the event stream, its bounds, and the way without it."""

from __future__ import annotations

import json
import re
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from html import unescape
from pathlib import Path
from urllib.parse import quote

import pytest
import requests

from arena.site import create_app, events
from arena.site.events import Hub, Rendered
from arena.site.pages.live import is_live
from arena.site.serve import THREADS, SiteServer, serve
from arena.store import Store
from tests.site.changing import begin_match
from tests.waiting import wait_until


@pytest.fixture
def server(database: Path) -> Iterator[SiteServer]:
    """The site on a port of its own."""
    with SiteServer(create_app(database)) as started:
        started.hub._tick_s = 0.05
        started.start()
        yield started


def more(source: socket.socket, before: bytes = b"") -> bytes:
    """What comes next; fails, and does not spin, where the stream has ended after ``before``."""
    found = source.recv(65536)
    assert found, before[-200:]
    return found


class Stream:
    """A spectator with a plain socket."""

    def __init__(self, server: SiteServer, page: str, tag: str = "") -> None:
        self.socket = socket.create_connection(("127.0.0.1", server.port), timeout=5)
        self.socket.sendall(
            f"GET /events?page={page}&tag={tag} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode()
        )
        self.data = b""

    def until(self, text: bytes) -> bytes:
        """Read until this text has come; everything so far."""
        while text not in self.data:
            self.data += more(self.socket, self.data)
        return self.data

    def message(self) -> dict[str, object]:
        """The next message."""
        self.until(b"data: ")
        start = self.data.index(b"data: ")
        self.data = self.data[start:]
        self.until(b"\n\n")
        line, _, self.data = self.data.partition(b"\n\n")
        found: dict[str, object] = json.loads(line.removeprefix(b"data: "))
        return found

    def close(self) -> None:
        """Go away."""
        self.socket.close()


def tag_of(server: SiteServer, page: str) -> str:
    """The tag that a page carries now."""
    html = requests.get(server.address + page, timeout=5).text
    return html.split('data-tag="')[1].split('"')[0]


def test_change_reaches_a_spectator_without_a_reload(server: SiteServer, database: Path) -> None:
    """Only regions that differ are sent, with the tag of the new state."""
    page = "/t/sunday-table"
    stream = Stream(server, page, tag_of(server, page))
    stream.until(b"retry: 3000")
    wait_until(lambda: server.hub._topics[page].rendered is not None)
    id = begin_match(database)
    message = stream.message()

    assert set(message["regions"]) <= {"head", "standings", "now", "bracket", "cross"}  # type: ignore[call-overload]
    assert "now" in message["regions"]  # type: ignore[operator]
    assert id in message["regions"]["now"]  # type: ignore[index]
    assert message["tag"] == tag_of(server, page)
    stream.close()


def test_reader_with_an_old_page_gets_all_of_it(server: SiteServer, database: Path) -> None:
    """Whoever reconnects after a pause is brought up to date at once."""
    begin_match(database)
    stream = Stream(server, "/t/sunday-table", "old")
    message = stream.message()

    assert set(message["regions"]) == {"head", "standings", "now", "bracket", "cross"}  # type: ignore[call-overload]
    stream.close()


def test_spectators_hold_no_worker(server: SiteServer) -> None:
    """Many times more streams than workers, and pages are served all the same."""
    streams = [Stream(server, "/t/sunday-table") for _ in range(8 * THREADS)]
    for stream in streams:
        stream.until(b"retry")

    answer = requests.get(server.address + "/bots", timeout=5)

    assert answer.status_code == 200
    assert server.hub.spectators == len(streams)
    for stream in streams:
        stream.close()
    wait_until(lambda: server.hub.spectators == 0)


@pytest.mark.parametrize(
    "page",
    ["/nope", "/submit", "//evil.example/", "http://evil.example/", "/t/x?evil=1", "/api",
     "/organise", "/events?page=/", "/bots/1-keen/check", "/?page=1#x", "/#", "/t/sunday-table#a",
     "/t/sunday-table/", "/t/sunday-table.json", "/t/sunday%2dtable", "/t/sunday-table?",
     "/t/sunday-table?page=1&page=2", "/t/sunday-table?page", "/t/sunday-table?page=%31",
     "/t/sunday-table?live=1", "/t/no-such-league", "/t/sunday-table/m/m_none",
     "/t/x?only=playing", "/\\evil", "/t/\nx"],
)  # fmt: skip
def test_only_pages_that_change_can_be_watched(server: SiteServer, page: str) -> None:
    """Anything else is refused before the hub hears of it."""
    answer = requests.get(
        server.address + "/events", params={"page": page}, timeout=5, allow_redirects=False
    )

    assert answer.status_code in (400, 404)
    assert server.hub.spectators == 0


def test_one_client_cannot_take_the_places_of_all(
    server: SiteServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who watches many pages is sent away, others are served, and a page known is no new place."""
    monkeypatch.setattr(events, "MAX_TOPICS_OF_ONE", 3)
    pages = [f"/t/sunday-table/schedule?page={number}" for number in (1, 2, 3, 4)]
    streams = [Stream(server, quote(page)) for page in pages[:3]]
    for stream in streams:
        stream.until(b"retry")

    def status(page: str) -> int:
        with requests.get(
            server.address + "/events", params={"page": page}, timeout=5, stream=True
        ) as answer:
            return answer.status_code

    assert status(pages[3]) == 503
    assert status(pages[0]) == 200
    assert server.hub.has_room(pages[3], "198.51.100.7")
    streams[0].close()
    wait_until(lambda: server.hub.has_room(pages[3], "127.0.0.1"))
    assert status(pages[3]) == 200
    for stream in streams[1:]:
        stream.close()


def test_full_hub_still_serves_pages_that_are_watched(monkeypatch: pytest.MonkeyPatch) -> None:
    """No further pages, but further spectators of those there are; places are given back."""
    monkeypatch.setattr(events, "MAX_TOPICS", 2)
    hub = Hub(Source().render, Source().stamp, tick_s=0.01)
    ends = []
    hub.start()
    try:
        for number, page in enumerate(("/a", "/b")):
            near, far = socket.socketpair()
            near.setblocking(False)
            hub.adopt(near, page, "", f"client {number}")
            ends.append(far)
        assert hub.has_room("/a", "client 1")
        assert not hub.has_room("/c", "client 2")
        ends[0].close()
        wait_until(lambda: hub.has_room("/c", "client 2"))
    finally:
        hub.stop()
        for end in ends:
            end.close()


def test_without_our_server_pages_ask_now_and_then(database: Path) -> None:
    """Elsewhere the stream is 503; the regions are there for the asking, and 304 if the same."""
    client = create_app(database).test_client()
    refused = client.get("/events?page=/t/sunday-table")
    first = client.get("/t/sunday-table?live=1")
    tag = first.get_json()["tag"]
    same = client.get("/t/sunday-table?live=1", headers={"If-None-Match": f'"{tag}"'})
    begin_match(database)
    other = client.get("/t/sunday-table?live=1", headers={"If-None-Match": f'"{tag}"'})

    assert refused.status_code == 503
    assert set(first.get_json()["regions"]) == {"head", "standings", "now", "bracket", "cross"}
    assert same.status_code == 304
    assert other.status_code == 200


class Source:
    """What a hub shows in a test."""

    def __init__(self, size: int = 10) -> None:
        self.size = size
        self.version = 0

    def stamp(self) -> str:
        """Changes with the version."""
        return str(self.version)

    def render(self, topic: str, tag: str) -> Rendered | None:
        """A region as large as wanted."""
        return Rendered(f"v{self.version}", {"a": f"{self.version}" + "x" * self.size, "b": "same"})


@contextmanager
def spectator(hub: Hub, tag: str = "") -> Iterator[socket.socket]:
    """What the only spectator of a hub reads from; the hub runs meanwhile."""
    near, far = socket.socketpair()
    near.setblocking(False)
    far.settimeout(5)
    hub.start()
    try:
        hub.adopt(near, "/", tag)
        yield far
    finally:
        hub.stop()
        far.close()


def test_slow_reader_is_dropped_and_others_go_on() -> None:
    """A reader that takes nothing costs a bounded amount of memory, then its place."""
    source = Source(size=100_000)
    hub = Hub(source.render, source.stamp, tick_s=0.01)
    slow, slow_end = socket.socketpair()
    quick, quick_end = socket.socketpair()
    for one in (slow, quick):
        one.setblocking(False)
    hub.start()
    try:
        hub.adopt(slow, "/", "")
        hub.adopt(quick, "/", "")
        received = bytearray()
        quick_end.settimeout(5)
        end = time.monotonic() + 20
        while hub.spectators > 1:
            source.version += 1
            received = bytearray(quick_end.recv(1 << 20))
            assert time.monotonic() < end
        assert received
        assert hub.spectators == 1
        topic = hub._topics["/"]
        assert all(len(s.backlog) <= events.MAX_BACKLOG + 200_000 for s in topic.spectators)
    finally:
        hub.stop()
        for one in (slow_end, quick_end):
            one.close()


def test_hub_that_cannot_render_goes_on() -> None:
    """A page that fails is logged and tried again; the stream stays open."""
    source = Source()
    failing = threading.Event()
    failing.set()

    def render(topic: str, tag: str) -> Rendered | None:
        if failing.is_set():
            failing.clear()
            raise RuntimeError("once")
        return source.render(topic, tag)

    hub = Hub(render, source.stamp, tick_s=0.01)
    with spectator(hub) as far:
        data = b""
        while b"data: " not in data:
            source.version += 1
            data += more(far, data)
    assert b"event-stream" in data


def test_quiet_stream_is_kept_alive(monkeypatch: pytest.MonkeyPatch) -> None:
    """Now and then a comment, so that no proxy closes it."""
    monkeypatch.setattr(events, "HEARTBEAT_S", 0.05)
    source = Source()
    hub = Hub(source.render, source.stamp, tick_s=0.01)
    with spectator(hub, "v0") as far:
        data = b""
        while data.count(b":\n\n") < 2:
            data += more(far, data)


def test_full_hub_sends_the_rest_away(server: SiteServer) -> None:
    """Beyond the limit pages fall back to asking."""
    server.hub.limit = 1
    stream = Stream(server, "/t/sunday-table")
    stream.until(b"retry")

    assert requests.get(server.address + "/events?page=/", timeout=5).status_code == 503
    stream.close()


def test_stopping_closes_streams(database: Path) -> None:
    """The server ends within seconds although spectators are there."""
    with SiteServer(create_app(database)) as server:
        server.start()
        stream = Stream(server, "/t/sunday-table")
        stream.until(b"retry")
        begun = time.monotonic()
        server.stop()
        assert time.monotonic() - begun < 5
    while stream.socket.recv(65536):
        pass
    stream.close()


def test_serve_tells_its_address_and_stops(database: Path) -> None:
    """`serve` reports where it listens once it does, and ends when told to."""
    stop, ready = threading.Event(), threading.Event()
    told: list[str] = []

    def listening(address: str) -> None:
        told.append(address)
        ready.set()

    thread = threading.Thread(
        target=serve, args=(database, "127.0.0.1", 0), kwargs={"listening": listening, "stop": stop}
    )
    thread.start()
    assert ready.wait(5)
    assert requests.get(told[0] + "/health", timeout=5).json()["ok"] is True
    stop.set()
    thread.join(10)
    assert not thread.is_alive()


def test_pages_from_eight_threads_while_results_are_written(
    server: SiteServer, database: Path
) -> None:
    """No lock error, no error of threads, no 500."""
    stop = threading.Event()
    codes: list[int] = []
    pages = ["/", "/t/sunday-table", "/t/autumn-league/strength", "/bots", "/t/groups/bracket",
             "/t/sunday-table/schedule", "/search?q=a", "/bots/1-keen.json"]  # fmt: skip

    def read(page: str) -> None:
        with requests.Session() as session:
            while not stop.is_set():
                codes.append(session.get(server.address + page, timeout=10).status_code)

    threads = [threading.Thread(target=read, args=(page,)) for page in pages]
    for thread in threads:
        thread.start()
    with Store(database) as store:
        row = store.tournaments.by_slug("sunday-table")
        assert row is not None
        fixtures = store.fixtures.of(row.id)
        for fixture in fixtures * 2:
            store.fixtures.start(fixture.id)
            store.tournaments.add_time(row.id, 0, 1, 1.0, 1.0)
    wait_until(lambda: len(codes) >= 200, 20)
    stop.set()
    for thread in threads:
        thread.join(10)

    assert set(codes) == {200}


@pytest.mark.parametrize(
    "address",
    ["", "/crosstable", "/strength", "/schedule", "/schedule?bot=0&against=1"],
)
def test_every_page_that_asks_for_news_gets_them(database: Path, address: str) -> None:
    """A page that names itself for the stream is one that the stream knows."""
    app = create_app(database)
    html = app.test_client().get(f"/t/sunday-table{address}").get_data(as_text=True)
    named = re.search(r'data-page="([^"]+)"', html)

    assert named is not None
    with app.test_request_context("/"):
        assert is_live(unescape(named[1]))
