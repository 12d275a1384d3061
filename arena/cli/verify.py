"""``arena verify`` and ``arena export``: a record that anyone can check."""

from __future__ import annotations

import json
import zipfile
from dataclasses import asdict
from pathlib import Path

import click

from arena.cli.options import DEFAULT_DB, database_option


@click.command()
@click.argument(
    "source", type=click.Path(path_type=Path, dir_okay=False), default=DEFAULT_DB, required=False
)
@click.argument("name", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def verify(source: Path, name: str | None, as_json: bool) -> None:
    """Check the database or exported archive SOURCE: all its tournaments, or NAME.

    Deals every hand again from the secret, replays and scores it, and compares every game, result
    and digest, and the schedule. Names the first difference and exits with 1.

    \b
    arena verify friday.db
    arena verify friday.zip
    """
    from arena.errors import StoreError
    from arena.store import Store
    from arena.tournament.dossier import ArchivedDossier, Dossier, StoredDossier
    from arena.tournament.verify import Mismatch
    from arena.tournament.verify import verify as check

    def report(dossier: Dossier) -> bool:
        title = str(dossier.tournament["name"])
        try:
            found = check(dossier)
        except Mismatch as error:
            if as_json:
                click.echo(json.dumps({"tournament": title, "ok": False, "error": str(error)}))
            else:
                click.echo(f"{title}: DIFFERENCE\n  {error}")
            return False
        if as_json:
            click.echo(json.dumps({"tournament": title, "ok": True, **asdict(found)}))
        else:
            state = "finished" if found.finished else "not finished, so far"
            click.echo(
                f"{title}: verified ({state}): {found.fixtures} fixtures, "
                f"{found.games} games, {found.hands} hands"
            )
        return True

    if not source.is_file():
        raise StoreError(f"no file {source}; give a database or an exported archive")
    if zipfile.is_zipfile(source):
        good = report(ArchivedDossier(source))
    else:
        with Store(source, read_only=True) as store:
            chosen = [store.tournaments.find(name)] if name else store.tournaments.all()
            good = all([report(StoredDossier(store, row.id)) for row in chosen])
    if not good:
        raise SystemExit(1)


@click.command()
@click.argument("name", required=False)
@click.option("--to", "path", type=click.Path(path_type=Path, dir_okay=False),
              help="The file to write; named after the tournament unless given.")  # fmt: skip
@database_option
def export(name: str | None, path: Path | None, database: Path) -> None:
    """Write the finished tournament NAME, or the newest, as one archive.

    It holds every record, the configuration, the secret and the tables, and arena verify checks it
    without the database.

    \b
    arena export "Friday night" --db friday.db --to friday.zip
    """
    from arena.errors import StoreError
    from arena.export import export as write
    from arena.store import Store

    with Store(database, read_only=True) as store:
        everything = store.tournaments.all()
        if not everything:
            raise StoreError(f"{database} has no tournament yet")
        tournament = store.tournaments.find(name) if name else everything[0]
        target = path or Path(f"{tournament.slug}.zip")
        write(store, tournament, target)
    click.echo(f"wrote {target} ({target.stat().st_size:,} bytes); check it: arena verify {target}")
