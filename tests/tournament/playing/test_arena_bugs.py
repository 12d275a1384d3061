"""A bug of the arena's own in a lane's thread ends the run with its error; nothing hangs."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import pytest

from arena.bot import BotServer
from arena.config import BotSpec, TournamentConfig
from arena.referee.decision import decision
from arena.store import Store
from arena.store.rows import FixtureStatus, TournamentState
from arena.tournament.create import create_tournament
from arena.tournament.model import FormatOptions
from arena.tournament.playing.contestants import contestants
from arena.tournament.playing.drive import Contact, Drive
from arena.tournament.playing.load import Load
from arena.tournament.playing.play import Stopper, play
from arena.tournament.playing.reporter import Silent
from arena.wire.schemas import InvalidMessage
from tests.samples import random_bot, simple


class Bug(Exception):
    """What the arena's own code raises in these tests."""


def run(store: Store) -> TournamentState:
    """One match between two good bots over HTTP; stopped, and so no error, if it hangs."""
    stopper = Stopper()
    timer = threading.Timer(20, stopper.stop)
    timer.start()
    try:
        with BotServer(simple.bot) as one, BotServer(random_bot.bot) as two:
            config = TournamentConfig(
                name="Bug",
                settings={"target": 20},
                options=FormatOptions(games=1, duplicate=False),
                bots=(BotSpec("one", one.url), BotSpec("two", two.url)),
            )
            return play(store, create_tournament(store, config, b"\1" * 32), Silent(), stopper)
    finally:
        timer.cancel()
        timer.join()


def failing(*_: object, **__: object) -> None:
    """Stands for any of the arena's functions."""
    raise Bug


def test_a_request_that_breaks_the_schema_ends_the_run(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is not sent, and no bot gets a fault for it."""

    def broken(*all: Any) -> dict[str, object]:
        return decision(*all) | {"seat": "the first"}

    monkeypatch.setattr("arena.referee.table.decision", broken)

    with pytest.raises(InvalidMessage):
        run(store)

    tournament = store.tournaments.find("Bug")
    assert tournament.state is TournamentState.RUNNING
    assert not store.hands.fault_counts(tournament.id)
    assert [row.status for row in store.fixtures.of(tournament.id)] == [FixtureStatus.PLAYING]


@pytest.mark.parametrize(
    ("owner", "name"),
    [(Drive, "_keep_hand"), (Load, "note")],
    ids=["where-a-drive-expects-errors", "where-it-does-not"],
)
def test_a_callback_that_raises_ends_the_run(
    store: Store, monkeypatch: pytest.MonkeyPatch, owner: type, name: str
) -> None:
    """Wherever in the handling of a reply it is."""
    monkeypatch.setattr(owner, name, failing)

    with pytest.raises(Bug):
        run(store)

    assert not store.hands.fault_counts(store.tournaments.find("Bug").id)


def test_a_lane_that_breaks_before_there_is_a_runner_ends_the_run(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While the bots are still being greeted there is nobody to tell yet; it is not lost."""

    @contextmanager
    def breaking(*all: Any, **options: Any) -> Iterator[Mapping[int, Contact]]:
        with contestants(*all) as contacts:
            on_error = all[3]
            on_error(Bug())
            yield contacts

    monkeypatch.setattr("arena.tournament.playing.play.contestants", breaking)

    with pytest.raises(Bug):
        run(store)

    assert store.tournaments.find("Bug").state is TournamentState.RUNNING
