"""Options that several commands share, and how their texts are read."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Callable, Sequence
from math import isnan
from pathlib import Path
from typing import Any, TypeVar

import click

from arena.config import IN_FLIGHT, BotSpec
from arena.errors import ConfigError, InvalidSettings, StoreError, UsageError
from arena.launch import resolved

DEFAULT_DB = "arena.db"
SECRET_VARIABLE = "ARENA_BOT_SECRET"
"""Where bots and commands find the signing secret of a bot."""

_Command = TypeVar("_Command", bound=Callable[..., Any])

MOST_SECONDS = 10_000_000.0
"""Some months; no timer takes just any number."""


class Seconds(click.FloatRange):
    """A number of seconds. ``above_zero``: none is not enough."""

    def __init__(self, *, above_zero: bool = False) -> None:
        super().__init__(0, MOST_SECONDS, min_open=above_zero)

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """As the range does, which lets what is no number pass."""
        seconds: float = super().convert(value, param, ctx)
        if isnan(seconds):
            self.fail(f"{value!r} is no number of seconds.", param, ctx)
        return seconds


def database_option(command: _Command) -> _Command:
    """``--db``: the file that everything is kept in."""
    return click.option(
        "--db",
        "database",
        type=click.Path(path_type=Path, dir_okay=False),
        default=DEFAULT_DB,
        show_default=True,
        help="The database file.",
    )(command)


def in_flight_option(help: str) -> Callable[[_Command], _Command]:
    """``--in-flight``: how many matches are played at a time."""
    return click.option(
        "--in-flight",
        type=click.IntRange(1, 4096),
        default=IN_FLIGHT,
        show_default=True,
        help=help,
    )


def options_of(command: Any, options: Sequence[Callable[[Any], Any]]) -> Any:
    """A command with these options, listed in this order in its help."""
    for option in reversed(options):
        command = option(command)
    return command


def parse_changes(texts: Sequence[str]) -> dict[str, object]:
    """Rule settings from ``name=value`` texts.

    :raises ConfigError: one is not of that form.
    """
    from arena.rules.settings import parse_setting

    changes: dict[str, object] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name.strip():
            raise ConfigError(f"--set {text!r}: write SETTING=VALUE, for example gin_bonus=20")
        try:
            changes[name.strip()] = parse_setting(name.strip(), value)
        except InvalidSettings as error:
            raise ConfigError(f"--set {text!r}: {error}") from error
    return changes


def parse_bots(texts: Sequence[str], option: str = "--bot ") -> tuple[BotSpec, ...]:
    """Bots from ``NAME=URL`` texts; ``option`` is what stands before them, for messages.

    :raises ConfigError: one is not of that form.
    """
    bots = []
    for text in texts:
        name, equals, endpoint = text.partition("=")
        if not equals or not name or not endpoint:
            raise ConfigError(
                f"{option}{text!r}: write NAME=URL, for example keen=http://127.0.0.1:8001 "
                "or keen=sample:keen"
            )
        bots.append(BotSpec(name, resolved(endpoint, Path.cwd())))
    return tuple(bots)


def bot_secret() -> str:
    """A bot's signing secret: from the environment, else typed unseen, else a line of stdin.

    Never an option: anybody on the machine can read those in the list of processes.

    :raises UsageError: there is none.
    :raises ConfigError: it is none that signs.
    """
    from arena.wire.signing import secret_key

    secret = (os.environ.get(SECRET_VARIABLE) or "").strip()
    if not secret:
        if sys.stdin is not None and sys.stdin.isatty():
            secret = str(click.prompt("Signing secret", hide_input=True))
        else:
            secret = sys.stdin.readline().strip() if sys.stdin is not None else ""
    if not secret:
        raise UsageError(f"no secret: put it into the environment as {SECRET_VARIABLE}, or type it")
    first = secret.split()[0]
    secret_key(first)
    return first


def confirm(question: str) -> None:
    """Ask; end the command unless the answer is yes.

    :raises UsageError: there is nobody to answer.
    """
    try:
        click.confirm(question, abort=True)
    except click.Abort:
        if sys.stdin is None or not sys.stdin.isatty():
            click.echo(err=True)
            raise UsageError("nobody is there to answer; --yes does it without asking") from None
        raise


def resume_command(database: Path, name: str | None = None) -> str:
    """The command with which one goes on, quoted as a shell wants it."""
    return shlex.join(["arena", "resume", *([name] if name else []), "--db", str(database)])


def existing(database: Path) -> Path:
    """The database that a command is to change; it never makes one.

    :raises StoreError: there is none.
    """
    if not database.is_file():
        raise StoreError(f"no database at {database}; name it with --db")
    return database
