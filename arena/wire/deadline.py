"""One allowance of time and bytes for a whole call, and a socket that cannot exceed it.

A time limit on each read is no limit: a bot that sends a byte now and then beats it. Here every
single read and write first sets the socket's timeout to what is left of the call, and counts the
bytes. Status line, interim answers, headers, chunk lines, body, trailers and the TLS handshake are
all covered, because all of them go through this socket. Nothing here knows HTTP.
"""

from __future__ import annotations

import errno
import io
import math
import os
import select
import socket
import ssl
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from arena.referee.verdicts import BotFault, FaultCode

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

REPLY_CAP = 64 * 1024
"""Most bytes of an answer on the wire, headers and chunk lines included."""
HEADER_CAP = 16 * 1024
"""Most bytes of status lines and headers, those of interim answers included."""
PIECE = 8 * 1024


class Cancelled(Exception):
    """The arena itself gave the call up; nobody is to blame."""


class Piece(NamedTuple):
    """Bytes of an answer that were read at once, and when."""

    at: float
    data: bytes


class Budget:
    """What one call may use. Times are seconds, by the monotonic clock unless another is given.

    The clock starts with the first thing done on the network, so the arena's own preparations are
    not charged. A call may carry decisions with different allowances: at the end of each but the
    last, ``expired`` is told the allowance in milliseconds, and the call goes on for the others.
    Their time runs meanwhile, so ``expired`` must do next to nothing.
    """

    __slots__ = (
        "_allowances_ms",
        "_ends",
        "_expired",
        "_header_cap",
        "_now",
        "_reply_cap",
        "_stage",
        "cancelled",
        "in_head",
        "last_read",
        "phase",
        "received",
        "started",
        "tape",
    )

    def __init__(
        self,
        reply_cap: int = REPLY_CAP,
        header_cap: int = HEADER_CAP,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._reply_cap = reply_cap
        self._header_cap = header_cap
        self._now = now
        self.cancelled = False
        self.tape: list[Piece] | None = None
        """What was read in this call, if that is to be kept: an empty list asks for it."""
        self.begin((0.0,))

    def begin(
        self, allowances_ms: Sequence[float], expired: Callable[[float], None] | None = None
    ) -> None:
        """Make ready for a call; ``allowances_ms`` ascend."""
        self._allowances_ms = allowances_ms
        self._expired = expired
        if self.tape is not None:
            self.tape = []
        self._stage = 0
        self._ends = 0.0
        self.started = 0.0
        self.last_read = 0.0
        self.received = 0
        self.in_head = True
        self.phase = "starting"

    @property
    def ends(self) -> float:
        """When the running allowance is used up, once the clock has started."""
        return self._ends

    def now(self) -> float:
        """The time of its clock."""
        return self._now()

    def left_s(self) -> float:
        """Seconds left, more than 0; the first call starts the clock.

        :raises BotFault: `TIMEOUT`, if the last allowance is used up.
        :raises Cancelled: the arena gave up.
        """
        if self.cancelled:
            raise Cancelled
        now = self._now()
        if not self.started:
            self.started = now
            self._ends = now + self._allowances_ms[0] / 1000
        left = self._ends - now
        while left <= 0:
            allowance = self._allowances_ms[self._stage]
            if self._stage + 1 == len(self._allowances_ms):
                raise self._timeout(allowance)
            self._stage += 1
            if self._expired is not None:
                self._expired(allowance)
            self._ends = self.started + self._allowances_ms[self._stage] / 1000
            left = self._ends - self._now()
        return left

    def took(self, count: int) -> None:
        """Count bytes that were read.

        :raises BotFault: `TOO_LARGE`, if an answer may not have that many.
        """
        self.received += count
        self.last_read = self._now()
        if self.received > self._reply_cap:
            raise self.fault(
                FaultCode.TOO_LARGE, f"more than {self._reply_cap} bytes; send a shorter answer"
            )

    def wants_head(self) -> None:
        """Called before reading more of a head that is not complete yet.

        :raises BotFault: `TOO_LARGE`, if it is longer than heads may be.
        """
        if self.in_head and self.received >= self._header_cap:
            raise self.fault(
                FaultCode.TOO_LARGE, f"more than {self._header_cap} bytes of headers; send fewer"
            )

    def elapsed_ms(self) -> float:
        """Wall time since the clock started, at most the allowance."""
        if not self.started:
            return 0.0
        elapsed = (self._now() - self.started) * 1000
        return min(elapsed, self._allowances_ms[-1])

    def fault(self, code: FaultCode, detail: str) -> BotFault:
        """A fault that happened now."""
        return BotFault(code, detail, self.elapsed_ms())

    def check_in_time(self) -> None:
        """Called once the answer is complete.

        :raises BotFault: `TIMEOUT`, if its last byte was read after the last allowance.
        """
        allowance = self._allowances_ms[-1]
        if (self.last_read - self.started) * 1000 > allowance:
            raise self._timeout(allowance)

    def _timeout(self, allowance_ms: float) -> BotFault:
        where = f"while {self.phase}"
        if self.received:
            where += f", after {self.received} bytes"
        return BotFault(
            FaultCode.TIMEOUT,
            f"no complete answer within {allowance_ms:.0f} ms ({where})",
            allowance_ms,
        )


def is_ready(descriptor: int, *, write: bool, timeout_s: float) -> bool:
    """Wait until the socket can be written or read (or has failed); False if it took too long."""
    if hasattr(select, "poll"):
        poller = select.poll()
        poller.register(descriptor, select.POLLOUT if write else select.POLLIN)
        return bool(poller.poll(math.ceil(timeout_s * 1000)))
    reads, writes = ([], [descriptor]) if write else ([descriptor], [])
    return any(select.select(reads, writes, [descriptor], timeout_s))


class DeadlineSocket:
    """A socket whose connecting, reading and writing obey a `Budget`. Plain or TLS."""

    __slots__ = ("_budget", "_reader", "_sock", "eof", "left_over", "put_back")

    def __init__(self, sock: socket.socket, budget: Budget) -> None:
        # Waiting is done by polling alone: a socket with a time limit of its own would poll before
        # every call and be told of a new limit before that.
        sock.setblocking(False)
        self._sock = sock
        self._budget = budget
        self._reader: _Reader | None = None
        self.eof = False
        """The other side has closed."""
        self.left_over = False
        """More bytes than the answer had were read with it."""
        self.put_back = b""
        """Bytes that were read already and are to be read again."""

    def send_at_once(self, data: bytes) -> bytes:
        """Send what can be sent without waiting; the rest is returned."""
        self._budget.left_s()
        try:
            return data[self._sock.send(data) :]
        except BlockingIOError:
            return data
        except BrokenPipeError:
            return b""  # an answer may have come before the bot closed

    def sendall(self, data: bytes) -> None:
        """Send all of the data."""
        view = memoryview(data)
        while view:
            left_s = self._budget.left_s()
            try:
                view = view[self._sock.send(view) :]
            except (BlockingIOError, ssl.SSLWantWriteError):
                self._wait(left_s, write=True)
            except ssl.SSLWantReadError:
                self._wait(left_s)

    def recv_into(self, buffer: WriteableBuffer) -> int:
        """Read what is there, waiting for it as long as the budget lasts; 0 at the end."""
        budget = self._budget
        budget.wants_head()
        while True:
            left_s = budget.left_s()
            if not self.pending():
                self._wait(left_s)
            try:
                count = self._sock.recv_into(buffer)
            except (BlockingIOError, ssl.SSLWantReadError):
                continue  # left_s decides whether that was the end
            if count:
                if budget.tape is not None:
                    budget.tape.append(Piece(budget.now(), bytes(memoryview(buffer)[:count])))
                budget.took(count)
            else:
                self.eof = True
            return count

    def recv_at_once(self) -> bytes | None:
        """Read what is there; nothing at the end, None if nothing is there yet."""
        self._budget.wants_head()
        try:
            data = self._sock.recv(PIECE)
        except BlockingIOError:
            return None
        if data:
            self._budget.took(len(data))
        else:
            self.eof = True
        return data

    def _wait(self, left_s: float, *, write: bool = False) -> None:
        is_ready(self._sock.fileno(), write=write, timeout_s=left_s)

    def makefile(self, mode: str) -> io.BufferedReader:
        """The reader that `http.client` parses from, the same one until it is closed."""
        if self._reader is None or self._reader.closed:
            self._reader = _Reader(_Raw(self), PIECE)
        return self._reader

    def handshake(self, context: ssl.SSLContext, name: str) -> None:
        """Encrypt, checking that the certificate is for this name."""
        # A cut without a closing message is an error, else a cut answer could pass for a whole one.
        self._sock = sock = context.wrap_socket(
            self._sock,
            server_hostname=name,
            suppress_ragged_eofs=False,
            do_handshake_on_connect=False,
        )
        while True:
            left_s = self._budget.left_s()
            try:
                return sock.do_handshake()
            except ssl.SSLWantReadError:
                self._wait(left_s)
            except ssl.SSLWantWriteError:
                self._wait(left_s, write=True)

    def connect(self, host: str, port: int, share_s: float | None) -> None:
        """Connect to a numeric address, within ``share_s`` seconds if another is to be tried too.

        :raises OSError: nobody answers there.
        """
        sock = self._sock
        error = sock.connect_ex((host, port))
        if error in (errno.EINPROGRESS, errno.EWOULDBLOCK):
            while True:
                left_s = self._budget.left_s()  # decides when it is over
                wait_s = left_s if share_s is None else min(left_s, share_s)
                if is_ready(sock.fileno(), write=True, timeout_s=wait_s):
                    break
                if share_s is not None:
                    raise OSError(errno.ETIMEDOUT, os.strerror(errno.ETIMEDOUT))
            error = sock.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
        if error:
            raise OSError(error, os.strerror(error))
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def is_stale(self) -> bool:
        """Whether bytes wait, or the other side has closed, although nothing was asked."""
        return self.pending() > 0 or is_ready(self._sock.fileno(), write=False, timeout_s=0.0)

    def fileno(self) -> int:
        """The descriptor, -1 once closed."""
        return self._sock.fileno()

    def pending(self) -> int:
        """Decrypted bytes that wait in memory, where polling the descriptor cannot see them."""
        return self._sock.pending() if isinstance(self._sock, ssl.SSLSocket) else 0

    def abort(self) -> None:
        """Wake whoever waits on this socket. May be called from any thread."""
        try:
            self._sock.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass  # not connected, or gone already

    def close(self) -> None:
        """Give the descriptor back."""
        if self._reader is not None:
            self._reader.close()
            self._reader = None
        self._sock.close()


class _Raw(io.RawIOBase):
    """What the buffered reader reads from."""

    def __init__(self, sock: DeadlineSocket) -> None:
        self._sock = sock
        self.drained = False

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer) -> int | None:
        sock = self._sock
        if self.drained:
            return None
        if not sock.put_back:
            return sock.recv_into(buffer)
        target = memoryview(buffer).cast("B")
        count = min(len(target), len(sock.put_back))
        target[:count] = sock.put_back[:count]
        sock.put_back = sock.put_back[count:]
        return count


class _Reader(io.BufferedReader):
    """A reader that notes, when it is closed, whether bytes were left in it.

    `http.client` closes it at the end of an answer. What is left then belongs to no request, and
    the connection must not be used again.
    """

    raw: _Raw

    def close(self) -> None:
        if not self.closed:
            self.raw.drained = True
            self.raw._sock.left_over = bool(self.peek(1))
        super().close()
