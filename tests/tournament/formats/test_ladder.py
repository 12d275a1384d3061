"""The ladder: who meets whom next, determinism, withdrawals."""

from __future__ import annotations

import gc
import random
from collections import Counter

import pytest
from click.testing import CliRunner

from arena.cli import cli
from arena.errors import ConfigError, StoreError
from arena.store import Store
from arena.store.rows import FixtureRow, TournamentState
from arena.tournament import lifecycle
from arena.tournament.dossier import StoredDossier
from arena.tournament.formats.ladder import Ladder
from arena.tournament.match import forfeit_result
from arena.tournament.model import Fixture, FixtureKey, FixtureResult, FormatOptions
from arena.tournament.results import finished_winners, standings_of
from arena.tournament.statistics.ratings import rate
from arena.tournament.verification.verify import verify
from tests.tournament.functions import After, enter, knocker, play
from tests.tournament.results import result
from tests.tournament.simulation import mirrored_results

LADDER = Ladder()
OPTIONS = FormatOptions(games=1)
Played = dict[FixtureKey, FixtureResult]


def run(n: int, rounds: int, seed: int = 1) -> tuple[tuple[Fixture, ...], Played]:
    """Rounds between bots 0.5 log-odds apart, number 0 the weakest; results come in any order."""
    generator = random.Random(seed)
    results: Played = {}
    known: tuple[Fixture, ...] = ()
    for _ in range(rounds):
        fixtures = LADDER.fixtures(range(n), OPTIONS, results)
        assert fixtures[: len(known)] == known
        known = fixtures
        todo = [f for f in fixtures if f.key not in results]
        new = mirrored_results(generator, [0.5 * e for e in range(n)], todo)
        generator.shuffle(new)
        for item in new:
            results[item.key] = item
    return known, results


def test_every_round_pairs_everybody_once_on_both_seats() -> None:
    """Six bots: three mirrored pairings a round."""
    fixtures, _ = run(6, 8)

    for number in range(1, 9):
        own = [f for f in fixtures if f.key.round == number]
        first = [f for f in own if f.key.half == 0]
        assert sorted(e for f in first for e in f.seats) == list(range(6))
        assert {f.key: f.seats for f in own if f.key.half} == {
            f.key._replace(half=1): f.seats[::-1] for f in first
        }


def test_next_round_waits_for_the_last_result() -> None:
    """One result missing: the same fixtures as before."""
    fixtures, results = run(5, 3)
    last = fixtures[-1].key
    without = {key: item for key, item in results.items() if key != last}

    assert LADDER.fixtures(range(5), OPTIONS, without) == fixtures
    assert len(LADDER.fixtures(range(5), OPTIONS, results)) > len(fixtures)


def test_pairings_depend_on_results_alone() -> None:
    """Results in another order give the same fixtures."""
    _, results = run(7, 6)
    items = list(results.items())
    random.Random(9).shuffle(items)

    assert LADDER.fixtures(range(7), OPTIONS, dict(items)) == LADDER.fixtures(
        range(7), OPTIONS, results
    )


def test_neighbours_meet_oftener_than_ends() -> None:
    """Once ratings are known, matches go where they tell most; yet all are in one pool."""
    fixtures, results = run(8, 40)
    gaps = [abs(f.seats[0] - f.seats[1]) for f in fixtures if f.key.half == 0]

    assert sum(gap <= 2 for gap in gaps) > 2 * sum(gap >= 5 for gap in gaps)
    assert {row.pool for row in rate(range(8), results.values()).rows} == {0}


def test_clear_outcomes_are_not_played_for_ever() -> None:
    """A bot that loses to everybody, one that wins always, six close ones: once the outcome of a
    pairing is clear it is left, and the matches go to those between whom something is open."""
    strengths = [-6.0, -0.6, -0.3, 0.0, 0.1, 0.4, 0.7, 5.0]
    generator = random.Random(4)
    results: Played = {}
    while len(results) < 310:
        fixtures = LADDER.fixtures(range(8), OPTIONS, results)
        todo = [item for item in fixtures if item.key not in results]
        results |= {one.key: one for one in mirrored_results(generator, strengths, todo)}
    met = Counter(frozenset(f.seats) for f in results.values() if f.key.half == 0)
    close = [n for pair, n in met.items() if not pair & {0, 7}]
    clear = [n for pair, n in met.items() if pair & {0, 7}]

    assert met[frozenset((0, 7))] <= 2
    assert max(clear) <= 12
    assert sum(close) > 1.5 * sum(clear)


def test_a_ladder_of_clear_outcomes_goes_on() -> None:
    """Two bots, one always better: nothing tells much, but there is nothing else to play."""
    results: Played = {}
    for _ in range(12):
        for item in LADDER.fixtures(range(2), OPTIONS, results):
            results.setdefault(item.key, result(item.seats, 1, key=item.key))

    assert len(LADDER.fixtures(range(2), OPTIONS, results)) == 26


def test_matches_are_spread_evenly() -> None:
    """With an odd field nobody sits out much oftener than another."""
    fixtures, _ = run(5, 25)
    played = [sum(e in f.seats for f in fixtures) for e in range(5)]

    assert sum(played) == 25 * 2 * 4
    assert max(played) - min(played) <= 14


