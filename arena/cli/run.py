"""``arena run`` and ``arena resume``: play tournaments."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from arena.cli.choosing import tournament_options, waiting_options
from arena.cli.options import database_option, existing
from arena.cli.playing import play_options

if TYPE_CHECKING:
    from arena.store import Store


@click.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False), required=False)
@tournament_options
@click.option("--secret", metavar="HEX", help="64 hexadecimal digits: repeat the same deals.")
@play_options
@click.option("--json", "as_json", is_flag=True, help="Print the final table as JSON.")
@database_option
def run(
    file: Path | None,
    secret: str | None,
    in_flight: int,
    cluster: str | None,
    as_json: bool,
    database: Path,
    **options: Any,
) -> None:
    """Run a tournament, from a TOML FILE, from options, or from both (options win). What the file
    may say: arena keys.

    Exits with 0 when it is over, 2 when something must be changed, 3 when it was paused or
    cancelled meanwhile, 130 when interrupted.

    \b
    arena run --bot me=http://127.0.0.1:8001 --bot keen=sample:keen --games 4
    arena run friday.toml --db friday.db
    arena run --format bracket --best-of 5 --bot a=sample:simple --bot b=sample:greedy
    arena run cup.toml --seeded-from "Friday night"
    """
    from arena.cli.choosing import chosen
    from arena.cli.entering import check_enterable, entered
    from arena.cli.playing import place, play_and_print
    from arena.store.filling import filled
    from arena.tournament.create import parse_secret

    config = chosen(file, options)
    key = parse_secret(secret) if secret else None
    check_enterable(config)
    with (
        place(cluster, in_flight) as elsewhere,
        filled(database) as store,
        entered(store, config, key) as tournament,
    ):
        play_and_print(store, [tournament], in_flight, as_json, elsewhere=elsewhere)


@click.command()
@click.argument("name", required=False)
@play_options
@waiting_options
@click.option("--json", "as_json", is_flag=True, help="Print the final tables as JSON.")
@database_option
def resume(
    name: str | None,
    in_flight: int,
    cluster: str | None,
    patience_s: float | None,
    all_present: bool | None,
    as_json: bool,
    database: Path,
) -> None:
    """Go on with the tournament NAME, or with all that are not finished.

    Every fixture is played exactly once; a hand that was in play is dealt again the same.
    --patience and --all-present go before what the tournament was made with. Exits as arena run
    does.

    \b
    arena resume --db friday.db
    """
    from arena.cli.playing import place, play_and_print
    from arena.store import Store
    from arena.tournament.playing.play import unfinished

    with Store(existing(database)) as store:
        tournaments = unfinished(store, name)
        if not tournaments:
            click.echo(nothing_to_resume(store))
            return
        with place(cluster, in_flight) as elsewhere:
            play_and_print(
                store,
                tournaments,
                in_flight,
                as_json,
                elsewhere=elsewhere,
                patience_s=patience_s,
                all_present=all_present,
            )


def nothing_to_resume(store: Store) -> str:
    """Why no tournament is gone on with, and how to go on with those that could be."""
    waiting = [row for row in store.tournaments.all() if not row.over]
    if waiting:
        states = ", ".join(f"{row.name!r} is {row.state}" for row in waiting)
        return f"nothing to resume: {states}; name one to go on with it"
    if store.tournaments.titles():
        return "nothing to resume: every tournament is over"
    return f"nothing to resume: {store.path} holds no tournament"
