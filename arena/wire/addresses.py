"""Which addresses the arena may call, and the look-up of names.

A name is resolved once for a connection, every address it has is checked, and the connection is
made to one of the addresses that were checked: there is no second look-up in which another answer
could come. Refusal happens before any packet is sent.

Names are looked up in helper threads, because ``getaddrinfo`` has no timeout: a look-up that hangs
is abandoned when the caller's time is up. Results are not kept: connections live long, so a cache
would save little, and it would hide that a name has moved.
"""

from __future__ import annotations

import ipaddress
import socket
import threading
from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import NamedTuple

from arena.referee.verdicts import BotFault, FaultCode

IPAddress = ipaddress.IPv4Address | ipaddress.IPv6Address

MOST_LOOKUPS = 32
"""Look-ups under way in a process, abandoned ones included."""


class Network(StrEnum):
    """Which addresses may be called.

    `LOCAL` is for one's own machine and network: every address is allowed, loopback and private
    ones too. `PUBLIC` is for bots of strangers: only globally routable addresses, so that nobody
    can point the arena at what only it can reach.
    """

    LOCAL = "local"
    PUBLIC = "public"


class Address(NamedTuple):
    """One place to connect to: address family, numeric host, port."""

    family: int
    host: str
    port: int


_REFUSED_V4 = tuple(
    ipaddress.IPv4Network(text)
    for text in (
        "0.0.0.0/8",
        "10.0.0.0/8",
        "100.64.0.0/10",
        "127.0.0.0/8",
        "168.63.129.16/32",  # looks public, but is the host's own service on one large cloud
        "169.254.0.0/16",
        "172.16.0.0/12",
        "192.0.0.0/24",
        "192.0.2.0/24",
        "192.88.99.0/24",
        "192.168.0.0/16",
        "198.18.0.0/15",
        "198.51.100.0/24",
        "203.0.113.0/24",
        "224.0.0.0/4",
        "240.0.0.0/4",
    )
)
_GLOBAL_V6 = ipaddress.IPv6Network("2000::/3")
"""All unicast space ever given out. Mapped, translated (64:ff9b::), local and multicast addresses
lie outside it."""
_REFUSED_V6 = tuple(
    ipaddress.IPv6Network(text)
    for text in (
        "2001::/23",  # Teredo and other special purposes
        "2001:db8::/32",
        "2002::/16",  # 6to4: an IPv4 address in disguise
        "3fff::/20",
    )
)
_ISATAP = (0x00005EFE, 0x02005EFE)


def is_public(address: IPAddress) -> bool:
    """Whether the address is globally routable and holds no other address within it."""
    if isinstance(address, ipaddress.IPv4Address):
        return not any(address in network for network in _REFUSED_V4)
    return (
        address.scope_id is None
        and address in _GLOBAL_V6
        and not any(address in network for network in _REFUSED_V6)
        and (int(address) >> 32) & 0xFFFFFFFF not in _ISATAP
    )


def require_allowed(addresses: Sequence[Address], network: Network) -> None:
    """Check every address that a name has.

    :raises BotFault: `BLOCKED_ADDRESS`, if one of them may not be called in this mode.
    """
    if network is Network.LOCAL:
        return
    for place in addresses:
        try:
            allowed = is_public(ipaddress.ip_address(place.host))
        except ValueError:
            allowed = False
        if not allowed:
            raise BotFault(
                FaultCode.BLOCKED_ADDRESS,
                "the host has an address that is not public; only public ones may be called here",
            )


class _Lookup:
    """One look-up under way; several callers may wait for it."""

    __slots__ = ("error", "found", "over")

    def __init__(self) -> None:
        self.over = threading.Event()
        self.found: tuple[Address, ...] = ()
        self.error: str | None = None


class Resolver:
    """Looks names up in helper threads, at most ``most`` at a time."""

    def __init__(self, most: int = MOST_LOOKUPS) -> None:
        self._slots = threading.BoundedSemaphore(most)
        self._lock = threading.Lock()
        self._running: dict[tuple[str, int], _Lookup] = {}

    def addresses(self, host: str, port: int, left_s: Callable[[], float]) -> Sequence[Address]:
        """Every address of the host, in the system's order of preference.

        ``left_s`` returns the seconds that are left and raises when there are none.

        :raises BotFault: `DNS`, if the name has no address; and whatever ``left_s`` raises.
        """
        try:
            literal = ipaddress.ip_address(host)
        except ValueError:
            pass
        else:
            family = socket.AF_INET if literal.version == 4 else socket.AF_INET6
            return (Address(family, host, port),)
        lookup = self._lookup(host, port, left_s)
        # Short waits, so that a caller who is told to stop meanwhile notices.
        while not lookup.over.wait(min(left_s(), 0.05)):
            pass
        if lookup.error is not None:
            raise BotFault(FaultCode.DNS, lookup.error)
        return lookup.found

    def _lookup(self, host: str, port: int, left_s: Callable[[], float]) -> _Lookup:
        key = (host, port)
        with self._lock:
            running = self._running.get(key)
        if running is not None:
            return running
        while not self._slots.acquire(timeout=min(left_s(), 0.05)):
            pass
        with self._lock:
            running = self._running.get(key)
            if running is not None:
                self._slots.release()
                return running
            lookup = self._running[key] = _Lookup()
        threading.Thread(
            target=self._run, args=(key, lookup), name="arena-lookup", daemon=True
        ).start()
        return lookup

    def _run(self, key: tuple[str, int], lookup: _Lookup) -> None:
        host, port = key
        try:
            rows = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
            lookup.found = tuple(
                Address(family, str(place[0]), port)
                for family, _, _, _, place in rows
                if family in (socket.AF_INET, socket.AF_INET6)
            )
            if not lookup.found:
                lookup.error = f"{host} has no address"
        except OSError as error:
            lookup.error = f"{host} has no address ({error.strerror or type(error).__name__})"
        except Exception as error:  # a name that the system's codec refuses
            lookup.error = f"{host} cannot be looked up ({type(error).__name__})"
        finally:
            with self._lock:
                self._running.pop(key, None)
            lookup.over.set()
            self._slots.release()


RESOLVER = Resolver()
"""Shared by the process, so that the bound on look-ups holds for all bots together."""
