"""``arena backup``: a copy of the database, also while it is in use."""

from __future__ import annotations

from pathlib import Path

import click

from arena.cli.options import database_option


@click.command()
@click.argument("path", type=click.Path(path_type=Path))
@database_option
def backup(path: Path, database: Path) -> None:
    """Copy the database to PATH (a file, or a folder that gets one named by the time).

    Play and pages go on meanwhile. To go back, stop both and put the copy in the database's place.

    \b
    arena backup backups/ --db friday.db
    """
    from arena.store import Store
    from arena.store.backup import backup as copy
    from arena.store.clock import now

    if path.is_dir():
        stamp = now()[:19].replace(":", "").replace("-", "")
        path = path / f"{database.stem}-{stamp}Z{database.suffix}"
    with Store(database, read_only=True) as store:
        copy(store, path)
    click.echo(f"wrote {path} ({path.stat().st_size:,} bytes); check it: arena verify {path}")
