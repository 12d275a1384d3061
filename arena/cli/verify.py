"""``arena verify`` and ``arena export``: a record that anyone can check."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from arena.cli.options import DEFAULT_DB, database_option

if TYPE_CHECKING:
    from arena.store import Store
    from arena.tournament.dossier import Dossier


@click.command()
@click.argument(
    "source", type=click.Path(path_type=Path, dir_okay=False), default=DEFAULT_DB, required=False
)
@click.argument("name", required=False)
@click.option("--commitment", metavar="HEX", help="What was published before the first hand.")
@click.option("--digest", metavar="HEX", help="What was published when the tournament was over.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--db", "database", type=click.Path(path_type=Path, dir_okay=False),
              help="The database, as other commands name it.")  # fmt: skip
def verify(
    source: Path,
    name: str | None,
    commitment: str | None,
    digest: str | None,
    as_json: bool,
    database: Path | None,
) -> None:
    """Check the database or exported archive SOURCE: all its tournaments, or NAME.

    Deals every hand again from the secret, replays and scores it, and compares every game, result
    and digest, and the schedule. Names the first difference and exits with 1.

    What it cannot know is whether somebody made another tournament of it, with all digests anew:
    give it the commitment that was published before the first hand and the digest that was
    published at the end. Both are on the page Rules and fairness.

    \b
    arena verify friday.db
    arena verify friday.zip
    arena verify "Friday night" --db friday.db
    arena verify friday.zip --commitment 5d1f… --digest 90ab…
    """
    from arena.errors import StoreError, UsageError
    from arena.tournament.dossier import ArchivedDossier

    if database is not None:
        # What stands alone beside --db is the name of a tournament.
        given = click.get_current_context().get_parameter_source("source")
        if given is not ParameterSource.DEFAULT:
            name = str(source) if name is None else name
        source = database
    published = {
        what: given.strip().lower()
        for what, given in (("commitment", commitment), ("digest", digest))
        if given
    }
    if not source.is_file():
        raise StoreError(f"no file {source}; give a database or an exported archive")
    if zipfile.is_zipfile(source):
        if name is not None:
            raise UsageError(f"{source} holds one tournament; leave {name!r} out")
        good = _report(source.name, partial(ArchivedDossier, source), published, as_json)
    elif not is_database(source):
        raise StoreError(f"{source} is neither a database nor an archive that arena export wrote")
    else:
        good = _check_database(source, name, published, as_json)
    if not good:
        raise SystemExit(1)


def _check_database(
    source: Path, name: str | None, published: Mapping[str, str], as_json: bool
) -> bool:
    """Check the tournaments of a database, or one, and say of each what was found."""
    from arena.errors import StoreError, UsageError
    from arena.store import Store
    from arena.tournament.dossier import StoredDossier

    # One snapshot: a referee may be at work on it.
    with Store(source, read_only=True) as store, store.reading():
        damage = store.damage()
        if damage is not None:
            _say_different(source.name, damage, as_json)
            return False
        titles = store.tournaments.titles()
        if not titles:
            raise StoreError(f"{source} has no tournament yet")
        if name is not None:
            titles = {i: t for i, t in titles.items() if name in (i, t)} or _found(store, name)
        elif published and len(titles) > 1:
            raise UsageError(
                f"{source} holds {len(titles)} tournaments; name the one that was published"
            )
        return all(
            [
                _report(title, partial(StoredDossier, store, id), published, as_json)
                for id, title in titles.items()
            ]
        )


def is_database(path: Path) -> bool:
    """Whether the file begins like one of SQLite's; an empty one is a database too."""
    with path.open("rb") as file:
        return file.read(16) in (b"SQLite format 3\0", b"")


def _found(store: Store, name: str) -> dict[str, str]:
    row = store.tournaments.find(name)
    return {row.id: row.name}


def _report(
    title: str, opened: Callable[[], Dossier], published: Mapping[str, str], as_json: bool
) -> bool:
    """Check one tournament and say what was found.

    ``published``: the commitment or digest that it is to have.
    """
    from arena.errors import ArenaError
    from arena.export import verify_tables
    from arena.store.rows import TournamentState
    from arena.tournament.dossier import ArchivedDossier
    from arena.tournament.verification.mismatch import same
    from arena.tournament.verification.verify import verify as check

    try:
        dossier = opened()
        title = str(dossier.tournament.get("name", title))
        found = check(dossier)
        for what, right in published.items():
            same(f"the {what}", getattr(found, what), right)
        other = verify_tables(dossier) if isinstance(dossier, ArchivedDossier) else None
    except ArenaError as error:
        _say_different(title, str(error), as_json)
        return False
    if as_json:
        more = {"finished": found.finished, "tables_by": other}
        click.echo(json.dumps({"tournament": title, "ok": True, **asdict(found), **more}))
    else:
        ends = {TournamentState.FINISHED: "finished", TournamentState.CANCELLED: "cancelled"}
        state = ends.get(found.state, "not finished, so far")
        click.echo(
            f"{title}: verified ({state}): {found.matches} matches, "
            f"{found.games} games, {found.hands} hands"
        )
        click.echo(f"  commitment {found.commitment}")
        if found.digest is not None:
            click.echo(f"  digest     {found.digest}")
        if other is not None:
            click.echo(
                f"  its tables were written by version {other} and not made again; they are as "
                "they were written, or somebody has made their sums anew"
            )
    return True


def _say_different(title: str, error: str, as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps({"tournament": title, "ok": False, "error": error}))
    else:
        click.echo(f"{title}: DIFFERENCE\n  {error}")


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
