"""A change in a tournament that is being played."""

from __future__ import annotations

from pathlib import Path

from arena.store import Store
from arena.store.rows import FixtureStatus


def begin_match(database: Path) -> str:
    """Begin a match of the running league; its id."""
    with Store(database) as store:
        row = store.tournaments.by_slug("sunday-table")
        assert row is not None
        fixture = next(f for f in store.fixtures.of(row.id) if f.status is FixtureStatus.PENDING)
        store.fixtures.start(fixture.id)
        return fixture.id
