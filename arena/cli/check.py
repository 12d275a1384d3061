"""``arena check``: is a bot in order?"""

from __future__ import annotations

import os
import sys

import click


@click.command()
@click.argument("url")
@click.option("--play", type=click.IntRange(0, 1000), default=0, metavar="N",
              help="Play N hands against a sample bot at the end.")  # fmt: skip
@click.option("--deadline-ms", type=click.IntRange(10, 600_000), default=1000, show_default=True,
              help="Time for a decision.")  # fmt: skip
@click.option("--network", type=click.Choice(["local", "public"]), default="local",
              show_default=True, help="Which addresses are allowed.")  # fmt: skip
@click.option("--all", "every_step", is_flag=True, help="List every step, not only what matters.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def check(
    url: str, play: int, deadline_ms: int, network: str, every_step: bool, as_json: bool
) -> None:
    """Check the bot at URL, step by step, over the same calls that matches use.

    Exits with 0 when nothing failed and with 1 otherwise. If the bot has a signing secret, put it
    into the environment as ARENA_BOT_SECRET.

    \b
    arena check http://127.0.0.1:8001
    arena check http://127.0.0.1:8001 --play 20 --json
    """
    from arena.wire.addresses import Network
    from arena.wire.conformance import Options, passed, report_json, report_text
    from arena.wire.conformance import check as steps_of
    from arena.wire.endpoint import Endpoint
    from arena.wire.transport import WireOptions

    endpoint = Endpoint.parse(url)
    options = Options(
        secret=os.environ.get("ARENA_BOT_SECRET") or None,
        deadline_ms=deadline_ms,
        play=play,
        wire=WireOptions(network=Network(network)),
    )
    steps = []
    for step in steps_of(endpoint, options):
        steps.append(step)
        if sys.stderr.isatty() and not as_json:
            click.echo(f"\r{step.number:>3} {step.title[:60]:<60}", err=True, nl=False)
    if sys.stderr.isatty() and not as_json:
        click.echo("\r" + " " * 70 + "\r", err=True, nl=False)
    click.echo(report_json(steps) if as_json else report_text(steps, every_step=every_step))
    if not passed(steps):
        raise SystemExit(1)
