"""``arena bot``: serve a sample bot."""

from __future__ import annotations

import importlib

import click

from arena.errors import UsageError


@click.command()
@click.argument("name", required=False)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=0,
    help="Port to listen on; 0 takes a free one.",
)
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
def bot(name: str | None, port: int, host: str) -> None:
    """Serve the sample bot NAME until Ctrl-C; without NAME, list them.

    \b
    arena bot keen --port 8001
    """
    from arena.launch import sample_names

    known = sample_names()
    if name is None:
        for each in known:
            module = importlib.import_module(f"arena.sample_bots.{each}")
            summary = (module.__doc__ or "").strip().splitlines()[0]
            click.echo(f"{each:<16} {summary}")
        return
    if name not in known:
        from arena.nearest import did_you_mean

        hint = did_you_mean(name, known) or f"; there are: {', '.join(known)}"
        raise UsageError(f"no sample bot {name!r}{hint}")
    from arena.bot import serve

    module = importlib.import_module(f"arena.sample_bots.{name}")
    serve(module.bot, host, port)
