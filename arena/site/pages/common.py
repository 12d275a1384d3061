"""What the blueprints share: finding things by address, and snapshots of them."""

from __future__ import annotations

from flask import abort, current_app

from arena.site.reading import store
from arena.site.respond import unchanged
from arena.site.snapshots import Snapshot, Snapshots
from arena.store.rows import FixtureRow, TournamentRow


def tournament_at(slug: str) -> TournamentRow:
    """The tournament at this address, or 404."""
    found = store().tournaments.by_slug(slug)
    if found is None:
        abort(404, "There is no tournament at this address.")
    return found


def snapshot_of(tournament: TournamentRow) -> Snapshot:
    """The tournament with all that its pages show."""
    snapshots: Snapshots = current_app.config["SNAPSHOTS"]
    return snapshots.get(store(), tournament)


def snapshot_at(slug: str) -> Snapshot:
    """The tournament at this address with all that its pages show, or 404."""
    return snapshot_of(tournament_at(slug))


def fixture_of(tournament: TournamentRow, fixture_id: str) -> FixtureRow:
    """A fixture of this tournament, or 404."""
    found = store().fixtures.get(fixture_id)
    if found is None or found.tournament_id != tournament.id:
        abort(404, "This tournament has no such match.")
    return found


__all__ = ["fixture_of", "snapshot_at", "snapshot_of", "tournament_at", "unchanged"]
