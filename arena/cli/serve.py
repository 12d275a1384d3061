"""``arena serve`` and ``arena organiser``: the pages, and who may organise on them."""

from __future__ import annotations

import os
import signal
from contextlib import nullcontext
from pathlib import Path

import click

from arena.cli.options import confirm, database_option

ORGANISER = "organiser_hash"
"""Name of the setting that holds the hash of the organiser's token."""

OTHERS_READ = (
    "note: others on this machine may read {0}, which holds secrets: deals to come, signing "
    "secrets and addresses of bots. Unless that is meant: chmod 600 {0}"
)
INVITED_ONLY = (
    "note: other machines can reach these pages. Everybody may read them; bots from there are "
    "taken with an invitation only, for here a bot may have any address, also one that only this "
    "machine can reach. To invite: arena organiser, then /organise. For bots of strangers, at "
    "public addresses only: --public"
)


@click.command()
@database_option
@click.option("--host", default="127.0.0.1", show_default=True,
              help="Address to listen on; 0.0.0.0 lets other machines in.")  # fmt: skip
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True,
              help="Port of the pages; 0 takes a free one.")  # fmt: skip
@click.option("--base-url", metavar="URL", help="Public address behind a reverse proxy.")
@click.option("--public", is_flag=True,
              help="Bots need an invitation or approval, and public addresses.")  # fmt: skip
def serve(database: Path, host: str, port: int, base_url: str | None, public: bool) -> None:
    """Serve the pages of a database until Ctrl-C; it may be played on meanwhile.

    Anybody may read. To organise tournaments on the pages, make a token first: arena organiser.
    Without --public, bots may have any address, so from other machines they are taken with an
    invitation only.

    \b
    arena serve --db arena.db --port 8000
    arena serve --host 0.0.0.0 --base-url https://arena.example.org --public
    """
    from arena.process import stop_with_stdin
    from arena.site.http.nearby import is_exposed
    from arena.site.serve import serve as serve_pages
    from arena.site.work.control import ByProcess
    from arena.store.filling import filled
    from arena.store.places import others_may_read

    is_new = not database.exists()
    if is_new:
        click.echo(f"note: {database} is new, so there is nothing to see yet", err=True)
    if others_may_read(database):
        click.echo(OTHERS_READ.format(database), err=True)
    if is_exposed(host, base_url) and not public:
        click.echo(INVITED_ONLY, err=True)
    stop_with_stdin(lambda: os.kill(os.getpid(), signal.SIGTERM))
    with filled(database) if is_new else nullcontext():
        serve_pages(
            database,
            host,
            port,
            organiser_token_hash=_organiser_hash(database),
            base_url=base_url,
            public=public,
            control=ByProcess(database),
            listening=lambda address: click.echo(f"pages at {address}"),
        )


def _organiser_hash(database: Path) -> str | None:
    from arena.store import Store
    from arena.store.settings import read_setting

    if not database.is_file():
        return None
    with Store(database, read_only=True) as store:
        return read_setting(store, ORGANISER)


@click.command()
@click.option("--yes", is_flag=True, help="Replace an existing token without asking.")
@database_option
def organiser(yes: bool, database: Path) -> None:
    """Make the token with which one organises on the pages, and print it once.

    Only its hash is stored. A new token takes the place of the old one; restart arena serve then.

    \b
    arena organiser --db arena.db
    """
    from arena.store import Store
    from arena.store.settings import write_setting
    from arena.tokens import hash_token, new_token

    if _organiser_hash(database) and not yes:
        confirm("There is a token already. Replace it?")
    token = new_token("org")
    with Store(database) as store:
        write_setting(store, ORGANISER, hash_token(token))
    click.echo(f"{token}\nSign in with it on the pages; it is not shown again.")
