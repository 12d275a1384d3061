"""Bots that leave a tournament: what becomes of their matches and of those that stay."""

from __future__ import annotations

import pytest

from arena.errors import ConfigError, StoreError
from arena.store import Store
from arena.store.rows import EntrantState, FixtureRow, FixtureStatus, TournamentRow, TournamentState
from arena.tournament import lifecycle
from arena.tournament.dossier import StoredDossier
from arena.tournament.model import FixtureResult
from arena.tournament.playing.reporter import Silent
from arena.tournament.playing.runner import Runner
from arena.tournament.results import standings_of
from arena.tournament.verification.verify import verify
from tests.tournament.lives import InProcess, StopAfter, cancel, make, run


def test_withdrawn_bot_keeps_its_results_and_forfeits_the_rest(store: Store) -> None:
    """Open matches become forfeits, the tournament closes, the bot is marked in the table."""
    row = make(store)
    run(store, row, StopAfter(4, lambda: lifecycle.withdraw(store, row, "bot 1")))

    fixtures = store.fixtures.of(row.id)
    theirs = [f for f in fixtures if 1 in f.seats]
    assert store.tournaments.get(row.id).state is TournamentState.FINISHED
    assert {f.termination for f in theirs} == {"normal", "withdrawn"}
    for fixture in theirs:
        if fixture.termination == "withdrawn":
            assert fixture.winner not in (1, None)
    (line,) = [line for line in standings_of(store, row) if line.entrant == 1]
    assert line.presence == "withdrawn"
    assert verify(StoredDossier(store, row.id)).finished


def test_withdrawal_in_a_bracket_lets_the_opponent_advance(store: Store) -> None:
    """A walk-over, and the final is played."""
    row = make(store, "single_elimination")
    lifecycle.withdraw(store, row, "bot 0")

    assert run(store, row) is TournamentState.FINISHED
    assert standings_of(store, row)[0].entrant != 0
    assert verify(StoredDossier(store, row.id)).finished


def test_both_of_a_match_withdrawn_is_a_double_forfeit(store: Store) -> None:
    """Nobody wins, and the table is complete."""
    row = make(store)
    lifecycle.withdraw(store, row, "bot 0")
    lifecycle.withdraw(store, row, "bot 1")

    run(store, row)

    between = [f for f in store.fixtures.of(row.id) if set(f.seats) == {0, 1}]
    assert {f.termination for f in between} == {"double_forfeit"}
    assert {f.winner for f in between} == {None}


def test_unknown_bot_cannot_be_withdrawn(store: Store) -> None:
    """The message lists who takes part."""
    row = make(store)

    with pytest.raises(ConfigError, match="bot 0, bot 1"):
        lifecycle.withdraw(store, row, "nobody")


def run_or_stop(store: Store, row: TournamentRow, bots: int) -> TournamentState:
    """Play it; one that does not end by itself is stopped."""
    contact = InProcess()
    runner = Runner(
        store, store.tournaments.get(row.id), {n: contact for n in range(bots)}, in_flight=1
    )
    runner._reporter = StopAfter(200, runner.stop)
    return runner.run()


@pytest.mark.parametrize("format", ["ladder", "swiss"])
@pytest.mark.parametrize(("bots", "gone"), [(2, 2), (4, 4), (4, 3), (5, 5), (3, 2)])
def test_tournament_in_which_fewer_than_two_are_left_ends(
    store: Store, format: str, bots: int, gone: int
) -> None:
    """Two that left together are not paired for ever, nor is one that is alone."""
    row = make(store, format, bots)
    for number in range(gone):
        lifecycle.withdraw(store, row, f"bot {number}")

    assert run_or_stop(store, row, bots) is TournamentState.FINISHED
    assert not store.fixtures.of(row.id)
    assert verify(StoredDossier(store, row.id)).finished


@pytest.mark.parametrize("format", ["ladder", "swiss"])
def test_two_that_leave_in_mid_round_are_not_paired_again(store: Store, format: str) -> None:
    """Their match is a double forfeit; from the next round on the others are among themselves."""
    row = make(store, format, 6)
    pairs: list[tuple[int, ...]] = []

    def leave() -> None:
        pairs.append(
            next(f.seats for f in store.fixtures.of(row.id) if f.status is FixtureStatus.PENDING)
        )
        for number in pairs[0]:
            lifecycle.withdraw(store, row, f"bot {number}")

    contact = InProcess()
    runner = Runner(store, row, {n: contact for n in range(6)}, in_flight=1)
    both = [StopAfter(1, leave), StopAfter(24, lambda: cancel(store, row))]
    reporter = Silent()

    def played(fixture: FixtureRow, result: FixtureResult, sentence: str) -> None:
        for one in both:
            one.played(fixture, result, sentence)

    reporter.played = played  # type: ignore[method-assign]
    runner._reporter = reporter
    runner.run()

    rounds = {f.key.round for f in store.fixtures.of(row.id)}
    later = [f for f in store.fixtures.of(row.id) if f.key.round > 1]
    assert len(rounds) >= 3
    assert not {e for f in later for e in f.seats} & set(pairs[0])
    assert {f.termination for f in store.fixtures.of(row.id) if f.seats == pairs[0]} == {
        "double_forfeit"
    }
    verify(StoredDossier(store, row.id))


def test_disqualified_bot_cannot_be_let_off_by_withdrawing_it(store: Store) -> None:
    """The stronger state stays."""
    row = make(store)
    lifecycle.withdraw(store, row, "bot 1", disqualify=True)

    with pytest.raises(StoreError, match="disqualified"):
        lifecycle.withdraw(store, row, "bot 1")


def test_bot_leaves_once_and_can_be_disqualified_afterwards(store: Store) -> None:
    """Whoever withdraws it again learns that nothing was changed."""
    row = make(store)
    lifecycle.withdraw(store, row, "bot 1")

    with pytest.raises(StoreError, match=r"'bot 1' has left .* already"):
        lifecycle.withdraw(store, row, "bot 1")

    lifecycle.withdraw(store, row, "bot 1", disqualify=True)
    assert store.tournaments.entrants(row.id)[1].state is EntrantState.DISQUALIFIED
