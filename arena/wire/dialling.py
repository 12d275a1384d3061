"""Connecting to a host that may have several addresses."""

from __future__ import annotations

import errno
import socket
from collections.abc import Callable, Sequence

from arena.shortage import is_shortage
from arena.wire.addresses import Address
from arena.wire.budget import Budget
from arena.wire.deadline import DeadlineSocket


def first_that_answers(
    addresses: Sequence[Address],
    budget: Budget,
    trying: Callable[[Address, DeadlineSocket], object] = lambda address, sock: None,
) -> DeadlineSocket:
    """Connect to the first address that answers; each gets its share of the time left.

    ``trying`` is told of each attempt before it is made. A socket that does not connect is closed.

    :raises OSError: what the last address said, or that the system is short of sockets.
    :raises BotFault, Cancelled: as the budget does.
    """
    last: OSError = ConnectionRefusedError(errno.ECONNREFUSED, "nobody listens")
    for index, address in enumerate(addresses):
        more = len(addresses) - index - 1
        share_s = budget.left_s() / (more + 1) if more else None
        try:
            sock = DeadlineSocket(socket.socket(address.family, socket.SOCK_STREAM), budget)
        except OSError as error:
            if is_shortage(error):
                raise
            last = error  # the system knows no such family
            continue
        trying(address, sock)
        try:
            sock.connect(address.host, address.port, share_s)
        except OSError as error:
            last = error
            sock.close()
        except BaseException:
            sock.close()
            raise
        else:
            return sock
    raise last
