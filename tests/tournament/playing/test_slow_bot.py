"""A bot that takes its time holds up its own matches and nobody else's."""

from __future__ import annotations

import threading
from collections.abc import Callable

from arena.config import BotSpec, TournamentConfig
from arena.referee.asks import Ask, Notice, Reply
from arena.store import Store
from arena.store.rows import FixtureRow, TournamentState
from arena.tournament.create import create_tournament
from arena.tournament.model import FixtureResult, FormatOptions
from arena.tournament.playing.reporter import Silent
from arena.tournament.playing.runner import Runner
from tests.referee.matches import sensible
from tests.tournament.lives import InProcess

BOTS = 8
WITHOUT_IT = (BOTS - 1) * (BOTS - 2)


class Sleeper:
    """Answers nothing until it is woken, then like everybody else."""

    def __init__(self) -> None:
        self.asleep: list[tuple[Ask, Callable[[Reply], None]]] = []
        self.awake = False
        self.contact = InProcess()

    def ask(self, ask: Ask, done: Callable[[Reply], None]) -> None:
        """Keep the question."""
        if self.awake:
            self.contact.ask(ask, done)
        else:
            self.asleep.append((ask, done))

    def tell(self, notice: Notice) -> None:
        """Ignore it."""

    def answers(self) -> bool:
        """It is there, though it may be asleep."""
        return True

    def wake(self) -> None:
        """Answer what waits, from another thread as a lane would."""
        self.awake = True
        waiting, self.asleep = self.asleep, []

        def answer() -> None:
            for ask, done in waiting:
                done(sensible(ask))

        threading.Thread(target=answer).start()


class Order(Silent):
    """Wakes the sleeper when everybody else has played."""

    def __init__(self, sleeper: Sleeper) -> None:
        self.sleeper = sleeper
        self.seats: list[tuple[int, ...]] = []

    def played(self, fixture: FixtureRow, result: FixtureResult, sentence: str) -> None:
        """Note who played."""
        self.seats.append(fixture.seats)
        if len(self.seats) == WITHOUT_IT:
            self.sleeper.wake()


def test_all_matches_without_the_slow_bot_finish_before_any_with_it(store: Store) -> None:
    """Although the slow bot never answers meanwhile and there are only four matches at a time."""
    row = create_tournament(
        store,
        TournamentConfig(
            name="Slow",
            settings={"target": 10},
            options=FormatOptions(games=1),
            bots=tuple(BotSpec(f"bot {n}", "http://127.0.0.1:9") for n in range(BOTS)),
        ),
        bytes(range(32)),
    )
    sleeper = Sleeper()
    order = Order(sleeper)
    quick = InProcess()
    contacts = {n: sleeper if n == 0 else quick for n in range(BOTS)}

    state = Runner(store, row, contacts, reporter=order, in_flight=4).run()

    assert state is TournamentState.FINISHED
    assert not any(0 in seats for seats in order.seats[:WITHOUT_IT])
    assert len(order.seats) == BOTS * (BOTS - 1)
