"""Which tournament anybody plays, for pages that would else call dead matches live."""

from __future__ import annotations

import threading
import time
from datetime import UTC, datetime
from pathlib import Path

from arena.store.lock import Played, played

KEPT_S = 1.0
"""For so long an answer holds, so that readers do not contend for the referee's lock."""

STARTING_S = 10.0
"""So long a referee that was just started may take to be at work."""

BEGINNING_S = 5.0
"""So long after a tournament has begun nobody is told that it is interrupted: its referee may be
about to say that it is at work."""


class Watch:
    """Looks for a referee at most once a second. Safe for threads."""

    def __init__(self, database: Path) -> None:
        self._database = database
        self._lock = threading.Lock()
        self._until = 0.0
        self._found: Played | None = None
        self._expected: dict[str, float] = {}

    def plays(self, tournament: str) -> bool:
        """Whether a referee plays the tournament with this id, or is about to.

        One that does not say what it plays may be playing any.
        """
        with self._lock:
            found = self._look()
            if found is not None and found.tournament in (tournament, None):
                return True
            return tournament in self._expected_now()

    def awaited(self, tournament: str) -> tuple[str, ...]:
        """The bots that have to answer before a referee plays anything of this tournament."""
        with self._lock:
            found = self._look()
        return found.awaited if found is not None and found.tournament == tournament else ()

    def stamp(self) -> str:
        """Changes with what is played, and with what that waits for."""
        with self._lock:
            found = self._look()
            name = "" if found is None else found.tournament or "any"
            awaited = found.awaited if found is not None else ()
            return "+".join((name, *awaited, "", *sorted(self._expected_now())))

    def expect(self, tournament: str, for_s: float = STARTING_S) -> None:
        """A referee was started for this tournament, and has so long to be at work."""
        with self._lock:
            self._expected[tournament] = time.monotonic() + for_s

    def begin(self, tournament: str, started_at: str | None) -> None:
        """A tournament began at this time stamp: if just now, its referee is expected."""
        if started_at is None:
            return
        age = (datetime.now(UTC) - datetime.fromisoformat(started_at)).total_seconds()
        if 0 <= age < BEGINNING_S:
            self.expect(tournament, BEGINNING_S - age)

    def _look(self) -> Played | None:
        at = time.monotonic()
        if at >= self._until:
            self._found = played(self._database)
            self._until = at + KEPT_S
        return self._found

    def _expected_now(self) -> list[str]:
        at = time.monotonic()
        self._expected = {id: until for id, until in self._expected.items() if at < until}
        return list(self._expected)
