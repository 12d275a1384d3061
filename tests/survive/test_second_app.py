"""A web server that is started twice, as a reloader does, starts nothing else."""

from __future__ import annotations

import threading
from pathlib import Path

from arena.bot import BotServer
from arena.config import BotSpec, TournamentConfig
from arena.referee.clock import ClockRules
from arena.site import create_app
from arena.store import Store
from arena.store.lock import sole_referee
from arena.store.rows import FixtureStatus
from arena.tournament.create import create_tournament
from arena.tournament.model import FormatOptions
from arena.tournament.playing.play import Stopper, play
from arena.tournament.playing.reporter import Silent
from tests.samples import random_bot, simple


def test_each_match_is_played_once_by_the_one_referee(tmp_path: Path) -> None:
    """Two apps on a database with an open tournament play nothing; the referee plays it once."""
    database = tmp_path / "arena.db"
    with BotServer(simple.bot) as one, BotServer(random_bot.bot) as two, Store(database) as store:
        made = create_tournament(
            store,
            TournamentConfig(
                name="Open",
                settings={"target": 20},
                clock=ClockRules(deadline_ms=5000),
                options=FormatOptions(games=1),
                bots=(BotSpec("a", one.url), BotSpec("b", two.url)),
            ),
        )
        before = {thread.name for thread in threading.enumerate()}
        apps = [create_app(database), create_app(database)]
        for app in apps:
            assert app.test_client().get("/").status_code == 200
        started = {thread.name for thread in threading.enumerate()} - before
        assert not [name for name in started if "referee" in name or "lane" in name]
        with sole_referee(database):
            pass
        assert not store.fixtures.of(made.id)

        play(store, made, Silent(), Stopper())

        rows = store.fixtures.of(made.id)
        assert [row.status for row in rows] == [FixtureStatus.FINISHED] * 2
        hands = [
            (row.id, hand.game, hand.number) for row in rows for hand in store.hands.of(row.id)
        ]
        assert len(hands) == len(set(hands)) == sum(row.hands for row in rows)
        for app in apps:
            app.config["CHECKS"].close()
