"""Commands that help with an error, said by the command line alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.cli.advice import advised
from arena.errors import (
    ClusterError,
    ConfigError,
    DamagedError,
    NameTaken,
    PlayedElsewhere,
    ShortageError,
    StoreError,
    TooFewAnswer,
    UsageError,
)

HERE, SPACED = Path("friday.db"), Path("last friday.db")


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (ConfigError("games = 0: give more"), "games = 0: give more"),
        (StoreError("disk full", resume=HERE),
         "disk full; then go on with: arena resume --db friday.db"),
        (ClusterError("lost", resume=HERE), "lost; then go on with: arena resume --db friday.db"),
        (ClusterError("lost", resume=SPACED),
         "lost; then go on with: arena resume --db 'last friday.db'"),
        (NameTaken("taken"), "taken; or go on with it: arena resume"),
        (PlayedElsewhere("played", HERE),
         "played; or watch it with: arena serve --db friday.db"),
        (PlayedElsewhere("played", SPACED),
         "played; or watch it with: arena serve --db 'last friday.db'"),
        (DamagedError("damaged"), "damaged; see what is wrong with: arena verify"),
        (ShortageError("short"), "short; matches at a time are as many as --in-flight says"),
        (TooFewAnswer("silent", leave=None, database=HERE),
         "silent; test them with: arena check URL"),
        (TooFewAnswer("silent", leave=None, database=HERE, enough=True),
         "silent; test them with: arena check URL; or begin without them: --any-present"),
        (TooFewAnswer("silent", leave="On Friday", database=HERE),
         "silent; test them with: arena check URL; or take out who will not come back: "
         "arena withdraw 'On Friday' BOT --db friday.db"),
    ],
)  # fmt: skip
def test_error_is_followed_by_the_command_that_helps(error: UsageError, said: str) -> None:
    """With its database, and names as a shell wants them."""
    assert advised(error) == said
