"""Changes to a tournament while it lives: pause, finish, cancel, withdraw, void. For CLI, API and
pages.

Each is one transaction on the store, refused with a sentence when it makes no sense. A referee at
work on the database reads the state between matches and follows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from arena.config import TournamentConfig
from arena.errors import ConfigError, StoreError
from arena.referee.ids import fixture_id
from arena.store import Store
from arena.store.rows import (
    OPEN,
    EntrantRow,
    EntrantState,
    FixtureRow,
    FixtureStatus,
    TournamentRow,
    TournamentState,
)
from arena.tournament.results import left_of, stored_results


def pause(store: Store, row: TournamentRow) -> TournamentRow:
    """Start no more matches; those in play are finished.

    :raises StoreError: it is not running.
    """
    if not store.tournaments.move(row.id, TournamentState.PAUSED, (TournamentState.RUNNING,)):
        state = store.tournaments.get(row.id).state
        raise StoreError(f"{row.name!r} is {state}; only a running tournament can be paused")
    return store.tournaments.get(row.id)


def reopen(store: Store, row: TournamentRow) -> TournamentRow:
    """Let a paused tournament be played on by the next referee; others stay as they are."""
    store.tournaments.move(row.id, TournamentState.RUNNING, (TournamentState.PAUSED,))
    return store.tournaments.get(row.id)


def finish(store: Store, row: TournamentRow) -> TournamentRow:
    """End a ladder with the round that is in play: from now on it has so many rounds.

    Where all matches of that are played it is finished at once; otherwise as soon as they are, by
    the referee that is at work or by the next.

    :raises StoreError: it is over, has not begun, or is no ladder.
    """
    with store.transaction():
        row = store.tournaments.get(row.id)
        if row.over:
            raise StoreError(f"{row.name!r} is {row.state} already")
        config = TournamentConfig.from_json(row.config)
        if not config.find_format().runs_on:
            raise StoreError(
                f"{row.name!r} is no ladder: it is finished when all its matches are played; only "
                "cancelling ends it before"
            )
        latest = store.fixtures.of(row.id, since=store.fixtures.begins(row.id, 0))
        if not latest:
            raise StoreError(f"{row.name!r} has not begun; cancel it instead")
        rounds = min(latest[-1].key.round, config.options.rounds or latest[-1].key.round)
        ended = replace(config, options=replace(config.options, rounds=rounds))
        store.tournaments.set_config(row.id, ended.to_json())
        if not any(fixture.status in OPEN for fixture in latest):
            store.tournaments.set_state(row.id, TournamentState.FINISHED)
    return store.tournaments.get(row.id)


def cancel(store: Store, row: TournamentRow) -> TournamentRow:
    """End it for good. What was played stays, and the secret is published.

    Matches that are in play are void from this moment: with the secret known, nothing that is
    still decided in them may count.

    :raises StoreError: it is over already.
    """
    with store.transaction():
        row = store.tournaments.get(row.id)
        if row.over:
            raise StoreError(f"{row.name!r} is {row.state} already")
        for fixture in store.fixtures.of(row.id):
            if fixture.status is FixtureStatus.PLAYING:
                store.fixtures.void(fixture.id)
        store.tournaments.set_state(row.id, TournamentState.CANCELLED)
    return store.tournaments.get(row.id)


def withdraw(store: Store, row: TournamentRow, bot: str, *, disqualify: bool = False) -> None:
    """Take a bot out. Its open matches become forfeits when their turn comes.

    A disqualified bot's results count for nobody; a withdrawn one keeps what it has.

    :raises StoreError: the tournament is over, or the bot has left or was disqualified before.
    :raises ConfigError: no such bot takes part.
    """
    with store.transaction():
        entrant = find_entrant(store, row, bot)
        if entrant.state is EntrantState.WITHDRAWN and not disqualify:
            raise StoreError(f"{bot!r} has left {row.name!r} already")
        state = EntrantState.DISQUALIFIED if disqualify else EntrantState.WITHDRAWN
        store.tournaments.set_entrant_state(row.id, entrant.number, state)


def find_entrant(store: Store, row: TournamentRow, bot: str) -> EntrantRow:
    """The bot of this name, which can be taken out now.

    :raises StoreError: the tournament is over, or the bot was disqualified before.
    :raises ConfigError: no such bot takes part.
    """
    row = store.tournaments.get(row.id)
    if row.over:
        raise StoreError(f"{row.name!r} is {row.state}; nobody can leave it any more")
    entrants = {entrant.name: entrant for entrant in store.tournaments.entrants(row.id)}
    if bot not in entrants:
        raise ConfigError(f"{bot!r} is not in {row.name!r}; there are: {', '.join(entrants)}")
    if entrants[bot].state is EntrantState.DISQUALIFIED:
        raise StoreError(f"{bot!r} is disqualified in {row.name!r} already")
    return entrants[bot]


def _why_not_void(row: TournamentRow, fixture: FixtureRow) -> str | None:
    """Why this match cannot be voided, None if it can as far as its own state goes."""
    if row.over:
        return (
            f"{row.name!r} is {row.state}: its secret is public, so a match that is played again "
            "could be played with open cards"
        )
    if fixture.status is not FixtureStatus.FINISHED:
        return f"match {fixture.id} is {fixture.status}; only a finished one can be void"
    return None


def void(store: Store, id: str) -> TournamentRow:
    """Void a finished match with all that share its deals, and schedule them again with new ones.

    The other half of a mirrored pair has been played, or would be, with deals that are not those of
    the replay: half a pair proves nothing, and whoever saw the old deals must not meet them again.
    So both are played again, all seat orders of a larger table likewise, with deals that none of
    them ever had. What had been played of the others is void too.

    :raises StoreError: there is no such finished match, the tournament is over, or matches that
        follow from it have been scheduled.
    """
    with store.transaction():
        fixture = find_match(store, id)
        row = store.tournaments.get(fixture.tournament_id)
        reason = _why_not_void(row, fixture)
        if reason is not None:
            raise StoreError(reason)
        together = void_together(store, fixture)
        _check_nothing_follows(store, row, fixture, together)
        replay = 1 + max(other.replay for other in store.fixtures.sharing_deals(fixture))
        for one in together:
            store.fixtures.void(one.id)
            new_id = fixture_id(bytes.fromhex(row.secret), row.id, one.key, replay)
            store.fixtures.add(row.id, new_id, one.fixture, position=one.position, replay=replay)
    return row


def find_match(store: Store, id: str) -> FixtureRow:
    """The match with this id.

    :raises StoreError: there is none.
    """
    fixture = store.fixtures.get(id)
    if fixture is None:
        raise StoreError(f"no match with the id {id!r}; pages show the ids")
    return fixture


def void_together(store: Store, fixture: FixtureRow) -> list[FixtureRow]:
    """The matches that are void when this one is: those with the same deals, itself included."""
    return [
        other
        for other in store.fixtures.sharing_deals(fixture)
        if other.status is not FixtureStatus.VOID
    ]


def _check_nothing_follows(
    store: Store, row: TournamentRow, fixture: FixtureRow, together: Sequence[FixtureRow]
) -> None:
    """Without these results the format must still make every other fixture that there is."""
    config = TournamentConfig.from_json(row.config)
    entrants = sorted(store.tournaments.entrants(row.id), key=lambda entrant: entrant.seeding)
    results = stored_results(store, row.id)
    for one in together:
        results.pop(one.key, None)
    planned = {
        made.key: made
        for made in config.find_format().fixtures(
            [entrant.number for entrant in entrants], config.options, results, left_of(entrants)
        )
    }
    for other in store.fixtures.of(row.id):
        if planned.get(other.key) != other.fixture:
            raise StoreError(
                f"{other.label or 'a later match'} ({other.id}) was paired from the result of "
                f"{fixture.id}: it has to be void first, and so on back"
            )
