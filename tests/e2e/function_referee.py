"""A referee process between bots that are functions: quick to start, and to kill at any moment.

`referee` is what such a process runs. It does what ``arena run`` and ``arena resume`` do, but for
the HTTP calls, and may be told to kill itself in the middle of its work with the database.
"""

from __future__ import annotations

import os
import signal
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from arena.config import BotSpec, TournamentConfig
from arena.referee.asks import Answer, Ask, Reply
from arena.referee.players import Player
from arena.store import Store
from arena.store.lock import sole_referee
from arena.store.rows import FixtureRow, TournamentRow
from arena.tournament import lifecycle
from arena.tournament.create import create_tournament
from arena.tournament.model import FixtureResult, FormatOptions
from arena.tournament.playing.reporter import Silent
from arena.tournament.playing.runner import Runner
from tests.site.playing import unsteady
from tests.tournament.functions import answering, failing, knocker

SECRET = b"\x5e" * 32


@dataclass(frozen=True, slots=True)
class Course:
    """A tournament to be played again and again. ``ends``: cancelled after so many matches."""

    format: str
    players: int = 6
    rules: str = "gin"
    settings: Mapping[str, Any] = field(default_factory=lambda: {"target": 25})
    options: Mapping[str, Any] = field(default_factory=dict)
    in_flight: int = 4
    ends: int | None = None


COURSES = (
    Course("round_robin", 4, options={"legs": 2}),
    Course("single_elimination", options={"best_of": 3}),
    Course("double_elimination", options={"best_of": 1}),
    Course("swiss", 7, options={"rounds": 4}),
    Course("groups", 7),
    Course("gauntlet"),
    Course("tables", 4, "cutthroat", {"target": 10}, {"table_size": 3, "duplicate": False}),
    Course("ladder", in_flight=1, ends=14),
)
"""One of every format."""


def players_of(course: Course) -> list[Player]:
    """The bots: of different strength, one of them often late, none keeping any state."""
    if course.rules != "gin":
        return [_policy(9 * number) for number in range(course.players)]
    bots = [knocker(8 * number) for number in range(course.players)]
    bots[-1] = failing(7)
    return bots


def _policy(percent: int) -> Player:
    choose = unsteady(percent)

    def play(ask: Ask) -> Reply:
        chosen, melds = choose(ask.request)
        return Answer(chosen, melds, elapsed_ms=1.0)

    return play


def enter(store: Store, course: Course) -> TournamentRow:
    """The course's tournament, made unless it is there already."""
    for row in store.tournaments.all():
        return row
    config = TournamentConfig(
        name="Crash",
        format=course.format,
        rules=course.rules,
        settings=course.settings,
        options=FormatOptions(**{"games": 1, **course.options}),
        bots=tuple(BotSpec(f"bot {n}", "http://127.0.0.1:9") for n in range(course.players)),
    )
    return create_tournament(store, config, SECRET)


def referee(path: Path, course: Course, die_at: int | None = None) -> None:
    """Play the course's tournament to its end, from wherever it is.

    ``die_at``: kill this process, as with kill -9, before that statement of SQL.
    """
    with Store(path) as store, sole_referee(path):
        if die_at is not None:
            _die_at(store.db.conn, die_at)
        row = enter(store, course)
        if row.over:
            return
        ending = _Ending(store, row, course.ends)
        with answering(players_of(course)) as contacts:
            Runner(store, row, contacts, reporter=ending, in_flight=course.in_flight).run()


def _die_at(conn: sqlite3.Connection, statement: int) -> None:
    left = statement

    def trace(sql: str) -> None:
        nonlocal left
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    conn.set_trace_callback(trace)


class _Ending(Silent):
    """Cancels a tournament that has no end of its own."""

    def __init__(self, store: Store, row: TournamentRow, after: int | None) -> None:
        self._store = store
        self._row = row
        self._left = after

    def started(self, total: int | None, finished: int) -> None:
        """What was played before a crash counts."""
        self._count(finished)

    def played(self, fixture: FixtureRow, result: FixtureResult, sentence: str) -> None:
        """Count a match."""
        self._count(1)

    def _count(self, matches: int) -> None:
        if self._left is None:
            return
        self._left -= matches
        row = self._store.tournaments.get(self._row.id)
        if self._left <= 0 and not row.over:
            lifecycle.cancel(self._store, row)
