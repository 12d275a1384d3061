"""``arena serve``: the pages."""

from __future__ import annotations

from pathlib import Path

import click

from arena.cli.options import database_option


@click.command()
@database_option
@click.option("--host", default="127.0.0.1", show_default=True)
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True)
@click.option("--base-url", metavar="URL", help="Public address behind a reverse proxy.")
def serve(database: Path, host: str, port: int, base_url: str | None) -> None:
    """Serve the pages of a database until Ctrl-C; it may be played on meanwhile.

    \b
    arena serve --db arena.db --port 8000
    """
    from arena.site.serve import serve as serve_pages

    serve_pages(
        database,
        host,
        port,
        base_url=base_url,
        listening=lambda address: click.echo(f"pages at {address}"),
    )
