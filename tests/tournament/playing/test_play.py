"""Tournaments that cannot be gone on with: the reason is named and nothing is called or changed."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable

import pytest

from arena.bot import BotServer
from arena.config import BotSpec, TournamentConfig
from arena.errors import StoreError
from arena.store import Store
from arena.store.rows import FixtureStatus, TournamentRow
from arena.tournament.create import create_tournament
from arena.tournament.model import FormatOptions
from arena.tournament.playing.play import Stopper, play, stop_on_signals
from arena.tournament.playing.reporter import Silent
from tests.faulty_bots import FaultyBot
from tests.samples import random_bot, simple

Damage = Callable[[Store], None]


def sql(*statements: str) -> Damage:
    """Changes that no part of the arena would make."""

    def damage(store: Store) -> None:
        store.db.conn.execute("PRAGMA foreign_keys = OFF")
        with store.transaction() as conn:
            for statement in statements:
                conn.execute(statement)

    return damage


DAMAGE = {
    "configuration empty": (sql("UPDATE tournaments SET config = '{}'"), "options"),
    "configuration of another version": (
        sql("UPDATE tournaments SET config = json_set(config, '$.later', 1)"),
        "later",
    ),
    "unknown game": (
        sql("UPDATE tournaments SET config = json_set(config, '$.rules', 'whist')"),
        "whist",
    ),
    "unknown setting": (
        sql("UPDATE tournaments SET config = json_set(config, '$.settings.trumps', 1)"),
        "trumps",
    ),
    "unknown format": (
        sql("UPDATE tournaments SET config = json_set(config, '$.format', 'raffle')"),
        "raffle",
    ),
    "no secret": (sql("UPDATE tournaments SET secret = ''"), "secret"),
    "half an entrant list": (sql("DELETE FROM entrants WHERE number = 0"), "entrants"),
}


@pytest.mark.parametrize("name", DAMAGE)
def test_damaged_tournament_is_refused_before_anybody_is_called(store: Store, name: str) -> None:
    """A saved tournament that is empty or broken is not begun."""
    damage, word = DAMAGE[name]
    with FaultyBot() as one, FaultyBot() as two:
        made = create_tournament(
            store,
            TournamentConfig("Tournament", bots=(BotSpec("a", one.url), BotSpec("b", two.url))),
        )
        damage(store)
        with pytest.raises(StoreError, match=rf"'Tournament' is damaged .*{word}.*backup"):
            play(store, store.tournaments.get(made.id), Silent(), Stopper())
        assert not one.requests + two.requests


class StopAfterFirst(Silent):
    """Stops once a match has begun and some hands of it are stored."""

    def __init__(self, store: Store, stopper: Stopper) -> None:
        self._store = store
        self._stopper = stopper

    def played(self, *_: object) -> None:
        """The first match is over; the others are in play."""
        self._stopper.stop()


def interrupted(store: Store, bots: tuple[BotSpec, ...]) -> TournamentRow:
    """A tournament that was stopped with hands of unfinished matches stored."""
    config = TournamentConfig("Tournament", bots=bots, options=FormatOptions(games=9, legs=4))
    made = create_tournament(store, config, b"\5" * 32)
    stopper = Stopper()
    play(store, made, StopAfterFirst(store, stopper), stopper)
    return store.tournaments.get(made.id)


@pytest.mark.parametrize(
    "damage",
    [
        sql("UPDATE hands SET record = 'H1 nonsense' WHERE number = 1"),
        sql("DELETE FROM hands WHERE number = 1"),
    ],
    ids=["unreadable hand", "missing hand"],
)
def test_damaged_hand_stops_the_resumed_run_and_leaves_the_rest_alone(
    store: Store, damage: Damage
) -> None:
    """It is not replaced by another hand: what was played stays as it is, to be looked at."""
    with BotServer(simple.bot) as one, BotServer(random_bot.bot) as two:
        made = interrupted(store, (BotSpec("a", one.url), BotSpec("b", two.url)))
        under_way = [
            row.id
            for row in store.fixtures.of(made.id)
            if row.status is FixtureStatus.PLAYING and store.hands.of(row.id)
        ]
        assert under_way
        damage(store)
        with pytest.raises(StoreError, match=r"'Tournament' is damaged .*restore a backup"):
            play(store, made, Silent(), Stopper())

    assert {row.status for row in store.fixtures.of(made.id) if row.id in under_way} == {
        FixtureStatus.PLAYING
    }


def test_the_end_of_a_terminal_stops_play_unless_it_is_ignored() -> None:
    """As nohup has it; what was before is so again afterwards."""
    usual = signal.getsignal(signal.SIGHUP)
    for before, stops in ((signal.SIG_DFL, True), (signal.SIG_IGN, False)):
        signal.signal(signal.SIGHUP, before)
        try:
            with stop_on_signals() as stopper:
                assert (signal.getsignal(signal.SIGHUP) is not before) == stops
                signal.raise_signal(signal.SIGHUP if stops else signal.SIGTERM)
                assert stopper.stopped
            assert signal.getsignal(signal.SIGHUP) is before
        finally:
            signal.signal(signal.SIGHUP, usual)


INTERRUPTED_WHILE_WAITING = """
import os, signal, sys, threading
from arena.tournament.playing.play import stop_on_signals

def signal_amid_a_lock(frame, event, arg):
    if frame.f_code is threading.Condition.wait.__code__:
        sys.settrace(None)
        signal.raise_signal(signal.SIGTERM)
    return signal_amid_a_lock

with stop_on_signals() as stopper:
    threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGTERM)).start()
    sys.settrace(signal_amid_a_lock)
    stopper.wait()
"""


def test_signal_ends_waiting_at_whatever_moment_it_comes() -> None:
    """Its handler runs in the waiting thread and must find nothing locked."""
    command = [sys.executable, "-c", INTERRUPTED_WHILE_WAITING]
    with subprocess.Popen(command) as waiting:
        try:
            assert waiting.wait(20) == 0
        finally:
            waiting.kill()
