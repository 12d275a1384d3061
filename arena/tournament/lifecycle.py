"""Changes to a tournament while it lives: pause, cancel, withdraw, void. For CLI, API and pages.

Each is one transaction on the store, refused with a sentence when it makes no sense. A referee at
work on the database reads the state between matches and follows.
"""

from __future__ import annotations

from arena.config import TournamentConfig
from arena.errors import ConfigError, StoreError
from arena.referee.ids import opaque_id
from arena.store import Store
from arena.store.rows import (
    EntrantState,
    FixtureStatus,
    TournamentRow,
    TournamentState,
)
from arena.tournament.results import stored_results


def pause(store: Store, row: TournamentRow) -> TournamentRow:
    """Start no more matches; those in play are finished.

    :raises StoreError: it is not running.
    """
    if row.state is not TournamentState.RUNNING:
        raise StoreError(f"{row.name!r} is {row.state}; only a running tournament can be paused")
    store.tournaments.set_state(row.id, TournamentState.PAUSED)
    return store.tournaments.get(row.id)


def cancel(store: Store, row: TournamentRow) -> TournamentRow:
    """End it for good. What was played stays, and the secret is published.

    :raises StoreError: it is over already.
    """
    if row.over:
        raise StoreError(f"{row.name!r} is {row.state} already")
    store.tournaments.set_state(row.id, TournamentState.CANCELLED)
    return store.tournaments.get(row.id)


def withdraw(store: Store, row: TournamentRow, bot: str, *, disqualify: bool = False) -> None:
    """Take a bot out. Its open matches become forfeits when their turn comes.

    A disqualified bot's results count for nobody; a withdrawn one keeps what it has.

    :raises StoreError: the tournament is over.
    :raises ConfigError: no such bot takes part.
    """
    if row.over:
        raise StoreError(f"{row.name!r} is {row.state}; nobody can leave it any more")
    entrants = {entrant.name: entrant for entrant in store.tournaments.entrants(row.id)}
    if bot not in entrants:
        raise ConfigError(f"{bot!r} is not in {row.name!r}; there are: {', '.join(entrants)}")
    state = EntrantState.DISQUALIFIED if disqualify else EntrantState.WITHDRAWN
    store.tournaments.set_entrant_state(row.id, entrants[bot].number, state)


def void(store: Store, fixture_id: str) -> TournamentRow:
    """Void a finished match and schedule it again with new deals; the tournament runs again.

    :raises StoreError: there is no such finished match, the tournament was cancelled, or matches
        that follow from it have been scheduled.
    """
    fixture = store.fixtures.get(fixture_id)
    if fixture is None:
        raise StoreError(f"no match with the id {fixture_id!r}; pages show the ids")
    row = store.tournaments.get(fixture.tournament_id)
    if fixture.status is not FixtureStatus.FINISHED:
        raise StoreError(f"match {fixture_id} is {fixture.status}; only a finished one can be void")
    if row.state is TournamentState.CANCELLED:
        raise StoreError(f"{row.name!r} is cancelled; nothing is played again in it")
    _check_nothing_follows(store, row, fixture_id)
    with store.transaction():
        store.fixtures.void(fixture_id)
        new_id = opaque_id("m", bytes.fromhex(row.secret), *fixture.key, fixture.replay + 1)
        store.fixtures.add(
            row.id,
            new_id,
            fixture.fixture,
            position=fixture.position,
            replay=fixture.replay + 1,
        )
        store.tournaments.set_state(row.id, TournamentState.RUNNING)
    return store.tournaments.get(row.id)


def _check_nothing_follows(store: Store, row: TournamentRow, fixture_id: str) -> None:
    """Without this result the format must still make every other fixture that there is."""
    config = TournamentConfig.from_json(row.config)
    entrants = sorted(store.tournaments.entrants(row.id), key=lambda entrant: entrant.seeding)
    fixture = store.fixtures.get(fixture_id)
    assert fixture is not None
    results = stored_results(store, row.id)
    del results[fixture.key]
    planned = {
        made.key: made
        for made in config.find_format().fixtures(
            [entrant.number for entrant in entrants], config.options, results
        )
    }
    for other in store.fixtures.of(row.id):
        if planned.get(other.key) != other.fixture:
            raise StoreError(
                f"{other.label or other.id} was paired from the result of {fixture_id}; "
                "void that match first"
            )
