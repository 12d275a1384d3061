"""Pausing, cancelling and resuming, whatever else happens at the same time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from arena.config import TournamentConfig
from arena.errors import StoreError
from arena.referee.asks import Ask, Reply
from arena.store import Store
from arena.store.rows import FixtureRow, FixtureStatus, TournamentRow, TournamentState
from arena.tournament import lifecycle
from arena.tournament.create import create_tournament
from arena.tournament.dossier import StoredDossier
from arena.tournament.match import forfeit_result
from arena.tournament.playing.reporter import Silent
from arena.tournament.playing.runner import Runner
from arena.tournament.verification.verify import verify
from tests.tournament.lives import BOTS, SECRET, InProcess, StopAfter, cancel, make, pause, run


def test_paused_tournament_stops_between_matches_and_goes_on_when_resumed(store: Store) -> None:
    """What is in play is finished; the rest waits."""
    row = make(store)

    state = run(store, row, StopAfter(3, lambda: pause(store, row)))

    assert state is TournamentState.PAUSED
    assert _finished(store, row) == 3
    assert run(store, row) is TournamentState.FINISHED
    assert _finished(store, row) == 12
    assert verify(StoredDossier(store, row.id)).finished


def _finished(store: Store, row: TournamentRow) -> int:
    return sum(f.status is FixtureStatus.FINISHED for f in store.fixtures.of(row.id))


def test_cancelled_tournament_is_over_and_cannot_be_resumed(store: Store) -> None:
    """Its results stay; a runner refuses it."""
    row = make(store)
    run(store, row, StopAfter(2, lambda: cancel(store, row)))

    assert store.tournaments.get(row.id).state is TournamentState.CANCELLED
    assert _finished(store, row) == 2
    with pytest.raises(StoreError, match="cancelled already"):
        run(store, row)
    with pytest.raises(StoreError, match="cancelled already"):
        lifecycle.cancel(store, store.tournaments.get(row.id))


def test_pause_while_bots_are_greeted_is_not_undone(store: Store) -> None:
    """What a person decided last holds, whatever the referee had read before."""
    row = make(store)
    seen = store.tournaments.get(row.id)
    pause(store, row)
    contact = InProcess()
    runner = Runner(store, seen, {n: contact for n in range(4)}, in_flight=1)

    assert runner.run() is TournamentState.PAUSED
    assert not store.fixtures.of(row.id)


def test_cancel_in_play_drops_what_is_in_play_and_counts_nothing_of_it(store: Store) -> None:
    """With the secret published, a match that goes on may not count."""
    row = make(store)
    contact = InProcess()
    asked = 0
    original = contact.ask

    def ask(one: Ask, done: Callable[[Reply], None]) -> None:
        nonlocal asked
        asked += 1
        if asked == 30:
            cancel(store, row)
        original(one, done)

    contact.ask = ask  # type: ignore[method-assign,assignment]
    runner = Runner(
        store, store.tournaments.get(row.id), {n: contact for n in range(4)}, in_flight=1
    )

    assert runner.run() is TournamentState.CANCELLED
    played = store.fixtures.of(row.id, void=True)
    assert [f.status for f in played if f.hands or f.status is FixtureStatus.VOID]
    assert not any(f.status is FixtureStatus.PLAYING for f in played)
    assert {f.status for f in played if f.sentence is None} <= {
        FixtureStatus.VOID, FixtureStatus.PENDING, FixtureStatus.BYE,
    }  # fmt: skip


class ActWhenPlaying(Silent):
    """Does something when so many matches have begun."""

    def __init__(self, matches: int, act: Callable[[], None]) -> None:
        self.left = matches
        self.act = act

    def playing(self, fixture: FixtureRow) -> None:
        """Count down."""
        self.left -= 1
        if self.left == 0:
            self.act()


@pytest.mark.parametrize("at", [1, 2, 5])
def test_nothing_comes_in_once_another_process_has_cancelled(store: Store, at: int) -> None:
    """Between the referee's look at the state and the start or the end of a match, too."""
    row = make(store)
    before: list[str] = []

    def elsewhere() -> None:
        with Store(store.path) as other:
            before.extend(_with_result(other, row))
            cancel(other, row)

    contact = InProcess()
    Runner(
        store,
        store.tournaments.get(row.id),
        {n: contact for n in range(4)},
        reporter=ActWhenPlaying(at, elsewhere),
        in_flight=8,
    ).run()

    assert _with_result(store, row) == before
    assert {f.status for f in store.fixtures.of(row.id)} <= {
        FixtureStatus.FINISHED, FixtureStatus.PENDING,
    }  # fmt: skip
    assert verify(StoredDossier(store, row.id)).finished is False


def _with_result(store: Store, row: TournamentRow) -> list[str]:
    return [f.id for f in store.fixtures.of(row.id) if f.status is FixtureStatus.FINISHED]


def test_match_of_a_tournament_that_is_over_can_neither_begin_nor_end(store: Store) -> None:
    """The store itself refuses, whoever asks; a paused one's matches may end, but not begin."""
    row = make(store)
    run(store, row, StopAfter(2, lambda: pause(store, row)))
    one, two = [f for f in store.fixtures.of(row.id) if f.status is FixtureStatus.PENDING][:2]
    result = forfeit_result(one.fixture, [one.seats[0]])

    assert not store.fixtures.start(one.id)
    lifecycle.reopen(store, store.tournaments.get(row.id))
    assert store.fixtures.start(one.id)
    assert store.fixtures.start(one.id)
    cancel(store, row)
    assert not store.fixtures.start(two.id)
    assert not store.fixtures.finish(one.id, result, "too late")
    assert not store.fixtures.finish(two.id, result, "too late")
    assert verify(StoredDossier(store, row.id)).finished is False


def test_resume_just_when_a_pause_was_seen_does_not_end_the_tournament(store: Store) -> None:
    """Round 1 of a Swiss is over, nothing is open; that is no reason to publish the secret."""
    row = make(store, "swiss")
    contact = InProcess()
    runner = Runner(
        store,
        row,
        {n: contact for n in range(4)},
        reporter=StopAfter(4, lambda: pause(store, row)),
        in_flight=1,
    )
    step = runner._step

    def step_and_resume() -> bool:
        went_on = step()
        if not went_on:
            with Store(store.path) as other:
                lifecycle.reopen(other, other.tournaments.get(row.id))
        return went_on

    runner._step = step_and_resume  # type: ignore[method-assign]

    assert runner.run() is TournamentState.FINISHED
    assert _finished(store, row) == 8
    assert verify(StoredDossier(store, row.id)).finished


def test_two_tournaments_with_one_secret_live_in_one_database(store: Store) -> None:
    """The deals are the same, the ids are not."""
    first = make(store)
    run(store, first)
    second = create_tournament(
        store,
        replace(TournamentConfig.from_json(first.config), name="Again", bots=BOTS[:4]),
        SECRET,
    )

    assert run(store, second) is TournamentState.FINISHED

    ids = [{f.id for f in store.fixtures.of(row.id)} for row in (first, second)]
    assert not ids[0] & ids[1]
    decks = []
    for row in (first, second):
        fixture = store.fixtures.of(row.id)[0]
        decks.append(store.hands.of(fixture.id)[0].record.split()[3])
    assert decks[0] == decks[1]
