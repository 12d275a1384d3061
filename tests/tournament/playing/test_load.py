"""Fewer matches at a time when the machine is too busy, and more again when it is not."""

from __future__ import annotations

import gc
import threading
from dataclasses import replace

from arena.referee.asks import Answer, Ask, Reply
from arena.store import Store
from arena.store.rows import FixtureRow, TournamentState
from arena.tournament.model import FixtureResult
from arena.tournament.playing.load import WINDOW, Load, Turns, rare_collections
from arena.tournament.playing.reporter import Silent
from arena.tournament.playing.runner import Runner
from arena.tournament.playing.venue import Here, in_store
from arena.wire.crew import Crew
from tests.faulty_bots import Behaviour, FaultyBot
from tests.tournament.functions import answering, enter, knocker
from tests.wire.lanes import Outcome, lane_to


def fill(load: Load, overhead_ms: float) -> str | None:
    """A window full of calls with this overhead."""
    for _ in range(WINDOW):
        load.note(overhead_ms)
    return load.adapt()


def test_overload_halves_the_matches_in_flight_and_says_so() -> None:
    """The arena's own time above a tenth of the deadline is too much."""
    load = Load(16, deadline_ms=200)

    sentence = fill(load, 30.0)

    assert load.limit == 8
    assert sentence is not None
    assert "overloaded" in sentence
    assert "8 matches" in sentence


def test_limit_never_falls_below_one_and_recovers_to_its_most() -> None:
    """However bad it gets, one match goes on; when it is quiet again, all do."""
    load = Load(4, deadline_ms=200)
    for _ in range(5):
        fill(load, 500.0)
    assert load.limit == 1
    for _ in range(5):
        fill(load, 0.1)
    assert load.limit == 4


def test_a_few_slow_calls_change_nothing() -> None:
    """The median decides, and only over a full window."""
    load = Load(16, deadline_ms=200)
    load.note(10_000.0)
    assert load.adapt() is None
    for number in range(WINDOW):
        load.note(10_000.0 if number % 3 == 0 else 0.5)

    assert load.adapt() is None
    assert load.limit == 16


def test_a_machine_at_its_edge_swings_ever_less() -> None:
    """Each time a rise was too much, the next one takes twice as many quiet windows."""
    load = Load(2, deadline_ms=200)
    fill(load, 30.0)
    windows = []
    for _ in range(4):
        windows.append(1)
        while fill(load, 0.1) is None:
            windows[-1] += 1
        assert load.limit == 2
        fill(load, 30.0)
        assert load.limit == 1

    assert windows == [1, 2, 4, 8]


def test_a_bot_that_takes_one_request_at_a_time_is_no_overload() -> None:
    """Sixteen matches wait for it most of the time; the arena itself is quick."""
    load = Load(16, deadline_ms=500)
    crew = Crew()
    over = threading.Event()
    with FaultyBot(Behaviour.SLOW, delay_s=0.01) as bot:
        lane = lane_to(bot, crew)

        def take_turn(match: int, turn: int) -> None:
            ticket = Outcome(f"m_{match}-1-1-{turn}", 500).ticket()

            def done(reply: Reply) -> None:
                assert isinstance(reply, Answer)
                load.note(reply.overhead_ms)
                if turn < 13:
                    take_turn(match, turn + 1)
                elif lane.stats.decisions == 16 * 14:
                    over.set()

            lane.ask(ticket._replace(done=done))

        for match in range(16):
            take_turn(match, 0)
        assert over.wait(30)
        crew.close()

    assert lane.stats.queued_ms / lane.stats.decisions > 100
    assert load.adapt() is None
    assert load.limit == 16


def test_the_youngest_matches_are_held_and_go_on_one_for_one() -> None:
    """A held match asks as soon as an older one has ended, or there is room again."""
    asked: list[str] = []
    turns = Turns(4)

    def ask(*matches: str) -> list[str]:
        asked.clear()
        for match in matches:
            turns.ask(match, lambda match=match: asked.append(match))  # type: ignore[misc]
        return list(asked)

    for match in "abcd":
        turns.enter(match)
    assert ask(*"abcd") == ["a", "b", "c", "d"]

    turns.resize(2)
    assert ask(*"dcba") == ["b", "a"]
    turns.leave("a")
    assert asked == ["b", "a", "c"]
    turns.resize(4)
    assert asked == ["b", "a", "c", "d"]
    assert ask(*"bcd") == ["b", "c", "d"]


class Overloaded(Silent):
    """A machine that is too busy while more than two matches are played at a time.

    Nothing is answered before the first four have begun.
    """

    def __init__(self, load: Load) -> None:
        self.load = load
        self.begun = threading.Semaphore(0)
        self.waits_for = 4
        self.matches: list[str] = []
        self.first_end = 0
        self.said: list[str] = []
        self.knocker = knocker()

    def answer(self, ask: Ask) -> Reply:
        """Answer well and note which match it was for."""
        while self.waits_for:
            assert self.begun.acquire(timeout=10)
            self.waits_for -= 1
        self.matches.append(str(ask.request["match"]))
        answer = self.knocker(ask)
        assert isinstance(answer, Answer)
        return replace(answer, overhead_ms=500.0 if self.load.limit > 2 else 50.0)

    def playing(self, fixture: FixtureRow) -> None:
        """Count it."""
        self.begun.release()

    def played(self, fixture: FixtureRow, result: FixtureResult, sentence: str) -> None:
        """Keep the moment when the first match had ended."""
        self.first_end = self.first_end or len(self.matches)

    def message(self, text: str) -> None:
        """Keep the sentence."""
        self.said.append(text)


def test_overload_is_answered_in_the_middle_of_long_matches(store: Store) -> None:
    """Two of four matches are held long before the first one ends; all are played in the end."""
    row = enter(store, 4, name="Long", target=100, games=4, duplicate=False)
    load = Load(4, deadline_ms=1000)
    machine = Overloaded(load)

    with answering([machine.answer] * 4) as contacts:
        venue = Here(contacts, in_store(store), load, machine.message)
        state = Runner(store, row, contacts, reporter=machine, venue=venue).run()

    under_way = 4  # asked already when the limit falls
    assert len(set(machine.matches[:WINDOW])) == 4
    assert machine.first_end > 3 * WINDOW
    assert len(set(machine.matches[WINDOW + under_way : 3 * WINDOW])) == 2
    assert len(set(machine.matches)) == 6
    assert state is TournamentState.FINISHED
    assert len(machine.said) == 1
    assert "only 2 matches" in machine.said[0]


def test_garbage_is_searched_for_as_before_once_play_is_over() -> None:
    """Less often meanwhile."""
    before = gc.get_threshold()
    with rare_collections():
        assert gc.get_threshold()[0] > before[0]
        assert gc.get_freeze_count() > 0

    assert gc.get_threshold() == before
    assert gc.get_freeze_count() == 0
