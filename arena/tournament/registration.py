"""Entries to a tournament before it starts: opened and closed by the organiser, made by owners.

Each is one transaction on the store, refused with a sentence when it makes no sense. Part of the
I/O edge, like `lifecycle`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from arena.config import MAX_BOTS, TournamentConfig
from arena.errors import ConfigError, StoreError
from arena.rules.games import claims_of
from arena.store import Store
from arena.store.rows import BotRow, BotState, TournamentRow, TournamentState

BEFORE = (TournamentState.DRAFT, TournamentState.REGISTRATION)
"""States in which nothing has been played."""


def most_entrants(row: TournamentRow) -> int:
    """How many bots may be in a tournament."""
    return TournamentConfig.from_json(row.config).most_entrants or MAX_BOTS


def open_entries(store: Store, row: TournamentRow, most: int | None = None) -> TournamentRow:
    """Let owners enter their bots, at most so many; None leaves the limit as it is.

    :raises StoreError: it has started already.
    :raises ConfigError: the limit is impossible, or lower than the number of bots in it.
    """
    with store.transaction():
        row = store.tournaments.get(row.id)
        if row.state not in BEFORE:
            raise StoreError(f"{row.name!r} is {row.state}; entries are made before it starts")
        if most is not None:
            entered = len(store.tournaments.entrants(row.id))
            if not max(entered, 2) <= most <= MAX_BOTS:
                raise ConfigError(
                    f"most_entrants = {most}: give a number from {max(entered, 2)} to {MAX_BOTS}"
                )
            config = replace(TournamentConfig.from_json(row.config), most_entrants=most)
            store.tournaments.set_config(row.id, config.to_json())
        store.tournaments.set_state(row.id, TournamentState.REGISTRATION)
    return store.tournaments.get(row.id)


def close_entries(store: Store, row: TournamentRow) -> TournamentRow:
    """Let nobody enter or leave any more; the bots in it stay.

    :raises StoreError: it is not open.
    """
    opened = (TournamentState.REGISTRATION,)
    if not store.tournaments.move(row.id, TournamentState.DRAFT, opened):
        state = store.tournaments.get(row.id).state
        raise StoreError(f"{row.name!r} is {state}; it is not open for entries")
    return store.tournaments.get(row.id)


def enter(store: Store, row: TournamentRow, bot: BotRow, *, organiser: bool = False) -> None:
    """Enter a bot with its newest version; it is seeded last.

    ``organiser``: also while entries are closed, until the start.

    :raises StoreError: nobody can enter now, the field is full, or the bot is in it.
    :raises ConfigError: the bot may not take part, or does not play this game.
    """
    with store.transaction():
        row = _open(store, row, organiser)
        if bot.state is not BotState.ACCEPTED:
            raise ConfigError(f"{bot.name!r} is {bot.state}; only an accepted bot can enter")
        config = TournamentConfig.from_json(row.config)
        variant = config.variant()
        if not plays(bot.info, *claims_of(variant)):
            games = ", ".join(map(str, bot.info.get("games", ())))
            if not games:
                raise ConfigError(
                    f"which games {bot.name!r} plays is not known; test it again, then enter it"
                )
            raise ConfigError(
                f"{bot.name!r} does not play {variant.name}; its games: {games} "
                f"(a bot for all games of this family says {claims_of(variant)[-1]!r})"
            )
        entrants = store.tournaments.entrants(row.id)
        if any(entrant.name == bot.name for entrant in entrants):
            raise StoreError(f"{bot.name!r} is in {row.name!r} already")
        if len(entrants) >= most_entrants(row):
            raise StoreError(f"{row.name!r} is full: {len(entrants)} bots are in it")
        store.tournaments.add_entrant(row.id, bot.name, bot.version_id)


def leave(store: Store, row: TournamentRow, bot: str, *, organiser: bool = False) -> None:
    """Take a bot out before the start, without a trace.

    :raises StoreError: nobody can leave now.
    :raises ConfigError: the bot is not in it.
    """
    with store.transaction():
        row = _open(store, row, organiser)
        entrants = {entrant.name: entrant for entrant in store.tournaments.entrants(row.id)}
        if bot not in entrants:
            raise ConfigError(f"{bot!r} is not in {row.name!r}")
        store.tournaments.remove_entrant(row.id, entrants[bot].number)


def _open(store: Store, row: TournamentRow, organiser: bool) -> TournamentRow:
    row = store.tournaments.get(row.id)
    if row.state is TournamentState.REGISTRATION or (organiser and row.state in BEFORE):
        return row
    if row.state is TournamentState.DRAFT:
        raise StoreError(f"{row.name!r} is not open for entries; the organiser opens it")
    raise StoreError(f"{row.name!r} is {row.state}; entries are made before it starts")


def plays(info: Mapping[str, Any], *names: str) -> bool:
    """Whether a bot said that it plays a game of one of these names."""
    games = info.get("games", ())
    return "*" in games or any(name in games for name in names)


def check_startable(store: Store, row: TournamentRow) -> None:
    """Whether enough bots are in it for its format.

    :raises ConfigError: saying how many are needed.
    """
    if row.state not in BEFORE:
        return
    config = TournamentConfig.from_json(row.config)
    entered = len(store.tournaments.entrants(row.id))
    if entered < config.options.table_size:
        raise ConfigError(
            f"{row.name!r} has {entered} entrant{'s' * (entered != 1)}; "
            f"it needs at least {config.options.table_size}"
        )
    config.find_format().fixtures(range(entered), config.options, {})
