"""The ``arena`` command: one module a topic, loaded only when it is used.

Exit codes: 0 done, 1 a check or comparison failed, 2 something the person must change, 3 the
tournament was paused or cancelled meanwhile, 130 interrupted.
"""

from __future__ import annotations

import errno
import importlib
import io
import os
import sys
from typing import Any

import click

import arena
from arena.errors import UsageError
from arena.shortage import as_shortage, is_shortage

COMMANDS = {
    "demo": ("demo", "Play a whole tournament with the sample bots and show it in the browser."),
    "run": ("run", "Run a tournament between bots, from a file or from options."),
    "keys": ("keys", "List every key of a tournament's file."),
    "draft": ("draft", "Make a tournament without playing it, open for entries or not."),
    "entries": ("draft", "Open and close entries to a tournament; enter and take out bots."),
    "seed": ("draft", "Choose the seeding of a tournament before it starts."),
    "resume": ("run", "Go on with tournaments that were stopped or killed."),
    "serve": ("serve", "Serve the pages of a database."),
    "register": ("register", "Check a bot and enter it into a database."),
    "owner": ("owner", "Change, test, retire or enter a bot of yours, by its owner's token."),
    "organiser": ("serve", "Make the token with which one organises on the pages."),
    "bot": ("bot", "Serve a sample bot."),
    "check": ("check", "Check a bot against the protocol, step by step."),
    "standings": ("results", "Print a tournament's table."),
    "bracket": ("results", "Print a bracket, with who is favoured in each match."),
    "verify": ("verify", "Deal, replay and score everything again, and compare."),
    "export": ("verify", "Write a finished tournament as one archive that can be verified."),
    "backup": ("backup", "Copy the database while it is in use."),
    "matches": ("matches", "List matches and the hands that were lost the highest."),
    "replay": ("replay", "Print a hand move by move; ask a bot what it would do in it now."),
    "compare": ("compare", "Play two bots until it is clear whether one is better."),
    "plan": ("plan", "How long a tournament takes and how sharp it is."),
    "pause": ("manage", "Pause a running tournament."),
    "finish": ("manage", "End a ladder with its round in play."),
    "cancel": ("manage", "End a tournament for good."),
    "withdraw": ("manage", "Take a bot out of a running tournament."),
    "void": ("manage", "Void a match and play it again."),
    "rules": ("rules", "List the games, or explain one."),
    "deadwood": ("deadwood", "Best melds and deadwood of a hand; best discard of eleven cards."),
}
"""Name of each command: the module that has it, and its line in the help."""


UNSUITABLE = ("win32",)
"""Systems without process groups, with which the arena ends the bots that it started."""


UNWRITABLE = (errno.ENOSPC, errno.EDQUOT, errno.EIO)
"""What is wrong with whatever takes our output, when no file is named."""


class LazyGroup(click.Group):
    """Lists its commands from a table and imports a command's module when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """In the order of the table, which is the order of use."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """The command of this name."""
        if name not in COMMANDS:
            return None
        module = importlib.import_module(f"arena.cli.{COMMANDS[name][0]}")
        command = getattr(module, name)
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click does, but a slip is answered with the nearest name."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            from arena.nearest import did_you_mean

            hint = did_you_mean(args[0], COMMANDS) or f"; there are: {', '.join(COMMANDS)}"
            ctx.fail(f"no command {args[0]!r}{hint}")
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """As click does, but when the reader of our output (head, less) has seen enough, nothing
        has failed."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            raise click.exceptions.Exit(0) from None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands, from the table alone."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in COMMANDS.items()])


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(arena.__version__, prog_name="arena")
def cli() -> None:
    """Tournaments for rummy bots that are plain HTTP servers.

    \b
    arena demo                                    see everything at work
    arena bot simple --port 8001                  serve a sample bot
    arena check http://127.0.0.1:8001             is my bot in order?
    arena run --bot me=http://127.0.0.1:8001 --bot them=sample:keen
    """


def main() -> None:
    """Entry point of the command."""
    if sys.platform in UNSUITABLE:
        print(
            "error: the arena runs on Linux and macOS only; on Windows use the Windows Subsystem "
            "for Linux (wsl --install)",
            file=sys.stderr,
        )
        sys.exit(2)
    for stream in (sys.stdout, sys.stderr):
        # A name or a line of a table that the terminal cannot show must not end a tournament.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        code = cli.main(standalone_mode=False, prog_name="arena")
    except click.exceptions.Exit as leaving:
        code = leaving.exit_code
    except click.Abort:
        print("interrupted", file=sys.stderr)
        code = 130
    except click.ClickException as error:
        error.show()
        code = 2
    except UsageError as error:
        from arena.cli.advice import advised

        print(f"error: {advised(error)}", file=sys.stderr)
        code = 2
    except OSError as error:
        if is_shortage(error):
            print(f"error: {as_shortage(error)}", file=sys.stderr)
        elif error.errno in UNWRITABLE and error.filename is None:
            _say_unwritten(error)
        else:
            raise
        code = 2
    code = code if isinstance(code, int) else 0
    sys.exit(_flushed(code))


def _flushed(code: int) -> int:
    """The exit code, after the last of our output has been written, or could not be."""
    try:
        sys.stdout.flush()
    except OSError as error:
        # What is still buffered would fail once more when the interpreter ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if code == 0 and not isinstance(error, BrokenPipeError):
            _say_unwritten(error)
            code = 2
    return code


def _say_unwritten(error: OSError) -> None:
    print(
        f"error: the output could not be written ({error.strerror}); what was played is stored",
        file=sys.stderr,
    )
