"""Pause, cancel, withdraw, void: over a store, with bots in this process."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import pytest

from arena.config import BotSpec, TournamentConfig
from arena.errors import ConfigError, StoreError
from arena.referee.asks import Ask, Notice, Reply
from arena.store import Store
from arena.store.rows import FixtureRow, FixtureStatus, TournamentRow, TournamentState
from arena.tournament import lifecycle
from arena.tournament.create import create_tournament
from arena.tournament.dossier import StoredDossier
from arena.tournament.match import forfeit_result
from arena.tournament.model import Fixture, FixtureResult, Format, FormatOptions, Left, Results
from arena.tournament.pairs import pairs
from arena.tournament.reporter import Silent
from arena.tournament.results import standings_of, stored_results
from arena.tournament.runner import Runner
from arena.tournament.verify import verify
from tests.referee.matches import sensible

SECRET = bytes(range(32))
BOTS = tuple(BotSpec(f"bot {n}", "http://127.0.0.1:9") for n in range(8))


@dataclass
class InProcess:
    """A contact that answers at once, one ask after the other, without recursion."""

    waiting: list[tuple[Ask, Callable[[Reply], None]]] = field(default_factory=list)
    busy: bool = False

    def ask(self, ask: Ask, done: Callable[[Reply], None]) -> None:
        """Answer like the simple bot."""
        self.waiting.append((ask, done))
        if self.busy:
            return
        self.busy = True
        while self.waiting:
            one, tell = self.waiting.pop()
            tell(sensible(one))
        self.busy = False

    def tell(self, notice: Notice) -> None:
        """Ignore it."""


class StopAfter(Silent):
    """Does something after so many results."""

    def __init__(self, results: int, act: Callable[[], None]) -> None:
        self.left = results
        self.act = act

    def played(self, fixture: FixtureRow, result: FixtureResult, sentence: str) -> None:
        """Count down."""
        self.left -= 1
        if self.left == 0:
            self.act()


def make(store: Store, format: str = "round_robin", bots: int = 4) -> TournamentRow:
    """A short tournament between simple bots."""
    return create_tournament(
        store,
        TournamentConfig(
            name="Life",
            format=format,
            settings={"target": 20},
            options=FormatOptions(games=1, best_of=1 if "elimination" in format else None),
            bots=BOTS[:bots],
        ),
        SECRET,
    )


def run(store: Store, row: TournamentRow, reporter: Silent | None = None) -> TournamentState:
    """Play it as far as it goes, as `arena resume NAME` does."""
    lifecycle.reopen(store, store.tournaments.get(row.id))
    contact = InProcess()
    entrants = store.tournaments.entrants(row.id)
    runner = Runner(
        store,
        store.tournaments.get(row.id),
        {entrant.number: contact for entrant in entrants},
        reporter=reporter or Silent(),
        in_flight=1,
    )
    return runner.run()


def test_paused_tournament_stops_between_matches_and_goes_on_when_resumed(store: Store) -> None:
    """What is in play is finished; the rest waits."""
    row = make(store)

    state = run(store, row, StopAfter(3, lambda: _pause(store, row)))

    assert state is TournamentState.PAUSED
    assert _finished(store, row) == 3
    assert run(store, row) is TournamentState.FINISHED
    assert _finished(store, row) == 12
    assert verify(StoredDossier(store, row.id)).finished


def _pause(store: Store, row: TournamentRow) -> None:
    lifecycle.pause(store, store.tournaments.get(row.id))


def _finished(store: Store, row: TournamentRow) -> int:
    return sum(f.status is FixtureStatus.FINISHED for f in store.fixtures.of(row.id))


def test_cancelled_tournament_is_over_and_cannot_be_resumed(store: Store) -> None:
    """Its results stay; a runner refuses it."""
    row = make(store)
    run(store, row, StopAfter(2, lambda: _cancel(store, row)))

    assert store.tournaments.get(row.id).state is TournamentState.CANCELLED
    assert _finished(store, row) == 2
    with pytest.raises(StoreError, match="cancelled already"):
        run(store, row)
    with pytest.raises(StoreError, match="cancelled already"):
        lifecycle.cancel(store, store.tournaments.get(row.id))


def _cancel(store: Store, row: TournamentRow) -> None:
    lifecycle.cancel(store, store.tournaments.get(row.id))


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
    both = [StopAfter(1, leave), StopAfter(24, lambda: _cancel(store, row))]
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


def test_void_match_is_played_again_with_new_deals_and_stays_visible(store: Store) -> None:
    """The new one counts, the old one is shown as void."""
    row = make(store)
    run(store, row, StopAfter(3, lambda: _pause(store, row)))
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
    run(store, row, StopAfter(11, lambda: _pause(store, row)))
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
            run(store, row, StopAfter(2, lambda: _pause(store, row)))

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
    run(store, row, StopAfter(4, lambda: _pause(store, row)))
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
    run(store, row, StopAfter(3, lambda: _pause(store, row)))
    first = next(f for f in store.fixtures.of(row.id) if f.status is FixtureStatus.FINISHED)

    with pytest.raises(StoreError, match="has to be void first"):
        lifecycle.void(store, first.id)


def test_pause_while_bots_are_greeted_is_not_undone(store: Store) -> None:
    """What a person decided last holds, whatever the referee had read before."""
    row = make(store)
    seen = store.tournaments.get(row.id)
    _pause(store, row)
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
            _cancel(store, row)
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

    def cancel() -> None:
        with Store(store.path) as other:
            before.extend(_with_result(other, row))
            _cancel(other, row)

    contact = InProcess()
    Runner(
        store,
        store.tournaments.get(row.id),
        {n: contact for n in range(4)},
        reporter=ActWhenPlaying(at, cancel),
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
    run(store, row, StopAfter(2, lambda: _pause(store, row)))
    one, two = [f for f in store.fixtures.of(row.id) if f.status is FixtureStatus.PENDING][:2]
    result = forfeit_result(one.fixture, [one.seats[0]])

    assert not store.fixtures.start(one.id)
    lifecycle.reopen(store, store.tournaments.get(row.id))
    assert store.fixtures.start(one.id)
    assert store.fixtures.start(one.id)
    _cancel(store, row)
    assert not store.fixtures.start(two.id)
    assert not store.fixtures.finish(one.id, result, "too late")
    assert not store.fixtures.finish(two.id, result, "too late")
    assert verify(StoredDossier(store, row.id)).finished is False


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
    planning = WhilePlanning(runner._format, 2, void)
    runner._format = planning  # type: ignore[assignment]

    assert runner.run() is TournamentState.FINISHED
    (other,) = planning.others
    other.join()
    assert "has to be void first" in said[0] or "secret is public" in said[0]
    assert verify(StoredDossier(store, row.id)).finished


def test_resume_just_when_a_pause_was_seen_does_not_end_the_tournament(store: Store) -> None:
    """Round 1 of a Swiss is over, nothing is open; that is no reason to publish the secret."""
    row = make(store, "swiss")
    contact = InProcess()
    runner = Runner(
        store,
        row,
        {n: contact for n in range(4)},
        reporter=StopAfter(4, lambda: _pause(store, row)),
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


def test_disqualified_bot_cannot_be_let_off_by_withdrawing_it(store: Store) -> None:
    """The stronger state stays."""
    row = make(store)
    lifecycle.withdraw(store, row, "bot 1", disqualify=True)

    with pytest.raises(StoreError, match="disqualified"):
        lifecycle.withdraw(store, row, "bot 1")


@pytest.mark.parametrize("id", ["m_none", "", "' OR 1=1 --"])
def test_void_of_an_unknown_match_is_refused(store: Store, id: str) -> None:
    """The message says where ids are shown."""
    with pytest.raises(StoreError, match="pages show the ids"):
        lifecycle.void(store, id)


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
