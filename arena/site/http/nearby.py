"""Who sits at this very machine, and whether anybody else can reach it.

A bot may have any address where the arena is not public, also one that only this machine can reach,
and its owner is shown what was answered. So such addresses are taken from those who sit here, and
from others only with an invitation.
"""

from __future__ import annotations

import ipaddress
from urllib.parse import urlsplit

from flask import current_app, request


def is_loopback(host: str) -> bool:
    """Whether this host, a name or an address, is this machine and nobody else's way to it."""
    name = host.strip("[]").lower()
    if name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        address = ipaddress.ip_address(name)
    except ValueError:
        return False
    mapped = getattr(address, "ipv4_mapped", None)
    return (mapped or address).is_loopback


def is_exposed(host: str, base_url: str | None) -> bool:
    """Whether a site that listens at this host, with this public address, can be reached by others.

    An address that stands for all of a machine's is one of them.
    """
    public = urlsplit(base_url or "").hostname
    return not is_loopback(host) or (public is not None and not is_loopback(public))


def is_here() -> bool:
    """Whether this request comes from the machine itself, under a name that only it has.

    Behind a reverse proxy with a public name nobody is: the proxy may not tell who asks. Under
    another name neither: a browser here may have been sent by a page from elsewhere whose name was
    pointed at this machine.
    """
    public = urlsplit(current_app.config["URLS"].base).hostname
    try:
        named = urlsplit(f"//{request.host}").hostname
    except ValueError:
        return False
    asked = (request.remote_addr, named, *((public,) if public else ()))
    return all(is_loopback(host or "") for host in asked)
