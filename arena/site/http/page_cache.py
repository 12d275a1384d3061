"""What was made for one reader and serves the next: finished pages, and values by their key.

Pages are kept for readers who are not signed in. A page's key is its entity tag, which changes with
everything that the page could show; so what is kept is never out of date, only no longer asked
for. Safe for threads, bounded.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

MOST_BYTES = 24 * 1024 * 1024

ENTRY_BYTES = 400
"""What a page takes besides its body: key, media type, places in the table."""

Page = tuple[bytes, str]
"""Body and media type."""


class PageCache:
    """The pages that were asked for last."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self._most = most_bytes
        self._lock = threading.Lock()
        self._pages: OrderedDict[str, Page] = OrderedDict()
        self._bytes = 0

    def get(self, key: str) -> Page | None:
        """The page with this key, if it is kept."""
        with self._lock:
            found = self._pages.get(key)
            if found is not None:
                self._pages.move_to_end(key)
            return found

    def put(self, key: str, body: bytes, kind: str) -> None:
        """Keep a page; the ones that were not asked for the longest make room."""
        if len(body) > self._most // 8:
            return
        # A copy of just this size: what made the body may have reserved many times as much for it.
        body = bytes(memoryview(body))
        with self._lock:
            before = self._pages.pop(key, None)
            if before is not None:
                self._bytes -= len(before[0]) + ENTRY_BYTES
            self._bytes += len(body) + ENTRY_BYTES
            self._pages[key] = (body, kind)
            while self._bytes > self._most:
                _, (dropped, _) = self._pages.popitem(last=False)
                self._bytes -= len(dropped) + ENTRY_BYTES


V = TypeVar("V")


class Recent(Generic[V]):
    """Values by key, those that were asked for last. Safe for threads."""

    def __init__(self, most: int = 500) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._values: OrderedDict[Hashable, V] = OrderedDict()

    def get(self, key: Hashable, make: Callable[[], V]) -> V:
        """The value with this key, made if it is not kept."""
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
                return self._values[key]
        value = make()
        with self._lock:
            self._values[key] = value
            while len(self._values) > self._most:
                self._values.popitem(last=False)
        return value
