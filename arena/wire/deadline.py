"""A socket that cannot exceed the budget of its call.

Every single read and write first asks what is left of the call's time and waits no longer, and
counts the bytes. Status line, interim answers, headers, chunk lines, body, trailers and the TLS
handshake are all covered, because all of them go through this socket. Nothing here knows HTTP.
"""

from __future__ import annotations

import errno
import io
import math
import os
import select
import socket
import ssl
from typing import TYPE_CHECKING

from arena.wire.budget import Budget, Piece

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

PIECE = 8 * 1024


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
