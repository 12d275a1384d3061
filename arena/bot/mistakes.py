"""What a bot did wrong, for its author, on stderr: each mistake once, then how often.

A hopeless bot fills no disk, and an author reads the lines of their own files only.
"""

from __future__ import annotations

import sys
import threading
import traceback
from collections import Counter
from pathlib import Path
from types import TracebackType

import arena

MAX_LOGGED = 20
"""How many different mistakes are told in full; of all later ones nothing but their count."""

_ARENA = Path(arena.__file__).parent
_SAMPLES = _ARENA / "sample_bots"


class Mistakes:
    """The mistakes of one bot. Safe to use from several threads."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._counts: Counter[object] = Counter()
        self._lock = threading.Lock()

    def raised(self, error: BaseException) -> None:
        """An exception came out of the bot. The same from the same line counts as the same."""
        frames = _own_frames(error.__traceback__)
        last = frames[-1] if frames else None
        place = (last.filename, last.lineno) if last else None
        self._tell((type(error), place), "failed\n" + _text(error, frames))

    def chose(self, action: object, phase: str, request_id: str) -> None:
        """The bot chose what is not legal. The same kind in the same phase counts as the same."""
        kind = str(action).partition(":")[0]
        self._tell((kind, phase), f"chose {action!r}, not legal in {request_id} (phase {phase})")

    def _tell(self, key: object, what: str) -> None:
        with self._lock:
            known = key in self._counts
            if not known and len(self._counts) >= MAX_LOGGED:
                key, known = "others", True
            self._counts[key] += 1
            count, number = self._counts[key], len(self._counts)
        if not known:
            self._print(f"(mistake {number}) {what.rstrip()}")
        elif str(count).strip("0") == "1":
            what = "(other mistakes)" if key == "others" else what.rstrip().splitlines()[-1]
            self._print(f"same again ×{count}: {what}")

    def _print(self, text: str) -> None:
        print(f"{self._name} {text}", file=sys.stderr, flush=True)


def _own_frames(trace: TracebackType | None) -> list[traceback.FrameSummary]:
    """The lines of the author's own files and of what they call, without the arena's."""
    return [frame for frame in traceback.extract_tb(trace) if not _is_ours(Path(frame.filename))]


def _is_ours(file: Path) -> bool:
    return file.is_relative_to(_ARENA) and not file.is_relative_to(_SAMPLES)


def _text(error: BaseException, frames: list[traceback.FrameSummary]) -> str:
    lines = traceback.format_list(frames)
    return "".join([*lines, *traceback.format_exception_only(error)])
