"""A bot that comes up after the greeting is asked as it says it can be asked."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from arena.config import BotSpec, TournamentConfig
from arena.store import Store
from arena.tournament import contestants
from arena.tournament.create import create_tournament
from arena.tournament.reporter import Silent
from arena.wire.greeting import UNKNOWN
from arena.wire.lane import Lane
from tests.faulty_bots import FaultyBot


def test_late_bot_is_greeted_again(
    store: Store, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Its own limits hold from then on, not those of a bot that is not known."""
    monkeypatch.setattr(contestants, "GREET_AGAIN_S", 0.02)
    came_up = threading.Event()
    seen = contestants._came_up

    def noting(lane: Lane) -> bool:
        answered = seen(lane)
        if answered:
            came_up.set()
        return answered

    monkeypatch.setattr(contestants, "_came_up", noting)
    with (
        FaultyBot(max_batch=7, max_concurrency=3) as good,
        FaultyBot() as other,
        FaultyBot(max_batch=9, max_concurrency=4, listens=False) as late,
    ):
        row = create_tournament(
            store,
            TournamentConfig(
                name="Late",
                bots=(
                    BotSpec("good", good.url),
                    BotSpec("late", late.url),
                    BotSpec("other", other.url),
                ),
            ),
            bytes(range(32)),
        )
        with contestants.contestants(
            store, row, Silent(), lambda error: None, lambda absence_s: None
        ) as contacts:
            assert contacts[0].lane.info.max_batch == 7
            assert contacts[1].lane.info is UNKNOWN

            late.listen()
            assert came_up.wait(20)

            assert contacts[1].lane.info.max_batch == 9
