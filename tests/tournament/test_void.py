"""Matches that are declared void: what is played again, with which deals, and what may not be."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

import pytest

from arena.config import TournamentConfig
from arena.errors import StoreError
from arena.store import Store
from arena.store.rows import FixtureRow, FixtureStatus, TournamentState
from arena.tournament import lifecycle
from arena.tournament.create import create_tournament
from arena.tournament.dossier import StoredDossier
from arena.tournament.formats.format import Format
from arena.tournament.model import Fixture, FormatOptions, Left, Results
from arena.tournament.playing.runner import Runner
from arena.tournament.results import stored_results
from arena.tournament.statistics.pairs import pairs
from arena.tournament.verification.verify import verify
from tests.tournament.lives import BOTS, SECRET, InProcess, StopAfter, make, pause, run


def test_void_match_is_played_again_with_new_deals_and_stays_visible(store: Store) -> None:
    """The new one counts, the old one is shown as void."""
    row = make(store)
    run(store, row, StopAfter(3, lambda: pause(store, row)))
    old = store.fixtures.of(row.id)[0]

    lifecycle.void(store, old.id)

    assert store.tournaments.get(row.id).state is TournamentState.PAUSED
    assert run(store, row) is TournamentState.FINISHED
    everything = store.fixtures.of(row.id, void=True)
    assert len(everything) == 14
    (new,) = [f for f in everything if f.key == old.key and f.status is FixtureStatus.FINISHED]
    assert new.id != old.id
    assert store.hands.of(new.id)[0].record != store.hands.of(old.id)[0].record
    assert verify(StoredDossier(store, row.id)).finished


def decks(store: Store, fixture: FixtureRow) -> list[str]:
    """The decks of a match's hands, dealt in the same order in both halves of a pair."""
    return [hand.record.split()[3] for hand in store.hands.of(fixture.id)]


@pytest.mark.parametrize("which", [0, 1])
def test_pair_is_void_as_a_whole_and_never_meets_deals_again_that_were_public(
    store: Store, which: int
) -> None:
    """Voided three times, by one half or the other: both halves always have the same new deals."""
    row = make(store)
    run(store, row, StopAfter(11, lambda: pause(store, row)))
    deals = store.fixtures.of(row.id)[0].deal_key
    keys = {f.key for f in store.fixtures.of(row.id) if f.deal_key == deals}
    dealt: list[str] = []
    for time in range(4):
        now = [f for f in store.fixtures.of(row.id) if f.key in keys]
        assert [f.status for f in now] == [FixtureStatus.FINISHED] * 2
        first, second = (decks(store, f) for f in now)
        common = min(len(first), len(second))
        assert first[:common] == second[:common]
        assert not {*first, *second} & set(dealt)
        dealt += {*first, *second}
        if time < 3:
            lifecycle.void(store, now[(which + time) % 2].id)
            assert all(map(store.fixtures.deals_are_open, now))
            new = [f for f in store.fixtures.of(row.id) if f.key in keys]
            assert not any(map(store.fixtures.deals_are_open, new))
            run(store, row, StopAfter(2, lambda: pause(store, row)))

    assert len(store.fixtures.of(row.id, void=True)) == 12 + 3 * 2
    run(store, row)
    assert {len(unit) for unit in pairs(stored_results(store, row.id).values())} == {2}
    assert verify(StoredDossier(store, row.id)).finished


def test_half_that_waits_gets_the_new_deals_too(store: Store) -> None:
    """Voided before its mirror was played: the runner that is at it plays the new ones only."""
    row = make(store)

    def void() -> None:
        first = next(f for f in store.fixtures.of(row.id) if f.result is not None)
        lifecycle.void(store, first.id)

    contact = InProcess()
    state = Runner(
        store, row, {n: contact for n in range(4)}, reporter=StopAfter(2, void), in_flight=1
    ).run()

    assert state is TournamentState.FINISHED
    void_ones = [f for f in store.fixtures.of(row.id, void=True) if f.status is FixtureStatus.VOID]
    assert len(void_ones) == 2
    assert sum(bool(store.hands.of(f.id)) for f in void_ones) == 1
    replays = [f for f in store.fixtures.of(row.id) if f.replay]
    assert [f.deal_key for f in replays] == [void_ones[0].deal_key] * 2
    assert [f.replay for f in replays] == [1, 1]
    assert verify(StoredDossier(store, row.id)).finished


