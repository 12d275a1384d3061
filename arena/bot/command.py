"""Turns a bot's file into a command: ``python my_bot.py --port 8001`` or ``--check``."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from arena.bot.base import Bot, Chosen, as_bot
from arena.bot.server import BotServer, serve, warn_of_misspelt_hooks
from arena.bot.view import BotView
from arena.errors import UsageError

SECRET_VARIABLE = "ARENA_BOT_SECRET"
"""Environment variable with the bot's signing secret, or two separated by a space. Secrets are
not options: anybody on the machine could read them in the list of processes."""


def run(player: Bot | Callable[[BotView], Chosen], arguments: Sequence[str] | None = None) -> None:
    """What a bot's file calls at its end: serve the bot, or check it, as the command line says.

    Exits with 1 when a check failed and with 2 when an option or the address is wrong.
    """
    try:
        bot = as_bot(player)
        options = _options(bot, arguments)
        secrets = os.environ.get(SECRET_VARIABLE, "").split()
        if options.check:
            sys.exit(0 if _check(bot, options, secrets) else 1)
        serve(bot, options.host, options.port, secrets, record=options.record)
    except UsageError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(2)


def _options(bot: Bot, arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=f"Serves the bot {bot.name!r} over HTTP.",
        epilog=f"Set {SECRET_VARIABLE} to a whsec_… secret to accept signed requests only.",
    )
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (%(default)s)")
    parser.add_argument("--port", type=_port, default=0, help="port; 0 takes a free one")
    parser.add_argument(
        "--record",
        type=Path,
        metavar="FILE",
        help="add every decision and its answer to this file, a JSON object a line",
    )
    parser.add_argument(
        "--check", action="store_true", help="check the bot against the protocol and stop"
    )
    parser.add_argument(
        "--play",
        type=int,
        default=0,
        metavar="N",
        help="with --check: play N hands against a sample bot",
    )
    parser.add_argument(
        "--limit",
        type=int,
        default=180,
        metavar="SECONDS",
        help="with --check: time for the whole check",
    )
    parser.add_argument(
        "--all", action="store_true", help="with --check: list every step, not only what matters"
    )
    parser.add_argument("--json", action="store_true", help="with --check: print JSON")
    return parser.parse_args(arguments)


def _port(text: str) -> int:
    number = int(text)
    if not 0 <= number <= 65535:
        raise argparse.ArgumentTypeError(f"{text} is no port; use 0 to 65535")
    return number


def _check(bot: Bot, asked: argparse.Namespace, secrets: Sequence[str]) -> bool:
    # Imported here because a bot that only plays does not need them.
    from arena.bot.practice import sample_opponent
    from arena.wire.conformance import Options, Progress, check, show

    warn_of_misspelt_hooks(bot)
    opponent = sample_opponent() if asked.play else None
    with BotServer(bot, asked.host, asked.port, secrets=secrets, record=asked.record) as server:
        secret = secrets[0] if secrets else None
        options = Options(
            secret=secret,
            limit_s=asked.limit,
            play=asked.play,
            opponent=opponent,
            progress=None if asked.json else Progress(),
        )
        return show(check(server.url, options), every_step=asked.all, as_json=asked.json)
