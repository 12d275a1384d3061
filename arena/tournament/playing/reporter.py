"""Whom the runner tells how it goes. The command line draws bars, tests collect, pages poll."""

from __future__ import annotations

from typing import Protocol

from arena.store.rows import FixtureRow
from arena.tournament.model import FixtureResult


class Reporter(Protocol):
    """Listens to a run. Calls come from one thread, in order; only messages from any."""

    def started(self, total: int | None, finished: int) -> None:
        """Play begins: fixtures in all (None: not known yet) and finished before."""
        ...

    def playing(self, fixture: FixtureRow) -> None:
        """A fixture begins."""
        ...

    def played(self, fixture: FixtureRow, result: FixtureResult, sentence: str) -> None:
        """A fixture has its result."""
        ...

    def message(self, text: str) -> None:
        """Something that an organiser should know."""
        ...


class Silent:
    """Listens and says nothing."""

    def started(self, total: int | None, finished: int) -> None:
        """Nothing."""

    def playing(self, fixture: FixtureRow) -> None:
        """Nothing."""

    def played(self, fixture: FixtureRow, result: FixtureResult, sentence: str) -> None:
        """Nothing."""

    def message(self, text: str) -> None:
        """Nothing."""