def test_withdrawn_bots_are_paired_no_more() -> None:
    """The others go on; one left alone has nobody to meet, and the ladder is over."""
    _, results = run(4, 2)
    for leaver, left in ((3, {0, 1, 2}), (0, {1, 2}), (1, set())):
        current = LADDER.fixtures(range(4), OPTIONS, results)
        for item in current:
            if item.key not in results:
                gone = [leaver] if leaver in item.seats else []
                results[item.key] = forfeit_result(item, gone)
        following = LADDER.fixtures(range(4), OPTIONS, results)[len(current) :]
        met = {entrant for item in following for entrant in item.seats}

        assert met <= left
        assert len(following) == 2 * (len(left) // 2)


@pytest.mark.parametrize("n", [0, 1])
def test_too_small_a_field_is_refused(n: int) -> None:
    """The message says how many it takes."""
    with pytest.raises(ConfigError, match="a ladder needs at least 2"):
        LADDER.fixtures(range(n), OPTIONS, {})


def test_a_ladder_has_no_total() -> None:
    """It runs until it is ended, unless it has so many rounds; no others make sense."""
    assert LADDER.total(4, OPTIONS) is None
    assert LADDER.total(5, FormatOptions(rounds=3)) == 12
    with pytest.raises(ConfigError, match="rounds = 0"):
        LADDER.fixtures(range(4), FormatOptions(rounds=0), {})


def test_ladder_of_so_many_rounds_is_finished(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a winner, also where it looks back less far."""
    monkeypatch.setattr(Ladder, "looks_back", 2)
    row = enter(store, 4, "ladder", rounds=5)

    state = play(store, row, [knocker(), knocker(30), knocker(60), knocker(90)])

    assert state is TournamentState.FINISHED
    assert {one.key.round for one in store.fixtures.of(row.id)} == {1, 2, 3, 4, 5}
    assert verify(StoredDossier(store, row.id)).finished
    rows = standings_of(store, store.tournaments.get(row.id))
    assert finished_winners(store.tournaments.get(row.id), rows).entrants == (rows[0].entrant,)


@pytest.mark.parametrize("is_running", [True, False])
def test_ladder_is_ended_with_its_round_in_play(store: Store, is_running: bool) -> None:
    """By a referee that is at work, or by the next; its result can be checked."""
    row = enter(store, 4, "ladder")
    act = lifecycle.finish if is_running else lifecycle.pause
    state = play(store, row, [knocker()] * 4, reporter=After(10, lambda: act(store, row)))
    if not is_running:
        assert state is TournamentState.PAUSED
        ended = lifecycle.finish(store, row)
        if not ended.over:
            state = play(store, lifecycle.reopen(store, row), [knocker()] * 4)

    assert store.tournaments.get(row.id).state is TournamentState.FINISHED
    assert max(one.key.round for one in store.fixtures.of(row.id)) in (3, 4)
    assert verify(StoredDossier(store, row.id)).finished
    with pytest.raises(StoreError, match="finished already"):
        lifecycle.finish(store, row)


def test_command_ends_a_ladder_and_says_what_is_left(store: Store) -> None:
    """With a round in play it names the command that plays it; afterwards the ladder is over."""
    row = enter(store, 4, "ladder", name="Long")
    play(store, row, [knocker()] * 4, in_flight=1,
         reporter=After(5, lambda: lifecycle.pause(store, row)))  # fmt: skip
    arguments = ["finish", "Long", "--yes", "--db", str(store.path)]

    said = CliRunner().invoke(cli, arguments).output
    play(store, lifecycle.reopen(store, row), [knocker()] * 4)
    refused = CliRunner().invoke(cli, arguments)

    assert "ends when 3 matches more of its last round have been played" in said
    assert f"arena resume Long --db {store.path}" in said
    assert "finished already" in str(refused.exception)


def test_only_a_ladder_that_has_begun_is_ended_so(store: Store) -> None:
    """The sentence says what to do with others."""
    with pytest.raises(StoreError, match=r"is no ladder.*cancelling"):
        lifecycle.finish(store, enter(store, 4, name="League"))
    with pytest.raises(StoreError, match="has not begun"):
        lifecycle.finish(store, enter(store, 4, "ladder"))


def test_old_results_are_not_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether they are given or not, the same rounds follow."""
    monkeypatch.setattr(Ladder, "looks_back", 5)
    _, results = run(6, 12)
    latest = max(key.round for key in results)
    recent = {key: item for key, item in results.items() if key.round >= latest - 5}

    with_all = LADDER.fixtures(range(6), OPTIONS, results)
    with_recent = LADDER.fixtures(range(6), OPTIONS, recent)

    assert len(with_recent) < len(with_all)
    assert with_recent == with_all[-len(with_recent) :]


def alive() -> int:
    """How many fixtures and results there are in this process."""
    gc.collect()
    return sum(isinstance(one, FixtureRow | FixtureResult) for one in gc.get_objects())


def test_memory_of_a_ladder_does_not_grow(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """A runner holds what the next round follows from, however long the ladder has run; so does
    one that takes it up again."""
    monkeypatch.setattr(Ladder, "looks_back", 3)
    row = enter(store, 4, "ladder")
    kept: list[int] = []

    def pause() -> None:
        kept.append(alive())
        lifecycle.pause(store, row)

    for matches in (24, 24, 72):
        stop = After(matches, pause)
        play(store, lifecycle.reopen(store, row), [knocker()] * 4, reporter=stop, in_flight=1)

    assert len(store.fixtures.of(row.id)) >= 120
    assert max(kept[1:]) - kept[0] < 24
    lifecycle.cancel(store, row)
    assert verify(StoredDossier(store, row.id)).matches >= 120
