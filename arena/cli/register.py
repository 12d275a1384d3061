"""``arena register``: enter a bot into a database, as the page does."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from arena.cli.options import bot_secret, database_option
from arena.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arena.store import Store
    from arena.store.rows import BotRow
    from arena.wire.conformance import Step
    from arena.wire.endpoint import Endpoint


@click.command()
@click.argument("name")
@click.argument("url")
@click.option("--homepage", metavar="URL", help="The bot's home page.")
@click.option("--author", help="Who wrote it.")
@click.option("--secret", "has_secret", is_flag=True,
              help="It has a signing secret: from ARENA_BOT_SECRET, or typed.")  # fmt: skip
@click.option("--new-secret", is_flag=True, help="Make a signing secret and print it once.")
@click.option("--no-check", is_flag=True,
              help="Register without the conformance check. Which games it plays is not known "
              "then, so no tournament takes it from its owner or from arena entries until it has "
              "been tested, on its page or with arena owner test.")  # fmt: skip
@database_option
def register(
    name: str,
    url: str,
    homepage: str | None,
    author: str | None,
    has_secret: bool,
    new_secret: bool,
    no_check: bool,
    database: Path,
) -> None:
    """Register the bot NAME at URL: it is checked, and then accepted or told what to mend.

    Prints the owner's token once; with it the bot is edited, tested again and retired, on the pages
    or by arena owner.
    Exits with 1 when the check failed; nothing is stored then.

    \b
    arena register hasty http://127.0.0.1:8001 --author me
    ARENA_BOT_SECRET=whsec_… arena register hasty http://127.0.0.1:8001 --secret
    arena register hasty http://127.0.0.1:8001 --new-secret --no-check
    """
    from arena.site.http.inputs import web_address
    from arena.store.filling import filled
    from arena.tokens import hash_token, new_token
    from arena.wire.endpoint import Endpoint

    endpoint = Endpoint.parse(url)
    page = web_address(homepage or "", "homepage")
    secret = _secret(has_secret, new_secret, waits=not no_check)
    token = new_token("own")
    with filled(database) as store:
        store.bots.require_free(name)
        if new_secret and not no_check:
            _await_start(secret)
        steps = [] if no_check else _passed(endpoint, secret)
        bot = store.bots.add(
            name,
            endpoint.url,
            secret=secret,
            owner_hash=hash_token(token),
            homepage=page,
            author=author,
        )
        if steps:
            _keep_found(store, bot, steps)
    click.echo(f"{name} is accepted. The owner's token, shown this once: {token}")
    if no_check:
        click.echo("It was not checked: it can enter tournaments when it has been tested.")
    if new_secret and no_check:
        click.echo(f"The signing secret, shown this once: {secret}")


def _secret(has: bool, make: bool, *, waits: bool) -> str | None:
    """The signing secret that the bot has, or one that is made.

    ``waits``: one that is made is shown before the check, to somebody who starts the bot with it.

    :raises UsageError: nobody is there, or there is no secret.
    """
    from arena.wire.signing import new_secret

    if has and make:
        raise click.UsageError("give --secret or --new-secret, not both")
    if has:
        return bot_secret()
    if make and waits and not sys.stdin.isatty():
        raise UsageError(
            "--new-secret waits until you have started the bot with it, and nobody is there; "
            "add --no-check, then start the bot and test it on the pages"
        )
    return new_secret() if make else None


def _await_start(secret: str | None) -> None:
    click.echo(f"signing secret: {secret}")
    click.prompt(
        "Start the bot with it, then press return",
        default="",
        show_default=False,
        prompt_suffix=" ",
    )


def _passed(endpoint: Endpoint, secret: str | None) -> list[Step]:
    """The steps of a check that was passed; else the report is printed and the command ends."""
    from arena.wire.conformance import Options, check, passed, report_text

    steps = list(check(endpoint, Options(secret=secret)))
    if not passed(steps):
        click.echo(report_text(steps))
        raise SystemExit(1)
    return steps


def _keep_found(store: Store, bot: BotRow, steps: Sequence[Step]) -> None:
    """Store the report of a check, and what the bot says of itself."""
    from arena.wire.conformance import report_json
    from arena.wire.greeting import greeting

    store.bots.set_report(bot.version_id, json.loads(report_json(steps)))
    said = greeting(bot.endpoint, bot.secret)
    if said is not None:
        store.bots.set_info(bot.version_id, asdict(said))