def test_all_seat_orders_of_a_table_are_void_together(store: Store) -> None:
    """Six matches at a table of three."""
    config = TournamentConfig(
        name="Tables", format="tables", rules="cutthroat", settings={"target": 20},
        options=FormatOptions(games=1, table_size=3), bots=BOTS[:3],
    )  # fmt: skip
    row = create_tournament(store, config, SECRET)
    run(store, row, StopAfter(4, lambda: pause(store, row)))
    found = next(f for f in store.fixtures.of(row.id) if f.result is not None)
    assert len(lifecycle.void_together(store, found)) == 6

    lifecycle.void(store, found.id)

    assert {f.replay for f in store.fixtures.of(row.id)} == {1}
    assert run(store, row) is TournamentState.FINISHED
    assert len(store.fixtures.of(row.id, void=True)) == 12
    assert verify(StoredDossier(store, row.id)).finished


def test_match_of_a_finished_tournament_cannot_be_void(store: Store) -> None:
    """Its secret is public, so whoever replays could know the cards."""
    row = make(store)
    run(store, row)

    with pytest.raises(StoreError, match="secret is public"):
        lifecycle.void(store, store.fixtures.of(row.id)[0].id)


def test_bracket_match_whose_winner_plays_on_cannot_be_void(store: Store) -> None:
    """The later match has been paired from its result."""
    row = make(store, "single_elimination", bots=5)
    run(store, row, StopAfter(3, lambda: pause(store, row)))
    first = next(f for f in store.fixtures.of(row.id) if f.status is FixtureStatus.FINISHED)

    with pytest.raises(StoreError, match="has to be void first"):
        lifecycle.void(store, first.id)


class WhilePlanning:
    """A format during whose planning somebody else does something, once there are results."""

    def __init__(self, inner: Format, results: int, act: Callable[[], None]) -> None:
        self.inner = inner
        self.results = results
        self.act = act
        self.others: list[threading.Thread] = []

    def __getattr__(self, name: str) -> object:
        return getattr(self.inner, name)

    def fixtures(
        self, seeding: Sequence[int], options: FormatOptions, results: Results, left: Left
    ) -> tuple[Fixture, ...]:
        """Plan, and take the time that the other needs if nothing holds it."""
        made = self.inner.fixtures(seeding, options, results, left)
        if len(results) == self.results and not self.others:
            other = threading.Thread(target=self.act)
            self.others.append(other)
            other.start()
            other.join(0.5)
        return made


def test_void_while_the_next_match_is_planned_does_not_come_between(store: Store) -> None:
    """The final is planned from results that hold when it is stored; the void comes too late."""
    row = make(store, "single_elimination")
    said: list[str] = []

    def void() -> None:
        with Store(store.path) as other:
            first = next(f for f in other.fixtures.of(row.id) if f.result is not None)
            try:
                lifecycle.void(other, first.id)
            except StoreError as error:
                said.append(str(error))

    contact = InProcess()
    runner = Runner(store, row, {n: contact for n in range(4)}, in_flight=1)
    planning = WhilePlanning(runner._agenda._format, 2, void)
    runner._agenda._format = planning  # type: ignore[assignment]

    assert runner.run() is TournamentState.FINISHED
    (other,) = planning.others
    other.join()
    assert "has to be void first" in said[0] or "secret is public" in said[0]
    assert verify(StoredDossier(store, row.id)).finished


@pytest.mark.parametrize("id", ["m_none", "", "' OR 1=1 --"])
def test_void_of_an_unknown_match_is_refused(store: Store, id: str) -> None:
    """The message says where ids are shown."""
    with pytest.raises(StoreError, match="pages show the ids"):
        lifecycle.void(store, id)
