"""New tournaments in the database, and the database itself, made only for something to keep."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from arena.errors import UsageError

if TYPE_CHECKING:
    from arena.config import TournamentConfig
    from arena.store import Store
    from arena.store.rows import TournamentRow


def check_enterable(config: TournamentConfig) -> None:
    """Check all that can be checked before there is a database.

    :raises ConfigError: naming the field, the value and what to do.
    """
    from arena.config import validate
    from arena.tournament.create import check_endpoints

    validate(replace(config, name=config.name or "Tournament"))
    check_endpoints(config)


@contextmanager
def entered(
    store: Store, config: TournamentConfig, secret: bytes | None = None
) -> Iterator[TournamentRow]:
    """A new tournament; one that is refused before its first match was never entered."""
    from arena.tournament.create import create_tournament

    if not config.name:
        config = replace(config, name=free_name(store, config.find_format().title))
    tournament = create_tournament(store, config, secret)
    try:
        yield tournament
    except UsageError:
        store.tournaments.forget_unplayed(tournament.id)
        raise


def free_name(store: Store, title: str) -> str:
    """A name for a tournament that was given none: the title of its format and a number."""
    taken = {row.name for row in store.tournaments.all()}
    number = 1
    while f"{title} {number}" in taken:
        number += 1
    return f"{title} {number}"
