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
from arena.wire.endpoint import Endpoint
from arena.wire.signing import secret_key

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


def check_endpoints(config: TournamentConfig) -> None:
    """Refuse bots that could be neither called nor started, and secrets that sign nothing.

    :raises ConfigError: naming the bot, and what its endpoint or secret should be.
    """
    for bot in config.bots:
        try:
            if is_owned(bot.endpoint):
                check_owned(bot.endpoint)
            else:
                Endpoint.parse(bot.endpoint)
            if bot.secret is not None:
                secret_key(bot.secret)
        except ConfigError as error:
            raise ConfigError(f"bot {bot.name!r}: {error}") from error


def create_tournament(
    store: Store,
    config: TournamentConfig,
    secret: bytes | None = None,
    *,
    state: TournamentState = TournamentState.RUNNING,
) -> TournamentRow:
    """Check the configuration and store it with its bots, its secret and the commitment.

    Nothing has been called yet. One in the state running is played by the next ``arena resume``.
    One that is open for entries may begin with no bots.

    :raises ConfigError: something in it is wrong; nothing was written.
    :raises StoreError: there is no such tournament to be seeded from, or one of its name is there.
    """
    variant = validate(config, entries_follow=state is TournamentState.REGISTRATION)
    config = replace(config, options=options_for(config, variant), secret_given=secret is not None)
    check_endpoints(config)
    secret = secret or secrets.token_bytes(SECRET_BYTES)
    with store.transaction():
        if config.seeded_from is not None:
            store.tournaments.find(config.seeded_from)
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
