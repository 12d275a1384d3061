"""``arena backup``: a copy of the database, also while it is in use."""

from __future__ import annotations

import os
from pathlib import Path

import click

from arena.cli.options import database_option


@click.command()
@click.argument("path")
@database_option
def backup(path: str, database: Path) -> None:
    """Copy the database to PATH: a file, or a folder, there or with a slash at its end, that gets
    one named by the time.

    Play and pages go on meanwhile. To go back, stop both and put the copy in the database's place.

    \b
    arena backup backups/ --db friday.db
    """
    from arena.files import make_folder
    from arena.store import Store
    from arena.store.backup import backup as copy
    from arena.store.clock import now

    file = Path(path)
    with Store(database, read_only=True) as store:
        if path.endswith(os.sep) or file.is_dir():
            make_folder(file)
            stamp = now()[:19].replace(":", "").replace("-", "")
            file /= f"{database.stem}-{stamp}Z{database.suffix}"
        copy(store, file)
    click.echo(f"wrote {file} ({file.stat().st_size:,} bytes); check it: arena verify {file}")
