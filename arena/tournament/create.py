"""Enters a checked configuration into the database as a tournament.

Part of the I/O edge, like `runner`: it reads and writes the store.
"""

from __future__ import annotations

import secrets
from dataclasses import replace

from arena.config import TournamentConfig, options_for, validate
from arena.errors import ConfigError
from arena.launch import check_owned, is_owned
from arena.referee.ids import commitment_of, opaque_id
from arena.store import Store
from arena.store.rows import TournamentRow, TournamentState
from arena.tournament.results import entrant_names, standings_of
from arena.wire.endpoint import Endpoint

SECRET_BYTES = 32


def parse_secret(text: str) -> bytes:
    """A secret given by hand, for repeatable deals.

    :raises ConfigError: it is not 32 bytes in hex.
    """
    try:
        secret = bytes.fromhex(text)
    except ValueError:
        secret = b""
    if len(secret) != SECRET_BYTES:
        raise ConfigError(f"secret {text[:12]!r}…: give {2 * SECRET_BYTES} hexadecimal digits")
    return secret


def create_tournament(
    store: Store,
    config: TournamentConfig,
    secret: bytes | None = None,
    *,
    state: TournamentState = TournamentState.RUNNING,
) -> TournamentRow:
    """Check the configuration and store it with its bots, its secret and the commitment.

    Nothing has been called yet. One in the state running is played by the next ``arena resume``.

    :raises ConfigError: something in it is wrong; nothing was written.
    """
    variant = validate(config)
    config = replace(config, options=options_for(config, variant))
    for bot in config.bots:
        if is_owned(bot.endpoint):
            check_owned(bot.endpoint)
        else:
            Endpoint.parse(bot.endpoint)
    secret = secret or secrets.token_bytes(SECRET_BYTES)
    with store.transaction():
        if config.seeded_from is not None:
            _check_source(store, config)
        entrants = [
            (bot.name, store.bots.ensure(bot.name, bot.endpoint, secret=bot.secret).version_id)
            for bot in config.bots
        ]
        return store.tournaments.create(
            id=opaque_id("t", secret, config.name),
            name=config.name,
            format=config.find_format().name,
            variant=variant.name,
            config=config.to_json(),
            secret=secret.hex(),
            commitment=commitment_of(secret),
            entrants=entrants,
            state=state,
        )


def _check_source(store: Store, config: TournamentConfig) -> None:
    """Every bot must have a place in the tournament that gives the seeding."""
    assert config.seeded_from is not None
    names = set(entrant_names(store, store.tournaments.find(config.seeded_from).id).values())
    for bot in config.bots:
        if bot.name not in names:
            raise ConfigError(f"seeded_from = {config.seeded_from!r}: {bot.name!r} is not in it")


def seed(store: Store, tournament: TournamentRow) -> None:
    """Order the entrants by the tournament that the seeding comes from, if there is one.

    :raises ConfigError: that tournament is not over yet.
    """
    source = TournamentConfig.from_json(tournament.config).seeded_from
    if source is None or tournament.started_at is not None:
        return
    earlier = store.tournaments.find(source)
    if not earlier.over:
        raise ConfigError(
            f"{tournament.name!r} is seeded from {source!r}; play that to its end first"
        )
    names = entrant_names(store, earlier.id)
    place = {names[row.entrant]: at for at, row in enumerate(standings_of(store, earlier))}
    order = sorted(store.tournaments.entrants(tournament.id), key=lambda row: place[row.name])
    store.tournaments.set_seeding(tournament.id, [row.number for row in order])
