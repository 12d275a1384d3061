"""``arena standings`` and ``arena bracket``: what was played."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from arena.cli.options import database_option
from arena.errors import StoreError

if TYPE_CHECKING:
    from arena.store import Store
    from arena.store.rows import TournamentRow


def _named_or_newest(store: Store, name: str | None) -> TournamentRow:
    """The tournament of this name, or the newest.

    :raises StoreError: there is none.
    """
    if name is not None:
        return store.tournaments.find(name)
    everything = store.tournaments.all()
    if not everything:
        raise StoreError(f"{store.path} has no tournament yet; play one: arena run --help")
    return everything[0]


@click.command()
@click.argument("name", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@database_option
def bracket(name: str | None, as_json: bool, database: Path) -> None:
    """Print the bracket of the tournament NAME, or of the newest.

    For each match it says who is rated better, and with what probability that bot wins it: from
    the ratings of the tournament that gave the seeding, or else of all that was played of this
    game before; a dash where they are not known.

    \b
    arena bracket "Demo cup" --db arena-demo.db
    """
    from arena.cli.tables import bracket_table
    from arena.cli.terminal import console
    from arena.store import Store
    from arena.tournament.results import bracket_json

    with Store(database, read_only=True) as store:
        found = bracket_json(store, _named_or_newest(store, name))
    if as_json:
        click.echo(json.dumps(found))
    else:
        console(sys.stdout).print(bracket_table(found))


@click.command()
@click.argument("name", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@database_option
def standings(name: str | None, as_json: bool, database: Path) -> None:
    """Print the table of the tournament NAME, or of the newest.

    With --json also how every bot answered: faults by code, the share of late answers that the
    time bank paid for, and the times of decisions.

    \b
    arena standings --json --db friday.db
    """
    from arena.cli.tables import print_standings
    from arena.cli.terminal import console
    from arena.store import Store
    from arena.tournament.conduct import conduct_rows
    from arena.tournament.dossier import StoredDossier
    from arena.tournament.results import standings_json

    with Store(database, read_only=True) as store:
        tournament = _named_or_newest(store, name)
        if as_json:
            conduct = conduct_rows(StoredDossier(store, tournament.id))
            click.echo(json.dumps({**standings_json(store, tournament), "conduct": conduct}))
            return
        title = f"{tournament.name} ({tournament.state})"
        print_standings(console(sys.stdout), store, tournament, title)
