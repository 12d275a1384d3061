"""``arena demo``: everything at work, with one command."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from arena.config import TournamentConfig
    from arena.store import Store
    from arena.store.rows import TournamentRow

DEMO_BOTS = ("random_bot", "simple", "greedy", "keen")
LEAGUE, CUP = "Demo league", "Demo cup"
LEGS = 5
"""Mirrored pairs of matches that each two bots play: enough for intervals that say something."""


@click.command()
@click.option("--db", "database", type=click.Path(path_type=Path, dir_okay=False),
              default="arena-demo.db", show_default=True, help="The database file.")  # fmt: skip
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True,
              help="Port of the pages; 0 takes a free one.")  # fmt: skip
@click.option("--rules", default="gin", show_default=True, help="The game: arena rules.")
@click.option("--games", type=click.IntRange(1, 999), default=2, show_default=True,
              help="Games of a match in the league.")  # fmt: skip
@click.option("--secret", metavar="HEX", help="64 hexadecimal digits: repeat the same deals.")
@click.option("--no-serve", is_flag=True, help="Only play, print both tables and exit.")
def demo(
    database: Path, port: int, rules: str, games: int, secret: str | None, no_serve: bool
) -> None:
    """Play a league and a cup between four sample bots, and show them in the browser.

    The pages are served while it is played. Ctrl-C stops everything; what was not finished goes
    on with: arena resume --db arena-demo.db.
    """
    from arena.cli.playing import play_and_print
    from arena.launch import PagesProcess
    from arena.store.filling import filled

    configs = _configs(rules, games)
    with filled(database) as store:
        tournaments = _tournaments(store, configs, secret)
        if no_serve:
            play_and_print(store, tournaments)
            return
        pages = PagesProcess(database, port)
        try:
            click.echo(f"pages at {pages.url}")
            play_and_print(
                store,
                tournaments,
                then=lambda: click.echo(f"all played; pages at {pages.url} until Ctrl-C"),
            )
        finally:
            pages.stop()


def _configs(rules: str, games: int) -> list[TournamentConfig]:
    """The league, and the cup that is seeded from it.

    :raises ConfigError: the game cannot be played by the sample bots two at a table.
    """
    from arena.config import BotSpec, TournamentConfig, validate
    from arena.tournament.model import FormatOptions

    bots = tuple(BotSpec(name, f"sample:{name}") for name in DEMO_BOTS)
    league = TournamentConfig(
        name=LEAGUE,
        format="round_robin",
        rules=rules,
        options=FormatOptions(games=games, legs=LEGS),
        bots=bots,
    )
    cup = TournamentConfig(
        name=CUP,
        format="single_elimination",
        rules=rules,
        settings={"target": 250} if rules == "gin" else {},
        options=FormatOptions(best_of=5),
        bots=bots,
        seeded_from=LEAGUE,
    )
    for config in (league, cup):
        validate(config)
    return [league, cup]


def _tournaments(
    store: Store, configs: list[TournamentConfig], secret: str | None
) -> list[TournamentRow]:
    """Both tournaments, new; a further demo in the same database gets numbers.

    With a secret given by hand the cup's is its hash, so that it has other deals.
    """
    import hashlib
    from dataclasses import replace

    from arena.tournament.create import create_tournament, parse_secret

    keys: list[bytes | None] = [None, None]
    if secret is not None:
        key = parse_secret(secret)
        keys = [key, hashlib.sha256(key).digest()]
    taken = {row.name for row in store.tournaments.all()}
    number = 1
    while any(_numbered(config.name, number) in taken for config in configs):
        number += 1
    league, cup = (replace(config, name=_numbered(config.name, number)) for config in configs)
    with store.transaction():
        return [
            create_tournament(store, league, keys[0]),
            create_tournament(store, replace(cup, seeded_from=league.name), keys[1]),
        ]


def _numbered(name: str, number: int) -> str:
    return name if number == 1 else f"{name} {number}"
