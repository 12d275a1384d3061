"""Who is admitted, and when that holds."""

from __future__ import annotations

import pytest

from arena.errors import StoreError
from arena.store import Store
from arena.store.rows import BotState


def test_check_admits_only_the_version_it_looked_at(store: Store) -> None:
    """Another address given meanwhile has not been looked at by anybody."""
    bot = store.bots.add("Keen", "http://203.0.113.5", state=BotState.PENDING)
    newer = store.bots.new_version(bot.id, "http://203.0.113.6")

    assert not store.bots.admit(bot.id, bot.version_id)
    assert store.bots.admit(newer.id, newer.version_id)

    found = store.bots.by_id(bot.id)
    assert found is not None
    assert found.state is BotState.ACCEPTED


def test_bot_that_was_turned_away_is_not_admitted_by_a_check_that_ends_later(store: Store) -> None:
    """What the organiser decided last holds."""
    bot = store.bots.add("Keen", "http://203.0.113.5", state=BotState.PENDING)
    store.bots.set_state(bot.id, BotState.RETIRED)

    assert not store.bots.admit(bot.id, bot.version_id)

    found = store.bots.by_id(bot.id)
    assert found is not None
    assert found.state is BotState.RETIRED


@pytest.mark.parametrize("column", ["state", "info"])
def test_damaged_bot_is_named(store: Store, column: str) -> None:
    """A value that the arena never writes is an error with the bot's name, not a crash later."""
    bot = store.bots.add("Keen", "http://203.0.113.5")
    table = "bots" if column == "state" else "bot_versions"
    with store.transaction() as conn:
        conn.execute(f"UPDATE {table} SET {column} = 'perhaps'")

    with pytest.raises(StoreError, match=r"bot 'Keen' is damaged .*restore a backup"):
        store.bots.by_id(bot.id)
