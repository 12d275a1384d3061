"""Short tournaments over a store, played by bots in this process and disturbed on the way."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from arena.config import BotSpec, TournamentConfig
from arena.referee.asks import Ask, Notice, Reply
from arena.store import Store
from arena.store.rows import FixtureRow, TournamentRow, TournamentState
from arena.tournament import lifecycle
from arena.tournament.create import create_tournament
from arena.tournament.model import FixtureResult, FormatOptions
from arena.tournament.playing.reporter import Silent
from arena.tournament.playing.runner import Runner
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

    def answers(self) -> bool:
        """It is always there."""
        return True


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


def pause(store: Store, row: TournamentRow) -> None:
    """As the organiser does."""
    lifecycle.pause(store, store.tournaments.get(row.id))


def cancel(store: Store, row: TournamentRow) -> None:
    """As the organiser does."""
    lifecycle.cancel(store, store.tournaments.get(row.id))


def draft(store: Store, format: str = "round_robin", **options: Any) -> TournamentRow:
    """A tournament that is open for entries, without bots."""
    values: Mapping[str, Any] = {"games": 1, **options}
    config = TournamentConfig(
        name="Open", format=format, settings={"target": 20}, options=FormatOptions(**values)
    )
    return create_tournament(store, config, bytes(32), state=TournamentState.REGISTRATION)
