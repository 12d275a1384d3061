"""How a run looks on a terminal, and plain lines where there is none."""

from __future__ import annotations

import errno
import os
import sys
from types import TracebackType
from typing import Self, TextIO

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.text import Text

from arena.store.rows import FixtureRow
from arena.tournament.model import FixtureResult


class Terminal:
    """Reports a run: a progress bar on a terminal, a line a result elsewhere.

    ``headline``: what is said once play begins. Everything goes to stderr when ``quiet_stdout`` (a
    script reads stdout), else to stdout.
    """

    def __init__(self, title: str, headline: str = "", *, quiet_stdout: bool = False) -> None:
        self.console = console(sys.stderr if quiet_stdout else sys.stdout)
        self._title = title
        self._headline = headline
        self._finished = 0
        self._total: int | None = None
        self._progress: Progress | None = None
        self._unwritten: OSError | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._progress is not None:
            self._progress.stop()
        if error is None and self._unwritten is not None:
            raise self._unwritten

    def started(self, total: int | None, finished: int) -> None:
        """Play begins."""
        self._total, self._finished = total, finished
        if self._headline:
            self.line(self._headline)
        if not self.console.is_terminal:
            return
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            console=self.console,
        )
        self._task = self._progress.add_task(self._title, total=total, completed=finished)
        self._progress.start()

    def playing(self, fixture: FixtureRow) -> None:
        """A fixture begins: nothing to see yet."""

    def played(self, fixture: FixtureRow, result: FixtureResult, sentence: str) -> None:
        """A fixture has its result."""
        self._finished += 1
        label = fixture.label or f"round {fixture.key.round}"
        if self._progress is not None:
            self._progress.update(self._task, completed=self._finished)
        of = f"/{self._total}" if self._total else ""
        self.line(f"{self._finished}{of} {label}: {sentence}")

    def message(self, text: str) -> None:
        """Something that an organiser should know."""
        self.line(f"note: {text}")

    def line(self, text: str) -> None:
        """One line, above the bar if there is one. Names are printed, never interpreted.

        Where nobody reads any more, or a log fills its disk, play goes on in silence; the error
        comes at the end.
        """
        try:
            self.console.print(Text(text))
        except OSError as error:
            self.console.quiet = True
            self._unwritten = error


class _Console(Console):
    """Fails as any file does when its reader is gone; by itself it would end the process."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError(errno.EPIPE, os.strerror(errno.EPIPE))


def console(file: TextIO) -> Console:
    """Where lines and tables go; wide enough for a table where there is no terminal."""
    made = _Console(file=file, highlight=False, soft_wrap=True)
    if not made.is_terminal:
        made.width = 120
    return made
