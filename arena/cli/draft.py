"""``arena draft``, ``entries`` and ``seed``: tournaments before they start."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from arena.cli.choosing import tournament_options
from arena.cli.options import database_option, existing, resume_command

if TYPE_CHECKING:
    from arena.store import Store
    from arena.store.rows import BotRow, TournamentRow


@click.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False), required=False)
@tournament_options
@click.option("--open", "is_open", is_flag=True, help="Owners may enter their bots.")
@click.option("--most", "most_entrants", type=int, metavar="N", help="Most entrants.")
@click.option("--secret", metavar="HEX", help="64 hexadecimal digits: repeat the same deals.")
@database_option
def draft(
    file: Path | None,
    is_open: bool,
    secret: str | None,
    database: Path,
    **options: Any,
) -> None:
    """Make a tournament without playing it, from a TOML FILE, from options, or from both.

    One that is --open takes entries, on the pages and by program, until it starts. Start it there,
    or with arena resume NAME.

    \b
    arena draft --name "Friday night" --format swiss --open --most 32
    arena draft friday.toml --db friday.db
    """
    from arena.cli.choosing import chosen
    from arena.cli.entering import free_name
    from arena.store.filling import filled
    from arena.store.rows import TournamentState
    from arena.tournament.create import create_tournament, parse_secret

    config = chosen(file, options)
    state = TournamentState.REGISTRATION if is_open else TournamentState.DRAFT
    key = parse_secret(secret) if secret else None
    with filled(database) as store:
        if not config.name:
            config = replace(config, name=free_name(store, config.find_format().title))
        row = create_tournament(store, config, key, state=state)
    entries = "; it is open for entries" if is_open else ""
    click.echo(f"{row.name} is made{entries}. Start it: {resume_command(database, row.name)}")


@click.command()
@click.argument("name")
@click.option("--open", "do", flag_value="open", help="Let owners enter their bots.")
@click.option("--close", "do", flag_value="close", help="Let nobody enter or leave any more.")
@click.option("--most", type=int, metavar="N", help="With --open: most entrants.")
@click.option("--enter", "entering", metavar="BOT", multiple=True, help="Enter a bot. Repeat it.")
@click.option("--leave", "leaving", metavar="BOT", multiple=True, help="Take a bot out.")
@database_option
def entries(
    name: str,
    do: str | None,
    most: int | None,
    entering: tuple[str, ...],
    leaving: tuple[str, ...],
    database: Path,
) -> None:
    """Print who is in the tournament NAME, after changing it; possible until it starts.

    \b
    arena entries "Friday night" --open --most 16
    arena entries "Friday night" --enter keen --leave greedy
    """
    from arena.store import Store
    from arena.tournament import registration

    with Store(existing(database)) as store, store.transaction():
        row = store.tournaments.find(name)
        if do == "open" or most is not None:
            row = registration.open_entries(store, row, most)
        for bot in leaving:
            registration.leave(store, row, bot, organiser=True)
        for bot in entering:
            registration.enter(store, row, _registered(store, bot), organiser=True)
        if do == "close":
            row = registration.close_entries(store, row)
        _print_field(store, store.tournaments.get(row.id))


@click.command()
@click.argument("name")
@click.argument("bots", nargs=-1)
@click.option("--ratings", is_flag=True, help="By all that was played of this game.")
@click.option("--seeded-from", metavar="NAME", help="By another tournament's table.")
@database_option
def seed(
    name: str, bots: tuple[str, ...], ratings: bool, seeded_from: str | None, database: Path
) -> None:
    """Seed the tournament NAME before it starts: by hand, the strongest of BOTS first, or by
    something that is looked up at the start. Bots that are not named follow as they were.

    \b
    arena seed "Friday night" keen greedy
    arena seed "Friday night" --ratings
    """
    from arena.config import SeedBy
    from arena.store import Store
    from arena.tournament.seeding import reseed

    if not (bots or ratings or seeded_from):
        raise click.UsageError("name bots in their order, or give --ratings or --seeded-from")
    by = SeedBy.RATINGS if ratings else SeedBy.GIVEN
    with Store(existing(database)) as store:
        row = store.tournaments.find(name)
        reseed(store, row, by=by, source=seeded_from, order=bots)
        _print_field(store, store.tournaments.get(row.id))


def _registered(store: Store, name: str) -> BotRow:
    from arena.errors import ConfigError

    bot = store.bots.by_name(name)
    if bot is None:
        raise ConfigError(f"there is no bot {name!r}; register it: arena register NAME URL")
    return bot


def _print_field(store: Store, row: TournamentRow) -> None:
    from arena.cli.field import field_lines

    for line in field_lines(store, row):
        click.echo(line)
