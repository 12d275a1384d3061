"""A socket to serve at, or one sentence about why not."""

from __future__ import annotations

import errno
import socket

from arena.errors import ConfigError


def listen(host: str, port: int) -> socket.socket:
    """A bound socket, not yet listening. Port 0 takes a free one.

    :raises ConfigError: the port is taken, or the address is none of this machine's.
    """
    made: socket.socket | None = None
    try:
        family, kind, proto, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        made = socket.socket(family, kind, proto)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind(address)
    except (OSError, OverflowError, UnicodeError) as error:
        if made is not None:
            made.close()
        number = getattr(error, "errno", None)
        if number == errno.EADDRINUSE:
            raise ConfigError(f"port {port} is in use; choose another with --port") from error
        if number == errno.EACCES:
            raise ConfigError(f"port {port} needs more rights; choose one above 1023") from error
        reason = getattr(error, "strerror", None) or str(error)
        raise ConfigError(
            f"cannot listen on {host} port {port}: {reason}; choose another --host or --port"
        ) from error
    return made
