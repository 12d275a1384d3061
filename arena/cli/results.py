"""``arena standings`` and ``arena replay``: what was played."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

from arena.cli.options import database_option
from arena.errors import StoreError


@click.command()
@click.argument("name", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@database_option
def standings(name: str | None, as_json: bool, database: Path) -> None:
    """Print the table of the tournament NAME, or of the newest.

    \b
    arena standings --json --db friday.db
    """
    from arena.cli.terminal import console, standings_table
    from arena.store import Store
    from arena.tournament.results import entrant_names, standings_json, standings_of, strength_of

    with Store(database, read_only=True) as store:
        if name is not None:
            tournament = store.tournaments.find(name)
        else:
            everything = store.tournaments.all()
            if not everything:
                raise StoreError(f"{database} has no tournament yet; play one: arena run --help")
            tournament = everything[0]
        if as_json:
            click.echo(json.dumps(standings_json(store, tournament)))
            return
        names = entrant_names(store, tournament.id)
        title = f"{tournament.name} ({tournament.state})"
        console(sys.stdout).print(
            standings_table(
                title, standings_of(store, tournament), names, strength_of(store, tournament)
            )
        )
