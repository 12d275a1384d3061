"""A bot that comes up after the greeting is asked as it says it can be asked."""

from __future__ import annotations

from arena.config import BotSpec, TournamentConfig
from arena.store import Store
from arena.tournament.create import create_tournament
from arena.tournament.playing.contestants import contestants
from arena.tournament.playing.reporter import Silent
from arena.wire.greeting import UNKNOWN
from tests.faulty_bots import FaultyBot


def test_late_bot_is_greeted_again(store: Store) -> None:
    """Its own limits hold from then on, not those of a bot that is not known."""
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
        with contestants(
            store, row, Silent(), lambda error: None, lambda absence_s: None
        ) as contacts:
            assert contacts[0].lane.info.max_batch == 7
            assert contacts[1].lane.info is UNKNOWN
            assert not contacts[1].has_answered
            assert contacts[1].answers() is False

            late.listen()

            assert contacts[1].answers() is True
            assert contacts[1].has_answered
            assert contacts[1].lane.info.max_batch == 9
