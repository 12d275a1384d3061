"""Who is admitted, and when that holds."""

from __future__ import annotations

from arena.store import Store


def test_check_admits_only_the_version_it_looked_at(store: Store) -> None:
    """Another address given meanwhile has not been looked at by anybody."""
    bot = store.bots.add("Keen", "http://203.0.113.5", state="pending")
    newer = store.bots.new_version(bot.id, "http://203.0.113.6")

    assert not store.bots.admit(bot.id, bot.version_id)
    assert store.bots.admit(newer.id, newer.version_id)

    found = store.bots.by_id(bot.id)
    assert found is not None
    assert found.state == "accepted"


def test_bot_that_was_turned_away_is_not_admitted_by_a_check_that_ends_later(store: Store) -> None:
    """What the organiser decided last holds."""
    bot = store.bots.add("Keen", "http://203.0.113.5", state="pending")
    store.bots.set_state(bot.id, "retired")

    assert not store.bots.admit(bot.id, bot.version_id)

    found = store.bots.by_id(bot.id)
    assert found is not None
    assert found.state == "retired"
