"""Plays real tournaments into a database without HTTP: the runner, with functions for bots."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from typing import Any
from zlib import crc32

from arena.config import BotSpec, TournamentConfig
from arena.referee.asks import Answer, Ask, Notice, Reply
from arena.referee.clock import ClockRules
from arena.referee.verdicts import BotFault, FaultCode
from arena.rules.base import Melds
from arena.rules.cards import mask_of
from arena.rules.indian.groups import GroupRules
from arena.rules.indian.points import best_throw
from arena.rules.melds import default_spread, meld_names, meld_tables
from arena.store import Store
from arena.store.rows import FixtureRow, TournamentRow, TournamentState
from arena.tournament.create import create_tournament
from arena.tournament.model import FixtureResult, FormatOptions
from arena.tournament.playing.reporter import Silent
from arena.tournament.playing.runner import Runner

Policy = Callable[[Mapping[str, Any]], tuple[str, Melds | None]]
TABLES = meld_tables("low", 1)


def sensible(request: Mapping[str, Any]) -> tuple[str, Melds | None]:
    """A player for every game: makes melds, throws what is dear, ends the hand when it can."""
    legal = request["legal"]
    by_kind: dict[str, list[Mapping[str, Any]]] = {}
    for one in legal:
        by_kind.setdefault(one["kind"], []).append(one)
    for kind in ("big_gin", "meld", "add", "accept"):
        if kind in by_kind:
            return by_kind[kind][0]["id"], None
    if "declare" in by_kind:
        return _indian(request, by_kind)
    if "knock" in by_kind or "discard" in by_kind:
        return _throw(request, by_kind), None
    return _draw(request, [one["id"] for one in legal]), None


def _throw(request: Mapping[str, Any], by_kind: Mapping[str, list[Mapping[str, Any]]]) -> str:
    held = mask_of(request["cards"])

    def left(card: str) -> int:
        return TABLES.deadwood(held & ~mask_of([card]))

    for kind in ("knock", "discard"):
        if kind in by_kind:
            best = min(by_kind[kind], key=lambda one: (left(one["card"]), one["id"]))
            return str(best["id"])
    raise AssertionError("nothing to throw")


def _draw(request: Mapping[str, Any], legal: Sequence[str]) -> str:
    upcard = request["upcard"]
    if "draw:discard" in legal and upcard and request["wild"] is None:
        held = mask_of(request["cards"])
        card = mask_of([upcard])
        melds = meld_names(default_spread(held | card, TABLES))
        if any(upcard in meld for meld in melds):
            return "draw:discard"
    return "draw:stock" if "draw:stock" in legal else legal[0]


def _indian(
    request: Mapping[str, Any], by_kind: Mapping[str, list[Mapping[str, Any]]]
) -> tuple[str, Melds | None]:
    rank = "A23456789TJQK".index(request["wild"]) if request["wild"] else None
    throw = best_throw(request["cards"], GroupRules(wild=rank))
    if throw.is_complete:
        return f"declare:{throw.card}", throw.melds
    throws = [one["id"] for one in by_kind["discard"]]
    wanted = f"discard:{throw.card}"
    return wanted if wanted in throws else throws[0], None


def unsteady(percent: int) -> Policy:
    """Like `sensible`, but this often it does any legal thing, by its request's id."""

    def choose(request: Mapping[str, Any]) -> tuple[str, Melds | None]:
        dice = crc32(request["request_id"].encode())
        plain = [one["id"] for one in request["legal"] if one["kind"] in ("draw", "discard")]
        if plain and dice % 100 < percent:
            return plain[dice // 100 % len(plain)], None
        return sensible(request)

    return choose


class Local:
    """Answers for one bot from a thread of its own. ``fails_at``: every so many calls time out."""

    def __init__(self, policy: Policy, fails_at: int = 0) -> None:
        self._policy = policy
        self._fails_at = fails_at
        self._count = 0
        self._asks: queue.SimpleQueue[tuple[Ask, Callable[[Reply], None]] | None] = (
            queue.SimpleQueue()
        )
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def ask(self, ask: Ask, done: Callable[[Reply], None]) -> None:
        """Queue a decision."""
        self._asks.put((ask, done))

    def tell(self, notice: Notice) -> None:
        """Nothing to remember."""

    def answers(self) -> bool:
        """Always."""
        return True

    def close(self) -> None:
        """End the thread."""
        self._asks.put(None)
        self._thread.join()

    def _run(self) -> None:
        while (item := self._asks.get()) is not None:
            ask, done = item
            self._count += 1
            if self._fails_at and self._count % self._fails_at == 0:
                done(BotFault(FaultCode.TIMEOUT, "no answer from 10.0.0.9:4000", 1000.0))
                continue
            action, melds = self._policy(ask.request)
            done(Answer(action, melds, None, 1.5 + self._count % 7, 0.1))


class Until(Silent):
    """Stops the runner after so many matches."""

    def __init__(self, matches: int | None) -> None:
        self.matches = matches
        self.runner: Runner | None = None

    def played(self, fixture: FixtureRow, result: FixtureResult, sentence: str) -> None:
        """Count a match."""
        if self.matches is None:
            return
        self.matches -= 1
        if self.matches <= 0 and self.runner is not None:
            self.runner.stop()


def create(
    store: Store,
    name: str,
    bots: Sequence[str],
    *,
    rules: str = "gin",
    settings: Mapping[str, Any] | None = None,
    format: str = "round-robin",
    options: FormatOptions | None = None,
    state: TournamentState = TournamentState.DRAFT,
) -> TournamentRow:
    """Enter a tournament that nobody plays yet."""
    config = TournamentConfig(
        name=name,
        format=format,
        rules=rules,
        settings=settings or {},
        options=options or FormatOptions(games=1),
        clock=ClockRules(),
        bots=tuple(
            BotSpec(bot, f"http://user:pw@127.0.0.1:{9000 + at}/hook/TOKEN?key=K")
            for at, bot in enumerate(bots)
        ),
    )
    return create_tournament(store, config, sha256(name.encode()).digest(), state=state)


def play(
    store: Store,
    name: str,
    bots: Sequence[str],
    *,
    rules: str = "gin",
    settings: Mapping[str, Any] | None = None,
    format: str = "round-robin",
    options: FormatOptions | None = None,
    matches: int | None = None,
    fails_at: int = 0,
) -> str:
    """Play a tournament, or its first ``matches``; the last bot fails now and then. Its id."""
    row = create(store, name, bots, rules=rules, settings=settings, format=format, options=options)
    contacts = {
        at: Local(unsteady(9 * at), fails_at if at == len(bots) - 1 else 0)
        for at in range(len(bots))
    }
    reporter = Until(matches)
    runner = Runner(store, row, contacts, reporter=reporter, in_flight=4)
    reporter.runner = runner
    try:
        runner.run()
    finally:
        for contact in contacts.values():
            contact.close()
    return row.id
