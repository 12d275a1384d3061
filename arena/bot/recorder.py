"""Keeps what a bot was asked and what it answered, a JSON object a line.

For authors: a request that was kept is a test (``BotView(line["request"])``). It never costs a
decision: where it cannot write it says so once and keeps nothing more.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from threading import Lock
from typing import Any, BinaryIO

import orjson

from arena.errors import UsageError


class Recorder:
    """Appends to a file, from any thread; every line is written whole and at once.

    :raises UsageError: the file cannot be opened.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = Lock()
        try:
            self._file: BinaryIO | None = path.open("ab", buffering=0)
        except OSError as error:
            raise UsageError(f"requests cannot be kept in {path}: {error.strerror}") from None

    def keep(
        self, request: Mapping[str, Any], answer: Mapping[str, Any] | None, error: str | None = None
    ) -> None:
        """Write down a decision: its request, and the answer or what the bot raised."""
        line = _line(request, answer, error)
        with self._lock:
            if self._file is None:
                return
            try:
                self._file.write(line)
            except OSError as failure:
                self._file.close()
                self._file = None
                print(
                    f"warning: requests are kept no more in {self._path}: {failure.strerror}",
                    file=sys.stderr,
                    flush=True,
                )

    def close(self) -> None:
        """Keep nothing more."""
        with self._lock:
            if self._file is not None:
                self._file.close()
                self._file = None


def _line(request: Mapping[str, Any], answer: Mapping[str, Any] | None, error: str | None) -> bytes:
    said = None if error is None else error.encode("utf-8", "replace").decode()
    kept = {"request": request, "answer": answer, "error": said}
    try:
        return orjson.dumps(kept, option=orjson.OPT_APPEND_NEWLINE)
    except TypeError as wrong:
        kept |= {"answer": None, "error": f"an answer that cannot be sent: {wrong}"}
        return orjson.dumps(kept, option=orjson.OPT_APPEND_NEWLINE)
