"""Child processes of the arena: started, awaited, their output kept short, ended as a group."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeVar

from arena.errors import ArenaError, UsageError

_T = TypeVar("_T")

STOP_SECONDS = 2.0
"""How long a child may take to end when asked to; then it is killed."""

OUTPUT_BYTES = 16_384
"""How much of the end of its output is kept to be shown when it fails."""

TAIL_LINES, TAIL_CHARACTERS = 6, 1000
"""How much of that is shown of one that ends while others go on."""

SIGNALLED = 128
"""What a shell adds to the number of the signal that ended a program, to make a status of it."""

STOP_WITH_STDIN = "ARENA_STOP_WITH_STDIN"
"""Environment variable that tells our own programs to stop when their standard input ends."""


class NotReady(UsageError):
    """A child runs, but was not ready in time."""


class Interrupted(ArenaError):
    """Waiting for something was given up because the arena is to stop."""


def never() -> bool:
    """Nobody asks the arena to stop."""
    return False


def _clause(output: str) -> str:
    """What a child printed, in a clause for people."""
    said = output.strip()
    return f"the last it printed:\n{said}" if said else "it printed nothing"


def _nothing() -> None:
    """Nobody wants to know."""


class Child:
    """A process with a process group of its own. ``what`` names it in messages.

    ``stopping``: whether the arena is to stop, so that nothing is awaited any more.

    :raises UsageError: it cannot be started.
    """

    def __init__(
        self,
        what: str,
        command: Sequence[str],
        *,
        environment: Mapping[str, str] | None = None,
        stopping: Callable[[], bool] = never,
    ) -> None:
        self.what = what
        self._stopping = stopping
        self._output: deque[bytes] = deque()
        self._size = 0
        self._news = threading.Condition()
        self._on_end: Callable[[], None] = _nothing
        self._is_over = False
        self._is_stopped = False
        try:
            # stdin stays open as long as the arena lives: its end tells our own programs to stop,
            # even when the arena was killed.
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                env={
                    **os.environ,
                    STOP_WITH_STDIN: "1",
                    "PYTHONUNBUFFERED": "1",
                    **(environment or {}),
                },
            )
        except OSError as error:
            raise UsageError(f"{what} cannot be started: {error}") from error
        self._reader = threading.Thread(target=self._drain, name=f"output of {what}", daemon=True)
        self._reader.start()

    def wait_for(self, pattern: re.Pattern[str], seconds: float) -> re.Match[str]:
        """The first match of the pattern in what it prints.

        :raises UsageError: it ended, or, as `NotReady`, time ran out; the text ends with the last
            of its output.
        :raises Interrupted: the arena is to stop.
        """
        return self._wait(lambda: pattern.search(self.output()), seconds)

    def wait_until(self, ready: Callable[[], bool], seconds: float) -> None:
        """Wait until a condition outside the process holds, looked at every 20 ms.

        :raises UsageError: it ended, or, as `NotReady`, time ran out; the text ends with the last
            of its output.
        :raises Interrupted: the arena is to stop.
        """
        self._wait(lambda: ready() or None, seconds)

    def _wait(self, look: Callable[[], _T | None], seconds: float) -> _T:
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            found = look()
            if found is not None:
                return found
            if self._stopping():
                raise Interrupted(f"{self.what} was no longer awaited")
            if not self.alive:
                self._reader.join(1)
                raise UsageError(
                    f"{self.what} ended at once with status {self._process.returncode}; "
                    + _clause(self.output())
                )
            with self._news:
                self._news.wait(0.02)
        raise NotReady(
            f"{self.what} was not ready within {seconds:.0f} s; {_clause(self.output())}"
        )

    def _drain(self) -> None:
        """Keep reading, so that a chatty child never blocks, and remember the end only."""
        assert self._process.stdout is not None
        descriptor = self._process.stdout.fileno()
        while chunk := os.read(descriptor, 65_536):
            with self._news:
                self._output.append(chunk[-OUTPUT_BYTES:])
                self._size += len(self._output[-1])
                while self._size > OUTPUT_BYTES and len(self._output) > 1:
                    self._size -= len(self._output.popleft())
                self._news.notify_all()
        self._process.wait()
        with self._news:
            self._is_over = True
            told = self._on_end
        told()

    def when_ended(self, told: Callable[[], None]) -> None:
        """Call this once it has ended and nobody has its output any more, from another thread; at
        once where that is so."""
        with self._news:
            self._on_end = told
            is_over = self._is_over
        if is_over:
            told()

    def output(self) -> str:
        """The end of what it printed, for people; marks that drive terminals are escaped."""
        with self._news:
            text = b"".join(self._output)[-OUTPUT_BYTES:].decode(errors="replace")
        return "".join(c if c.isprintable() or c == "\n" else repr(c)[1:-1] for c in text)

    @property
    def pid(self) -> int:
        """Its process id, which is its group's too."""
        return self._process.pid

    @property
    def status(self) -> int | None:
        """Its exit status, None while it runs."""
        return self._process.poll()

    @property
    def ending(self) -> str:
        """How it ended, for people."""
        status = self._process.returncode or 0
        number = -status if status < 0 else status - SIGNALLED
        with contextlib.suppress(ValueError):
            return f"was killed by {signal.Signals(number).name}"
        return f"ended with status {status}"

    @property
    def printed(self) -> str:
        """The last lines of what it printed, in a clause for people."""
        lines = self.output()[-TAIL_CHARACTERS:].strip().splitlines()[-TAIL_LINES:]
        return _clause("\n".join(lines))

    @property
    def alive(self) -> bool:
        """Whether it still runs."""
        return self._process.poll() is None

    def ask_to_stop(self) -> None:
        """Ask the whole process group to end, without waiting."""
        self._signal(signal.SIGTERM)
        with contextlib.suppress(OSError):
            if self._process.stdin:
                self._process.stdin.close()

    def stop(self) -> None:
        """End the whole process group and wait for it. Once is enough."""
        if self._is_stopped:
            return
        self.ask_to_stop()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(STOP_SECONDS)
        self._signal(signal.SIGKILL)
        self._process.wait()
        # From now on its number may be another's.
        self._is_stopped = True
        self._reader.join(1)
        if self._process.stdout and not self._reader.is_alive():
            self._process.stdout.close()

    def _signal(self, number: int) -> None:
        if self._is_stopped:
            return
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, number)


def stop_all(children: Iterable[Child]) -> None:
    """End several children at the price of one wait."""
    listed = list(children)
    for child in listed:
        child.ask_to_stop()
    for child in listed:
        child.stop()


def stop_with_stdin(stop: Callable[[], None]) -> None:
    """Call ``stop`` when standard input ends, if our parent asked for that.

    So no child is left behind when the arena is killed.
    """
    if os.environ.get(STOP_WITH_STDIN) != "1":
        return

    def watch() -> None:
        with contextlib.suppress(OSError):
            while os.read(0, 4096):
                pass
        stop()

    threading.Thread(target=watch, name="parent", daemon=True).start()
