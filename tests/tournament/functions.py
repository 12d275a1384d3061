"""Bots that are functions, for tournaments without HTTP: the runner and the store are real."""

from __future__ import annotations

import hashlib
import queue
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, cast
from zlib import crc32

from arena.config import IN_FLIGHT, BotSpec, TournamentConfig
from arena.referee.asks import Answer, Ask, Notice, Reply
from arena.referee.players import Player
from arena.referee.verdicts import BotFault, FaultCode
from arena.rules.cards import BIT, mask_of
from arena.rules.melds import meld_tables
from arena.store import Store
from arena.store.rows import FixtureRow, TournamentRow, TournamentState
from arena.tournament.create import create_tournament
from arena.tournament.model import FixtureResult, FormatOptions
from arena.tournament.playing.reporter import Reporter, Silent
from arena.tournament.playing.runner import Runner

Item = tuple[Player, Ask, Callable[[Reply], None]]
TABLES = meld_tables("low", 1)


@dataclass(frozen=True, slots=True)
class FunctionContact:
    """One bot; its function is called in the thread that all of them share."""

    player: Player
    asks: queue.SimpleQueue[Item | None]

    def ask(self, ask: Ask, done: Callable[[Reply], None]) -> None:
        """Queue a decision."""
        self.asks.put((self.player, ask, done))

    def tell(self, notice: Notice) -> None:
        """Functions need to be told nothing."""

    def answers(self) -> bool:
        """Functions are always there."""
        return True


@contextmanager
def answering(players: Sequence[Player]) -> Iterator[Mapping[int, FunctionContact]]:
    """Contacts for these functions by entrant, answered one after another by one thread."""
    asks: queue.SimpleQueue[Item | None] = queue.SimpleQueue()

    def work() -> None:
        while (item := asks.get()) is not None:
            player, ask, done = item
            done(player(ask))

    thread = threading.Thread(target=work, name="functions", daemon=True)
    thread.start()
    try:
        yield {number: FunctionContact(player, asks) for number, player in enumerate(players)}
    finally:
        asks.put(None)
        thread.join()


def knocker(slips: int = 0) -> Player:
    """Plays gin by counting deadwood, knocks as soon as it may, and keeps no state.

    ``slips``: how many decisions in a hundred are any legal action, chosen by the request's cards,
    so that mirrored deals are played alike.
    """

    def play(ask: Ask) -> Reply:
        request = cast(Mapping[str, Any], ask.request)
        legal = [str(one["id"]) for one in request["legal"]]
        dice = crc32(f"{request['turn']} {request['cards']}".encode())
        if dice % 100 < slips:
            return Answer(legal[dice // 100 % len(legal)], elapsed_ms=1.0)
        return Answer(_best(request, legal), elapsed_ms=1.0)

    return play


def _best(request: Mapping[str, Any], legal: Sequence[str]) -> str:
    held = mask_of(request["cards"])
    throws = [id for id in legal if id.startswith(("knock:", "discard:"))]
    if throws:
        return min(throws, key=lambda id: (id[0] != "k", TABLES.deadwood(held ^ BIT[id[-2:]]), id))
    upcard = request["upcard"]
    if "draw:discard" in legal and upcard:
        with_it = held | BIT[upcard]
        least = min(TABLES.deadwood(with_it ^ BIT[card]) for card in request["cards"])
        if least < TABLES.deadwood(held):
            return "draw:discard"
    return "draw:stock" if "draw:stock" in legal else legal[0]


def failing(every: int) -> Player:
    """A knocker that gives no answer in time once in so many turns of a hand."""
    inner = knocker(5)

    def play(ask: Ask) -> Reply:
        if cast(int, ask.request["turn"]) % every == every - 1:
            return BotFault(FaultCode.TIMEOUT, "no answer in time", 1000.0)
        return inner(ask)

    return play


def enter(
    store: Store,
    players: int,
    format: str = "round_robin",
    *,
    name: str = "Functions",
    rules: str = "gin",
    target: int | None = 30,
    **options: Any,
) -> TournamentRow:
    """A tournament between so many functions, not yet played; always the same deals."""
    config = TournamentConfig(
        name=name,
        format=format,
        rules=rules,
        settings={} if target is None else {"target": target},
        options=FormatOptions(**{"games": 1, **options}),
        bots=tuple(BotSpec(f"bot {n}", "http://127.0.0.1:9") for n in range(players)),
    )
    return create_tournament(store, config, hashlib.sha256(name.encode()).digest())


def play(
    store: Store,
    row: TournamentRow,
    players: Sequence[Player],
    *,
    in_flight: int = IN_FLIGHT,
    reporter: Reporter | None = None,
) -> TournamentState:
    """Play a tournament, or go on with it; the state it is left in."""
    with answering(players) as contacts:
        row = store.tournaments.get(row.id)
        return Runner(store, row, contacts, in_flight=in_flight, reporter=reporter).run()


class After(Silent):
    """Does something once so many matches have been played."""

    def __init__(self, matches: int, act: Callable[[], object]) -> None:
        self.left = matches
        self.act = act

    def played(self, fixture: FixtureRow, result: FixtureResult, sentence: str) -> None:
        """Count a match."""
        self.left -= 1
        if self.left == 0:
            self.act()
