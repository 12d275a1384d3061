"""Spectators of the soak: event streams and readers of pages, in this process."""

from __future__ import annotations

import random
import selectors
import socket
import statistics
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from urllib.parse import quote

import requests

PAUSE_S = (3.0, 7.0)
"""A reader's rest between two pages."""


class Streams:
    """Open event streams, all read by one thread. One that ends is opened again and counted."""

    def __init__(self, url: str, pages: Sequence[str]) -> None:
        self._address = url.removeprefix("http://").split(":")
        self._selector = selectors.DefaultSelector()
        self._pages = pages
        self._stop = threading.Event()
        self.received = 0
        self.ended = 0
        self._thread = threading.Thread(target=self._read, name="streams")
        for page in pages:
            self._open(page)
        self._thread.start()

    def _open(self, page: str) -> None:
        host, port = self._address
        sock = socket.create_connection((host, int(port)), timeout=30)
        ask = f"GET /events?page={quote(page)} HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n"
        sock.sendall(ask.encode())
        sock.setblocking(False)
        self._selector.register(sock, selectors.EVENT_READ, page)

    def _read(self) -> None:
        while not self._stop.is_set():
            for key, _ in self._selector.select(0.5):
                sock = key.fileobj
                assert isinstance(sock, socket.socket)
                try:
                    data = sock.recv(1 << 18)
                except BlockingIOError:
                    continue
                except OSError:
                    data = b""
                self.received += len(data)
                if not data:
                    self._again(sock, key.data)
            time.sleep(0.05)

    def _again(self, sock: socket.socket, page: str) -> None:
        self._selector.unregister(sock)
        sock.close()
        self.ended += 1
        if not self._stop.wait(1.0):
            self._open(page)

    def stop(self) -> None:
        """Close all of them."""
        self._stop.set()
        self._thread.join()
        for key in list(self._selector.get_map().values()):
            sock = key.fileobj
            assert isinstance(sock, socket.socket)
            sock.close()
        self._selector.close()


class Readers:
    """People who ask for a page every few seconds. ``choose``: the address of the next page."""

    def __init__(self, url: str, readers: int, choose: Callable[[], str]) -> None:
        self._url, self._choose = url, choose
        self._stop = threading.Event()
        self._lock = threading.Lock()
        self._taken: list[float] = []
        self.bad: Counter[str] = Counter()
        """What was answered other than 200, by status and address without its numbers."""
        self.pages = 0
        self._threads = [threading.Thread(target=self._read) for _ in range(readers)]
        for thread in self._threads:
            thread.start()

    def _read(self) -> None:
        with requests.Session() as session:
            session.trust_env = False
            while not self._stop.wait(random.uniform(*PAUSE_S)):
                page = self._choose()
                began = time.perf_counter()
                try:
                    answer = session.get(self._url + page, timeout=60)
                    status = str(answer.status_code)
                except requests.RequestException as error:
                    status = type(error).__name__
                with self._lock:
                    self.pages += 1
                    self._taken.append(1000 * (time.perf_counter() - began))
                    if status != "200":
                        self.bad[f"{status} {page}"] += 1

    def times(self) -> tuple[float, float]:
        """The median and 95th percentile in milliseconds since the last call."""
        with self._lock:
            taken, self._taken = sorted(self._taken), []
        if not taken:
            return 0.0, 0.0
        return statistics.median(taken), taken[int(0.95 * (len(taken) - 1))]

    def stop(self) -> None:
        """Let them finish their pages."""
        self._stop.set()
        for thread in self._threads:
            thread.join()
