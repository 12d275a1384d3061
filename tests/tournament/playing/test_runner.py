"""The runner keeps mirrored halves apart, repeats itself to the byte, and obeys what is stored."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import pytest

from arena.bot import Bot, BotView
from arena.bot.base import Chosen
from arena.referee.asks import Answer, Ask, Event, Notice, Reply
from arena.referee.players import Player
from arena.rules.base import Melds
from arena.store import Store
from arena.store.rows import FixtureStatus, TournamentState
from arena.tournament import lifecycle
from arena.tournament.dossier import StoredDossier
from arena.tournament.playing.runner import Runner
from arena.tournament.verification.verify import verify
from tests.e2e.arena_process import served
from tests.samples import greedy, simple
from tests.site.playing import sensible
from tests.tournament.functions import After, FunctionContact, answering, enter, knocker, play

MIRRORED = ("round_robin", "swiss", "groups", "gauntlet", "single_elimination")
GAMES = ("gin", "oklahoma", "oklahoma_separate", "seven_card", "straight", "hollywood", "tedesco",
         "doubling", "last_knock", "mahjong", "multi_match")  # fmt: skip


def by_policy(
    choose: Callable[[Mapping[str, object]], tuple[str, Melds | None]],
) -> Player:
    """A function of the request as a player."""

    def answer(ask: Ask) -> Reply:
        chosen, melds = choose(ask.request)
        return Answer(chosen, melds, elapsed_ms=1.0)

    return answer


def pairs(store: Store, tournament: str) -> Iterator[tuple[Sequence[int], Sequence[int]]]:
    """Hand points by seat of both halves of every mirrored pair."""
    halves: dict[object, list[Sequence[int]]] = {}
    for row in store.fixtures.of(tournament):
        if row.status is FixtureStatus.FINISHED:
            halves.setdefault(row.deal_key, []).append((*row.points, *row.hand_diffs))
    for both in halves.values():
        if len(both) == 2:
            yield both[0], both[1]


@pytest.mark.parametrize("game", GAMES)
def test_bot_against_itself_scores_exactly_zero_in_every_pair(store: Store, game: str) -> None:
    """Seat 0 of one half has every card that seat 0 of the other has: what one wins, it loses."""
    players = [by_policy(sensible)] * 3
    row = enter(store, 3, rules=game, target=60, games=2)
    play(store, row, players)

    found = list(pairs(store, row.id))
    assert len(found) == 3
    for first, second in found:
        assert first == second
    assert any(points for first, _ in found for points in first)


@pytest.mark.parametrize("format", [name for name in MIRRORED if name != "single_elimination"])
def test_every_format_mirrors_its_pairs(store: Store, format: str) -> None:
    """With a bot that slips by its cards, in every format that plays pairs."""
    row = enter(store, 6, format, games=1, rounds=3)
    play(store, row, [knocker(15)] * 6)

    found = list(pairs(store, row.id))
    assert len(found) >= 5
    for first, second in found:
        assert first == second


class Recorder:
    """Notes which matches are in flight by the calls that bots get."""

    def __init__(self, inner: FunctionContact) -> None:
        self.inner = inner

    open: dict[str, set[str]]
    together: list[tuple[str, set[str]]]
    most: int

    def ask(self, ask: Ask, done: Callable[[Reply], None]) -> None:
        """A decision of a match is wanted."""
        match = str(ask.request["match"])
        with LOCK:
            matches = self.open.setdefault(ask.pair, set())
            matches.add(match)
            if len(matches) > 1:
                self.together.append((ask.pair, set(matches)))
        self.inner.ask(ask, done)

    def tell(self, notice: Notice) -> None:
        """A match has ended."""
        if notice.event is Event.MATCH:
            with LOCK:
                for matches in self.open.values():
                    matches.discard(str(notice.payload["match"]))

    def answers(self) -> bool:
        """As the other."""
        return True


LOCK = threading.Lock()


@pytest.mark.parametrize("format", MIRRORED)
@pytest.mark.parametrize("in_flight", [2, 64])
def test_mirrored_halves_are_never_in_flight_together(
    store: Store, format: str, in_flight: int
) -> None:
    """However many matches there is room for; also after a stop in the middle."""
    open: dict[str, set[str]] = {}
    together: list[tuple[str, set[str]]] = []
    row = enter(store, 6, format, games=1, rounds=3)
    for stop in (3, 1000):
        with answering([knocker(9 * number) for number in range(6)]) as contacts:
            recorders = {}
            for number, contact in contacts.items():
                recorders[number] = Recorder(contact)
                recorders[number].open, recorders[number].together = open, together
            reporter = After(stop, lambda: runner.stop())  # noqa: B023
            runner = Runner(
                store, store.tournaments.get(row.id), recorders,
                reporter=reporter, in_flight=in_flight,
            )  # fmt: skip
            runner.run()
        open.clear()

    assert store.tournaments.get(row.id).state is TournamentState.FINISHED
    assert together == []


class Sized(Bot):
    """A bot that takes so many decisions in one request."""

    def __init__(self, inner: Bot, name: str, max_batch: int) -> None:
        self.inner = inner
        self.name = name
        self.max_batch = max_batch

    def choose(self, view: BotView) -> Chosen:
        """What the inner bot does."""
        return self.inner.choose(view)


def test_records_are_the_same_bytes_whatever_the_hash_seed_load_and_batch(
    tmp_path: Path,
) -> None:
    """Real processes and HTTP, a fixed secret: nothing else decides what is dealt and stored."""
    found = []
    for seed, in_flight, batch in (("0", 1, 1), ("1", 4, 4), ("random", 16, 16)):
        path = tmp_path / f"{batch}.db"
        inners = [greedy.bot, simple.bot, greedy.bot, simple.bot]
        bots = [Sized(inner, f"bot {n}", batch) for n, inner in enumerate(inners)]
        with served(bots) as options:
            done = subprocess.run(
                [sys.executable, "-m", "arena", "run", *options, "--secret", "ab" * 32,
                 "--name", "Same", "--games", "1", "--target", "40", "--legs", "2",
                 "--in-flight", str(in_flight), "--db", str(path)],
                env={**os.environ, "PYTHONHASHSEED": seed},
                capture_output=True, text=True, timeout=120, check=False,
            )  # fmt: skip
        assert done.returncode == 0, done.stderr
        with Store(path, read_only=True) as store:
            (row,) = store.tournaments.all()
            found.append(
                [
                    (f.id, f.result, [hand.record for hand in store.hands.of(f.id)])
                    for f in store.fixtures.of(row.id)
                ]
            )

    assert found[0] == found[1] == found[2]
    assert sum(len(records) for _, _, records in found[0]) > 50


def test_order_of_answers_changes_no_record(store: Store, tmp_path: Path) -> None:
    """One match at a time, or all of them."""
    players = [knocker(12 * number) for number in range(5)]
    row = enter(store, 5, "swiss", rounds=4)
    play(store, row, players, in_flight=1)
    with Store(tmp_path / "other.db") as other:
        same = enter(other, 5, "swiss", rounds=4)
        play(other, same, players, in_flight=64)
        for fixture in store.fixtures.of(row.id):
            assert [h.record for h in store.hands.of(fixture.id)] == [
                h.record for h in other.hands.of(fixture.id)
            ]


def test_match_voided_while_the_tournament_runs_is_played_again(store: Store) -> None:
    """With its mirror. The runner does not know of it until it looks; the tournament does not end
    without them."""
    players = [knocker(9 * number) for number in range(4)]
    row = enter(store, 4)

    def void() -> None:
        finished = [f for f in store.fixtures.of(row.id) if f.status is FixtureStatus.FINISHED]
        lifecycle.void(store, finished[0].id)

    for last in (2, 12):
        play(store, row, players, in_flight=1, reporter=After(last, void))
        if last == 2:
            assert store.tournaments.get(row.id).state is TournamentState.FINISHED
            row = enter(store, 4, name="Another")

    fixtures = store.fixtures.of(row.id, void=True)
    assert store.tournaments.get(row.id).state is TournamentState.FINISHED
    assert sum(f.status is FixtureStatus.VOID for f in fixtures) == 2
    assert [f.status for f in fixtures if f.replay] == [FixtureStatus.FINISHED] * 2
    assert verify(StoredDossier(store, row.id)).finished
