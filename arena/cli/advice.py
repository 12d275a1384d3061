"""What to type about an error. What lies below the command line says what is wrong and knows no
commands, for pages show its texts too."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from arena.cli.options import resume_command
from arena.errors import (
    DamagedError,
    NameTaken,
    PlayedElsewhere,
    ShortageError,
    TooFewAnswer,
    UsageError,
)


def advised(error: UsageError) -> str:
    """The text of an error, with the commands that help."""
    help = _advice(error)
    return f"{error}; {help}" if help else str(error)


def _with_silent(error: TooFewAnswer) -> Iterator[str]:
    """What can be done about silent bots."""
    yield "test them with: arena check URL"
    if error.enough:
        yield "begin without them: --any-present"
    if error.leave is not None:
        leave = ["arena", "withdraw", error.leave, "BOT", "--db", str(error.database)]
        yield f"take out who will not come back: {shlex.join(leave)}"


def _advice(error: UsageError) -> str | None:
    match error:
        case DamagedError():
            return "see what is wrong with: arena verify"
        case NameTaken():
            return "or go on with it: arena resume"
        case PlayedElsewhere(database=database):
            return f"or watch it with: {shlex.join(['arena', 'serve', '--db', str(database)])}"
        case ShortageError():
            return "matches at a time are as many as --in-flight says"
        case TooFewAnswer():
            return "; or ".join(_with_silent(error))
    if error.resume is not None:
        return f"then go on with: {resume_command(error.resume)}"
    return None
