"""``arena check``: is a bot in order?"""

from __future__ import annotations

import os
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager

    from arena.launch import OwnedBot

MOST_OUTPUT = 3000
"""How many characters of the end of a failing bot's output are shown."""


@click.command()
@click.argument("url")
@click.option("--play", type=click.IntRange(0, 1000), default=0, metavar="N",
              help="Play N hands against a sample bot at the end.")  # fmt: skip
@click.option("--deadline-ms", type=click.IntRange(10, 600_000), default=1000, show_default=True,
              help="Time for a decision.")  # fmt: skip
@click.option("--limit", "limit_s", type=click.IntRange(10, 86_400), default=180, show_default=True,
              metavar="SECONDS", help="Time for the whole check.")  # fmt: skip
@click.option("--network", type=click.Choice(["local", "public"]), default="local",
              show_default=True, help="Which addresses are allowed.")  # fmt: skip
@click.option("--all", "every_step", is_flag=True, help="List every step, not only what matters.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def check(
    url: str,
    play: int,
    deadline_ms: int,
    limit_s: int,
    network: str,
    every_step: bool,
    as_json: bool,
) -> None:
    """Check the bot at URL, step by step, over the same calls that matches use.

    URL may be an address or, as in arena run, sample:NAME, python:FILE.py or cmd:COMMAND, which is
    started and stopped. Exits with 0 when the bot is ready to play, and with 1 when something
    failed or the time did not suffice to finish; slow bots are asked fewer decisions. If the bot
    has a signing secret, put it into the environment as ARENA_BOT_SECRET.

    \b
    arena check http://127.0.0.1:8001
    arena check python:hasty.py --all
    arena check http://127.0.0.1:8001 --play 20 --json
    """
    from arena.bot.practice import sample_opponent
    from arena.wire.addresses import Network
    from arena.wire.conformance import Options, Progress, show
    from arena.wire.conformance import check as steps_of
    from arena.wire.transport import WireOptions

    secret = os.environ.get("ARENA_BOT_SECRET") or None
    options = Options(
        secret=secret.split()[0] if secret else None,
        deadline_ms=deadline_ms,
        limit_s=limit_s,
        play=play,
        opponent=sample_opponent() if play else None,
        progress=None if as_json else Progress(),
        wire=WireOptions(network=Network(network)),
    )
    with bot_at(url, secret) as (address, owned):
        good = show(steps_of(address, options), every_step=every_step, as_json=as_json)
    if not good and owned is not None and owned.silence:
        click.echo(f"\n{owned.what}: {owned.silence}", err=True)
    said = owned.output().strip() if owned is not None else ""
    if not good and said:
        click.echo(f"\nThe last that the bot printed:\n{said[-MOST_OUTPUT:]}", err=True)
    if not good:
        raise SystemExit(1)


def bot_at(url: str, secret: str | None) -> AbstractContextManager[tuple[str, OwnedBot | None]]:
    """Where the bot answers, and its process if it is one of our own, which is stopped then."""
    from arena.launch import OwnedBot, is_owned, resolved

    endpoint = resolved(url, Path.cwd())
    if not is_owned(endpoint):
        return nullcontext((endpoint, None))
    return _running(OwnedBot("checked", endpoint, secret=secret))


@contextmanager
def _running(owned: OwnedBot) -> Iterator[tuple[str, OwnedBot]]:
    try:
        yield owned.url, owned
    finally:
        owned.stop()
