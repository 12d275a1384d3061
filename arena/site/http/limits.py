"""How often somebody may try something: a few attempts at once, then one every so often.

Counts are kept in memory and by address; they protect against guessing and flooding, not against
a crowd. Safe for threads, bounded in size.
"""

from __future__ import annotations

import ipaddress
import logging
import math
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from flask import current_app, request
from werkzeug.exceptions import TooManyRequests

log = logging.getLogger("arena.site.http.limits")

MOST_KEYS = 10_000

SITE_BITS = 64
"""Whoever has an address of version 6 has all that begin with these bits."""


def sender() -> str:
    """Who asks, by address: for a reader with a whole network of addresses, that network."""
    text = request.remote_addr or ""
    _notice_silent_proxy()
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return text
    if isinstance(address, ipaddress.IPv4Address):
        return text
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ipaddress.ip_network((address, SITE_BITS), strict=False))


def _notice_silent_proxy() -> None:
    """Say once that a reverse proxy does not tell who asks, so that all count as one."""
    public = urlsplit(current_app.config["URLS"].base).netloc
    if public != request.host or "X-Forwarded-For" in request.headers:
        return
    if not current_app.extensions.get("arena.silent_proxy"):
        current_app.extensions["arena.silent_proxy"] = True
        log.warning(
            "the reverse proxy does not say who asks, so all readers share one allowance of "
            "attempts; let it set X-Forwarded-For, as the README shows"
        )


@dataclass
class Limiter:
    """A token bucket for each key: ``burst`` at once, refilled one every ``every_s`` seconds."""

    burst: int
    every_s: float
    clock: Callable[[], float] = time.monotonic
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)
    _used: OrderedDict[str, tuple[float, float]] = field(default_factory=OrderedDict, repr=False)

    def take(self, key: str) -> float:
        """Count an attempt. 0 if it is allowed, else the seconds to wait."""
        now = self.clock()
        with self._lock:
            level, since = self._used.pop(key, (0.0, now))
            level = max(0.0, level - (now - since) / self.every_s)
            allowed = level + 1 <= self.burst
            if allowed:
                level += 1
            self._used[key] = (level, now)
            while len(self._used) > MOST_KEYS:
                self._used.popitem(last=False)
        return 0.0 if allowed else (level + 1 - self.burst) * self.every_s

    def give_back(self) -> None:
        """Count this request's sender one attempt less: it came to nothing."""
        with self._lock:
            level, since = self._used.get(sender(), (0.0, 0.0))
            if level:
                self._used[sender()] = (max(0.0, level - 1), since)

    def check(self, *others: str) -> None:
        """Count an attempt of this request's sender, and of ``others`` on whose behalf it is made.

        :raises TooManyRequests: with the seconds to wait.
        """
        self.check_keys(sender(), *others)

    def check_keys(self, *keys: str) -> None:
        """Count an attempt on behalf of these, whoever sends it.

        :raises TooManyRequests: with the seconds to wait.
        """
        wait = max(map(self.take, keys))
        if wait:
            seconds = math.ceil(wait)
            error = TooManyRequests(f"Too many attempts. Try again in {seconds} s.")
            error.retry_after = seconds
            raise error
